// The steps of the moving picture, as JSON.
//
// Interface: sl__steps_find, sl__steps_json, sl__steps_free (play.h). A step is one memory instruction of a
// warp, or a barrier that opens: [kind, block, phase, line, array, replays, threads, cells, values, from,
// found, strong, again], without the zeros at its end. Cells of an access outside of its array are indices.
// Lists of numbers are [1, start, step, count, ..], or
// [0, ..] if that is shorter. Values of a read are left out where they are what the cell is known to hold.
// From says which reads a written value was computed from: [1, back, ..], the same for all threads: their own
// reads that many steps before; [2]: too many to tell; [0, [back, place, ..], ..] for each thread, with the
// read's place in its step.
#include <math.h>
#include "picture/play.h"

static void *zeroed(size_t n, size_t size) { return sl_must(calloc(n + 1, size)); }

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

static json_t *values_of(const sl_play *p, const sl_ev *v, size_t n) {
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
static bool follow_cells(sl_play *p, const sl_ev *v, size_t n) {
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
static bool is_own(const sl_play *p, size_t at, size_t s) {
  const size_t first = p->first[p->step[s]], end = p->first[p->step[s] + 1];
  const sl_ev *v = p->evs.at;
  return v[s].thread == v[at].thread && (s == first || v[s - 1].thread != v[s].thread) &&
         (s + 1 == end || v[s + 1].thread != v[s].thread);
}

// Do the events of a step have sources that are alike?
static bool alike(const sl_play *p, size_t from, size_t end) {
  const sl_ev *v = p->evs.at;
  for (size_t at = from; at < end; at++) {
    if (v[at].n_from != v[from].n_from) return false;
    for (unsigned k = 0; k < v[at].n_from && v[at].n_from < SL_PIC_FROM; k++)
      if (p->step[v[at].from[k]] != p->step[v[from].from[k]] || !is_own(p, at, v[at].from[k])) return false;
  }
  return true;
}

static json_t *sources_of(const sl_play *p, size_t from, size_t end) {
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
  return a->kind == b->kind && a->kind != SL_EV_OPENS && a->launch == b->launch && a->request == b->request &&
         a->array == b->array;
}

void sl__steps_find(sl_play *p) {
  const size_t n = p->evs.n;
  p->step = zeroed(n, sizeof *p->step), p->first = zeroed(n + 1, sizeof *p->first);
  p->holds = zeroed(p->evs.n_cells, sizeof *p->holds), p->known = zeroed(p->evs.n_cells, sizeof *p->known);
  for (size_t k = 0; k < n; k++) {
    if (!k || !same_step(&p->evs.at[k - 1], &p->evs.at[k])) p->first[p->n_steps++] = k;
    p->step[k] = p->n_steps - 1;
  }
  p->first[p->n_steps] = n;
}

static json_t *column(const sl_ev *v, size_t n, bool cells) {
  SL_FREED int64_t *all = zeroed(n, sizeof *all);
  for (size_t k = 0; k < n; k++)
    all[k] = !cells ? v[k].thread : sl__ev_touches(&v[k]) ? v[k].element : (int64_t)v[k].value;
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

static json_t *step_row(sl_play *p, size_t from, size_t end) {
  const sl_ev *v = &p->evs.at[from];
  const size_t n = end - from;
  json_t *row = json_pack("[i, I, I]", (int)v->kind, (json_int_t)v->block, (json_int_t)v->phase);
  if (v->kind == SL_EV_OPENS) return row;
  const bool same = !sl__ev_touches(v) || follow_cells(p, v, n);
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

json_t *sl__steps_json(sl_play *p) {
  json_t *list = json_array();
  for (size_t k = 0; k < p->n_steps; k++)
    json_array_append_new(list, step_row(p, p->first[k], p->first[k + 1]));
  return list;
}

void sl__steps_free(sl_play *p) { free(p->step), free(p->first), free(p->holds), free(p->known); }
