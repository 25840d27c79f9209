// Shadow memory: who touched each word, or each byte, last. Pages of 4096 bytes; a page keeps a cell for each
// word of four bytes until somebody touches less than a word in it, then a cell for each byte. Pages are made
// at the first touch and stay as long as the device (of shared memory: the launch); nothing is cleared, as a
// touch names its block by serial number (race.c, present).
#include <stdlib.h>
#include "observers/observers.h"

#define WORDS (SL_PAGE_BYTES / 4)
#define SECOND 8192u      // pages of one entry of the top table
#define MOST_PAGES 32768u // of global memory, 128 MiB of it: beyond that, new pages are not observed

static void split(sl_page *p) {
  sl_cell *c = calloc(SL_PAGE_BYTES, sizeof *c);
  if (!c) return;
  for (uint32_t k = 0; k < SL_PAGE_BYTES; k++) c[k] = p->cells[k / 4];
  free(p->cells);
  p->cells = c, p->fine = true;
}

sl_cell *sl__cells_made(sl_page *p, uint32_t offset, uint32_t bytes, uint32_t *n) {
  if (!p || (!p->cells && !(p->cells = calloc(WORDS, sizeof *p->cells)))) return NULL;
  if (!p->fine && (offset | bytes) & 3) split(p);
  *n = p->fine ? bytes : bytes / 4;
  return (offset | bytes) & 3 && !p->fine ? NULL : p->cells + (p->fine ? offset : offset / 4);
}

sl_page *sl__shadow_page(sl_shadow *s, uint64_t addr) {
  uint64_t page = (addr - SL_GLOBAL_BASE) / SL_PAGE_BYTES, n = SL_GLOBAL_SIZE / SL_PAGE_BYTES / SECOND;
  if (page / SECOND >= n) return NULL;
  if (!s->top && !(s->top = calloc(n, sizeof *s->top))) return NULL;
  sl_page **second = &s->top[page / SECOND];
  if (!*second && !(*second = calloc(SECOND, sizeof **second))) return NULL;
  sl_page *p = &(*second)[page % SECOND];
  if (!p->cells && s->pages >= MOST_PAGES) return NULL;
  s->pages += !p->cells;
  return p;
}

void sl__shadow_free(sl_shadow *s) {
  uint64_t n = SL_GLOBAL_SIZE / SL_PAGE_BYTES / SECOND;
  for (uint64_t k = 0; s->top && k < n; k++) {
    for (uint32_t j = 0; s->top[k] && j < SECOND; j++) free(s->top[k][j].cells);
    free(s->top[k]);
  }
  free(s->top);
  s->top = NULL, s->pages = 0;
}
