// Reading events: rows of numbers in the report (harness/cudart/server/recorded.c) become accesses to cells of arrays,
// each with its time: launch, barriers that its block had passed, and within that a step of its own when it uses what was
// written since the barrier.
#include <stdlib.h>
#include <string.h>
#include "trace/events.h"

static void *grow(void *at, size_t n, size_t *cap, size_t size) {
  if (n < *cap) return at;
  *cap = *cap ? 2 * *cap : 256;
  if (!(at = realloc(at, *cap * size))) abort();
  return at;
}

static uint64_t num(const json_t *row, size_t k) { return (uint64_t)json_integer_value(json_array_get(row, k)); }

// Arrays ----------------------------------------------------------------------------------------------------

static void name_array(sl_arr *a, const json_t *x, const char *kernel, const char *source) {
  const char *name = json_string_value(json_object_get(x, "name"));
  int param = (int)json_integer_value(json_object_get(x, "param"));
  if (name && name[0])
    sl__short_name(name, a->name, sizeof a->name);
  else if (!sl__param_name(source, kernel, param, a->name, sizeof a->name))
    snprintf(a->name, sizeof a->name, "%s", param < 0 ? "memory" : "parameter");
}

static unsigned array_of(sl_evs *e, const json_t *x, uint32_t launch, const char *kernel, const char *source) {
  sl_arr a = {.base = (uint64_t)json_integer_value(json_object_get(x, "base")), .launch = launch};
  const char *space = json_string_value(json_object_get(x, "space"));
  a.shared = space && !strcmp(space, "shared");
  for (size_t k = 0; k < e->n_arrays; k++) {
    const sl_arr *o = &e->arrays[k];
    if (o->shared == a.shared && o->base == a.base && (!a.shared || o->launch == launch)) return (unsigned)k;
  }
  name_array(&a, x, kernel, source);
  e->arrays = grow(e->arrays, e->n_arrays, &e->cap_arrays, sizeof *e->arrays);
  e->arrays[e->n_arrays] = a;
  return (unsigned)e->n_arrays++;
}

// Events ----------------------------------------------------------------------------------------------------

static void read_event(sl_evs *e, const json_t *row, uint32_t launch, size_t first, const unsigned *arrays,
                       int64_t block) {
  e->at = grow(e->at, e->n, &e->cap, sizeof *e->at);
  sl_ev *v = &e->at[e->n++];
  *v = (sl_ev){.kind = (sl_ev_kind)num(row, 0), .launch = launch, .block = (uint32_t)num(row, 1),
               .phase = (uint32_t)num(row, 2)};
  if (v->kind == SL_EV_OPENS) return;
  v->thread = (uint32_t)num(row, 3), v->line = (uint32_t)num(row, 4), v->request = (uint32_t)num(row, 5);
  v->replays = (uint32_t)num(row, 6), v->array = arrays[num(row, 7)], v->bytes = (uint32_t)num(row, 9);
  v->cell = (uint32_t)(num(row, 8) / (v->bytes ? v->bytes : 1));
  v->value = num(row, 11);
  const char *type = json_string_value(json_array_get(row, 10));
  v->type = type ? type[0] : 'b';
  const json_t *from = json_array_get(row, 12);
  for (size_t k = 0; k < json_array_size(from) && k < SL_PIC_FROM; k++) v->from[v->n_from++] = first + num(from, k);
  sl_arr *a = &e->arrays[v->array];
  if (a->shared && v->block != block) v->kind = SL_EV_OPENS; // another block's
  if (!a->bytes) a->bytes = v->bytes;
  if (!a->type || a->type == 'b') a->type = v->type;
}

static void read_launch(sl_evs *e, const json_t *launch, uint32_t number, const char *source,
                        int64_t block) {
  const json_t *arrays = json_object_get(launch, "arrays"), *events = json_object_get(launch, "events");
  unsigned *map = calloc(json_array_size(arrays) + 1, sizeof *map);
  char kernel[128];
  size_t first = e->n;
  const char *name = json_string_value(json_object_get(launch, "name"));
  if (!map) abort();
  sl__short_name(name ? name : "", kernel, sizeof kernel);
  for (size_t k = 0; k < json_array_size(arrays); k++)
    map[k] = array_of(e, json_array_get(arrays, k), number, kernel, source);
  for (size_t k = 0; k < json_array_size(events); k++) read_event(e, json_array_get(events, k), number, first, map, block);
  free(map);
}

// Times -----------------------------------------------------------------------------------------------------

typedef struct last { // write to a cell
  uint64_t time;
  uint32_t thread;
  bool any;
} last;
typedef struct clocks {
  last *cells;     // of the array at hand, [n_arrays][stride]
  size_t stride;
  uint64_t *thread; // [blocks * 1024]
  size_t n_threads;
} clocks;

static size_t most_cells(const sl_evs *e) {
  size_t most = 1;
  for (size_t k = 0; k < e->n; k++)
    if (e->at[k].kind != SL_EV_OPENS && e->at[k].cell >= most) most = e->at[k].cell + 1;
  return most;
}

// The own step of a thread begins anew at each barrier. It moves on when the thread reads what was written since the
// barrier, or writes again what it has written itself.
static void set_time(clocks *c, sl_ev *v) {
  uint64_t *own = &c->thread[((size_t)v->block * 1024 + v->thread) % c->n_threads];
  last *cell = &c->cells[v->array * c->stride + v->cell];
  uint64_t start = SL_TIME(v->launch, v->phase, 0);
  bool again = v->kind == SL_EV_READS || (v->kind == SL_EV_WRITES && cell->thread == v->thread);
  if (*own < start) *own = start;
  if (cell->any && again && cell->time >= *own) *own = cell->time + 1;
  v->time = *own;
  if (v->kind != SL_EV_READS) *cell = (last){.time = *own, .thread = v->thread, .any = true};
}

static void set_times(sl_evs *e) {
  clocks c = {.stride = most_cells(e), .n_threads = 1 << 20};
  c.cells = calloc(e->n_arrays * c.stride + 1, sizeof *c.cells);
  c.thread = calloc(c.n_threads, sizeof *c.thread);
  if (!c.cells || !c.thread) abort();
  for (size_t k = 0; k < e->n; k++)
    if (e->at[k].kind != SL_EV_OPENS) set_time(&c, &e->at[k]);
  free(c.cells);
  free(c.thread);
}

static void measure(sl_evs *e) {
  size_t stride = most_cells(e);
  bool *seen = calloc(e->n_arrays * stride + 1, 1);
  if (!seen) abort();
  for (size_t k = 0; k < e->n; k++) {
    const sl_ev *v = &e->at[k];
    if (v->kind == SL_EV_OPENS) continue;
    sl_arr *a = &e->arrays[v->array];
    if (a->n_cells <= v->cell) a->n_cells = v->cell + 1;
    if (!seen[v->array * stride + v->cell]) a->touched++;
    seen[v->array * stride + v->cell] = true;
  }
  free(seen);
}

void sl__evs_read(const json_t *report, const char *source, const sl_pic_choice *c, sl_evs *out) {
  const json_t *launches = json_object_get(report, "kernels");
  *out = (sl_evs){0};
  for (size_t k = 0; k < json_array_size(launches); k++)
    if ((int64_t)k >= c->first_launch && (c->last_launch < 0 || (int64_t)k <= c->last_launch))
      read_launch(out, json_array_get(launches, k), (uint32_t)k, source, c->block);
  if (!out->n) return;
  set_times(out);
  measure(out);
}

void sl__evs_free(sl_evs *e) {
  free(e->at);
  free(e->arrays);
}
