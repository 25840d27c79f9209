// Where a launch listens. A strong store tells others something only if they look: at a word where nobody
// does, there is nothing to note. So a kernel whose data are volatile costs little more than another.
//
// Where a kernel listens is found from its code, once: the variables and arguments that the addresses of its
// listening loads are computed from. A launch turns them into allocations. An address from a pointer in
// memory, or in a function that is called, may be anywhere.
//
// Interface: sl__hearing_launch, sl__is_heard.
#include "engine/depends.h"
#include "observers/observers.h"

typedef struct sl_ears {
  bool anywhere[SL_HEARS];
  sl_origins from[SL_HEARS];
} sl_ears;

// Flags: what a loop or a branch goes by, and an atomic's old value. A plain load may be a wait as well.
// Strong: what can bring order with it.
static uint8_t hears(const sl_gmodule *m, uint32_t pc) {
  const sl_patch *p = &m->patches[pc];
  const bool strong = p->flags & SL_IS_STRONG;
  if (p->kind != SL_SEE_LOAD && !(p->flags & SL_IS_RESULT)) return 0;
  if (sl__space_mod(sl__insn_of(m, &m->code[pc], NULL)) == SL_SP_SHARED) return 0;
  if (p->kind == SL_SEE_LOAD && strong && !sl__sight(m, pc)->polled) return SL_HEARS_STRONG;
  return strong || p->kind != SL_SEE_LOAD ? SL_HEARS_FLAGS | SL_HEARS_STRONG : SL_HEARS_FLAGS;
}

// All [who] among the function's instructions, into [out] if that is not NULL; their number.
static uint32_t listeners(const sl_gmodule *m, const sl_func *fn, uint8_t who, const sl_ptx_insn **out) {
  uint32_t n = 0;
  for (uint32_t pc = fn->first_pc; pc < fn->first_pc + fn->n_code; pc++) {
    if (!(m->patches[pc].kind && hears(m, pc) & who)) continue;
    if (out) out[n] = sl__insn_of(m, &m->code[pc], NULL);
    n++;
  }
  return n;
}

static bool called_listen(const sl_gmodule *m, uint8_t who) {
  for (uint32_t f = 0; f < m->ptx->n_funcs; f++)
    if (!m->funcs[f].ir->is_entry && listeners(m, &m->funcs[f], who, NULL)) return true;
  return false;
}

static void look_for(const sl_gmodule *m, const sl_func *fn, int k, sl_ears *e) {
  const uint32_t n = listeners(m, fn, (uint8_t)(1 << k), NULL);
  const sl_ptx_insn **of = sl_must(calloc(n + 1, sizeof *of));
  listeners(m, fn, (uint8_t)(1 << k), of);
  e->from[k] = sl__origins_of(m, fn->ir, of, n, false);
  e->anywhere[k] = e->from[k].anywhere || called_listen(m, (uint8_t)(1 << k));
  free(of);
}

static const sl_ears *ears_of(const sl_gmodule *m, const sl_func *fn) {
  sl_table *t = &sl__seen_module(m)->ears;
  sl_ears *e = sl__table_find(t, fn->index, 0);
  t->value_bytes = sizeof *e;
  if (e) return e;
  e = sl_must(sl__table_put(t, fn->index, 0));
  for (int k = 0; k < SL_HEARS; k++) look_for(m, fn, k, e);
  return e;
}

// A pointer that leads beside every allocation, as to an element -1, may be meant for any.
static void listen_at(sl_hearing *h, const sl_memory *mem, uint64_t addr, uint8_t who) {
  const sl_alloc *a = sl__memory_find(mem, addr);
  uint32_t k = 0;
  if (!a && addr - SL_GLOBAL_BASE >= SL_GLOBAL_SIZE) return;
  while (a && k < h->n && h->at[k].base != a->base) k++;
  if (!a || k == SL_EARS) {
    h->anywhere |= who;
    return;
  }
  if (k == h->n) h->at[h->n].base = a->base, h->at[h->n++].size = a->size;
  h->at[k].who |= who;
}

void sl__hearing_launch(sl_grid *g) {
  sl_hearing *h = &sl__seen_grid(g)->heard;
  const sl_ears *e = ears_of(g->m, g->k->fn);
  const sl_memory *mem = &g->gpu->mem;
  for (int k = 0; k < SL_HEARS; k++) {
    const sl_origins *o = &e->from[k];
    const uint8_t who = (uint8_t)(1 << k);
    uint64_t p;
    if (e->anywhere[k]) h->anywhere |= who;
    for (uint32_t v = 0; v < o->n_vars; v++) listen_at(h, mem, g->m->var_addr[o->var[v]], who);
    for (uint32_t w = 0; w < o->n; w++)
      if (sl__pointer_word(g, o->word[w].argument, o->word[w].at, &p)) listen_at(h, mem, p, who);
  }
}

bool sl__is_heard(const sl_hearing *h, uint64_t addr, uint8_t who) {
  if (h->anywhere & who) return true;
  for (uint32_t k = 0; k < h->n; k++)
    if (addr - h->at[k].base < h->at[k].size) return h->at[k].who & who;
  return false;
}
