// Device memory: one reservation of address space from which allocations are carved in ascending order.
// malloc's heap in kernels has its own part and limit: calls of the host neither reach it nor tell of it.
//
// The table of allocations is sorted by address, so bisection finds the owner of any address. At least 256
// bytes lie between two allocations. A freed range gives its pages back at once, but its addresses are used
// again only when the reservation is used up, or if new memory is to look as if others had used it
// (SL_FRESH_RANDOM). So a pointer that was kept too long is recognised. See gpu.h for the public calls.
#include <sys/mman.h>
#include "engine/core.h"

#define GAP 256u
#define FREED_KEPT 4096u
#define HEAP_BYTES (8ull << 20) // as cudaLimitMallocHeapSize at first
enum { HEAP_SHARE = 8 };        // the heap gets one of so many parts of the addresses

// Where the reservation begins if nothing is there. So the simulated GPUs that a process makes one after the
// other lie in one place: qemu, as it imitates a processor, keeps notes of each page ever taken.
#define PLACE ((void *)(1ull << 45))

void sl__fresh_fill(const sl_gpu_config *c, void *to, size_t n, uint64_t which) {
  if (c->fresh != SL_FRESH_RANDOM) {
    memset(to, c->fresh == SL_FRESH_ZEROS ? 0 : 0xCD, n);
    return;
  }
  uint64_t x = sl__mix(c->seed * 0x9e3779b97f4a7c15ull + which + 1) | 1;
  for (size_t k = 0; k < n; k += 8) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17; // xorshift: G. Marsaglia, Xorshift RNGs, 2003
    memcpy((uint8_t *)to + k, &x, n - k < 8 ? n - k : 8);
  }
}

bool sl__memory_init(sl_memory *m, sl_error *e) {
  memset(m, 0, sizeof *m);
  for (m->size = SL_GLOBAL_SIZE; m->size >= (1ull << 30); m->size /= 2) {
    void *p = mmap(PLACE, m->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) continue;
    uint64_t heap = m->size - m->size / HEAP_SHARE;
    m->map = p, m->heap = HEAP_BYTES;
    m->arena[false] = (sl_addresses){.from = GAP, .top = GAP, .end = heap};
    m->arena[true] = (sl_addresses){.from = heap + GAP, .top = heap + GAP, .end = m->size};
    return true;
  }
  return sl_fail(e, SL_EXIT_INFRA, "raise the limit on address space (ulimit -v)",
                 "cannot reserve address space for device memory");
}

static void drop_allocation(sl_memory *m, size_t k) {
  m->arena[m->at[k].heap].n_freed -= m->at[k].freed;
  if (m->at[k].hosted) sl__aliases_drop(m, m->at[k].base);
  free(m->at[k].name);
  free(m->at[k].init);
  free(m->at[k].with);
  free(m->at[k].made);
  memmove(m->at + k, m->at + k + 1, (m->n - k - 1) * sizeof *m->at);
  m->n--;
}

void sl__memory_fini(sl_memory *m) {
  while (m->n) drop_allocation(m, m->n - 1);
  free(m->at), free(m->alias);
  if (m->map) munmap(m->map, m->size);
  memset(m, 0, sizeof *m);
}

// Index of the last allocation that starts at or before addr, -1 when there is none.
static ptrdiff_t index_before(const sl_memory *m, uint64_t addr) {
  size_t lo = 0, hi = m->n;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (m->at[mid].base <= addr) lo = mid + 1;
    else hi = mid;
  }
  return (ptrdiff_t)lo - 1;
}

const sl_alloc *sl__memory_nearest(const sl_memory *m, uint64_t addr) {
  ptrdiff_t k = index_before(m, addr);
  return k < 0 ? NULL : &m->at[k];
}

const sl_alloc *sl__memory_find(const sl_memory *m, uint64_t addr) {
  const sl_alloc *a = sl__memory_nearest(m, addr);
  return a && addr - a->base < a->size ? a : NULL;
}

bool sl__memory_sees(const sl_alloc *a, uint32_t owner) {
  if (a->owner == owner || a->owner == 0) return true;
  for (uint32_t k = 0; k < a->n_with; k++)
    if (a->with[k] == owner) return true;
  return false;
}

// Called when the arena is used up: forgets its freed ranges and finds the first hole that is large enough.
static bool find_hole(sl_memory *m, const sl_addresses *a, uint64_t size, uint64_t *off) {
  bool heap = a == &m->arena[true];
  for (size_t k = m->n; k-- > 0;)
    if (m->at[k].freed && m->at[k].heap == heap) drop_allocation(m, k);
  uint64_t at = a->from;
  for (size_t k = 0; k <= m->n; k++) {
    if (k < m->n && m->at[k].heap != heap) continue;
    uint64_t end = k < m->n ? m->at[k].base - SL_GLOBAL_BASE : a->end;
    if (end >= at && end - at >= size + GAP) {
      *off = at;
      return true;
    }
    if (k < m->n) at = (end + m->at[k].size + GAP + 255) & ~255ull;
  }
  return false;
}

// Takes the first range that its owner freed and that is large enough, as cudaMalloc does: a program that
// tells its arrays apart by their addresses meets an old one again.
static bool take_freed(sl_memory *m, sl_alloc *want, uint64_t *off) {
  for (size_t k = 0; k < m->n; k++) {
    const sl_alloc *a = &m->at[k];
    if (!a->freed || a->owner != want->owner || a->room < want->size) continue;
    if (a->stream && m->stream && a->stream != m->stream) continue; // it may still be in use there
    *off = a->base - SL_GLOBAL_BASE, want->room = a->room;
    drop_allocation(m, k);
    return true;
  }
  return false;
}

static bool place_allocation(sl_memory *m, sl_addresses *a, uint64_t size, uint64_t *off) {
  if (size <= a->end && a->top <= a->end - size && a->end - size - a->top >= GAP) {
    *off = a->top;
    a->top = (a->top + size + GAP + 255) & ~255ull;
    return true;
  }
  return find_hole(m, a, size, off);
}

static bool insert(sl_memory *m, const sl_alloc *a) {
  if (!SL_ROOM(m->at, m->n)) return false;
  size_t k = (size_t)(index_before(m, a->base) + 1);
  memmove(m->at + k + 1, m->at + k, (m->n - k) * sizeof *m->at);
  m->at[k] = *a;
  m->n++;
  return true;
}

enum { LARGE = 2 << 20 }; // bytes of a large page, and of an array from which they pay

// A large array gets whole large pages: memory around it can be touched, too. Who may is not asked here.
static bool open_pages(sl_memory *m, uint64_t off, uint64_t size) {
  const bool large = size >= LARGE;
  uint64_t page = large ? LARGE : (uint64_t)sysconf(_SC_PAGESIZE), from = off & ~(page - 1),
           to = (off + size + page - 1) & ~(page - 1);
  if (large) madvise(m->map + from, to - from, MADV_HUGEPAGE); // only advice: failure does no harm
  return mprotect(m->map + from, to - from, PROT_READ | PROT_WRITE) == 0;
}

// How many bytes the host can still give, without what it needs itself.
static uint64_t host_available(void) {
  const uint64_t spare = 256ull << 20, all = sl_memory_available();
  return all == UINT64_MAX ? all : all > spare ? all - spare : 0;
}

enum { LOOK = 64 << 20 };

bool sl__host_has(uint64_t size) { return size < LOOK || size <= host_available(); }

// New memory is filled, so it must exist. Small pieces add up: the host is asked again after every 64 MiB.
bool sl__host_gives(sl_memory *m, uint64_t size) {
  if (__atomic_add_fetch(&m->unasked, size, __ATOMIC_RELAXED) < LOOK) return true;
  if (size > host_available()) return false;
  __atomic_store_n(&m->unasked, 0, __ATOMIC_RELAXED);
  return true;
}

static bool no_host_memory(uint64_t size, sl_error *e) {
  return sl_fail(e, SL_EXIT_INPUT, "use a smaller input, or a machine with more memory",
                 "out of device memory: %llu bytes asked for, and this machine has %llu bytes to give to the "
                 "simulated device",
                 (unsigned long long)size, (unsigned long long)host_available());
}

static bool out_of_memory(const sl_gpu *g, uint64_t size, sl_error *e) {
  return sl_fail(e, SL_EXIT_INPUT, "free what is no longer used, or ask for less",
                 "out of device memory: %llu bytes asked for, %llu of %llu bytes in use",
                 (unsigned long long)size, (unsigned long long)sl__memory_used(&g->mem),
                 (unsigned long long)g->cfg.profile->total_memory);
}

void sl_gpu_limit_memory(sl_gpu *g, uint64_t bytes) { g->mem.most = bytes; }

void sl_gpu_limit_heap(sl_gpu *g, uint64_t bytes) {
  const uint64_t total = g->cfg.profile->total_memory;
  if (!g->mem.most) g->mem.heap = bytes < total ? bytes : total;
}

static uint64_t left_by_modules(const sl_memory *m) {
  return m->most > m->modules ? m->most - m->modules : 0;
}

bool sl__memory_modules(sl_gpu *g, uint64_t bytes, sl_error *e) {
  sl_memory *m = &g->mem;
  const uint64_t used = sl__memory_used(m), left = left_by_modules(m);
  if (m->most && (left < used || bytes > left - used)) return out_of_memory(g, bytes, e);
  m->modules += bytes;
  return true;
}

// Whole pages are given back, and come anew as zeros when they are touched.
static void zero(uint8_t *at, uint64_t size) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uint64_t head = -(uintptr_t)at & (page - 1), pages = size > LARGE ? (size - head) & ~(page - 1) : 0;
  if (!pages || madvise(at + head, pages, MADV_DONTNEED) != 0) {
    memset(at, 0, size);
    return;
  }
  memset(at, 0, head);
  memset(at + head + pages, 0, size - head - pages);
}

static bool allocate(sl_gpu *g, const sl_alloc *want, uint64_t *addr, sl_error *e) {
  sl_memory *m = &g->mem;
  sl_alloc a = *want;
  sl_addresses *arena = &m->arena[want->heap];
  uint64_t off, size = want->size, total = want->heap ? m->heap : g->cfg.profile->total_memory;
  if (m->most && left_by_modules(m) < total) total = left_by_modules(m);
  if (size > total || arena->used > total - size) return out_of_memory(g, size, e);
  if (!sl__host_gives(m, size)) return no_host_memory(size, e);
  const bool again = a.room && g->cfg.fresh == SL_FRESH_RANDOM && take_freed(m, &a, &off);
  if (!again && !place_allocation(m, arena, size, &off)) return out_of_memory(g, size, e);
  if (!open_pages(m, off, size)) return out_of_memory(g, size, e);
  a.base = SL_GLOBAL_BASE + off;
  a.number = a.name ? 0 : ++m->numbered;
  if (!insert(m, &a)) return out_of_memory(g, size, e);
  if (a.name) zero(m->map + off, size);
  else sl__fresh_fill(&g->cfg, m->map + off, size, off);
  if (!a.name && g->cfg.checks & SL_CHECK_MEMORY_UNINIT)
    m->at[index_before(m, a.base)].init = calloc(size / 8 + 2, 1);
  arena->used += size;
  *addr = a.base;
  return true;
}

bool sl__memory_alloc(sl_gpu *g, uint32_t owner, uint64_t size, const char *name, uint64_t *addr,
                      sl_error *e) {
  sl_alloc a = {.size = size, .owner = owner, .name = name ? strdup(name) : NULL};
  bool ok = allocate(g, &a, addr, e);
  if (!ok) free(a.name);
  return ok;
}

bool sl__heap_alloc(sl_gpu *g, uint32_t owner, uint64_t size, uint64_t *addr) {
  sl_error none = {0};
  return allocate(g, &(sl_alloc){.size = size, .owner = owner, .heap = true}, addr, &none);
}

void sl__memory_readonly(sl_memory *m, uint64_t addr, bool unset) {
  ptrdiff_t k = index_before(m, addr);
  if (k >= 0) m->at[k].readonly = true, m->at[k].unset = unset;
}

bool sl__memory_release(sl_memory *m, uint64_t addr) {
  ptrdiff_t k = index_before(m, addr);
  if (k < 0 || m->at[k].base != addr || m->at[k].freed) return false;
  sl_alloc *a = &m->at[k];
  bool heap = a->heap;
  size_t *n_freed = &m->arena[heap].n_freed;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), off = addr - SL_GLOBAL_BASE;
  uint64_t from = (off + page - 1) & ~(page - 1), to = (off + a->size) & ~(page - 1);
  if (to > from) madvise(m->map + from, to - from, MADV_DONTNEED);
  a->freed = true, a->stream = m->stream;
  free(a->init);
  free(a->made);
  a->init = NULL, a->made = NULL;
  m->arena[heap].used -= a->size;
  if (++*n_freed > FREED_KEPT)
    for (size_t i = m->n; i-- > 0;)
      if (m->at[i].freed && m->at[i].heap == heap && *n_freed > FREED_KEPT / 2) drop_allocation(m, i);
  return true;
}

bool sl_gpu_alloc(sl_gpu *g, uint32_t owner, uint64_t size, uint64_t *addr, sl_error *e) {
  *addr = 0;
  return size == 0 || allocate(g, &(sl_alloc){.size = size, .owner = owner, .room = size}, addr, e);
}

void sl_gpu_in_stream(sl_gpu *g, uint64_t stream) { g->mem.stream = stream; }

bool sl__memory_managed(sl_gpu *g, uint32_t owner, uint64_t size, const char *name, uint64_t *addr,
                        sl_error *e) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t *top = &g->mem.arena[false].top;
  *top = (*top + page - 1) & ~(page - 1);
  if (!sl__memory_alloc(g, owner, size, name, addr, e)) return false;
  ((sl_alloc *)sl__memory_find(&g->mem, *addr))->managed = true;
  return true;
}

bool sl_gpu_alloc_pages(sl_gpu *g, uint32_t owner, uint64_t size, uint64_t *addr, sl_error *e) {
  *addr = 0;
  return size == 0 || sl__memory_managed(g, owner, size, NULL, addr, e);
}

// Gives back an allocation of the arena of the host, or of kernels.
static bool give_back(sl_gpu *g, uint32_t owner, uint64_t addr, bool heap, sl_error *e) {
  if (addr == 0) return true;
  const sl_alloc *a = sl__memory_nearest(&g->mem, addr);
  const char *why = !a || addr - a->base >= (a->size ? a->size : 1) ? "it is no device allocation"
                    : a->heap != heap              ? heap ? "cudaMalloc gave it, not malloc in a kernel"
                                                          : "malloc in a kernel gave it, not cudaMalloc"
                    : a->freed                     ? "it was freed before"
                    : a->owner != owner || a->name ? "it belongs to somebody else"
                    : a->base != addr              ? "it points into an allocation, not to its start"
                                                   : NULL;
  if (why)
    return sl_fail(e, SL_EXIT_INPUT,
                   heap ? "free in a kernel exactly what malloc gave there"
                        : "free exactly what cudaMalloc gave",
                   "cannot free device address 0x%llx: %s", (unsigned long long)addr, why);
  return sl__memory_release(&g->mem, addr);
}

uint32_t sl_gpu_number(const sl_gpu *g, uint64_t addr) {
  const sl_alloc *a = sl__memory_find(&g->mem, addr);
  return a && a->base == addr && !a->freed ? a->number : 0;
}

bool sl_gpu_free(sl_gpu *g, uint32_t owner, uint64_t addr, sl_error *e) {
  return give_back(g, owner, addr, false, e);
}

bool sl__heap_free(sl_gpu *g, uint32_t owner, uint64_t addr, sl_error *e) {
  return give_back(g, owner, addr, true, e);
}

bool sl_gpu_share(sl_gpu *g, uint64_t addr, uint32_t with, sl_error *e) {
  ptrdiff_t k = index_before(&g->mem, addr);
  if (k < 0 || g->mem.at[k].base != addr || g->mem.at[k].freed)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "cannot share device address 0x%llx: no allocation starts there",
                   (unsigned long long)addr);
  sl_alloc *a = &g->mem.at[k];
  if (sl__memory_sees(a, with)) return true;
  if (!SL_ROOM(a->with, a->n_with)) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of host memory");
  a->with[a->n_with++] = with;
  return true;
}

void sl_gpu_free_all(sl_gpu *g, uint32_t owner) {
  sl_memory *m = &g->mem;
  for (size_t k = m->n; k-- > 0;)
    if (!m->at[k].freed && m->at[k].owner == owner && !m->at[k].name)
      sl__memory_release(m, m->at[k].base), k = k < m->n ? k : m->n;
}

void *sl__memory_ptr(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t len) {
  const sl_alloc *a = sl__memory_find(&g->mem, addr);
  bool fits = a && !a->freed && sl__memory_sees(a, owner) && len <= a->size - (addr - a->base);
  return fits ? sl__host(&g->mem, addr) : NULL;
}

void *sl_gpu_ptr(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t len, sl_error *e) {
  const sl_alloc *a = sl__memory_find(&g->mem, addr);
  void *p = a && !a->heap ? sl__memory_ptr(g, owner, addr, len) : NULL;
  const char *why = !a                          ? "no allocation is there"
                    : a->heap                   ? "malloc in a kernel gave it, and only kernels can use it"
                    : a->freed                  ? "the allocation was freed"
                    : sl__memory_sees(a, owner) ? "the allocation ends before that"
                                                : "the allocation belongs to another process";
  if (!p)
    sl_fail(e, SL_EXIT_INPUT, NULL, "device address 0x%llx + %llu bytes: %s", (unsigned long long)addr,
            (unsigned long long)len, why);
  return p;
}

bool sl_gpu_range(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t *base, uint64_t *size) {
  const sl_alloc *a = sl__memory_find(&g->mem, addr);
  if (!a || a->heap || a->freed || !sl__memory_sees(a, owner)) return false;
  *base = a->base, *size = a->size;
  return true;
}

uint64_t sl_gpu_memory_used(const sl_gpu *g) { return sl__memory_used(&g->mem); }

bool sl_gpu_was_freed(const sl_gpu *g, uint32_t owner, uint64_t addr) {
  const sl_alloc *a = sl__memory_find(&g->mem, addr);
  return a && !a->heap && a->freed && a->owner == owner && a->base == addr;
}

size_t sl_gpu_live(const sl_gpu *g, uint32_t owner, sl_holding *out, size_t cap) {
  size_t n = 0;
  for (size_t k = 0; k < g->mem.n; k++) {
    const sl_alloc *a = &g->mem.at[k];
    if (a->freed || a->name || a->hosted || a->owner != owner) continue;
    if (n < cap) out[n] = (sl_holding){a->base, a->size, a->made};
    n++;
  }
  return n;
}

uint64_t sl_gpu_held(const sl_gpu *g, uint32_t owner) {
  uint64_t bytes = 0;
  for (size_t k = 0; k < g->mem.n; k++) {
    const sl_alloc *a = &g->mem.at[k];
    if (!a->freed && !a->name && a->owner == owner) bytes += a->size;
  }
  return bytes;
}

// What was written ------------------------------------------------------------------------------------------

void sl__memory_known(sl_memory *m) {
  for (size_t k = 0; k < m->n; k++) free(m->at[k].init), m->at[k].init = NULL;
}

static bool bit(const uint8_t *bits, uint64_t at) { return !bits || bits[at / 8] >> (at & 7) & 1; }

void sl_gpu_wrote(sl_gpu *g, uint64_t addr, uint64_t len) {
  sl__probes_wrote(g, addr, len, false);
  sl_alloc *a = (sl_alloc *)sl__memory_find(&g->mem, addr);
  if (a) a->unset = false;
  if (!a || !a->init || len > a->size - (addr - a->base)) return;
  uint64_t at = addr - a->base, end = at + len;
  for (; at < end && at % 8; at++) a->init[at / 8] |= (uint8_t)(1u << (at & 7));
  if (at < end) memset(a->init + at / 8, 0xff, (end - at) / 8), at += (end - at) / 8 * 8;
  for (; at < end; at++) a->init[at / 8] |= (uint8_t)(1u << (at & 7));
}

void sl_gpu_copied(sl_gpu *g, uint64_t addr, uint64_t from, uint64_t len) {
  sl__probes_wrote(g, addr, len, true);
  sl_alloc *to = (sl_alloc *)sl__memory_find(&g->mem, addr);
  const sl_alloc *src = sl__memory_find(&g->mem, from);
  if (to) to->unset = false;
  if (!to || !to->init || !src || len > to->size - (addr - to->base) || len > src->size - (from - src->base))
    return;
  to->known = 0;
  for (uint64_t k = 0; k < len; k++) {
    uint64_t t = addr - to->base + k;
    uint8_t mask = (uint8_t)(1u << (t & 7));
    to->init[t / 8] =
        (uint8_t)(bit(src->init, from - src->base + k) ? to->init[t / 8] | mask : to->init[t / 8] & ~mask);
  }
}
