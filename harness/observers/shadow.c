// Shadow memory: who touched what last, in pages of 4096 bytes. A row of 32 words (128 bytes) that a whole
// warp touches at once has one cell. A row that is touched in another way gets a cell for each word, and a
// page in which somebody touches less than a word gets one for each byte. A page is made at the first touch
// and stays as long as the device, or for shared memory as long as the launch. Nothing is ever cleared, as a
// touch names its block by serial number (race.c, sl_present). Cells for words take nine times the memory
// that they speak for. They may take as much as the host can give; cells of earlier eras are freed before
// more is taken.
#include "observers/observers.h"

#define WORDS (SL_PAGE_BYTES / 4)
#define ROWS (SL_PAGE_BYTES / SL_ROW_BYTES)
#define SECOND 8192u          // pages of one entry of the top table
#define MOST_PAGES (1u << 21) // 8 GiB of global memory: further pages are not observed
#define MORE_SPREAD 2048u     // pages with a cell for each word, 72 MiB: room is made for so many at a time

// The words of a row get their own cells.
static void spread(sl_page *p, uint32_t row, uint32_t era) {
  sl_cell *c = p->cells + row * SL_LANES, from = p->rows[row].cell;
  p->rows[row].spread = era;
  for (uint32_t l = 0; l < SL_LANES; l++) {
    c[l] = from;
    c[l].w.thread += l, c[l].r[0].thread += l, c[l].r[1].thread += l;
  }
}

static void split(sl_page *p, uint32_t era) {
  sl_cell *c = calloc(SL_PAGE_BYTES, sizeof *c);
  if (!c) return;
  for (uint32_t k = 0; k < ROWS; k++)
    if (p->rows[k].spread != era) spread(p, k, era);
  for (uint32_t k = 0; k < SL_PAGE_BYTES; k++) c[k] = p->cells[k / 4];
  free(p->cells);
  p->cells = c, p->fine = true;
}

static bool make_rows(sl_page *p) { return p && (p->rows || (p->rows = calloc(ROWS, sizeof *p->rows))); }

// Does nobody need what the cells of the page say any more?
static bool left_over(const sl_page *p, uint32_t era) {
  for (uint32_t k = 0; k < ROWS && !p->fine; k++)
    if (p->rows[k].spread == era) return false;
  for (uint32_t k = 0; p->fine && k < SL_PAGE_BYTES; k++)
    if (p->cells[k].w.block >= era || p->cells[k].r[0].block >= era || p->cells[k].r[1].block >= era)
      return false;
  return true;
}

static void sweep(sl_shadow *s, uint32_t era) {
  uint64_t n = SL_GLOBAL_SIZE / SL_PAGE_BYTES / SECOND;
  for (uint64_t k = 0; k < n; k++)
    for (uint32_t j = 0; s->top[k] && j < SECOND; j++) {
      sl_page *p = &s->top[k][j];
      if (!p->cells || !left_over(p, era)) continue;
      if (p->fine) memset(p->rows, 0, ROWS * sizeof *p->rows);
      free(p->cells);
      p->cells = NULL, p->fine = false, s->spread--;
    }
  s->swept = era;
}

// Room for one page more. Once the host has nothing left it is asked again now and then only.
static bool has_room(sl_shadow *s, uint32_t era) {
  if (s->spread < s->room) return true;
  if (s->top && s->swept != era) sweep(s, era);
  if (s->spread < s->room) return true;
  if (s->missed & 0xffff || s->fixed || !sl__host_has((uint64_t)MORE_SPREAD * WORDS * sizeof(sl_cell)))
    return false;
  s->room += MORE_SPREAD;
  return true;
}

static bool make_cells(sl_shadow *s, sl_page *p, uint32_t era) {
  if (!make_rows(p) || p->cells) return p && p->cells;
  if (s && !has_room(s, era)) return s->missed++, false;
  if (!(p->cells = calloc(WORDS, sizeof *p->cells))) return false;
  if (s) s->spread++;
  return true;
}

sl_cell *sl__row_made(sl_page *p, uint32_t era, uint32_t offset) {
  if (!make_rows(p) || p->fine) return NULL;
  sl_row *r = &p->rows[offset / SL_ROW_BYTES];
  return r->spread == era ? NULL : &r->cell;
}

sl_cell *sl__cells_made(sl_shadow *s, sl_page *p, uint32_t era, uint32_t offset, uint32_t bytes,
                        uint32_t *n) {
  uint32_t row = offset / SL_ROW_BYTES;
  if (!make_cells(s, p, era)) return NULL;
  if (!p->fine && (offset | bytes) & 3) split(p, era);
  if (!p->fine && p->rows[row].spread != era) spread(p, row, era);
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
  if (!p->rows && s->pages >= (s->most ? s->most : MOST_PAGES)) return s->missed++, NULL;
  s->pages += !p->rows;
  return p;
}

uint64_t sl__shadow_at(const sl_shadow *s, uint32_t era, uint64_t addr, sl_cell *c) {
  uint64_t at = addr - SL_GLOBAL_BASE, page = at / SL_PAGE_BYTES, n = SL_GLOBAL_SIZE / SL_PAGE_BYTES / SECOND;
  uint32_t off = (uint32_t)(at % SL_PAGE_BYTES), row = off / SL_ROW_BYTES;
  *c = (sl_cell){0};
  if (page / SECOND >= n || !s->top || !s->top[page / SECOND])
    return (uint64_t)SECOND * SL_PAGE_BYTES - at % ((uint64_t)SECOND * SL_PAGE_BYTES);
  const sl_page *p = &s->top[page / SECOND][page % SECOND];
  if (!p->rows) return SL_PAGE_BYTES - off;
  if (p->fine) return *c = p->cells[off], 1;
  if (p->rows[row].spread == era && p->cells) return *c = p->cells[off / 4], 4 - off % 4;
  *c = p->rows[row].cell;
  uint32_t lane = off % SL_ROW_BYTES / 4;
  c->w.thread += lane, c->r[0].thread += lane, c->r[1].thread += lane;
  return SL_ROW_BYTES - off % SL_ROW_BYTES;
}

void sl__page_free(sl_page *p) { free(p->rows), free(p->cells); }

void sl__shadow_free(sl_shadow *s) {
  uint64_t n = SL_GLOBAL_SIZE / SL_PAGE_BYTES / SECOND;
  for (uint64_t k = 0; s->top && k < n; k++) {
    for (uint32_t j = 0; s->top[k] && j < SECOND; j++) sl__page_free(&s->top[k][j]);
    free(s->top[k]);
  }
  free(s->top);
  s->top = NULL, s->pages = s->spread = s->room = s->swept = 0;
}
