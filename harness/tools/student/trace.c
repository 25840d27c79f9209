// scanlab trace NN: a picture of what a kernel does to its arrays: as text, as SVG, and as a page.
//
// Exit codes: 0 drawn (even if wrong), 2 misuse, 3 a file is missing or does not compile, 4 the machine.
#include "observe.h"

#include "picture/banks.h"
#include "picture/player.h"

enum { MOST = 16384, MOST_PLAYED = 1 << 17 };
// Blocks lose their turn anywhere, so the picture shows some of them waiting for others.
#define CHAINED "warps=random"

typedef struct options {
  const char *file, *svg, *html, *array, *launches, *format, *title, *view, *names, *command;
  int64_t block, cells, group;
  bool banks, shared, quiet, plain, split;
  sl_input_choice input;
} options;

// "3", "3:" or "3:8".
static bool read_launches(const char *text, sl_pic_choice *c, sl_error *e) {
  c->first_launch = 0, c->last_launch = -1;
  if (!text) return true;
  SL_FREED char *first = sl_path("%s", text);
  char *colon = strchr(first, ':'), *last = colon ? colon + 1 : first;
  int64_t from, to = -1;
  if (colon) *colon = 0;
  const bool ok =
      sl_parse_int(first, 0, INT32_MAX, &from) && (!*last || sl_parse_int(last, 0, INT32_MAX, &to));
  if (ok) c->first_launch = from, c->last_launch = to;
  return ok || sl_fail(e, SL_EXIT_USAGE, "launches count from 0",
                       "--launches: expected A or A:B, found \"%s\"", text);
}

static bool read_size(const options *o, uint64_t *n, sl_error *e) {
  int64_t v;
  const int most = o->html ? MOST_PLAYED : MOST;
  if (!sl_parse_int(o->input.n, 1, most, &v))
    return sl_fail(e, SL_EXIT_USAGE, "a picture is for small inputs: 16, 32",
                   "--n: expected 1 to %d, found \"%s\"", most, o->input.n);
  *n = (uint64_t)v;
  return true;
}

static void show_picture(const sl_observed *seen, const sl_picture *p, const sl_pic_style *s,
                         const options *o) {
  sl__show_observed(stdout, seen);
  if (!o->quiet) sl__picture_text(stdout, p, s);
  if (o->svg) printf("%spicture: %s\n", o->quiet ? "" : "\n", o->svg);
}

static long long size_of(const sl_observed *seen) {
  return json_integer_value(json_object_get(seen->record, "n"));
}

static void make_title(const sl_observed *seen, sl_picture *p, const char *title) {
  const char *kernel = p->n_kernels ? p->kernels[0] : "";
  if (title) snprintf(p->title, sizeof p->title, "%s", title);
  else if (p->n_kernels == 1) snprintf(p->title, sizeof p->title, "%s, n = %lld", kernel, size_of(seen));
  else
    snprintf(p->title, sizeof p->title, "lab %s, n = %lld, %zu launches", seen->lab->name, size_of(seen),
             p->n_kernels);
}

// A cell is a word; a map has two. Words of an element of the input.
static unsigned words_of(const sl_observed *seen) {
  return strcmp(sl_json_text(seen->record, "type"), sl_type_names[SL_AFFINE]) ? 1 : 2;
}

// A cell is a word, so an element of a struct has several.
static void note_members(const sl_observed *seen, sl_picture *p) {
  char members[80];
  for (size_t k = 0; k < p->n_rows; k++) {
    const sl_pic_row *r = &p->rows[k];
    if (!sl_source_members(seen->source, r->name, r->bytes, members, sizeof members)) continue;
    sl_append(p->note, sizeof p->note, "; ", "an element of %s is several cells: %s", r->name, members);
    return;
  }
}

// Says which elements the picture shows, unless it shows all.
static void make_note(const sl_observed *seen, const sl_pic_choice *c, sl_picture *p) {
  const uint64_t end = p->n_cells * p->group;
  const bool cut = end < p->n && p->n_cells == (c->cells ? c->cells : SL_PIC_CELLS);
  p->note[0] = 0;
  if (p->group > 1)
    sl_append(p->note, sizeof p->note, "", "each cell of a long array shows the last of its %llu elements",
              (unsigned long long)p->group);
  if (words_of(seen) > 1)
    sl_append(p->note, sizeof p->note, "; ", "map k: its factor in cell 2k, its constant in cell 2k + 1");
  if (cut) sl_append(p->note, sizeof p->note, "; ", "elements 0 to %llu alone", (unsigned long long)end - 1);
  note_members(seen, p);
}

// Elements in a cell if the user names no number: a block's share if several launches work on more than fits.
static int64_t share_of_a_block(const json_t *report, const sl_pic_choice *c) {
  const json_t *launches = json_object_get(report, "kernels");
  uint64_t most = 1, share = 1;
  for (size_t k = 0; k < json_array_size(launches); k++) {
    const json_t *grid = json_object_get(json_array_get(launches, k), "grid");
    uint64_t blocks = 1;
    for (size_t d = 0; d < json_array_size(grid); d++)
      blocks *= (uint64_t)json_integer_value(json_array_get(grid, d));
    if (blocks > most) most = blocks;
  }
  if (c->shared || c->cells || c->n <= SL_PIC_CELLS || json_array_size(launches) < 2 || most < 2) return 1;
  while (share * most < c->n) share *= 2;
  return (int64_t)share;
}

static void draw_choice(const sl_observed *seen, const options *o, sl_pic_choice *c, sl_pic_format format,
                        sl_error *e) {
  sl_picture p = {.n_rows = 0};
  sl_pic_style s = {
      .format = format, .banks = o->banks, .plain = o->plain, .split = o->split, .width = sl__width()};
  if (!c->group) c->group = share_of_a_block(seen->report, c);
  bool ok = sl__picture(seen->report, seen->source, c, &p, e);
  if (ok) make_title(seen, &p, o->title);
  if (ok && !o->title) make_note(seen, c, &p);
  if (ok && o->svg) ok = sl__picture_svg(&p, &s, o->svg, e);
  if (ok) show_picture(seen, &p, &s, o);
  sl__picture_free(&p);
}

static void draw_banks(const sl_observed *seen, const options *o, const sl_pic_choice *c, sl_error *e) {
  char title[160];
  snprintf(title, sizeof title, "lab %s, n = %lld: words of the worst request of each step, by bank",
           seen->lab->name, size_of(seen));
  sl__show_observed(stdout, seen);
  const sl_bank_view view = {o->title ? o->title : title, o->quiet ? NULL : stdout, o->svg};
  bool ok = sl__banks(seen->report, seen->source, c, &view, e);
  if (ok && o->svg) printf("\npicture: %s\n", o->svg);
}

// What the page shows of the kernel's text, malloc'ed.
static char *shown_source(const sl_observed *seen, const options *o, sl_error *e) {
  SL_SKELETON s = {0};
  if (!o->plain) return sl_path("%s", seen->source);
  if (!sl_skeleton_read(seen->kernel, seen->lab, &s, e)) return NULL;
  return sl_skeleton_closed(&s);
}

// What makes the page of the lab's kernel.cu, wherever it is: no file of this machine is named. malloc'ed.
static char *command_of_page(char *const *argv) {
  static const char *const here[] = {"--file=", "--html=", "--svg=", "--title=", "--quiet", NULL};
  SL_FREED char *words = sl_shell_line(argv, here);
  return sl_path("./scanlab %s --html picture.html", words);
}

static void write_player(const sl_observed *seen, const options *o, sl_error *e) {
  SL_FREED char *source = shown_source(seen, o, e);
  char title[160];
  snprintf(title, sizeof title, "Lab %s, n = %lld", seen->lab->name, size_of(seen));
  const sl_player_head h = {o->title ? o->title : title, sl_base_name(seen->kernel),
                            o->plain ? "" : o->command, source};
  if (source && sl__player(seen->report, seen->record, seen->source, &h, o->html, e) && !o->quiet) {
    sl__show_observed(stdout, seen);
    printf("%s: open it in a browser\n", o->html);
  }
}

// Completes the input: small numbers unless the user has chosen others. *[small]: their file, malloc'ed.
static bool choose_input(const char *lab, options *o, sl_pic_choice *c, char **small, sl_error *e) {
  const sl_lab_info *info = sl_lab_find(lab, e);
  if (!info) return false;
  if (o->html && info->sort && !o->input.schedule) o->input.schedule = CHAINED;
  if (o->input.name) return true;
  if (!o->input.n) o->input.n = "16";
  if (!read_size(o, &c->n, e)) return false;
  const bool maps = o->input.type && !strcmp(o->input.type, sl_type_names[SL_AFFINE]);
  if (o->input.dist || o->input.op || o->input.values || maps) return true;
  if (!o->input.scalars) o->input.scalars = sl__small_scalars(info);
  o->input.temporary = true;
  return (o->input.data = *small = sl__small_input(lab, &o->input, c->n, e)) != NULL;
}

bool sl__can_write(const char *path, sl_error *e) {
  if (!path || (access(path, F_OK) == 0 && !sl_is_file(path) && !sl_is_dir(path))) return true;
  sl_out *out = sl_open_atomic(path, e);
  if (out) sl_abandon(out);
  return out != NULL;
}

static int trace(const char *lab, options *o) {
  static const char *const formats[] = {"dec", "bin", "hex", NULL}, *const views[] = {"steps", "banks", NULL};
  sl_error e = {0};
  sl_observed seen = {0};
  sl_pic_choice c = {.array = o->array,
                     .block = o->block,
                     .cells = (size_t)o->cells,
                     .names = o->names,
                     .shared = o->shared,
                     .group = o->group};
  SL_FREED char *input = NULL;
  int view = sl_name_find("view", o->view, views, SL_EXIT_USAGE, &e),
      format = view < 0 ? -1 : sl_name_find("format", o->format, formats, SL_EXIT_USAGE, &e);
  bool ok = format >= 0 && read_launches(o->launches, &c, &e) && sl__can_write(o->html, &e) &&
            sl__can_write(o->svg, &e) && choose_input(lab, o, &c, &input, &e);
  if (ok && sl__observe(&(sl_to_observe){lab, o->file, &o->input}, "--steps", &seen, &e)) {
    c.n = (uint64_t)size_of(&seen) * words_of(&seen);
    if (o->html) write_player(&seen, o, &e);
    else if (view) draw_banks(&seen, o, &c, &e);
    else draw_choice(&seen, o, &c, (sl_pic_format)format, &e);
  }
  if (input) unlink(input);
  sl__observed_free(&seen);
  return e.code ? sl__stop("trace", &e) : SL_EXIT_OK;
}

bool sl__play_case(const sl_ladder *l, const sl_case *c, const char *html, sl_error *e) {
  SL_FREED char *name = sl_path("%s.%s", c->part->id, c->id),
                *command =
                    sl_path("./scanlab trace %s --case %s --html picture.html", l->lab->info->number, name);
  const options o = {.html = html, .command = command, .quiet = true};
  const sl_input_choice input = {.name = name, .schedule = l->lab->info->sort ? CHAINED : NULL};
  sl_observed seen = {0};
  if (c->n > MOST_PLAYED || c->n_draw)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: no picture: %s", name,
                   c->n_draw ? "its size is drawn anew" : "it has too many elements");
  if (sl__observe(&(sl_to_observe){l->lab->info->number, l->kernel, &input}, "--steps", &seen, e))
    write_player(&seen, &o, e);
  sl__observed_free(&seen);
  return e->code == SL_EXIT_OK;
}

int sl__trace(int argc, char **argv) {
  options o = {.format = "dec", .view = "steps"};
  const sl_opt opts[] = {
      SL_OPT_TEXT("--file", &o.file, "KERNEL.cu", "kernel to look at (default: the lab's kernel.cu)"),
      SL_OPT_TEXT("--svg", &o.svg, "FILE", "write the picture to FILE, too"),
      SL_OPT_TEXT("--html", &o.html, "FILE", "write a page that plays the execution, instead"),
      SL_OPT_FLAG("--quiet", &o.quiet, "no text"),
      SL_OPT_TEXT("--array", &o.array, "A,B", "arrays to show (default: those that are touched most)"),
      SL_OPT_FLAG("--shared", &o.shared, "shared arrays, too, when there are several launches"),
      SL_OPT_TEXT("--launches", &o.launches, "A:B", "only launches A to B, from 0"),
      SL_OPT_NUMBER("--block", &o.block, "B", 0, INT32_MAX,
                    "the block whose shared memory is shown (default 0)"),
      SL_OPT_NUMBER("--cells", &o.cells, "N", 1, SL_PIC_CELLS,
                    "cells of an array to show (default: those that are touched, at most 64)"),
      SL_OPT_NUMBER("--group", &o.group, "G", 1, 1 << 20,
                    "a cell stands for G elements of a longer global array and shows the last (default: 1; a "
                    "block's share if several launches work on more than 64)"),
      SL_OPT_TEXT("--format", &o.format, "dec|bin|hex", "how values are written"),
      SL_OPT_TEXT("--view", &o.view, "steps|banks", "arrays step by step, or the words of each step by bank"),
      SL_OPT_FLAG("--banks", &o.banks, "colour shared cells by bank (in the SVG)"),
      SL_OPT_FLAG("--split", &o.split,
                  "colour keys by the bit of the next pass, one bit a pass (in the SVG)"),
      SL_OPT_TEXT("--names", &o.names, "A;B;..",
                  "names of the rows, in order (default: those of the arrays)"),
      SL_OPT_FLAG("--plain", &o.plain, "no line numbers in the SVG, no text of the TODO regions in the page"),
      SL_OPT_TEXT("--title", &o.title, "TEXT", "title of the picture"),
      SL_OPT_TEXT("--case", &o.input.name, "PART.CASE", "a case of the lab's tests, as check names it"),
      SL_INPUT_OPTIONS(&o.input),
      SL_OPT_END};
  const sl_cli cli = {"scanlab trace", "Draws what a kernel does to its arrays, step by step.",
                      "./scanlab trace 03 --n 16 --svg picture.svg", "LAB", opts};
  sl_cli_parse(&cli, argc, argv, NULL);
  SL_FREED char *command = command_of_page(argv);
  o.command = command;
  return trace(argv[1], &o);
}
