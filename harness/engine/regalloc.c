// Linear scan: places virtual registers in as few slots of the frame as their live intervals allow, so that
// the frames of a block's warps stay in the cache. Each width has a pool of slots, so a destination never
// covers half of a source: it is the same slot or another one.
#include "engine/core.h"

typedef struct sl_pool {
  uint32_t width, n;
  uint32_t *end;
} sl_pool; // end[k]: position at which slot k is free again

static int by_start(const void *pa, const void *pb) {
  const uint32_t *a = pa, *b = pb;
  return a[1] != b[1] ? (a[1] < b[1] ? -1 : 1) : a[0] < b[0] ? -1 : a[0] > b[0];
}

// The lowest slot that is free at [start]. A slot is free if this instruction is its last reader.
static uint32_t take_slot(sl_pool *p, uint32_t start, uint32_t end) {
  for (uint32_t k = 0; k < p->n; k++)
    if (p->end[k] <= start) {
      p->end[k] = end;
      return k;
    }
  if (!SL_ROOM(p->end, p->n)) abort();
  p->end[p->n] = end;
  return p->n++;
}

static unsigned pool_of(uint8_t cls) {
  return cls == SL_R_PRED ? 0 : cls == SL_R_64 ? 2 : cls == SL_R_128 ? 3 : 1;
}

uint32_t sl__regalloc(const sl_ptx_func *f, const bool *skip, const sl_lifetime *iv, sl_slot *slots,
                      uint32_t base) {
  sl_pool pools[4] = {{.width = 4}, {.width = 128}, {.width = 256}, {.width = 512}};
  uint32_t(*order)[2] = sl_must(malloc((f->n_regs + 1) * sizeof *order)), n = 0, at[4];
  for (uint32_t r = 0; r < f->n_regs; r++)
    if (!skip[r] && iv[r].start <= iv[r].end) order[n][0] = r, order[n++][1] = iv[r].start;
  qsort(order, n, sizeof *order, by_start);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t r = order[k][0], end = iv[r].end > iv[r].start ? iv[r].end : iv[r].start + 1;
    slots[r] = take_slot(&pools[pool_of(f->regs[r].cls)], iv[r].start, end);
  }
  at[0] = base;
  at[1] = (at[0] + pools[0].n * 4 + 127) & ~127u;
  at[2] = at[1] + pools[1].n * 128;
  at[3] = at[2] + pools[2].n * 256;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t r = order[k][0], p = pool_of(f->regs[r].cls);
    slots[r] = at[p] + slots[r] * pools[p].width;
  }
  uint32_t end = at[3] + pools[3].n * 512;
  for (int p = 0; p < 4; p++) free(pools[p].end);
  free(order);
  return end;
}
