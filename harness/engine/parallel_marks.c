// What workers touch, by words of 4 bytes, and device memory before they wrote. Interface: parallel.h.
//
// A worker has a bit for "read", "written" and "added to" of each word, in pages of its own. The first worker
// that is about to write to a page copies it, and the others wait for that. So the copy is exact even if
// several write to the page, and sl__undo restores the memory before the launch. Marks are kept for words and
// not for lines, as the scattered stores of neighbouring blocks often meet within a line.
#include <sched.h>
#include <sys/mman.h>
#include "engine/parallel.h"

#define LEAST_PAGES 1024u
#define KEEP_PAGES 65536u // 256 MiB: copies of more pages than that are given back after the launch

// Memory of zeros whose pages cost nothing until they are touched.
static void *reserve(uint64_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

static void give_back(void *p, uint64_t bytes) {
  if (p) munmap(p, bytes);
}

void sl__undo_close(sl_undo *u) {
  give_back(u->kept, u->n_pages * SL_MARK_PAGE);
  give_back(u->state, u->n_pages * sizeof *u->state);
  give_back(u->changed, u->n_pages * sizeof *u->changed);
  *u = (sl_undo){0};
}

static bool make_undo(sl_undo *u, uint64_t n_pages) {
  sl__undo_close(u);
  u->n_pages = n_pages;
  u->kept = reserve(n_pages * SL_MARK_PAGE);
  u->state = reserve(n_pages * sizeof *u->state);
  u->changed = reserve(n_pages * sizeof *u->changed);
  if (u->kept && u->state && u->changed) return true;
  sl__undo_close(u);
  return false;
}

bool sl__undo_fits(const sl_undo *u, const sl_memory *mem) {
  return mem->arena[false].top / SL_MARK_PAGE < u->n_pages && u->now < UINT32_MAX - 4;
}

bool sl__undo_open(sl_undo *u, const sl_memory *mem) {
  uint64_t n = LEAST_PAGES;
  if (mem->arena[true].used) return false; // stores to the heap of kernels could not be taken back
  while (n <= mem->arena[false].top / SL_MARK_PAGE) n *= 2;
  if (!sl__undo_fits(u, mem) && !make_undo(u, n)) return false;
  u->mem = mem;
  u->now += 2;
  u->n_changed = 0;
  return true;
}

void sl__undo_forget(sl_undo *u) {
  if (u->n_changed > KEEP_PAGES) madvise(u->kept, u->n_pages * SL_MARK_PAGE, MADV_DONTNEED);
}

void sl__undo(const sl_undo *u) {
  for (uint32_t k = 0; k < u->n_changed; k++) {
    uint64_t at = (uint64_t)u->changed[k] * SL_MARK_PAGE;
    memcpy(u->mem->map + at, u->kept + at, SL_MARK_PAGE);
  }
}

static void keep_page(sl_undo *u, uint64_t page) {
  uint32_t *state = &u->state[page], seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);
  while (seen != u->now + 1) {
    if (seen < u->now &&
        __atomic_compare_exchange_n(state, &seen, u->now, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
      memcpy(u->kept + page * SL_MARK_PAGE, u->mem->map + page * SL_MARK_PAGE, SL_MARK_PAGE);
      u->changed[__atomic_fetch_add(&u->n_changed, 1, __ATOMIC_RELAXED)] = (uint32_t)page;
      __atomic_store_n(state, u->now + 1, __ATOMIC_RELEASE);
      return;
    }
    if (seen == u->now) sched_yield();
    seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);
  }
}

bool sl__marks_open(sl_marks *m, sl_undo *u) {
  m->adding = NULL;
  m->marked = m->unknown = false;
  if (m->undo == u && m->pages) return true;
  m->undo = u;
  m->pages = reserve(u->n_pages * sizeof *m->pages);
  m->opened = reserve(u->n_pages * sizeof *m->opened);
  return m->pages && m->opened;
}

void sl__marks_close(sl_marks *m, const sl_undo *u) {
  give_back(m->pages, u->n_pages * sizeof *m->pages);
  give_back(m->opened, u->n_pages * sizeof *m->opened);
  *m = (sl_marks){0};
}

static void open_page(sl_marks *m, uint64_t page, bool write) {
  if (m->opened[page] < m->undo->now) memset(&m->pages[page], 0, sizeof m->pages[page]);
  if (write) keep_page(m->undo, page);
  m->opened[page] = m->undo->now + write;
}

#define LINE (SL_MARK_BITS * SL_MARK_WORD) // bytes whose marks are one number

// [bits]: marks of the line around byte [at] of device memory.
static inline void mark_line(sl_marks *m, uint64_t at, uint32_t bits, int how) {
  uint64_t page = at / SL_MARK_PAGE;
  bool write = how != SL_MARK_READ;
  if (__builtin_expect(m->opened[page] < m->undo->now + write, 0)) open_page(m, page, write);
  m->pages[page].bits[how][at % SL_MARK_PAGE / LINE] |= bits;
}

static void mark_row(sl_marks *m, uint64_t at, uint64_t bytes, int how) {
  uint64_t end = at + bytes;
  while (at < end) {
    uint64_t first = at % LINE / SL_MARK_WORD, next = (at / LINE + 1) * LINE,
             last = next < end ? LINE - 1 : (end - 1) % LINE;
    mark_line(m, at, (0xffffffffu >> (SL_MARK_BITS - 1 - last / SL_MARK_WORD)) & 0xffffffffu << first, how);
    at = next;
  }
}

// Accesses are aligned, so each lies in one line. Lanes that follow each other are often in the same one.
void sl__mark_lanes(sl_marks *m, const uint64_t *addr, uint32_t lanes, uint32_t bytes, int how) {
  uint64_t line = 0;
  uint32_t bits = 0, ones = (1u << ((bytes + SL_MARK_WORD - 1) / SL_MARK_WORD)) - 1;
  for (; lanes; lanes &= lanes - 1) {
    uint64_t at = addr[__builtin_ctz(lanes)] - SL_GLOBAL_BASE;
    if (at / LINE != line) {
      if (bits) mark_line(m, line * LINE, bits, how);
      line = at / LINE, bits = 0;
    }
    bits |= ones << (at % LINE / SL_MARK_WORD);
  }
  if (bits) mark_line(m, line * LINE, bits, how);
}

// Atomics are counted where they are executed; parallel_code.c marks them, or the launch is taken back.
void sl__touch_global(sl_warp *w, const uint64_t *addr, const sl_memop *op) {
  sl_marks *m = w->grid->worker ? &w->grid->worker->marks : NULL;
  if (op->atomic && (!m || m->marked)) return;
  if (op->atomic) m->unknown = true;
  if (w->grid->counting && !op->atomic) sl__count_global(w, addr, op->bytes, op->write);
  if (m) sl__mark_lanes(m, addr, w->mask, op->bytes, op->write);
}

void sl__touch_global_row(sl_warp *w, uint64_t first, uint32_t bytes, bool write) {
  if (w->grid->counting) sl__count_global_row(w, first, bytes, write);
  if (w->grid->worker) mark_row(&w->grid->worker->marks, first - SL_GLOBAL_BASE, SL_LANES * bytes, write);
}

// Compares the workers' marks of one page.
static bool page_conflict(const sl_marks *const *m, uint32_t n, const sl_undo *u, uint64_t page) {
  sl_page_marks sum = {0}; // marks of the previous workers
  uint32_t bad = 0;
  for (uint32_t k = 0; k < n; k++) {
    const sl_page_marks *p = &m[k]->pages[page];
    if (m[k]->opened[page] < u->now) continue;
    for (uint32_t i = 0; i < sizeof p->bits[0] / sizeof p->bits[0][0]; i++) {
      uint32_t read = p->bits[SL_MARK_READ][i], written = p->bits[SL_MARK_WRITTEN][i],
               added = p->bits[SL_MARK_ADDED][i];
      uint32_t *r = &sum.bits[SL_MARK_READ][i], *w = &sum.bits[SL_MARK_WRITTEN][i],
               *a = &sum.bits[SL_MARK_ADDED][i];
      bad |= (written & (*r | *w | *a)) | (read & (*w | *a)) | (added & (*r | *w));
      *r |= read, *w |= written, *a |= added;
    }
  }
  return bad;
}

static bool add_alike(const sl_marks *const *m, uint32_t n) {
  sl_op_fn kind = NULL;
  for (uint32_t k = 0; k < n; k++) {
    if (m[k]->unknown || (kind && m[k]->adding && m[k]->adding != kind)) return false;
    if (m[k]->adding) kind = m[k]->adding;
  }
  return true;
}

bool sl__marks_conflict(const sl_marks *const *m, uint32_t n, const sl_undo *u) {
  for (uint32_t k = 0; k < u->n_changed; k++)
    if (page_conflict(m, n, u, u->changed[k])) return true;
  return !add_alike(m, n);
}
