// Pinned host memory: an allocation that its owner's kernels also see at its address in the program.
//
// Interface: sl_gpu_alias, sl_gpu_stored, sl_gpu_note_stored (gpu.h); sl__device_address (core.h), which
// every access by an address outside of the device's windows goes through; sl__aliases_drop, when the
// allocation's address is given up. The program keeps the truth between launches: it brings its bytes
// before a launch and takes them back afterwards.
#include "engine/core.h"

#define WINDOWS_END (SL_GLOBAL_BASE + SL_GLOBAL_SIZE)
#define BESIDE 256u // an index that is so little off still says which allocation it was meant for

static void remove_alias(sl_memory *m, size_t k) {
  memmove(m->alias + k, m->alias + k + 1, (m->n_alias - k - 1) * sizeof *m->alias);
  m->n_alias--;
}

void sl__aliases_drop(sl_memory *m, uint64_t base) {
  for (size_t k = m->n_alias; k-- > 0;)
    if (m->alias[k].base == base) remove_alias(m, k);
}

// Memory that was pinned at these addresses before is gone.
static void remove_overlapping(sl_memory *m, const sl_alias *a) {
  for (size_t k = m->n_alias; k-- > 0;)
    if (m->alias[k].owner == a->owner && m->alias[k].host < a->host + a->size &&
        a->host < m->alias[k].host + m->alias[k].size)
      remove_alias(m, k);
}

bool sl_gpu_alias(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t host) {
  sl_memory *m = &g->mem;
  sl_alloc *a = (sl_alloc *)sl__memory_find(m, addr);
  if (!a || a->base != addr || a->freed || a->name || a->owner != owner || host > UINT64_MAX - a->size ||
      (host < WINDOWS_END && host + a->size > SL_SHARED_BASE) || !SL_ROOM(m->alias, m->n_alias))
    return false;
  const sl_alias own = {.host = host, .size = a->size, .base = addr, .owner = owner};
  remove_overlapping(m, &own);
  m->alias[m->n_alias++] = own;
  a->hosted = true, a->number = 0;
  return true;
}

// Inside of an alias, else just beside one.
uint64_t sl__alias_address(const sl_memory *m, uint32_t owner, uint64_t a) {
  uint64_t beside = a;
  for (size_t k = 0; k < m->n_alias; k++) {
    const sl_alias *x = &m->alias[k];
    if (x->owner != owner) continue;
    if (a - x->host < x->size) return x->base + (a - x->host);
    if (a - (x->host - BESIDE) < x->size + 2 * BESIDE) beside = x->base + (a - x->host);
  }
  return beside;
}

uint64_t sl_gpu_stored(const sl_gpu *g, uint64_t addr, bool known) {
  const sl_alloc *a = sl__memory_find(&g->mem, addr);
  return !known ? g->launches : a ? a->stored : 0;
}

void sl_gpu_note_stored(sl_gpu *g, uint64_t addr) {
  sl_alloc *a = (sl_alloc *)sl__memory_find(&g->mem, addr);
  if (a) a->stored = g->launches ? g->launches : 1;
}
