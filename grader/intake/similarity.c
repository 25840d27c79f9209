// `scanlab export similarity`: a class's kernels for tools that look for copies, without names.
//
// Interface: sl__export_command. DIR gets for each lab a folder a student under a code
// (NN_name/submissions/s01), the skeleton as what everybody had (NN_name/base), the names of the codes in
// names.csv, which the owner alone may read, and in README.txt the commands for compare50, JPlag and Dolos.
// Comments are left out: they tell names.
#include "intake/intake.h"

typedef struct similarity {
  sl_grading g;
  const char *out, *roster;
  sl_strings labs;
  bool accept_misplaced, keep_comments;
  const sl_submission **order; // in the order of their codes
} similarity;

// The text of a kernel without comments; line breaks stay, so that lines keep their numbers.
static char *without_comments(sl_arena *a, const char *s) {
  char *out = sl__alloc(a, strlen(s) + 1), *to = out;
  while (*s) {
    size_t n = sl_comment_length(s), quoted = n ? 0 : sl_quoted_length(s);
    for (size_t k = 0; k < n; k++)
      if (s[k] == '\n') *to++ = '\n';
    if (!n) n = quoted ? quoted : 1, to = mempcpy(to, s, n);
    s += n;
  }
  return out;
}

static bool copy_kernel(similarity *x, const char *from, const char *folder, sl_error *e) {
  SL_FREED char *text = sl_read_file(from, SL_MAX_KERNEL, NULL, e);
  const char *kept = !text ? NULL : x->keep_comments ? text : without_comments(x->g.arena, text);
  return kept && sl_mkdirs(folder, e) &&
         sl_write_file(sl__str(x->g.arena, "%s/kernel.cu", folder), kept, strlen(kept), e);
}

// Codes -----------------------------------------------------------------------------------------------------

typedef struct place {
  char hash[SL_HEX256];
  const sl_submission *s;
} place;

static int by_hash(const void *a, const void *b) {
  return strcmp(((const place *)a)->hash, ((const place *)b)->hash);
}

// An order that nobody can guess from the names.
static bool shuffle(similarity *x, sl_error *e) {
  unsigned char key[32];
  place *at = sl__alloc(x->g.arena, (x->g.n + 1) * sizeof *at);
  x->order = sl__alloc(x->g.arena, (x->g.n + 1) * sizeof *x->order);
  if (!sl__random(key, sizeof key, e)) return false;
  for (size_t i = 0; i < x->g.n; i++) {
    at[i].s = &x->g.subs[i];
    sl__hmac(key, at[i].s->raw_name, at[i].hash);
  }
  qsort(at, x->g.n, sizeof *at, by_hash);
  for (size_t i = 0; i < x->g.n; i++) x->order[i] = at[i].s;
  return true;
}

static const char *code_of(similarity *x, size_t i) { return sl__str(x->g.arena, "s%03zu", i + 1); }

static bool write_names(similarity *x, sl_error *e) {
  const char *text = "code,student\r\n";
  for (size_t i = 0; i < x->g.n; i++) {
    const char *name = x->order[i]->name;
    char *quoted = sl__alloc(x->g.arena, 2 * strlen(name) + 2), *to = quoted;
    if (*name && strchr("=+-@", *name)) *to++ = '\''; // a spreadsheet would compute it
    for (const char *s = name; *s; s++) *to++ = *s, *to = '"', to += *s == '"';
    *to = 0;
    text = sl__str(x->g.arena, "%s%s,\"%s\"\r\n", text, code_of(x, i), quoted);
  }
  const char *path = sl__str(x->g.arena, "%s/names.csv", x->out);
  mode_t before = umask(077);
  bool ok = sl_write_file(path, text, strlen(text), e);
  umask(before);
  return ok;
}

// Folders ---------------------------------------------------------------------------------------------------

static bool write_lab(similarity *x, size_t lab, sl_error *e) {
  sl_arena *a = x->g.arena;
  const char *name = x->g.course.labs[lab].lab->info->name;
  size_t n = 0;
  bool ok = copy_kernel(x, sl__str(a, "%s/labs/%s/kernel.cu", x->g.course.root, name),
                        sl__str(a, "%s/%s/base", x->out, name), e);
  for (size_t i = 0; ok && i < x->g.n; i++) {
    const sl_graded_lab *gl = &x->order[i]->labs[lab];
    if (!*gl->hash) continue;
    ok = copy_kernel(x, gl->kernel, sl__str(a, "%s/%s/submissions/%s", x->out, name, code_of(x, i)), e);
    n++;
  }
  if (ok) printf("%s: %zu kernel%s\n", name, n, sl_plural(n));
  return ok;
}

static bool write_readme(similarity *x, sl_error *e) {
  static const char text[] = "Kernels of a class under codes; names.csv has the names. Keep that file to "
                             "yourself. In each folder of a lab,\n"
                             "submissions/ holds one folder a student, base/ what everybody was given. Texts "
                             "in quotes were not looked at.\n"
                             "\n"
                             "compare50:  compare50 -d base/kernel.cu -o result submissions/*/kernel.cu\n"
                             "JPlag:      java -jar jplag.jar -l cpp --suffixes=.cu --bc=base submissions\n"
                             "Dolos:      dolos run -l cpp -i base/kernel.cu submissions/*/kernel.cu\n"
                             "\n"
                             "All three work on this machine alone. Two kernels of a small exercise may be "
                             "alike because there is one good way\n"
                             "to write it: look at them before you say anything.\n";
  return sl_write_file(sl__str(x->g.arena, "%s/README.txt", x->out), text, sizeof text - 1, e);
}

// Makes DIR, or takes it if it is empty: nothing is replaced.
static bool make_out(similarity *x, sl_error *e) {
  char real[PATH_MAX];
  if (!x->out)
    return sl_fail(e, SL_EXIT_USAGE, "./scanlab export similarity CLASS --out DIR",
                   "option --out is missing");
  if (access(x->out, F_OK) == 0 && rmdir(x->out) != 0)
    return sl_fail(e, SL_EXIT_INPUT, "name a folder that is not there yet", "%s: %s", x->out,
                   errno == ENOTEMPTY || errno == EEXIST ? "is not empty" : strerror(errno));
  if (!sl_mkdirs(x->out, e) || !realpath(x->out, real)) return false;
  x->out = sl__str(x->g.arena, "%s", real);
  return true;
}

// What was handed in, as a grading sees it; archives are unpacked in the build folder.
static bool take_class(similarity *x, const char *dir, sl_error *e) {
  sl_grading *g = &x->g;
  char real[PATH_MAX];
  if (!realpath(sl_course_root(), real))
    return sl_fail(e, SL_EXIT_INFRA, NULL, "the course tree is not there");
  g->course.root = sl__str(g->arena, "%s", real);
  g->course.build = sl__str(g->arena, "%s", sl_work_folder());
  g->course.backend = "sim";
  g->course.accept_misplaced = x->accept_misplaced;
  g->course.roster = x->roster;
  if (!sl__load_labs(g, &x->labs, e) || !sl__discover(g, dir, e)) return false;
  if (!g->is_class)
    return sl_fail(e, SL_EXIT_INPUT, "name the folder of the class", "%s: is one submission", dir);
  SL_EACH_SUB(g, s) {
    s->out = sl__str(g->arena, "%s/similarity/%s", g->course.build, s->id);
    if (!sl_mkdirs(s->out, e)) return false;
  }
  if (!sl__take_in(g, e)) return false;
  SL_EACH_SUB(g, s) sl__plan(g, s);
  return true;
}

static bool export_similarity(similarity *x, const char *dir, sl_error *e) {
  if (!take_class(x, dir, e) || !make_out(x, e) || !shuffle(x, e)) return false;
  for (size_t i = 0; i < x->g.course.n_labs; i++)
    if (!write_lab(x, i, e)) return false;
  return write_names(x, e) && write_readme(x, e);
}

int sl__export_command(int argc, char **argv) {
  similarity x = {.g = {.arena = sl__arena_new()}};
  sl_error e = {0};
  const sl_opt table[] = {
      SL_OPT_TEXT("--out", &x.out, "DIR", "a new folder for the kernels"),
      SL_OPT_LIST("--lab", &x.labs, "NN", "this lab only (repeatable)"),
      SL_OPT_TEXT("--roster", &x.roster, "FILE", "CSV of the course's students, as in grade"),
      SL_OPT_FLAG("--accept-misplaced", &x.accept_misplaced, "take kernels in other places, as in grade"),
      SL_OPT_FLAG("--keep-comments", &x.keep_comments, "leave comments in, which may tell names"),
      SL_OPT_END};
  const sl_cli cli = {"scanlab export",
                      "Writes a class's kernels without names, for tools that look for copies.",
                      "./scanlab export similarity submissions --out copies", "similarity CLASS", table};
  sl_cli_parse(&cli, argc, argv, NULL);
  bool ok = strcmp(argv[1], "similarity") == 0
                ? export_similarity(&x, argv[2], &e)
                : sl_fail(&e, SL_EXIT_USAGE, "./scanlab export similarity CLASS --out DIR",
                          "there is no export '%s'", argv[1]);
  if (!ok) sl_error_print("scanlab export", &e);
  for (size_t i = 0; i < x.g.course.n_labs; i++) sl_lab_free(x.g.course.labs[i].lab);
  sl_arena_free(x.g.arena);
  free(x.labs.at);
  return ok ? SL_EXIT_OK : e.code ? e.code : SL_EXIT_INFRA;
}
