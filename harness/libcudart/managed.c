// Managed memory: device memory that the host reads and writes at the same address. Mapped host memory: the
// program's own memory, which the device has at another address.
//
// Device addresses lie where no program has memory of its own, so a managed range is an ordinary mapping of
// the host at the device's address plus the device's own memory. All work is finished when a call returns, so
// it is enough to copy host -> device before the device reads and device -> host after it wrote. Between
// calls the host's copy is the truth.
#include "libcudart/client.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct range {
  uint64_t addr;
  char *host; // the host's address
  size_t size;
  struct range *next;
} range;
static range *ranges;

static uint64_t page_floor(uint64_t a) { return a & ~(uint64_t)(sysconf(_SC_PAGESIZE) - 1); }

// Reserves all device addresses in the host's address space, once: without memory, not accessible.
static bool reserve(void) {
  static bool reserved;
  const sl_device_info *d = sl__device();
  if (reserved) return true;
  void *want = (void *)(uintptr_t)d->window_base;
  void *p = mmap(want, d->window_size, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (p != MAP_FAILED && p != want) munmap(p, d->window_size);
  reserved = p == want;
  if (!reserved)
    sl__say("managed memory is not possible here: the program's own memory lies at the device's addresses");
  return reserved;
}

static cudaError_t map_pages(uint64_t addr, size_t size) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), first = page_floor(addr),
           end = page_floor(addr + size + page - 1);
  bool ok = reserve() && mprotect((void *)(uintptr_t)first, end - first, PROT_READ | PROT_WRITE) == 0;
  return ok ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t sl__managed_map(uint64_t addr, size_t size) {
  range *r = malloc(sizeof *r);
  cudaError_t e = r ? map_pages(addr, size) : cudaErrorMemoryAllocation;
  if (e) {
    free(r);
    return e;
  }
  *r = (range){addr, (char *)(uintptr_t)addr, size, ranges};
  ranges = r;
  return sl__read((void *)(uintptr_t)addr, addr, size);
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
  *r = (range){(uintptr_t)p, host, size, ranges};
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
      uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
      uint64_t first = page_floor(r->addr + page - 1), last = page_floor(r->addr + r->size);
      if (last > first && !is_mapped(r)) madvise((void *)(uintptr_t)first, last - first, MADV_DONTNEED);
      free(r);
      return true;
    }
  return false;
}

void sl__managed_forget(void) {
  while (ranges) sl__managed_drop(ranges->addr);
}

cudaError_t sl__managed_push(void) {
  cudaError_t e = cudaSuccess;
  for (range *r = ranges; r && !e; r = r->next) {
    sl__pending_range(r->host, r->size, true);
    e = sl__write(r->addr, r->host, r->size);
  }
  return e;
}

cudaError_t sl__managed_pull(void) {
  cudaError_t e = cudaSuccess;
  for (range *r = ranges; r && !e; r = r->next) e = sl__read(r->host, r->addr, r->size);
  return e;
}
