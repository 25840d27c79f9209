// Managed memory: device memory that the host reads and writes at the same address. Hosted memory: pinned
// memory of the program, which kernels read and write at the host's address.
//
// Device addresses lie where no program has memory of its own, so a managed range is an ordinary mapping of
// the host at the device's address plus the device's own memory. Hosted memory stays where it is; the device
// has memory that stands for it. All work is finished when a call returns. So between calls the host's copy
// is the truth, and it is enough to copy host -> device before the device reads, and device -> host after it
// wrote: of the pages that the host has changed, and of the ranges that a launch has stored to.
//
// For a judge (SL_HOST_SEALED) every byte that goes to the host is counted, so nothing goes there unasked:
// the pages of a range are closed, and the device's copy is the truth, until the host touches one. Then the
// range is open until the device works again. It is read from the device only if that has written there.
// Hosted memory of the program's own allocation may share a page with anything, so it stays open.
//
// When reads of unwritten memory are looked for, the pages of a range that a launch was given, and of which
// nobody has written a byte, are closed after it: the first touch opens the range, and a read is reported
// (memory.uninit). Pages that no launch was given stay open, as a system call may be about to fill them.
//
// When races of the host are looked for, pages that work uses which the program has not waited for are closed
// at the end of a call (IN_USE): quite, if it writes there, else for writing. The first touch opens the page,
// and the device says whether it is a race (EARLY). They open, too, when the program waits, and while the
// library itself is at work. Of the program's own allocations the first and the last page stay open, unless
// they hold nothing else.
#include "libcudart/client.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

typedef struct range {
  uint64_t addr; // the device's
  char *host;
  size_t size;
  uint64_t *sums;     // checksums of the pages, as the device has them; 0: not known
  uint64_t pulled;    // the launch whose stores the host has
  bool named, closed; // a launch was given it; some of its pages are closed as unwritten
  bool filled;        // none of its pages is unwritten any more
  uint8_t *in_use;    // by page: it is closed because work uses it; NULL: none was so far
  bool any_in_use;
  bool open, used; // open: the host's copy is the truth; used: a copy or fill has written since it was closed
  bool shares;     // its first and last page may hold what is not its own, so they are never closed
  struct range *next;
} range;
static range *ranges;

static uint64_t page_size(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }
static uint64_t page_floor(uint64_t a) { return a & ~(page_size() - 1); }
static uint64_t first_page(const range *r) { return page_floor((uintptr_t)r->host); }
static uint64_t end_page(const range *r) {
  return page_floor((uintptr_t)r->host + r->size + page_size() - 1);
}
// The pages that hold nothing else.
static uint64_t own_start(const range *r) {
  return r->shares ? page_floor((uintptr_t)r->host + page_size() - 1) : first_page(r);
}
static uint64_t own_end(const range *r) {
  return r->shares ? page_floor((uintptr_t)r->host + r->size) : end_page(r);
}
static bool is_sealed(void) { return sl__device()->host_checks & SL_HOST_SEALED; }
static bool is_hosted(const range *r) { return (uintptr_t)r->host != r->addr; }

static bool protect(const range *r, int how) {
  return mprotect((void *)(uintptr_t)first_page(r), end_page(r) - first_page(r), how) == 0;
}

// Maps closed pages where there are none. [shared]: another range of this library may have some of them.
// Linux before 4.17 and qemu 7.2 do not know the flag: they map other pages where these are taken.
static bool map_closed(uint64_t at, size_t size, bool shared) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
  void *want = (void *)(uintptr_t)at, *p = mmap(want, size, PROT_NONE, flags, -1, 0);
  const bool taken = p == MAP_FAILED ? errno == EEXIST : p != want;
  if (p != MAP_FAILED && p != want) munmap(p, size);
  return p == want || (shared && taken);
}

static bool map_pages(const range *r) {
  uint64_t first = first_page(r), end = end_page(r);
  bool ok = map_closed(first, end - first, false);
  for (uint64_t at = first; !ok && at < end; at += page_size())
    if (!map_closed(at, page_size(), true)) return false;
  return protect(r, r->open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

// Sums of pages -------------------------------------------------------------------------------------------

static size_t page_bytes(const range *r, size_t page) {
  return r->size - page * PAGE < PAGE ? r->size - page * PAGE : PAGE;
}

static uint64_t sum_of(const char *p, size_t n) {
  uint64_t h = n, word = 0;
  for (; n >= sizeof word; p += sizeof word, n -= sizeof word) {
    memcpy(&word, p, sizeof word);
    h = (h ^ word) * 0x9e3779b97f4a7c15ull, h ^= h >> 32;
  }
  memcpy(&word, p, n);
  return ((h ^ word) * 0x9e3779b97f4a7c15ull) | 1;
}

// Pages of zeros stay unknown: new memory may hold zeros, and zeros of the host would not show.
static void note_sums(range *r) {
  static const char zeros[PAGE];
  for (size_t k = 0; k * PAGE < r->size; k++) {
    const char *at = r->host + k * PAGE;
    size_t n = page_bytes(r, k);
    r->sums[k] = memcmp(at, zeros, n) ? sum_of(at, n) : 0;
  }
}

static bool page_changed(range *r, size_t k) {
  uint64_t sum = sum_of(r->host + k * PAGE, page_bytes(r, k)), before = r->sums[k];
  r->sums[k] = sum;
  return sum != before;
}

// Ranges ----------------------------------------------------------------------------------------------------

static range *new_range(uint64_t addr, void *host, size_t size) {
  range *r = malloc(sizeof *r);
  uint64_t *sums = calloc(size / PAGE + 1, sizeof *sums);
  if (r && sums) *r = (range){.addr = addr, .host = host, .size = size, .sums = sums, .open = true};
  else free(r), free(sums), r = NULL;
  return r;
}

static void open_unwritten(range *r) {
  if (r->closed) protect(r, PROT_READ | PROT_WRITE);
  r->closed = false;
}

// How many pages from [k] on are closed because work uses them, or are not.
static size_t run_in_use(const range *r, size_t k, size_t end) {
  size_t n = 1;
  while (k + n < end && r->in_use[k + n] == r->in_use[k]) n++;
  return n;
}

static void open_in_use(range *r) {
  const size_t pages = (end_page(r) - first_page(r)) / page_size();
  for (size_t k = 0, n; r->any_in_use && k < pages; k += n) {
    char *at = (char *)(uintptr_t)first_page(r) + k * page_size();
    n = run_in_use(r, k, pages);
    if (r->in_use[k]) mprotect(at, n * page_size(), PROT_READ | PROT_WRITE), memset(r->in_use + k, 0, n);
  }
  r->any_in_use = false;
}

static cudaError_t fetch(range *r) {
  open_unwritten(r);
  cudaError_t e = sl__read(r->host, r->addr, r->size);
  if (!e) note_sums(r);
  return e;
}

// Has a launch stored there that the host does not know of?
static bool stored(range *r, cudaError_t *e) {
  sl_call k = {.op = SL_MSG_RANGE, .arg = {r->addr}};
  if ((*e = sl__call(&k)) || k.arg[2] == r->pulled) return false;
  r->pulled = k.arg[2];
  return true;
}

cudaError_t sl__managed_map(uint64_t addr, size_t size) {
  range *r = new_range(addr, (void *)(uintptr_t)addr, size);
  if (!r) return cudaErrorMemoryAllocation;
  r->open = !is_sealed();
  if (!map_pages(r)) {
    free(r->sums), free(r->in_use), free(r);
    return cudaErrorMemoryAllocation;
  }
  cudaError_t e;
  stored(r, &e);
  r->next = ranges, ranges = r;
  if (r->open) return fetch(r);
  sl__catch_faults();
  return e;
}

static range *managed_at(uint64_t addr) {
  range *r = ranges;
  while (r && (is_hosted(r) || addr - r->addr >= r->size)) r = r->next;
  return r;
}

bool sl__managed_range(uint64_t addr, uint64_t *start, uint64_t *size) {
  const range *r = managed_at(addr);
  if (!r) return false;
  *start = r->addr, *size = r->size;
  return true;
}

bool sl__managed_has(uint64_t addr) { return managed_at(addr); }

static range *hosted_at(const void *host) {
  range *r = ranges;
  while (r && (!is_hosted(r) || r->host != host)) r = r->next;
  return r;
}

void sl__hosted_add(void *host, size_t size, bool whole_pages) {
  sl_call k = {.op = SL_MSG_ALLOC, .arg = {size, 0, 0, (uintptr_t)host}};
  if (hosted_at(host) || sl__call(&k)) return;
  range *r = new_range(k.arg[0], host, size);
  if (r) r->shares = !whole_pages, r->next = ranges, ranges = r;
  else sl__call1(SL_MSG_FREE, k.arg[0], 0, 1);
  if (is_sealed()) sl__catch_faults();
}

void sl__hosted_drop(const void *host) {
  const range *r = hosted_at(host);
  if (!r) return;
  if (!r->open) protect(r, PROT_READ | PROT_WRITE);
  sl__call1(SL_MSG_FREE, r->addr, 0, 1);
  sl__managed_drop(r->addr);
}

// Forgets a range. Its pages stay: a neighbour may need them, and the device may reuse the address.
bool sl__managed_drop(uint64_t addr) {
  for (range **at = &ranges; *at; at = &(*at)->next)
    if ((*at)->addr == addr) {
      range *r = *at;
      *at = r->next;
      sl__advice_drop(addr);
      open_in_use(r);
      uint64_t first = page_floor(r->addr + page_size() - 1), last = page_floor(r->addr + r->size);
      if (last > first && !is_hosted(r)) madvise((void *)(uintptr_t)first, last - first, MADV_DONTNEED);
      free(r->sums), free(r->in_use), free(r);
      return true;
    }
  return false;
}

void sl__managed_forget(void) {
  while (ranges) sl__managed_drop(ranges->addr);
}

// Between host and device -----------------------------------------------------------------------------------

static cudaError_t push(range *r) {
  cudaError_t e = cudaSuccess;
  if (!r->open) return e;
  open_unwritten(r);
  sl__pending_range(r->host, r->size);
  for (size_t k = 0, n; k * PAGE < r->size && !e; k += n) {
    for (n = 0; (k + n) * PAGE < r->size && page_changed(r, k + n);) n++;
    size_t end = (k + n) * PAGE < r->size ? (k + n) * PAGE : r->size;
    if (n) e = sl__write(r->addr + k * PAGE, r->host + k * PAGE, end - k * PAGE);
    else n = 1;
  }
  return e;
}

// Sealed: the device works on it.
static void seal_range(range *r) {
  if (r->shares || !is_sealed() || !r->open) return;
  protect(r, PROT_NONE);
  r->open = false;
}

// What is written may make further memory hosted (sl__pinned_named): it comes in front of the list.
cudaError_t sl__managed_push(void) {
  cudaError_t e = cudaSuccess;
  for (range *done = NULL, *first; done != ranges && !e; done = first) {
    first = ranges;
    for (range *r = first; r != done && !e; r = r->next) e = push(r);
  }
  for (range *r = ranges; r && !e; r = r->next) seal_range(r);
  return e;
}

// Does no other range have a part of its pages?
static bool has_own_pages(const range *r) {
  for (const range *o = ranges; o; o = o->next)
    if (o != r && !is_hosted(o) && first_page(o) < end_page(r) && first_page(r) < end_page(o)) return false;
  return first_page(r) == r->addr;
}

// The first pages of managed memory from [at] on that nobody has written; their bytes.
static uint64_t ask_unwritten(uint64_t at, uint64_t size, uint64_t *start) {
  sl_call k = {.op = SL_MSG_UNWRITTEN, .arg = {at, size}};
  if (sl__call(&k)) return 0;
  *start = k.arg[0];
  return k.arg[1];
}

static void close_unwritten(range *r) {
  if (!r->named || r->closed || r->filled || is_hosted(r) || !has_own_pages(r)) return;
  for (uint64_t at = r->addr, end = at + r->size, size; at < end && (size = ask_unwritten(at, end - at, &at));
       at += size)
    r->closed |= mprotect((void *)(uintptr_t)at, size, PROT_NONE) == 0;
  r->filled = !r->closed;
}

// The first pages of [size] bytes of the range, from the host's address [at] on, that work uses; their bytes.
static uint64_t ask_in_use(const range *r, uint64_t at, uint64_t size, uint64_t *start, bool *written) {
  const uint64_t shift = r->addr - (uintptr_t)r->host;
  sl_call k = {.op = SL_MSG_IN_USE, .arg = {at + shift, size}};
  if (sl__call(&k)) return 0;
  *start = k.arg[0] - shift, *written = k.arg[2];
  return k.arg[1];
}

// Do the pages from [at] on stay as they are, because nobody has written them? *size ends where that changes.
static bool stays_closed(const range *r, uint64_t at, uint64_t *size) {
  uint64_t start, bytes = r->closed ? ask_unwritten(at, *size, &start) : 0;
  if (bytes && start > at) bytes = start - at;
  if (bytes && bytes < *size) *size = bytes;
  return bytes && start == at;
}

static void close_in_use(range *r) {
  uint64_t at = own_start(r), end = own_end(r), size;
  bool written;
  if (at >= end) return;
  if (!r->in_use) r->in_use = calloc((end_page(r) - first_page(r)) / page_size(), 1);
  for (; r->in_use && at < end && (size = ask_in_use(r, at, end - at, &at, &written)); at += size) {
    if (!written && stays_closed(r, at, &size)) continue;
    if (mprotect((void *)(uintptr_t)at, size, written ? PROT_NONE : PROT_READ) != 0) continue;
    memset(r->in_use + (at - first_page(r)) / page_size(), 1, size / page_size());
    r->any_in_use = true;
  }
}

void sl__managed_open(void) {
  for (range *r = ranges; r; r = r->next) open_in_use(r);
}

void sl__managed_close(void) {
  if (!ranges || is_sealed() || !sl__races_seen()) return;
  sl__managed_open();
  for (range *r = ranges; r; r = r->next) close_in_use(r);
}

cudaError_t sl__managed_pull(void) {
  cudaError_t e = cudaSuccess;
  bool look = ranges && !is_sealed() && sl__reads_seen();
  for (range *r = ranges; r && !e; r = r->next) {
    if (r->open && stored(r, &e)) r->named = true, e = fetch(r);
    if (look && !e) close_unwritten(r);
  }
  return e;
}

void sl__managed_named(const void *params, size_t len) {
  uint64_t word;
  for (size_t at = 0; ranges && at + sizeof word <= len; at += sizeof word) {
    memcpy(&word, (const char *)params + at, sizeof word);
    range *r = managed_at(word);
    if (r) r->named = true;
  }
}

// Opens a range, and with it those that have a page in common with it.
static void open_range(range *r) {
  cudaError_t e = cudaSuccess;
  if (r->open) return;
  r->open = true;
  bool newer = stored(r, &e) || r->used;
  if (protect(r, PROT_READ | PROT_WRITE) && newer) fetch(r);
  r->used = false;
  for (range *o = ranges; o; o = o->next)
    if (!is_hosted(o) && first_page(o) < end_page(r) && first_page(r) < end_page(o)) open_range(o);
}

static range *hosted_with(const void *p) {
  range *r = ranges;
  while (r && (!is_hosted(r) || (uintptr_t)p - (uintptr_t)r->host >= r->size)) r = r->next;
  return r;
}

// Hosted memory is the host's in a copy.
cudaError_t sl__managed_push_at(const void *p) {
  range *r = managed_at((uintptr_t)p), *hosted = hosted_with(p);
  if (hosted) open_range(hosted);
  return r ? push(r) : cudaSuccess;
}

cudaError_t sl__managed_pull_at(const void *p) {
  range *r = managed_at((uintptr_t)p);
  if (!r) return cudaSuccess;
  seal_range(r);
  r->used = true;
  return r->open ? fetch(r) : cudaSuccess;
}

// Touches of closed pages -----------------------------------------------------------------------------------

static bool has_page(const range *r, uintptr_t addr) { return addr >= first_page(r) && addr < end_page(r); }

static bool touch_unwritten(uintptr_t addr, bool writes) {
  range *r = ranges;
  while (r && (!r->closed || !has_page(r, addr))) r = r->next;
  if (!r) return false;
  open_unwritten(r);
  if (!writes) sl__read_unwritten(addr - r->addr, r->size);
  return true;
}

static bool touch_in_use(uintptr_t addr, bool writes) {
  const uint64_t page = page_floor(addr);
  bool ours = false;
  uint64_t at = 0;
  for (range *r = ranges; r; r = r->next) {
    uint8_t *closed =
        r->any_in_use && has_page(r, addr) ? r->in_use + (page - first_page(r)) / page_size() : NULL;
    if (!closed || !*closed) continue;
    *closed = 0, ours = true;
    at = r->addr + (addr - (uintptr_t)r->host);
  }
  if (!ours) return false;
  mprotect((void *)page, page_size(), PROT_READ | PROT_WRITE);
  sl__touched_early(at, writes);
  return true;
}

bool sl__managed_fault(uintptr_t addr, bool writes) {
  bool ours = false;
  if (!ranges) return false;
  sl__enter(); // another thread may be talking to the device
  if (!is_sealed()) ours = touch_in_use(addr, writes) || touch_unwritten(addr, writes);
  for (range *r = ranges; r; r = r->next) {
    if (r->open || !has_page(r, addr)) continue;
    open_range(r);
    ours = true;
  }
  sl__leave();
  return ours;
}
