// Writes the moving picture: the page's frame, style and program (player/) with the data of one execution
// between them.
//
// Interface: player.h. The data are one JSON object; model.js reads it. A step is one memory instruction of a
// warp, or a barrier that opens: [kind, block, phase, line, array, replays, threads, cells, values, from,
// found, strong, again], without the zeros at its end. Lists of numbers are [1, start, step, count, ..], or
// [0, ..] if that is shorter. Values of a read are left out where they are what the cell is known to hold.
// From says which reads a written value was computed from: [1, back, ..], the same for all threads: their own
// reads that many steps before; [2]: too many to tell; [0, [back, place, ..], ..] for each thread, with the
// read's place in its step.
#include <math.h>
#include "picture/events.h"
#include "picture/player.h"

typedef struct player {
  sl_evs evs;
  const json_t *report, *record;
  size_t *step;  // by event: its step
  size_t *first; // by step: its first event; one more at the end
  size_t n_steps;
  uint64_t *holds; // by cell: what it holds
  bool *known;
} player;

static void *zeroed(size_t n, size_t size) {
  void *at = calloc(n + 1, size);
  if (!at) abort();
  return at;
}

static void append(json_t *list, int64_t v) { json_array_append_new(list, json_integer(v)); }

// Lists of numbers ------------------------------------------------------------------------------------------

// The end of the run that begins at [k]: numbers with one distance.
static size_t run_end(const int64_t *v, size_t k, size_t n) {
  size_t end = k + 1;
  while (end < n && v[end] - v[end - 1] == v[k + 1] - v[k]) end++;
  return end;
}

static json_t *numbers(const int64_t *v, size_t n) {
  json_t *list = json_array();
  size_t runs = 0;
  for (size_t k = 0; k < n; k = run_end(v, k, n)) runs++;
  append(list, 3 * runs < n);
  for (size_t k = 0, end; k < n; k = end) {
    end = 3 * runs < n ? run_end(v, k, n) : k + 1;
    append(list, v[k]);
    if (3 * runs < n) append(list, end > k + 1 ? v[k + 1] - v[k] : 0), append(list, (int64_t)(end - k));
  }
  return list;
}

// Values ----------------------------------------------------------------------------------------------------

static double real_value(const sl_arr *a, uint64_t bits) {
  float f;
  double d;
  uint32_t low = (uint32_t)bits;
  memcpy(&f, &low, sizeof f), memcpy(&d, &bits, sizeof d);
  return a->bytes == 8 ? d : (double)f;
}

static int64_t whole_value(const sl_arr *a, uint64_t bits) {
  const unsigned spare = a->bytes < 8 ? 64 - 8 * a->bytes : 0;
  return a->type == 's' ? (int64_t)(bits << spare) >> spare : (int64_t)(bits << spare >> spare);
}

// Is the value a whole number that JavaScript holds exactly?
static bool is_whole(const sl_arr *a, uint64_t bits) {
  const int64_t most = 1ll << 53;
  if (a->type == 'f' && a->bytes >= 4) {
    const double v = real_value(a, bits);
    return fabs(v) < (double)most && v == floor(v) && !(v == 0 && signbit(v));
  }
  const int64_t v = whole_value(a, bits);
  if (a->type != 's' && v < 0) return false;
  return v < most && v > -most;
}

static json_t *value_of(const sl_arr *a, uint64_t bits) {
  char text[32];
  if (a->type == 's') return json_sprintf("%lld", (long long)whole_value(a, bits));
  if (a->type != 'f' || a->bytes < 4) return json_sprintf("%llu", (unsigned long long)whole_value(a, bits));
  const double v = real_value(a, bits);
  if (isfinite(v) && !(v == 0 && signbit(v))) return json_real(v);
  snprintf(text, sizeof text, "%g", v);
  return json_string(text);
}

static json_t *values_of(const player *p, const sl_ev *v, size_t n) {
  const sl_arr *a = &p->evs.arrays[v->array];
  int64_t whole[4 * 32];
  size_t k = 0;
  while (k < n && k < sizeof whole / sizeof *whole && is_whole(a, v[k].value)) {
    whole[k] =
        a->type == 'f' && a->bytes >= 4 ? (int64_t)real_value(a, v[k].value) : whole_value(a, v[k].value);
    k++;
  }
  if (k == n) return numbers(whole, n);
  json_t *list = json_array();
  append(list, 0);
  for (k = 0; k < n; k++) json_array_append_new(list, value_of(a, v[k].value));
  return list;
}

// Notes what the cells hold now. Were all values of a read known?
static bool follow_cells(player *p, const sl_ev *v, size_t n) {
  bool same = v->kind == SL_EV_READS;
  for (size_t k = 0; k < n; k++) {
    const size_t cell = sl__cell_number(&p->evs, &v[k]);
    same = same && p->known[cell] && p->holds[cell] == v[k].value;
    p->holds[cell] = v[k].value, p->known[cell] = true;
  }
  return same;
}

// Sources ---------------------------------------------------------------------------------------------------

// Is source [s] of event [at] a read by the same thread, the only one in its step?
static bool is_own(const player *p, size_t at, size_t s) {
  const size_t first = p->first[p->step[s]], end = p->first[p->step[s] + 1];
  const sl_ev *v = p->evs.at;
  return v[s].thread == v[at].thread && (s == first || v[s - 1].thread != v[s].thread) &&
         (s + 1 == end || v[s + 1].thread != v[s].thread);
}

// Do the events of a step have sources that are alike?
static bool alike(const player *p, size_t from, size_t end) {
  const sl_ev *v = p->evs.at;
  for (size_t at = from; at < end; at++) {
    if (v[at].n_from != v[from].n_from) return false;
    for (unsigned k = 0; k < v[at].n_from && v[at].n_from < SL_PIC_FROM; k++)
      if (p->step[v[at].from[k]] != p->step[v[from].from[k]] || !is_own(p, at, v[at].from[k])) return false;
  }
  return true;
}

static json_t *sources_of(const player *p, size_t from, size_t end) {
  const sl_ev *v = p->evs.at;
  const bool same = alike(p, from, end), many = v[from].n_from == SL_PIC_FROM;
  json_t *list = json_array();
  append(list, same ? 1 + many : 0);
  for (unsigned k = 0; same && !many && k < v[from].n_from; k++)
    append(list, (int64_t)(p->step[from] - p->step[v[from].from[k]]));
  for (size_t at = from; !same && at < end; at++) {
    json_t *own = json_array();
    for (unsigned k = 0; k < v[at].n_from; k++) {
      const size_t step = p->step[v[at].from[k]];
      append(own, (int64_t)(p->step[at] - step)), append(own, (int64_t)(v[at].from[k] - p->first[step]));
    }
    json_array_append_new(list, own);
  }
  return list;
}

// Steps -----------------------------------------------------------------------------------------------------

static bool same_step(const sl_ev *a, const sl_ev *b) {
  return a->kind != SL_EV_OPENS && b->kind != SL_EV_OPENS && a->launch == b->launch &&
         a->request == b->request && a->array == b->array;
}

static void find_steps(player *p) {
  const size_t n = p->evs.n;
  p->step = zeroed(n, sizeof *p->step), p->first = zeroed(n + 1, sizeof *p->first);
  for (size_t k = 0; k < n; k++) {
    if (!k || !same_step(&p->evs.at[k - 1], &p->evs.at[k])) p->first[p->n_steps++] = k;
    p->step[k] = p->n_steps - 1;
  }
  p->first[p->n_steps] = n;
}

static json_t *column(const sl_ev *v, size_t n, bool cells) {
  SL_FREED int64_t *all = zeroed(n, sizeof *all);
  for (size_t k = 0; k < n; k++) all[k] = cells ? v[k].element : v[k].thread;
  return numbers(all, n);
}

// What was found, as pairs: the place in the step, the finding. NULL: nothing.
static json_t *found_in(const sl_ev *v, size_t n) {
  json_t *list = NULL;
  for (size_t k = 0; k < n; k++) {
    if (!v[k].found) continue;
    if (!list) list = json_array();
    append(list, (int64_t)k), json_array_append_new(list, json_string(v[k].found));
  }
  return list;
}

static bool is_zero(const json_t *x) { return json_is_integer(x) && !json_integer_value(x); }

static json_t *step_row(player *p, size_t from, size_t end) {
  const sl_ev *v = &p->evs.at[from];
  const size_t n = end - from;
  json_t *row = json_pack("[i, I, I]", (int)v->kind, (json_int_t)v->block, (json_int_t)v->phase);
  if (v->kind == SL_EV_OPENS) return row;
  const bool same = follow_cells(p, v, n);
  bool sourced = false;
  for (size_t k = 0; k < n; k++) sourced |= v[k].n_from > 0;
  append(row, v->line), append(row, v->array), append(row, v->replays);
  json_array_append_new(row, column(v, n, false));
  json_array_append_new(row, column(v, n, true));
  json_array_append_new(row, same ? json_integer(0) : values_of(p, v, n));
  json_array_append_new(row, sourced ? sources_of(p, from, end) : json_integer(0));
  json_t *found = found_in(v, n);
  json_array_append_new(row, found ? found : json_integer(0));
  append(row, v->strong), append(row, v->again);
  for (size_t k = json_array_size(row); k-- > 0 && is_zero(json_array_get(row, k));)
    json_array_remove(row, k);
  return row;
}

static json_t *all_steps(player *p) {
  json_t *list = json_array();
  for (size_t k = 0; k < p->n_steps; k++)
    json_array_append_new(list, step_row(p, p->first[k], p->first[k + 1]));
  return list;
}

// Launches, arrays, findings --------------------------------------------------------------------------------

static json_t *names_of(const player *p, size_t launch) {
  json_t *names = json_object();
  char key[24];
  for (size_t k = 0; k < p->evs.n; k++) {
    const sl_ev *v = &p->evs.at[k];
    if (v->launch != launch || v->kind == SL_EV_OPENS) continue;
    snprintf(key, sizeof key, "%u", v->array);
    if (!json_object_get(names, key))
      json_object_set_new(names, key, json_string(p->evs.names[v->name].text));
  }
  return names;
}

static json_t *all_launches(const player *p) {
  const json_t *from = json_object_get(p->report, "kernels");
  json_t *list = json_array();
  char name[128];
  for (size_t k = 0, at = 0; k < json_array_size(from); k++) {
    const json_t *x = json_array_get(from, k);
    while (at < p->evs.n && p->evs.at[at].launch < k) at++;
    sl__short_name(json_string_value(json_object_get(x, "name")), name, sizeof name);
    json_t *out = json_pack("{s:s, s:O, s:O, s:I, s:o}", "name", name, "grid", json_object_get(x, "grid"),
                            "block", json_object_get(x, "block"), "first",
                            (json_int_t)(at < p->evs.n ? p->step[at] : p->n_steps), "names", names_of(p, k));
    const json_int_t dropped = json_integer_value(json_object_get(x, "events_dropped"));
    if (dropped) json_object_set_new(out, "dropped", json_integer(dropped));
    json_array_append_new(list, out);
  }
  return list;
}

static json_t *all_arrays(const player *p) {
  json_t *list = json_array();
  for (size_t k = 0; k < p->evs.n_arrays; k++) {
    const sl_arr *a = &p->evs.arrays[k];
    json_array_append_new(list, json_pack("{s:b, s:I, s:I, s:I, s:I, s:I}", "shared", a->shared, "launch",
                                          (json_int_t)a->launch, "block", (json_int_t)a->block, "bytes",
                                          (json_int_t)a->bytes, "cells", (json_int_t)a->n_cells, "word",
                                          (json_int_t)(a->base / 4 % 32)));
  }
  return list;
}

static uint64_t linear(const json_t *at, const json_t *size) {
  uint64_t v[2][3];
  for (size_t k = 0; k < 3; k++) {
    v[0][k] = (uint64_t)json_integer_value(json_array_get(at, k));
    v[1][k] = (uint64_t)json_integer_value(json_array_get(size, k));
  }
  return v[0][0] + v[1][0] * (v[0][1] + v[1][1] * v[0][2]);
}

static int64_t integer(const json_t *o, const char *key) {
  return json_integer_value(json_object_get(o, key));
}
static const char *text_of(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}

// The step that a finding is about: where an access made it, else the last one of its line, of its thread if
// there is one, else where its thread was last; -1: there is none.
static int64_t step_of(const player *p, const json_t *f, uint64_t block, uint64_t thread) {
  int64_t last = -1, own = -1, line = -1, own_line = -1;
  for (size_t k = 0; k < p->evs.n; k++) {
    const sl_ev *v = &p->evs.at[k];
    if (integer(json_array_get(json_object_get(p->report, "kernels"), v->launch), "launch") !=
        integer(f, "launch"))
      continue;
    last = (int64_t)p->step[k];
    if (v->kind == SL_EV_OPENS || v->block != block) continue;
    const bool is_line = v->line == integer(f, "line");
    if (is_line) line = last;
    if (v->thread != thread) continue;
    own = last;
    if (is_line) own_line = last;
    if (v->found && is_line && !strcmp(v->found, text_of(f, "id"))) return last;
  }
  const int64_t steps[] = {own_line, line, own, last};
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
    if (steps[k] >= 0) return steps[k];
  return -1;
}

static json_t *all_findings(const player *p) {
  static const char *const texts[] = {"id", "what", "why", "advice", "page"};
  const json_t *from = json_object_get(p->report, "findings");
  json_t *list = json_array();
  for (size_t k = 0; k < json_array_size(from); k++) {
    const json_t *f = json_array_get(from, k);
    const uint64_t block = linear(json_object_get(f, "block"), json_object_get(f, "grid")),
                   thread = linear(json_object_get(f, "thread"), json_object_get(f, "block_size"));
    json_t *out = json_object();
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
      json_object_set_new(out, texts[t], json_string(text_of(f, texts[t])));
    json_object_set_new(out, "line", json_integer(integer(f, "line")));
    json_object_set_new(out, "step", json_integer(step_of(p, f, block, thread)));
    json_object_set_new(out, "block", json_integer((json_int_t)block));
    json_object_set_new(out, "thread", json_integer((json_int_t)thread));
    const json_t *details = json_object_get(f, "details");
    if (details) json_object_set(out, "details", (json_t *)details);
    json_array_append_new(list, out);
  }
  return list;
}

// The wrong elements of the result, and which array it is. NULL: none, or it is not known.
static json_t *wrong_elements(const player *p) {
  json_t *fields = json_object_get(p->record, "fields"), *elements = json_object_get(fields, "elements");
  const uint64_t base = (uint64_t)integer(fields, "base");
  for (size_t k = 0; elements && k < p->evs.n_arrays; k++)
    if (!p->evs.arrays[k].shared && p->evs.arrays[k].base == base)
      return json_pack("{s:I, s:O}", "array", (json_int_t)k, "elements", elements);
  return NULL;
}

// The page --------------------------------------------------------------------------------------------------

// A text of the user's, which need not be UTF-8.
static json_t *any_text(const char *text) {
  json_t *string = json_string(text);
  SL_FREED char *plain = string ? NULL : sl_path("%s", text);
  for (char *at = plain; at && *at; at++)
    if (*at & 0x80) *at = '?';
  if (plain) string = json_string(plain);
  return string;
}

static json_t *page_data(player *p, const sl_player_head *h) {
  const struct {
    const char *key, *text;
  } texts[] = {{"title", h->title},
               {"file", h->file},
               {"command", h->command},
               {"status", text_of(p->record, "status")},
               {"message", text_of(p->record, "message")},
               {"source", h->source}};
  json_t *o = json_object();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    json_object_set_new(o, texts[k].key, any_text(texts[k].text));
  json_object_set_new(o, "launches", all_launches(p));
  json_object_set_new(o, "arrays", all_arrays(p));
  json_object_set_new(o, "findings", all_findings(p));
  json_t *wrong = wrong_elements(p);
  if (wrong) json_object_set_new(o, "wrong", wrong);
  json_object_set_new(o, "steps", all_steps(p));
  return o;
}

// In a page "<" could end the data; it stands in strings alone.
static bool write_data(sl_out *o, const char *text, sl_error *e) {
  bool ok = true;
  for (size_t n; *text && ok; text += n) {
    n = strcspn(text, "<");
    ok = sl_write(o, text, n, e);
    if (ok && text[n] == '<') ok = sl_write(o, "\\u003c", 6, e), n++;
  }
  return ok;
}

static bool write_part(sl_out *o, const char *name, sl_error *e) {
  char *path = sl_path("%s/harness/picture/player/%s", sl_course_root(), name),
       *text = sl_read_file(path, 1 << 20, NULL, e);
  const bool ok = text && sl_write(o, text, strlen(text), e);
  free(path), free(text);
  return ok;
}

// page.html has a line "<!-- NAME -->" where a file or the data belong.
static bool write_page(sl_out *o, const char *data, sl_error *e) {
  char *path = sl_path("%s/harness/picture/player/page.html", sl_course_root()),
       *page = sl_read_file(path, 1 << 20, NULL, e);
  bool ok = page != NULL;
  for (char *line = page, *end; ok && *line; line = end) {
    char name[32];
    end = line + strcspn(line, "\n"), end += *end == '\n';
    if (sscanf(line, "<!-- %31s -->", name) != 1) ok = sl_write(o, line, (size_t)(end - line), e);
    else ok = !strcmp(name, "data") ? write_data(o, data, e) : write_part(o, name, e);
  }
  free(path), free(page);
  return ok;
}

static bool write_file(const char *path, const json_t *data, sl_error *e) {
  SL_FREED char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(9) | JSON_PRESERVE_ORDER);
  sl_out *o = text ? sl_open_atomic(path, e) : NULL;
  if (!text) sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
  const bool ok = o && write_page(o, text, e) && sl_commit(o, e);
  if (o && !ok) sl_abandon(o);
  return ok;
}

bool sl__player(const json_t *report, const json_t *record, const char *source, const sl_player_head *h,
                const char *path, sl_error *e) {
  const sl_pic_choice all = {.last_launch = -1};
  player p = {.report = report, .record = record};
  sl__evs_read(report, source, &all, &p.evs);
  bool ok =
      p.evs.n || sl_fail(e, SL_EXIT_INPUT, "fill in its TODO regions first", "the kernel touches no memory");
  if (ok) {
    find_steps(&p);
    p.holds = zeroed(p.evs.n_cells, sizeof *p.holds), p.known = zeroed(p.evs.n_cells, sizeof *p.known);
    json_auto_t *data = page_data(&p, h);
    ok = write_file(path, data, e);
  }
  sl__evs_free(&p.evs);
  free(p.step), free(p.first), free(p.holds), free(p.known);
  return ok;
}
