// Shadow memory: who touched what last, in pages of 4096 bytes. A row of 32 words (128 bytes) that a whole
// warp touches at once has one cell. A row that is touched in another way gets a cell for each word, and a
// page in which somebody touches less than a word gets one for each byte. A page is made at the first touch
// and stays as long as the device, or for shared memory as long as the launch. Nothing is ever cleared, as a
// touch names its block by serial number (race.c, sl_present). Cells for words take nine times the memory
// that they speak for, cells for bytes 36 times. They may take as much as the host can give, or a part of
// what the device's allocations may have if these are limited; cells of earlier eras are freed before more is
// taken. Shared memory is small and not counted.
#include "observers/observers.h"

#define WORDS (SL_PAGE_BYTES / 4)
#define ROWS (SL_PAGE_BYTES / SL_ROW_BYTES)
#define SECOND 8192u       // pages of one entry of the top table
#define MORE (72ull << 20) // bytes: room is made for so many at a time
#define ROWS_BYTES (ROWS * sizeof(sl_row))

static uint64_t cells_bytes(bool fine) { return (fine ? SL_PAGE_BYTES : WORDS) * sizeof(sl_cell); }

// The words of a row get their own cells.
static void spread(sl_page *p, uint32_t row, uint32_t era) {
  sl_cell *c = p->cells + row * SL_LANES, from = p->rows[row].cell;
  p->rows[row].spread = era;
  for (uint32_t l = 0; l < SL_LANES; l++) {
    c[l] = from;
    c[l].w.thread += l, c[l].r[0].thread += l, c[l].r[1].thread += l;
  }
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

// All pages but the one that needs the room.
static void sweep(sl_shadow *s, uint32_t era, const sl_page *but) {
  uint64_t n = SL_GLOBAL_SIZE / SL_PAGE_BYTES / SECOND;
  for (uint64_t k = 0; k < n; k++)
    for (uint32_t j = 0; s->top[k] && j < SECOND; j++) {
      sl_page *p = &s->top[k][j];
      if (!p->cells || p == but || !left_over(p, era)) continue;
      if (p->fine) memset(p->rows, 0, ROWS_BYTES);
      s->bytes -= cells_bytes(p->fine);
      free(p->cells);
      p->cells = NULL, p->fine = false;
    }
  s->swept = era;
}

// Makes more room. Once the host has nothing left it is asked again now and then only.
static bool widen(sl_shadow *s) {
  if (s->missed & 0xffff || (s->most && s->room + MORE > s->most)) return false;
  if (!sl__host_has(MORE)) return s->host_short = true, false;
  s->room += MORE;
  return true;
}

static bool fits(sl_shadow *s, uint64_t bytes) { return s->bytes + bytes <= s->room || widen(s); }

static bool has_room(sl_shadow *s, const sl_page *p, uint32_t era, uint64_t bytes) {
  if (s->bytes + bytes > s->room && s->top && s->swept != era) sweep(s, era, p);
  return fits(s, bytes);
}

static void split(sl_shadow *s, sl_page *p, uint32_t era) {
  const uint64_t more = cells_bytes(true) - cells_bytes(false);
  sl_cell *c = !s || has_room(s, p, era, more) ? calloc(SL_PAGE_BYTES, sizeof *c) : NULL;
  if (!c) return;
  if (s) s->bytes += more;
  for (uint32_t k = 0; k < ROWS; k++)
    if (p->rows[k].spread != era) spread(p, k, era);
  for (uint32_t k = 0; k < SL_PAGE_BYTES; k++) c[k] = p->cells[k / 4];
  free(p->cells);
  p->cells = c, p->fine = true;
}

static bool make_cells(sl_shadow *s, sl_page *p, uint32_t era) {
  if (!make_rows(p) || p->cells) return p && p->cells;
  if (s && !has_room(s, p, era, cells_bytes(false))) return s->missed++, false;
  if (!(p->cells = calloc(WORDS, sizeof *p->cells))) return false;
  if (s) s->bytes += cells_bytes(false);
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
  if (!p->fine && (offset | bytes) & 3) {
    split(s, p, era);
    if (!p->fine) return s ? s->missed++, NULL : NULL;
  }
  if (!p->fine && p->rows[row].spread != era) spread(p, row, era);
  *n = p->fine ? bytes : bytes / 4;
  return p->cells + (p->fine ? offset : offset / 4);
}

sl_page *sl__shadow_page(sl_shadow *s, uint64_t addr) {
  uint64_t page = (addr - SL_GLOBAL_BASE) / SL_PAGE_BYTES, n = SL_GLOBAL_SIZE / SL_PAGE_BYTES / SECOND;
  if (page / SECOND >= n) return NULL;
  if (!s->top && !(s->top = calloc(n, sizeof *s->top))) return NULL;
  sl_page **second = &s->top[page / SECOND];
  if (!*second && !(*second = calloc(SECOND, sizeof **second))) return NULL;
  sl_page *p = &(*second)[page % SECOND];
  if (p->rows) return p;
  if (!fits(s, ROWS_BYTES)) return s->missed++, NULL;
  if (!make_rows(p)) return NULL;
  s->bytes += ROWS_BYTES;
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
  s->top = NULL, s->bytes = s->room = s->swept = 0;
}
