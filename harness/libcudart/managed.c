// Managed memory: device memory that the host reads and writes at the same address. Mapped host memory: the
// program's own memory, which the device has at another address.
//
// Device addresses lie where no program has memory of its own, so a managed range is an ordinary mapping of
// the host at the device's address plus the device's own memory. All work is finished when a call returns, so
// it is enough to copy host -> device before the device reads and device -> host after it wrote. Between
// calls the host's copy is the truth.
//
// For a judge (SL_HOST_SEALED) every byte that goes to the host is counted, so nothing goes there unasked: the
// pages of a managed range are closed, and the device's copy is the truth, until the host touches one. Then the
// range is open until the device works again. It is read from the device only if that has worked since the range
// was allocated.
#include "libcudart/client.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct range {
  uint64_t addr;
  char *host; // the host's address
  size_t size;
  struct range *next;
  bool open, used; // sealed: the host's copy is the truth; the device has worked since it was allocated
} range;
static range *ranges;

static uint64_t page_size(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }
static uint64_t page_floor(uint64_t a) { return a & ~(page_size() - 1); }
static uint64_t first_page(const range *r) { return page_floor(r->addr); }
static uint64_t end_page(const range *r) { return page_floor(r->addr + r->size + page_size() - 1); }
static bool is_sealed(void) { return sl__device()->host_checks & SL_HOST_SEALED; }

static bool protect(const range *r, int how) {
  return mprotect((void *)(uintptr_t)first_page(r), end_page(r) - first_page(r), how) == 0;
}

// Maps closed pages where there are none. [shared]: another range of this library may have some of them.
static bool map_closed(uint64_t at, size_t size, bool shared) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
  void *want = (void *)(uintptr_t)at, *p = mmap(want, size, PROT_NONE, flags, -1, 0);
  if (p != MAP_FAILED && p != want) munmap(p, size);
  return p == want || (shared && p == MAP_FAILED && errno == EEXIST);
}

static bool map_pages(const range *r) {
  uint64_t first = first_page(r), end = end_page(r);
  bool ok = map_closed(first, end - first, false);
  for (uint64_t at = first; !ok && at < end; at += page_size())
    if (!map_closed(at, page_size(), true)) return false;
  return protect(r, is_sealed() ? PROT_NONE : PROT_READ | PROT_WRITE);
}

cudaError_t sl__managed_map(uint64_t addr, size_t size) {
  range *r = malloc(sizeof *r);
  if (!r) return cudaErrorMemoryAllocation;
  *r = (range){.addr = addr, .host = (char *)(uintptr_t)addr, .size = size, .next = ranges};
  if (!map_pages(r)) {
    free(r);
    return cudaErrorMemoryAllocation;
  }
  ranges = r;
  if (!is_sealed()) return sl__read((void *)(uintptr_t)addr, addr, size);
  sl__catch_faults();
  return cudaSuccess;
}

static bool is_mapped(const range *r) { return (uintptr_t)r->host != r->addr; }

static range *find_managed(uint64_t addr) {
  range *r = ranges;
  while (r && addr - r->addr >= r->size) r = r->next;
  return r;
}

bool sl__managed_range(uint64_t addr, uint64_t *start, uint64_t *size) {
  const range *r = find_managed(addr);
  if (!r || is_mapped(r)) return false;
  *start = r->addr, *size = r->size;
  return true;
}

bool sl__managed_has(uint64_t addr) {
  uint64_t start, size;
  return sl__managed_range(addr, &start, &size);
}

cudaError_t sl__mapped_add(void *host, size_t size) {
  range *r = malloc(sizeof *r);
  void *p = NULL;
  cudaError_t e = r ? sl__alloc(&p, size, 0) : cudaErrorMemoryAllocation;
  if (e) return free(r), e;
  *r = (range){.addr = (uintptr_t)p, .host = host, .size = size, .next = ranges};
  ranges = r;
  return cudaSuccess;
}

void *sl__mapped_device(const void *host) {
  for (const range *r = ranges; r; r = r->next) {
    uintptr_t off = (uintptr_t)host - (uintptr_t)r->host;
    if (is_mapped(r) && off < r->size) return (void *)(uintptr_t)(r->addr + off);
  }
  return NULL;
}

void *sl__mapped_host(uint64_t addr) {
  const range *r = find_managed(addr);
  return r && is_mapped(r) ? r->host + (addr - r->addr) : NULL;
}

// Forgets a range. Its pages stay: a neighbour may need them, and the device may reuse the address.
bool sl__managed_drop(uint64_t addr) {
  for (range **at = &ranges; *at; at = &(*at)->next)
    if ((*at)->addr == addr) {
      range *r = *at;
      *at = r->next;
      sl__advice_drop(addr);
      uint64_t first = page_floor(r->addr + page_size() - 1), last = page_floor(r->addr + r->size);
      if (last > first && !is_mapped(r)) madvise((void *)(uintptr_t)first, last - first, MADV_DONTNEED);
      free(r);
      return true;
    }
  return false;
}

void sl__managed_forget(void) {
  while (ranges) sl__managed_drop(ranges->addr);
}

static bool overlap(uint64_t a, uint64_t a_end, uint64_t b, uint64_t b_end) { return a < b_end && b < a_end; }

// Sealed: closes the ranges again, whose bytes are on the device by now. It may write to [at, at + size).
static void close_ranges(uint64_t at, uint64_t size) {
  for (range *r = ranges; r; r = r->next) {
    if (is_mapped(r)) continue;
    if (r->open) protect(r, PROT_NONE);
    r->open = false;
    r->used |= overlap(r->addr, r->addr + r->size, at, at + size);
  }
}

cudaError_t sl__managed_push(uint64_t at, uint64_t size) {
  cudaError_t e = cudaSuccess;
  bool sealed = ranges && is_sealed();
  for (range *r = ranges; r && !e; r = r->next) {
    if (sealed && !r->open && !is_mapped(r)) continue;
    sl__pending_range(r->host, r->size, true);
    e = sl__write(r->addr, r->host, r->size);
  }
  if (sealed && !e) close_ranges(at, size);
  return e;
}

cudaError_t sl__managed_pull(void) {
  cudaError_t e = cudaSuccess;
  bool sealed = ranges && is_sealed();
  for (range *r = ranges; r && !e; r = r->next)
    if (!sealed || is_mapped(r)) e = sl__read(r->host, r->addr, r->size);
  return e;
}

// Opens a range, and with it those that have a page in common with it.
static void open_range(range *r) {
  if (r->open || is_mapped(r)) return;
  r->open = true;
  if (protect(r, PROT_READ | PROT_WRITE) && r->used) sl__read(r->host, r->addr, r->size);
  for (range *o = ranges; o; o = o->next)
    if (overlap(first_page(o), end_page(o), first_page(r), end_page(r))) open_range(o);
}

bool sl__managed_fault(uintptr_t addr) {
  bool ours = false;
  if (!ranges || !is_sealed()) return false;
  sl__enter(); // another thread may be talking to the device
  for (range *r = ranges; r; r = r->next) {
    if (is_mapped(r) || r->open || addr < first_page(r) || addr >= end_page(r)) continue;
    open_range(r);
    ours = true;
  }
  sl__leave();
  return ours;
}
