// Turns events into rows: makes a row for every step that writes an array to be drawn (choose.c), and fills
// its cells with values and with the cells that the values came from.
//
// Interface: sl__picture, sl__picture_free (picture.h); maker.h.
#include "picture/maker.h"

// Following values through arrays that are not drawn (of grouped cells) -------------------------------------

static void join_origin(sl_pic_origin *to, const sl_pic_origin *from) {
  for (unsigned k = 0; k < from->n; k++) {
    unsigned i = 0;
    while (i < to->n && (to->at[i].row != from->at[k].row || to->at[i].cell != from->at[k].cell)) i++;
    to->several |= i == to->n ? i > 0 : to->at[i].element != from->at[k].element;
    if (i == to->n && i < SL_PIC_FROM) to->at[to->n++] = from->at[k];
  }
  to->several |= from->several;
}

// A read of a drawn cell is an origin. Any other read has the origins of the last write to its cell.
static void find_origin(sl_maker *m, size_t at, const size_t *writer) {
  const sl_ev *v = &m->evs.at[at];
  sl_pic_origin *o = &m->origins[at];
  for (unsigned k = 0; k < v->n_from; k++) join_origin(o, &m->origins[v->from[k]]);
  if (v->kind != SL_EV_READS) return;
  int row = m->drawn[v->array] && sl__column(m, v) >= 0 ? sl__row_before(m, v, 1 + sl__time_of(m, v)) : -1;
  if (row >= 0) *o = (sl_pic_origin){.n = 1, .at = {{row, sl__column(m, v), v->element, v->value}}};
  else if (*writer) *o = m->origins[*writer - 1];
}

static void find_origins(sl_maker *m) {
  SL_FREED size_t *writers = sl_must(calloc(m->evs.n_cells + 1, sizeof *writers)); // index of the event + 1
  m->origins = sl_must(calloc(m->evs.n + 1, sizeof *m->origins));
  for (size_t k = 0; k < m->evs.n; k++) {
    const sl_ev *v = &m->evs.at[k];
    if (!sl__ev_touches(v)) continue;
    size_t *writer = &writers[sl__cell_number(&m->evs, v)];
    find_origin(m, k, writer);
    if (v->kind != SL_EV_READS) *writer = k + 1;
  }
}

// Rows ------------------------------------------------------------------------------------------------------

static int part_of(const sl_maker *m, const sl_ev *v) {
  return m->half[v->array] && (int)v->cell >= m->half[v->array];
}
static int first_of(const sl_maker *m, const sl_ev *v) { return part_of(m, v) * m->half[v->array]; }

// The last row of the array (half) that [v] touches with a time before [time]; -1: none.
int sl__row_before(const sl_maker *m, const sl_ev *v, uint64_t time) {
  for (size_t k = m->p->n_rows; k-- > 0;) {
    const sl_pic_row *r = &m->p->rows[k];
    if (r->array == v->array && r->first == first_of(m, v) && r->time < time) return (int)k;
  }
  return -1;
}

static bool same_row(const sl_maker *m, const sl_pic_row *r, const sl_ev *v, uint64_t time) {
  return r->array == v->array && r->first == first_of(m, v) && r->time == time;
}

static sl_pic_row *row_for(sl_maker *m, const sl_ev *v, uint64_t time, uint32_t line) {
  sl_picture *p = m->p;
  const sl_arr *a = &m->evs.arrays[v->array];
  for (size_t k = 0; k < p->n_rows; k++)
    if (same_row(m, &p->rows[k], v, time)) {
      if (line > p->rows[k].last_line) p->rows[k].last_line = line;
      if (line && line < p->rows[k].line) p->rows[k].line = line;
      return &p->rows[k];
    }
  if (p->n_rows >= SL_PIC_ROWS) return p->too_many = true, NULL;
  sl_pic_row *r = &p->rows[p->n_rows++];
  *r = (sl_pic_row){.array = v->array,
                    .time = time,
                    .line = line,
                    .last_line = line,
                    .shared = a->shared,
                    .first = first_of(m, v),
                    .is_float = a->type == 'f',
                    .is_signed = a->type == 's',
                    .bytes = a->bytes,
                    .launch = v->launch,
                    .bank = (unsigned)(a->base / 4 % 32)};
  snprintf(r->name, sizeof r->name, "%s", m->evs.names[v->name].text);
  r->cells = sl_must(calloc(p->n_cells, sizeof *r->cells));
  return r;
}

// When the row of [v] is drawn: shared memory after each step; global memory, too, unless there are several
// launches: then at the end of each.
uint64_t sl__time_of(const sl_maker *m, const sl_ev *v) {
  return m->p->n_kernels > 1 && !m->evs.arrays[v->array].shared ? SL_TIME_END(v->launch) : v->time;
}

int sl__column(const sl_maker *m, const sl_ev *v) {
  int c = (int)v->cell - first_of(m, v);
  return c < (int)m->p->n_cells ? c : -1;
}

// Makes the rows in order of time: those of the start, then those of the writes. Cells are filled later.
static void make_rows(sl_maker *m) {
  for (size_t k = 0; k < m->evs.n; k++) {
    const sl_ev *v = &m->evs.at[k];
    if (!sl__ev_touches(v) || !m->drawn[v->array] || sl__column(m, v) < 0) continue;
    if (v->kind == SL_EV_READS && sl__row_before(m, v, UINT64_MAX) < 0) row_for(m, v, 0, 0);
    if (v->kind != SL_EV_READS) row_for(m, v, 1 + sl__time_of(m, v), v->line);
  }
}

static int by_time(const void *a, const void *b) {
  const sl_pic_row *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  if (x->shared != y->shared) return x->shared ? -1 : 1;
  if (x->array != y->array) return x->array < y->array ? -1 : 1;
  return x->first - y->first;
}

// Gives the rows the names that the choice has for them.
static void rename_rows(sl_picture *p, const char *names) {
  for (size_t k = 0; names && k < p->n_rows && *names; k++) {
    const size_t n = strcspn(names, ";");
    if (n) snprintf(p->rows[k].name, sizeof p->rows[k].name, "%.*s", (int)n, names);
    names += n + (names[n] == ';');
  }
}

static bool passed_barrier(const sl_pic_row *a, const sl_pic_row *b) {
  return a->time && b->time && SL_TIME_LAUNCH(a->time - 1) == SL_TIME_LAUNCH(b->time - 1) &&
         SL_TIME_PHASE(a->time - 1) != SL_TIME_PHASE(b->time - 1) &&
         b->time - 1 != SL_TIME_END(SL_TIME_LAUNCH(b->time - 1));
}

// Cells -----------------------------------------------------------------------------------------------------

static void add_source(sl_pic_cell *c, int row, int cell) {
  for (unsigned k = 0; k < c->n_from; k++)
    if (c->from[k].row == row && c->from[k].cell == cell) return;
  if (c->n_from == SL_PIC_FROM) return;
  c->from[c->n_from].row = row;
  c->from[c->n_from++].cell = cell;
}

static void add_sources(sl_maker *m, sl_pic_cell *c, const sl_ev *v) {
  for (unsigned k = 0; k < v->n_from; k++) {
    const sl_ev *s = &m->evs.at[v->from[k]];
    if (!sl__ev_touches(s)) continue;
    const sl_pic_origin *o = m->origins ? &m->origins[v->from[k]] : NULL;
    for (unsigned i = 0; o && i < o->n; i++) add_source(c, o->at[i].row, o->at[i].cell);
    if (o) continue;
    int row = m->drawn[s->array] && sl__column(m, s) >= 0 ? sl__row_before(m, s, 1 + sl__time_of(m, s)) : -1;
    add_source(c, row, row < 0 ? -1 : sl__column(m, s));
  }
}

// A read of a cell that nobody has written: it shows in the row that was read.
static void fill_missing(sl_maker *m, const sl_ev *v) {
  const int at = sl__column(m, v), row = sl__row_before(m, v, 1 + sl__time_of(m, v));
  sl_pic_cell *c = at < 0 || row < 0 ? NULL : &m->p->rows[row].cells[at];
  if (c && c->how == SL_PIC_UNKNOWN) c->how = SL_PIC_KEPT, c->unset = true;
}

// Copied is what has the value of the one cell that it came from.
static sl_pic_how how_of(const sl_maker *m, const sl_ev *v) {
  const sl_pic_origin *o = m->origins ? &m->origins[v - m->evs.at] : NULL;
  if (!v->n_from) return SL_PIC_SET;
  if (o ? o->several : v->n_from > 1) return SL_PIC_COMBINED;
  if (o && !o->n) return SL_PIC_COPIED;
  return v->value == (o ? o->at[0].value : m->evs.at[v->from[0]].value) ? SL_PIC_COPIED : SL_PIC_COMBINED;
}

static void fill_cell(sl_maker *m, const sl_ev *v) {
  int at = sl__column(m, v), row = sl__row_before(m, v, 2 + sl__time_of(m, v));
  if (v->unset && v->kind == SL_EV_READS) fill_missing(m, v);
  if (at < 0 || row < 0) return;
  sl_pic_cell *c = &m->p->rows[row].cells[at];
  bool first = c->how == SL_PIC_UNKNOWN, grouped = m->origins != NULL;
  if (v->kind == SL_EV_READS) {
    if (m->p->rows[row].time || (!first && c->element >= v->element)) return;
    c->how = SL_PIC_KEPT, c->value = v->value, c->element = v->element, c->unset = v->unset;
    return;
  }
  if (m->evs.arrays[v->array].group == 1) *c = (sl_pic_cell){.race = c->race, .way = c->way};
  if (v->element >= c->element) c->value = v->value, c->element = v->element;
  c->unset |= v->unset;
  add_sources(m, c, v);
  const sl_pic_how how = how_of(m, v);
  if (!grouped || how > c->how) c->how = how;
}

static void carry(sl_picture *p) {
  for (size_t k = 0; k < p->n_rows; k++)
    for (size_t o = k; o-- > 0;) {
      if (p->rows[o].array != p->rows[k].array || p->rows[o].first != p->rows[k].first) continue;
      for (size_t c = 0; c < p->n_cells; c++) {
        sl_pic_cell *to = &p->rows[k].cells[c];
        if (to->how != SL_PIC_UNKNOWN) continue;
        to->value = p->rows[o].cells[c].value, to->unset = p->rows[o].cells[c].unset;
        to->how = p->rows[o].cells[c].how == SL_PIC_UNKNOWN ? SL_PIC_UNKNOWN : SL_PIC_KEPT;
      }
      break;
    }
}

// All of it -------------------------------------------------------------------------------------------------

static void name_kernels(sl_picture *p, const json_t *launches) {
  char name[128];
  p->n_kernels = json_array_size(launches);
  p->kernels = sl_must(calloc(p->n_kernels + 1, sizeof *p->kernels));
  for (size_t k = 0; k < p->n_kernels; k++) {
    const char *mangled = json_string_value(json_object_get(json_array_get(launches, k), "name"));
    sl__short_name(mangled ? mangled : "?", name, sizeof name);
    p->kernels[k] = sl_path("%s", name);
  }
}

static bool draw_events(sl_maker *m, sl_error *e) {
  sl_picture *p = m->p;
  if (!sl__choose_arrays(m, e)) return false;
  p->rows = sl_must(calloc(SL_PIC_ROWS, sizeof *p->rows));
  make_rows(m);
  qsort(p->rows, p->n_rows, sizeof *p->rows, by_time);
  rename_rows(p, m->c->names);
  for (size_t k = 1; k < p->n_rows; k++) p->rows[k].barrier = passed_barrier(&p->rows[k - 1], &p->rows[k]);
  if (m->c->group > 1 || sl__hides_shared(m)) find_origins(m);
  for (size_t k = 0; k < m->evs.n; k++)
    if (sl__ev_touches(&m->evs.at[k]) && m->drawn[m->evs.at[k].array]) fill_cell(m, &m->evs.at[k]);
  carry(p);
  sl__mark_cells(m);
  return true;
}

bool sl__no_events(sl_error *e) {
  return sl_fail(e, SL_EXIT_INPUT, "fill in its TODO regions first", "the kernel touches no memory");
}

bool sl__picture(const json_t *report, const char *source, const sl_pic_choice *c, sl_picture *p,
                 sl_error *e) {
  sl_maker m = {.p = p, .c = c};
  *p = (sl_picture){.findings = json_object_get(report, "findings"),
                    .group = c->group > 1 ? (uint64_t)c->group : 1,
                    .n = c->n};
  name_kernels(p, json_object_get(report, "kernels"));
  sl__evs_read(report, source, c, &m.evs);
  m.drawn = sl_must(calloc(m.evs.n_arrays + 1, sizeof *m.drawn));
  m.half = sl_must(calloc(m.evs.n_arrays + 1, sizeof *m.half));
  bool ok = m.evs.n ? draw_events(&m, e) : sl__no_events(e);
  sl__evs_free(&m.evs);
  free(m.drawn), free(m.half), free(m.origins);
  return ok;
}

void sl__picture_free(sl_picture *p) {
  for (size_t k = 0; k < p->n_rows; k++) free(p->rows[k].cells);
  for (size_t k = 0; k < p->n_kernels; k++) free(p->kernels[k]);
  free(p->rows), free(p->kernels);
}
