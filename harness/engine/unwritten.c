// Unwritten memory that the host reads: managed memory by pages, copies to the host by words.
//
// Interface: sl_gpu_unwritten, sl_gpu_holes (gpu.h).
#include "engine/core.h"

#define HOST_PAGE 4096u
enum { WORD = 4, PADDING_MOST = 12, PADDED_LEAST = 16 }; // bytes

static bool page_unwritten(const sl_alloc *a, uint64_t off) {
  uint64_t end = off + HOST_PAGE < a->size ? off + HOST_PAGE : a->size;
  for (uint64_t k = off / 8; k < (end + 7) / 8; k++)
    if (a->init[k]) return false;
  return true;
}

void sl_gpu_unwritten(const sl_gpu *g, uint64_t addr, uint64_t len, uint64_t *start, uint64_t *size) {
  const sl_alloc *a = sl__memory_find(&g->mem, addr);
  *start = addr, *size = 0;
  if (!a || a->freed || !a->init || a->base % HOST_PAGE || len > a->size - (addr - a->base)) return;
  uint64_t off = (addr - a->base + HOST_PAGE - 1) & ~(uint64_t)(HOST_PAGE - 1), end = addr - a->base + len;
  while (off < end && !page_unwritten(a, off)) off += HOST_PAGE;
  *start = a->base + off;
  for (; off < end && page_unwritten(a, off); off += HOST_PAGE) *size += HOST_PAGE;
}

// The end of the word around [off], or of what is looked at of it.
static uint64_t word_end(uint64_t off, uint64_t end) {
  const uint64_t next = (off / WORD + 1) * WORD;
  return next < end ? next : end;
}

static bool is_hole(const sl_alloc *a, uint64_t off, uint64_t end) {
  bool any = false;
  for (uint64_t k = off; k < end; k++) any |= a->init[k / 8] >> (k & 7) & 1;
  return !any;
}

static bool all_written(const sl_alloc *a, uint64_t off) { // 64 bytes from [off] on
  uint64_t bits;
  memcpy(&bits, a->init + off / 8, sizeof bits);
  return !~bits;
}

// All padding of an array of structs is alike: so long, so far apart.
static void note_hole(sl_holes *h, uint64_t from, uint64_t end) {
  const uint64_t apart = from - h->last, bytes = end - from;
  if (!h->n) h->first = from, h->like_padding = bytes <= PADDING_MOST;
  else if (h->n == 1) h->apart = apart;
  h->like_padding &= !h->n || (bytes == h->bytes / h->n && apart == h->apart && apart >= PADDED_LEAST);
  h->n++, h->last = from, h->bytes += bytes;
}

void sl_gpu_holes(const sl_gpu *g, uint64_t addr, uint64_t len, sl_holes *h) {
  const sl_alloc *a = sl__memory_find(&g->mem, addr);
  h->looked += len;
  if (!a || a->freed || !a->init || len > a->size - (addr - a->base) || addr - a->base + len <= a->known)
    return;
  uint64_t off = addr - a->base, from;
  for (const uint64_t end = off + len; off < end;) {
    if (off % 64 == 0 && off + 64 <= end && all_written(a, off)) {
      off += 64;
      continue;
    }
    for (from = off; off < end && is_hole(a, off, word_end(off, end));) off = word_end(off, end);
    if (off > from) note_hole(h, a->base + from, a->base + off);
    else off = word_end(off, end);
  }
}
