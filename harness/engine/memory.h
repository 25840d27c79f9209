// Memory of the device: allocations, the addresses they are taken from, memory of the host that kernels see.
#pragma once

#include "engine/engine.h"

// memory.c --------------------------------------------------------------------------------------------------

typedef struct sl_alloc {
  uint64_t base, size;
  uint64_t room;   // bytes that another may have here once it is freed (SL_FRESH_RANDOM); 0: none
  uint64_t stream; // in whose order it was freed, from 1; 0: its owner waited
  uint32_t owner;
  bool freed, readonly;
  bool heap, hosted;       // heap: a kernel made it; the host cannot use it. hosted: alias.c
  bool managed;            // the host sees it at the same address
  bool unset;              // constant memory without an initial value to which the host has not written
  char *name;              // name of a module variable, else NULL
  uint32_t *with;          // other owners that may see it
  uint32_t n_with, number; // number: the allocation's, from 1
  uint8_t *init;           // a bit for each byte that was written; NULL: all were
  uint64_t known;          // all before this offset were, as far as observers have looked (uninit.c)
  uint64_t stored;         // number of the last launch, from 1, that stored there
  sl_finding *made;        // where a kernel allocated it, for memory.leak; or NULL
} sl_alloc;

// A part of the addresses, which hands them out in ascending order. What happens in one shows in no other:
// neither where the next allocation lies, nor how much there is left.
typedef struct sl_addresses {
  uint64_t from, top, end; // offsets: its first byte, the first never used one, behind the last
  uint64_t used;           // bytes of live allocations
  size_t n_freed;
} sl_addresses;

typedef struct sl_alias { // memory of the host, and the allocation that stands for it
  uint64_t host, size, base;
  uint32_t owner;
} sl_alias;

typedef struct sl_memory {
  uint8_t *map;          // host address of SL_GLOBAL_BASE
  uint64_t size;         // bytes reserved
  sl_addresses arena[2]; // what the host allocates; the heap of malloc in kernels
  sl_alloc *at;          // sorted by base; freed ones stay for a while, to recognise their use
  size_t n;
  uint32_t numbered;
  uint64_t stream;  // in whose order the host allocates and frees now, from 1; 0: it waits
  uint64_t most;    // bytes that its allocations may have; 0: as many as the device
  uint64_t heap;    // bytes that kernels may have by malloc
  uint64_t modules; // bytes of host memory that modules take: with such a limit they count as well
  uint64_t unasked; // bytes allocated since the host was asked whether it has so much
  sl_alias *alias;
  size_t n_alias;
} sl_memory;
static inline uint64_t sl__memory_used(const sl_memory *m) { return m->arena[0].used; }

// Fills new memory as the configuration says; [which] tells pieces apart.
void sl__fresh_fill(const sl_gpu_config *c, void *to, size_t n, uint64_t which);
bool sl__memory_init(sl_memory *m, sl_error *e);
void sl__memory_fini(sl_memory *m);
bool sl__memory_alloc(sl_gpu *g, uint32_t owner, uint64_t size, const char *name, uint64_t *addr,
                      sl_error *e);
// On pages of its own, which the host sees at the same address.
bool sl__memory_managed(sl_gpu *g, uint32_t owner, uint64_t size, const char *name, uint64_t *addr,
                        sl_error *e);
bool sl__memory_modules(sl_gpu *g, uint64_t bytes, sl_error *e); // counts those of a module
bool sl__memory_release(sl_memory *m, uint64_t addr);
// malloc and free in kernels
bool sl__heap_alloc(sl_gpu *g, uint32_t owner, uint64_t size, uint64_t *addr);
bool sl__heap_free(sl_gpu *g, uint32_t owner, uint64_t addr, sl_error *e);
// Kernels cannot write it, the host can. [unset]: it has no initial value.
void sl__memory_readonly(sl_memory *m, uint64_t addr, bool unset);
void sl__memory_known(sl_memory *m); // counts everything as written
const sl_alloc *sl__memory_find(const sl_memory *m,
                                uint64_t addr); // the allocation (live or freed) around addr
const sl_alloc *sl__memory_nearest(const sl_memory *m,
                                   uint64_t addr); // the last one that starts at or before addr
bool sl__memory_sees(const sl_alloc *a, uint32_t owner);
void *sl__memory_ptr(sl_gpu *g, uint32_t owner, uint64_t addr,
                     uint64_t len);               // as a kernel of [owner] sees it
bool sl__host_has(uint64_t size);                 // bytes of memory to give
bool sl__host_gives(sl_memory *m, uint64_t size); // the same of one piece of many: pieces add up
static inline uint8_t *sl__host(const sl_memory *m, uint64_t addr) {
  return m->map + (addr - SL_GLOBAL_BASE);
}

// alias.c
void sl__aliases_drop(sl_memory *m, uint64_t base);
uint64_t sl__alias_address(const sl_memory *m, uint32_t owner, uint64_t a);
// The device's address of what a launch of [owner] sees at [a].
static inline uint64_t sl__device_address(const sl_memory *m, uint32_t owner, uint64_t a) {
  bool windows = a - SL_SHARED_BASE < SL_GLOBAL_BASE + SL_GLOBAL_SIZE - SL_SHARED_BASE;
  return m->n_alias && !windows ? sl__alias_address(m, owner, a) : a;
}
