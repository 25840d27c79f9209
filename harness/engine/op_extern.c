// Functions that the device runtime provides: vprintf, __assertfail, malloc, free. Serves lanes one by one.
#include "engine/core.h"

static uint64_t arg(const sl_warp *w, const sl_callinfo *ci, uint32_t k, int lane) {
  uint64_t lo = sl__u32(w, ci->v[k].slot)[lane];
  return ci->v[k].words > 1 ? lo | (uint64_t)sl__u32(w, ci->v[k].slot + 128)[lane] << 32 : lo;
}

static void give(const sl_warp *w, const sl_callinfo *ci, int lane, uint64_t v) {
  if (!ci->n_ret) return;
  const sl_slot s = ci->v[ci->n_arg].slot;
  sl__u32(w, s)[lane] = (uint32_t)v;
  if (ci->v[ci->n_arg].words > 1) sl__u32(w, s + 128)[lane] = (uint32_t)(v >> 32);
}

static sl_step print_all(sl_warp *w, const sl_xinsn *i) {
  const sl_callinfo *ci = i->ext;
  SL_FOR_LANES(l, w->mask) {
    int used = sl__device_printf(w, l, arg(w, ci, 0, l), arg(w, ci, 1, l));
    give(w, ci, l, (uint64_t)(int64_t)used);
  }
  return SL_STEP;
}

typedef struct sl_assertion {
  char what[200], file[200], func[120];
  uint32_t line;
} sl_assertion;

static void print_assertion(sl_warp *w, int lane, const sl_assertion *a) {
  const sl_launch *launch = w->grid->l;
  const uint32_t *b = w->block->index;
  const uint32_t *tid = (const uint32_t *)(const void *)sl__core(w)->special; // x, y, z: 32 lanes each
  char line[512];
  int n = snprintf(line, sizeof line,
                   "%.150s:%u: %.100s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%.150s` failed.\n",
                   a->file, a->line, a->func, b[0], b[1], b[2], tid[lane], tid[lane + 32], tid[lane + 64],
                   a->what);
  if (launch->print && n > 0)
    launch->print(launch->print_ctx, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

static sl_step assert_failed(sl_warp *w, const sl_xinsn *i) {
  const sl_callinfo *ci = i->ext;
  int lane = __builtin_ctz(w->mask);
  sl_assertion a = {"?", "?", "?", (uint32_t)arg(w, ci, 2, lane)};
  sl__device_string(w, lane, arg(w, ci, 0, lane), a.what, sizeof a.what);
  sl__device_string(w, lane, arg(w, ci, 1, lane), a.file, sizeof a.file);
  sl__device_string(w, lane, arg(w, ci, 3, lane), a.func, sizeof a.func);
  print_assertion(w, lane, &a);
  sl__finding_at(w, i, lane, SL_FOUND_KERNEL_ASSERT, "assertion `%s` of %s failed (%s:%u)", a.what, a.func,
                 a.file, a.line);
  sl__finding_place(w->grid->gpu, a.file, a.line);
  return SL_STEP_FAULT;
}

// Makes instructions forget the allocations that they remember, as these may have changed.
static void forget_ranges(sl_grid *g) { memset(g->cache, 0, g->m->n_mem * sizeof *g->cache); }

static sl_step allocate(sl_warp *w, const sl_xinsn *i) {
  const sl_callinfo *ci = i->ext;
  sl_gpu *g = w->grid->gpu;
  SL_FOR_LANES(l, w->mask) {
    uint64_t size = arg(w, ci, 0, l), addr = 0;
    if (size && sl__heap_alloc(g, w->grid->l->owner, size, &addr)) sl__finding_made(w, i, l, addr);
    give(w, ci, l, addr);
  }
  w->grid->writes++;
  return SL_STEP;
}

static sl_step deallocate(sl_warp *w, const sl_xinsn *i) {
  const sl_callinfo *ci = i->ext;
  sl_gpu *g = w->grid->gpu;
  SL_FOR_LANES(l, w->mask) {
    uint64_t addr = arg(w, ci, 0, l);
    const sl_alloc *a = sl__memory_find(&g->mem, addr);
    sl_error e = {0};
    if (sl__heap_free(g, w->grid->l->owner, addr, &e)) continue;
    sl__finding_at(w, i, l, a && a->freed && a->base == addr ? SL_FOUND_MEMORY_FREED : SL_FOUND_MEMORY_FREE,
                   "%.300s", e.text);
    return SL_STEP_FAULT;
  }
  forget_ranges(w->grid);
  return SL_STEP;
}

static const struct {
  sl_step (*fn)(sl_warp *, const sl_xinsn *);
  uint32_t n_arg;
} BUILTINS[] = {[SL_BUILTIN_VPRINTF] = {print_all, 2},
                [SL_BUILTIN_ASSERTFAIL] = {assert_failed, 5},
                [SL_BUILTIN_MALLOC] = {allocate, 1},
                [SL_BUILTIN_ALIGNED_MALLOC] = {allocate, 2},
                [SL_BUILTIN_FREE] = {deallocate, 1}};

// These take as long as thousands of instructions do. A launch that shall end does so at the next backward
// branch, not after all that others would wait for their turn.
static void look_soon(sl_warp *w) {
  const volatile int *cancel = w->grid->l->cancel;
  if (cancel && *cancel) sl__core(w)->fuel = 1, *sl__core(w)->budget = 0;
}

sl_step sl__call_builtin(sl_warp *w, const sl_xinsn *i, const sl_func *fn) {
  const sl_callinfo *ci = i->ext;
  if (w->grid->worker) return SL_STEP_FAULT; // their results depend on the order of blocks
  look_soon(w);
  if (ci->n_arg == BUILTINS[fn->builtin].n_arg) return BUILTINS[fn->builtin].fn(w, i);
  sl__finding_at(w, i, __builtin_ctz(w->mask), SL_FOUND_KERNEL_ILLEGAL, "%s called with %u arguments",
                 fn->ir->name, ci->n_arg);
  return SL_STEP_FAULT;
}
