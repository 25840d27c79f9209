// order.fence of a flag for the host: a kernel writes data and then a flag to memory that the host shares,
// without __threadfence_system() between the two, and the host, which has waited for the flag only, looks at
// the data. A fence of device scope orders nothing for the host.
//
// The kernel's side is looked at when a flag is written: by a volatile store, or one in the scope of the
// system. The latest store before it to such memory (of cudaMallocManaged or cudaHostAlloc), by its thread or
// by its block before a barrier, should be in order by then. A store that is not is kept until the host sees
// the flag (sl__mapped_heard). If the data lie in the flag's page, it is told then, as that page is open from
// now on; else when their page is touched (sl__mapped_touched).
#include "observers/observers.h"

enum { MOST = 64 }; // flags that are kept

typedef struct sl_mapped_thread {
  sl_touch last;             // its latest store to shared memory of the host; stamp 0: none
  uint64_t addr;             // where
  uint32_t fence, fence_all; // its latest fence for the system, and the barrier before that
} sl_mapped_thread;

typedef struct sl_mapped_block {
  sl_mapped_thread *thread;
  uint32_t latest; // the thread that stored last
} sl_mapped_block;

typedef struct sl_mapped_flag {
  uint64_t addr, data;
  sl_touch flag, store; // store: of the data; stamp 0: the entry is free
  bool heard;           // the host has seen the flag
} sl_mapped_flag;

typedef struct sl_mapped_state {
  sl_mapped_flag at[MOST];
  uint32_t next;
} sl_mapped_state;

static sl_mapped_state *state_of(const sl_gpu *g) { return g->kept[SL_PROBE_mapped]; }
static sl_mapped_block *block_of(const sl_block *b) { return b->kept[SL_PROBE_mapped]; }

static bool is_of_system(const sl_gmodule *m, uint32_t pc) {
  return sl_ptx_has_mod(sl__insn_of(m, &m->code[pc], NULL), SL_M_sys);
}

static bool speaks_to_host(const sl_gmodule *m, uint32_t pc) {
  return sl__sight(m, pc)->is_volatile || is_of_system(m, pc);
}

static bool is_shared(const sl_gpu *g, uint64_t addr) {
  const sl_alloc *a = sl__memory_find(&g->mem, addr);
  return a && (a->hosted || a->managed);
}

// Flags -----------------------------------------------------------------------------------------------------

static sl_mapped_flag *flag_at(sl_mapped_state *s, uint64_t addr) {
  for (int k = 0; k < MOST; k++)
    if (s->at[k].store.stamp && s->at[k].addr == addr) return &s->at[k];
  return NULL;
}

// Is the store of thread [u] in order for the host before what thread [v] does now?
static bool is_fenced(const sl_block_time *t, const sl_mapped_block *b, uint32_t u, uint32_t v) {
  const sl_mapped_thread *own = &b->thread[u], *other = &b->thread[v];
  const uint32_t stored = own->last.stamp;
  return (own->fence > stored && (u == v || own->fence <= t->all)) ||
         (other->fence && stored <= other->fence_all);
}

static void raise_flag(const sl_access *a, uint32_t l, const sl_touch *me) {
  sl_mapped_state *s = state_of(a->w->grid->gpu);
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  const sl_mapped_block *b = block_of(a->w->block);
  sl_mapped_flag *f = flag_at(s, a->addr[l]);
  if (f) f->store.stamp = 0;
  const uint32_t threads[] = {me->thread, b->latest};
  for (int k = 0; k < 2; k++) {
    const sl_mapped_thread *u = &b->thread[threads[k]];
    const bool before = threads[k] == me->thread || u->last.stamp <= t->all;
    if (!u->last.stamp || !before || u->addr == a->addr[l] || is_fenced(t, b, threads[k], me->thread))
      continue;
    s->at[s->next++ % MOST] = (sl_mapped_flag){a->addr[l], u->addr, *me, u->last, false};
    return;
  }
}

static void see_store(const sl_access *a) {
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  sl_mapped_block *b = block_of(a->w->block);
  if (a->space != SL_SP_GLOBAL || a->kind == SL_SEE_LOAD) return;
  const bool speaks = speaks_to_host(a->w->grid->m, a->pc);
  SL_FOR_LANES(l, a->mask) {
    const uint32_t thread = sl__thread_of(a->w, l);
    if (!is_shared(a->w->grid->gpu, a->addr[l])) continue;
    const sl_touch me = {.block = t->block, .thread = thread, .pc = a->pc, .stamp = t->now};
    sl_mapped_thread *u = &b->thread[thread];
    if (speaks && a->flags & SL_IS_RELEASE) u->fence = t->now, u->fence_all = t->all;
    if (speaks) raise_flag(a, l, &me);
    u->last = me, u->addr = a->addr[l], b->latest = thread;
  }
}

static void see_fence(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *) {
  const sl_block_time *t = &sl__seen_block(w->block)->time;
  if (p->kind != SL_SEE_FENCE || !is_of_system(w->grid->m, (uint32_t)(i - w->grid->code))) return;
  SL_FOR_LANES(l, w->mask) {
    sl_mapped_thread *u = &block_of(w->block)->thread[sl__thread_of(w, l)];
    u->fence = t->now, u->fence_all = t->all;
  }
}

// The host's side -------------------------------------------------------------------------------------------

static uint64_t page_of(uint64_t addr) { return addr / SL_PAGE_BYTES; }

static bool tell(const sl_gpu *g, sl_mapped_flag *x, sl_finding *f) {
  const sl_past *p = sl__streams_past(g, x->store.block);
  const uint32_t bytes = p && p->m ? ((const sl_memop *)p->m->code[x->store.pc].ext)->elem_bytes : 0;
  if (!bytes) return false;
  const uint32_t data = sl__line_at(p->m, x->store.pc), flag = sl__line_at(p->m, x->flag.pc);
  *f = (sl_finding){.id = SL_FOUND_ORDER_FENCE, .count = 1};
  sl__past_party(p, &x->store, f);
  snprintf(f->me.role, sizeof f->me.role, "writer");
  sl__global_object(g, x->data, bytes, &f->object);
  snprintf(f->what, sizeof f->what,
           "data published without a fence for the host: " SL_THE_OBJECT
           " is written here before the flag written at line %u, and the host has seen that flag",
           flag);
  snprintf(f->why, sizeof f->why,
           "The host may see the flag and still find the old data: a fence of the block or the device orders "
           "nothing for the host");
  snprintf(
      f->advice, sizeof f->advice,
      "Put __threadfence_system() between line %u, which writes the data, and line %u, which raises the flag",
      data, flag);
  x->store.stamp = 0;
  return true;
}

bool sl__mapped_heard(const sl_gpu *g, uint64_t addr, sl_finding *f) {
  sl_mapped_flag *x = state_of(g) ? flag_at(state_of(g), addr & ~3ull) : NULL;
  if (!x) return false;
  x->heard = true;
  return page_of(x->data) == page_of(x->addr) && tell(g, x, f);
}

bool sl__mapped_touched(const sl_gpu *g, uint64_t addr, sl_finding *f) {
  sl_mapped_state *s = state_of(g);
  for (int k = 0; s && k < MOST; k++)
    if (s->at[k].store.stamp && s->at[k].heard && page_of(s->at[k].data) == page_of(addr))
      return tell(g, &s->at[k], f);
  return false;
}

// Taking part -----------------------------------------------------------------------------------------------

static void look(sl_gmodule *m) {
  bool *any = m->kept[SL_PROBE_mapped];
  for (uint32_t pc = 0; pc < m->n_code; pc++)
    *any |=
        (m->patches[pc].kind == SL_SEE_STORE || m->patches[pc].kind == SL_SEE_RMW) && speaks_to_host(m, pc);
}

static bool joins(const sl_grid *g) {
  const sl_memory *mem = &g->gpu->mem;
  bool shared = false;
  for (size_t k = 0; *(bool *)g->m->kept[SL_PROBE_mapped] && k < mem->n && !shared; k++)
    shared = !mem->at[k].freed && (mem->at[k].hosted || mem->at[k].managed);
  return shared;
}

static void block(sl_block *b) {
  sl_mapped_block *s = block_of(b);
  if (!s->thread) s->thread = sl_must(malloc(b->n_threads * sizeof *s->thread));
  memset(s->thread, 0, b->n_threads * sizeof *s->thread);
  s->latest = 0;
}

static void block_free(sl_block *b) { free(block_of(b)->thread); }

const sl_probe sl__probe_mapped = {.name = "mapped",
                                   .checks = SL_CHECK_ORDER_FENCE,
                                   .joins = joins,
                                   .kinds = SL_SEES(STORE) | SL_SEES(RMW) | SL_SEES(FENCE),
                                   .gpu_bytes = sizeof(sl_mapped_state),
                                   .module_bytes = sizeof(bool),
                                   .block_bytes = sizeof(sl_mapped_block),
                                   .look = look,
                                   .block = block,
                                   .block_free = block_free,
                                   .access = see_store,
                                   .before = see_fence};
