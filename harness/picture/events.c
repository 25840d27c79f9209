// Reads events: rows of numbers in the report (harness/gpu/server/recorded.c) become accesses to cells of
// arrays. The time of an access is its launch, the number of barriers that its block had passed, and a step
// of its own within that when it uses what was written since the barrier. Of a thread that is alone in its
// launch a step is what one line writes.
#include "findings/findings.h"
#include "picture/events.h"

static uint64_t num(const json_t *row, size_t k) {
  return (uint64_t)json_integer_value(json_array_get(row, k));
}

// Arrays ----------------------------------------------------------------------------------------------------

static void name_array(const json_t *x, const char *kernel, const char *source, char *out, size_t cap) {
  const char *name = json_string_value(json_object_get(x, "name"));
  int param = (int)json_integer_value(json_object_get(x, "param"));
  uint64_t word = (uint64_t)json_integer_value(json_object_get(x, "word"));
  if (name && name[0]) sl__short_name(name, out, cap);
  else if (!sl_source_parameter_name(source, kernel, (uint32_t)(param + 1), out, cap))
    snprintf(out, cap, "%s", param < 0 ? "memory" : "parameter");
  else if (word) sl_append(out, cap, ".", "%llu", (unsigned long long)word);
}

// The array that [n] names. Shared memory is another array in every launch and block.
static unsigned array_of(sl_evs *e, const struct sl_arr_name *n, uint32_t launch, uint32_t block) {
  for (size_t k = e->n_arrays; k-- > 0;) {
    const sl_arr *o = &e->arrays[k];
    if (o->shared == n->shared && o->base == n->base &&
        (!n->shared || (o->launch == launch && o->block == block)))
      return (unsigned)k;
  }
  SL_GROW(e->arrays, e->n_arrays);
  e->arrays[e->n_arrays] =
      (sl_arr){.shared = n->shared, .base = n->base, .size = n->size, .launch = launch, .block = block};
  return (unsigned)e->n_arrays++;
}

static void add_name(sl_evs *e, const json_t *x, const char *mangled, const char *source) {
  char kernel[128];
  const char *space = json_string_value(json_object_get(x, "space"));
  SL_GROW(e->names, e->n_names);
  struct sl_arr_name *n = &e->names[e->n_names++];
  n->base = (uint64_t)json_integer_value(json_object_get(x, "base"));
  n->size = (uint64_t)json_integer_value(json_object_get(x, "size"));
  n->shared = space && !strcmp(space, "shared");
  sl__short_name(mangled, kernel, sizeof kernel);
  name_array(x, kernel, source, n->text, sizeof n->text);
  n->is_int = !n->shared && sl_param_is_int(mangled, (int)json_integer_value(json_object_get(x, "param")));
}

// Events ----------------------------------------------------------------------------------------------------

static void read_event(sl_evs *e, const json_t *row, uint32_t launch, size_t first, size_t first_name) {
  SL_GROW(e->at, e->n);
  sl_ev *v = &e->at[e->n++];
  *v = (sl_ev){.kind = (sl_ev_kind)num(row, 0),
               .launch = launch,
               .block = (uint32_t)num(row, 1),
               .phase = (uint32_t)num(row, 2)};
  if (v->kind == SL_EV_OPENS) return;
  v->thread = (uint32_t)num(row, 3), v->line = (uint32_t)num(row, 4), v->request = (uint32_t)num(row, 5);
  v->replays = (uint32_t)num(row, 6), v->name = (unsigned)(first_name + num(row, 7)),
  v->bytes = (uint32_t)num(row, 9);
  v->array = array_of(e, &e->names[v->name], launch, v->block);
  v->cell = (uint32_t)num(row, 8); // an offset until the array's cells are known
  v->value = num(row, 11);
  v->strong = num(row, 13), v->again = (uint32_t)num(row, 14);
  const char *found = json_string_value(json_array_get(row, 15));
  v->found = found && found[0] ? found : NULL;
  const char *type = json_string_value(json_array_get(row, 10));
  v->type = type ? type[0] : 'b';
  if (v->type == 'u' && e->names[v->name].is_int) v->type = 's';
  const json_t *from = json_array_get(row, 12);
  for (size_t k = 0; k < json_array_size(from) && k < SL_PIC_FROM; k++)
    v->from[v->n_from++] = first + num(from, k);
  sl_arr *a = &e->arrays[v->array];
  if (!a->bytes || v->bytes < a->bytes) a->bytes = v->bytes ? v->bytes : 1;
  if (!a->type || a->type == 'b') a->type = v->type;
}

static void read_launch(sl_evs *e, const json_t *launch, uint32_t number, const char *source) {
  const json_t *arrays = json_object_get(launch, "arrays"), *events = json_object_get(launch, "events");
  size_t first = e->n, first_name = e->n_names;
  const char *name = json_string_value(json_object_get(launch, "name"));
  for (size_t k = 0; k < json_array_size(arrays); k++)
    add_name(e, json_array_get(arrays, k), name ? name : "", source);
  for (size_t k = 0; k < json_array_size(events); k++)
    read_event(e, json_array_get(events, k), number, first, first_name);
}

// Times -----------------------------------------------------------------------------------------------------

typedef struct last { // write to a cell
  uint64_t time;
  uint32_t thread;
  bool any;
} last;
typedef struct clocks {
  last *cells;      // by number of the cell
  uint64_t *thread; // [blocks * 1024]
  size_t n_threads;
  uint32_t line; // of the last write, in a launch of one thread; 0: none
} clocks;

// A thread's own step starts at 0 after each barrier. It advances when the thread reads what was written
// since the barrier, or writes again what it has written itself.
static void set_time(const sl_evs *e, clocks *c, sl_ev *v) {
  uint64_t *own = &c->thread[((size_t)v->block * 1024 + v->thread) % c->n_threads];
  last *cell = &c->cells[sl__cell_number(e, v)];
  uint64_t start = SL_TIME(v->launch, v->phase, 0);
  bool again = v->kind == SL_EV_READS || (v->kind == SL_EV_WRITES && cell->thread == v->thread);
  if (*own < start) *own = start;
  if (cell->any && again && cell->time >= *own) *own = cell->time + 1;
  v->time = *own;
  if (v->kind != SL_EV_READS) *cell = (last){.time = *own, .thread = v->thread, .any = true};
}

// A launch of one thread has no steps. Its loops stand for them: what a line writes until another one does.
static void set_time_alone(clocks *c, sl_ev *v) {
  uint64_t *own = c->thread, start = SL_TIME(v->launch, v->phase, 0);
  if (*own < start) *own = start, c->line = 0;
  if (v->kind != SL_EV_READS && v->line != c->line) *own += c->line != 0, c->line = v->line;
  v->time = *own;
}

// The event behind the last one of its launch; *[alone]: does one thread run that?
static size_t end_of_launch(const sl_evs *e, size_t first, bool *alone) {
  size_t k = first;
  for (*alone = true; k < e->n && e->at[k].launch == e->at[first].launch; k++)
    if (e->at[k].kind != SL_EV_OPENS) *alone &= !e->at[k].block && !e->at[k].thread;
  return k;
}

static void set_times(sl_evs *e) {
  clocks c = {.n_threads = 1 << 20};
  c.cells = sl_must(calloc(e->n_cells + 1, sizeof *c.cells));
  c.thread = sl_must(calloc(c.n_threads, sizeof *c.thread));
  bool alone;
  for (size_t k = 0, end; k < e->n; k = end) {
    end = end_of_launch(e, k, &alone);
    for (size_t i = k; i < end; i++)
      if (!sl__ev_touches(&e->at[i])) continue;
      else if (alone) set_time_alone(&c, &e->at[i]);
      else set_time(e, &c, &e->at[i]);
  }
  free(c.cells);
  free(c.thread);
}

// Numbers the cells of all arrays: those up to the last one that was touched.
static void number_cells(sl_evs *e) {
  for (size_t k = 0; k < e->n; k++) {
    sl_ev *v = &e->at[k];
    if (!sl__ev_touches(v)) continue;
    sl_arr *a = &e->arrays[v->array];
    v->element = v->cell /= a->bytes;
    if (a->n_cells <= v->cell) a->n_cells = v->cell + 1;
  }
  for (size_t k = 0; k < e->n_arrays; k++)
    e->arrays[k].first = e->n_cells, e->n_cells += e->arrays[k].n_cells;
}

static void count_touched(sl_evs *e) {
  SL_FREED bool *seen = sl_must(calloc(e->n_cells + 1, 1));
  for (size_t k = 0; k < e->n; k++) {
    const sl_ev *v = &e->at[k];
    if (!sl__ev_touches(v) || seen[sl__cell_number(e, v)]) continue;
    seen[sl__cell_number(e, v)] = true;
    e->arrays[v->array].touched++;
  }
}

// Values that nobody has written ----------------------------------------------------------------------------

// Did the simulated GPU find such values? Only then look for them: it knows of copies.
static bool has_unset(const json_t *report) {
  size_t k;
  json_t *f;
  json_array_foreach(json_object_get(report, "findings"), k, f) {
    const char *id = json_string_value(json_object_get(f, "id"));
    if (id && !strcmp(id, sl_found_name(SL_FOUND_MEMORY_UNINIT))) return true;
  }
  return false;
}

// Follows them from reads of shared memory, which nobody but the block itself can have written, to writes.
static void find_unset(sl_evs *e) {
  enum { FRESH, SET, UNSET };
  SL_FREED uint8_t *holds = sl_must(calloc(e->n_cells + 1, 1));
  for (size_t k = 0; k < e->n; k++) {
    sl_ev *v = &e->at[k];
    if (!sl__ev_touches(v)) continue;
    uint8_t *cell = &holds[sl__cell_number(e, v)];
    const bool fresh = *cell == FRESH && e->arrays[v->array].shared;
    if (v->kind == SL_EV_READS)
      v->unset =
          *cell == UNSET || fresh || (v->found && !strcmp(v->found, sl_found_name(SL_FOUND_MEMORY_UNINIT)));
    for (unsigned s = 0; v->kind != SL_EV_READS && s < v->n_from; s++) v->unset |= e->at[v->from[s]].unset;
    if (v->kind != SL_EV_READS) *cell = v->unset ? UNSET : SET;
  }
}

// Groups the elements of long arrays in global memory: a cell stands for [n] elements.
static void group(sl_evs *e, uint32_t n) {
  for (size_t k = 0; k < e->n_arrays; k++)
    e->arrays[k].group = n > 1 && !e->arrays[k].shared && e->arrays[k].n_cells > n ? n : 1;
  for (size_t k = 0; k < e->n; k++) {
    sl_ev *v = &e->at[k];
    if (sl__ev_touches(v)) v->cell /= e->arrays[v->array].group;
  }
  for (size_t k = 0; k < e->n_arrays; k++) {
    sl_arr *a = &e->arrays[k];
    a->n_cells = (a->n_cells + a->group - 1) / a->group, a->touched = (a->touched + a->group - 1) / a->group;
  }
}

void sl__evs_read(const json_t *report, const char *source, const sl_pic_choice *c, sl_evs *out) {
  const json_t *launches = json_object_get(report, "kernels");
  *out = (sl_evs){0};
  for (size_t k = 0; k < json_array_size(launches); k++)
    if ((int64_t)k >= c->first_launch && (c->last_launch < 0 || (int64_t)k <= c->last_launch))
      read_launch(out, json_array_get(launches, k), (uint32_t)k, source);
  if (!out->n) return;
  number_cells(out);
  set_times(out);
  count_touched(out);
  if (has_unset(report)) find_unset(out);
  group(out, (uint32_t)c->group);
}

void sl__evs_free(sl_evs *e) {
  free(e->at);
  free(e->arrays);
  free(e->names);
}
