// Marks cells of a finished picture: bank conflicts, races, and elements of an output that are passed over.
//
// Interface: sl__mark_cells (maker.h).
#include "picture/maker.h"

// Marks the cells of requests with replays, in the row that the request wrote or read.
static void mark_conflicts(sl_maker *m) {
  for (size_t k = 0; k < m->evs.n; k++) {
    const sl_ev *v = &m->evs.at[k];
    if (!sl__ev_touches(v) || !v->replays || !m->drawn[v->array] || sl__column(m, v) < 0) continue;
    int row = sl__row_before(m, v, v->kind == SL_EV_READS ? 1 + sl__time_of(m, v) : 2 + sl__time_of(m, v));
    if (row >= 0 && m->p->rows[row].cells[sl__column(m, v)].way < v->replays + 1)
      m->p->rows[row].cells[sl__column(m, v)].way = v->replays + 1;
  }
}

static bool is_race(const json_t *findings) {
  size_t k;
  json_t *f;
  json_array_foreach((json_t *)findings, k, f) {
    const char *id = json_string_value(json_object_get(f, "id"));
    if (id && !strncmp(id, "race.", 5)) return true;
  }
  return false;
}

static int by_place(const void *a, const void *b) {
  const sl_ev *x = *(const sl_ev *const *)a, *y = *(const sl_ev *const *)b;
  if (x->array != y->array) return x->array < y->array ? -1 : 1;
  if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
  return (x->time >> 16 > y->time >> 16) - (x->time >> 16 < y->time >> 16);
}

static bool same_cell(const sl_ev *a, const sl_ev *b) { return by_place(&a, &b) == 0; }

// Marks a race among [n] accesses to one cell between two barriers: one writes, another thread takes part.
static void mark_group(sl_maker *m, const sl_ev *const *v, size_t n) {
  const sl_ev *write = NULL;
  bool others = false;
  for (size_t k = 0; k < n; k++) {
    if (v[k]->kind != SL_EV_READS) write = v[k];
    others |= v[k]->thread != v[0]->thread;
  }
  int row = write && others ? sl__row_before(m, write, 2 + sl__time_of(m, write)) : -1;
  if (row >= 0 && sl__column(m, write) >= 0) m->p->rows[row].cells[sl__column(m, write)].race = true;
}

// Marks races only if the simulated GPU has found one: it knows of warp-level synchronisation, too.
static void mark_races(sl_maker *m) {
  const sl_ev **at = is_race(m->p->findings) ? calloc(m->evs.n + 1, sizeof *at) : NULL;
  size_t n = 0;
  for (size_t k = 0; at && k < m->evs.n; k++) {
    const sl_ev *v = &m->evs.at[k];
    if (sl__ev_touches(v) && m->drawn[v->array] && m->evs.arrays[v->array].shared) at[n++] = v;
  }
  if (n) qsort(at, n, sizeof *at, by_place);
  for (size_t k = 0, end; k < n; k = end) {
    for (end = k + 1; end < n && same_cell(at[k], at[end]);) end++;
    mark_group(m, at + k, end - k);
  }
  free(at);
}

static bool is_read(const sl_maker *m, unsigned array) {
  for (size_t k = 0; k < m->evs.n; k++)
    if (sl__ev_touches(&m->evs.at[k]) && m->evs.at[k].array == array && m->evs.at[k].kind == SL_EV_READS)
      return true;
  return false;
}

static bool is_last_of_array(const sl_picture *p, size_t row) {
  for (size_t k = row + 1; k < p->n_rows; k++)
    if (p->rows[k].array == p->rows[row].array) return false;
  return true;
}

// What the kernels only write is an output: an unwritten element in front of a written one is missing.
static void mark_missing(sl_maker *m) {
  const sl_picture *p = m->p;
  for (size_t k = 0; k < p->n_rows && p->group == 1; k++) {
    const sl_pic_row *r = &p->rows[k];
    if (r->shared || !r->line || !is_last_of_array(p, k) || is_read(m, r->array)) continue;
    size_t end = p->n_cells;
    while (end > 0 && r->cells[end - 1].how == SL_PIC_UNKNOWN) end--;
    for (size_t i = 0; i < end; i++)
      if (r->cells[i].how == SL_PIC_UNKNOWN) r->cells[i].how = SL_PIC_KEPT, r->cells[i].unset = true;
  }
}

void sl__mark_cells(sl_maker *m) {
  mark_conflicts(m);
  mark_races(m);
  mark_missing(m);
}
