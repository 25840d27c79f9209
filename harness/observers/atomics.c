// The cost of an atomic instruction, as Nsight Compute counts it on an H200 (harness/nsight). Interface:
// meter.h.  In shared memory it takes as many passes as the busiest bank has lanes, at one word or at
// several: lanes come one after the other. Only an addition of 1 whose result nobody uses counts the lanes of
// each word at once, and takes the passes of a load. In global memory lanes at one word come one after the
// other, too: a sector is touched as often as its busiest word has lanes.
#include "observers/meter.h"

bool sl__counts_lanes(const sl_ptx_func *f, const sl_ptx_insn *in) {
  const sl_operand *value = &in->ops[in->n_ops ? in->n_ops - 1 : 0];
  bool one = sl_ptx_has_mod(in, SL_M_add) && value->kind == SL_O_IMM && value->imm == 1;
  return one && (!sl_ptx_does(in, SL_DOES_RESULT) || !sl__is_read(f, &in->ops[0]));
}

uint32_t sl__atomic_passes(const uint64_t *addr, uint32_t lanes) {
  uint32_t n[32] = {0}, most = 0;
  SL_FOR_LANES(l, lanes) {
    uint32_t b = (uint32_t)(addr[l] / 4) % 32;
    if (++n[b] > most) most = n[b];
  }
  return most;
}

static uint32_t lanes_at(const uint64_t *addr, uint32_t lanes, uint64_t a) {
  uint32_t n = 0;
  SL_FOR_LANES(l, lanes) n += addr[l] == a;
  return n;
}

uint32_t sl__lanes_at_one_place(const uint64_t *addr, uint32_t lanes) {
  uint32_t worst = 0;
  SL_FOR_LANES(l, lanes) {
    uint32_t n = lanes_at(addr, lanes, addr[l]);
    if (n > worst) worst = n;
  }
  return worst;
}

uint32_t sl__atomic_sectors(const uint64_t *addr, uint32_t lanes) {
  uint32_t sum = 0;
  while (lanes) {
    uint64_t sector = addr[__builtin_ctz(lanes)] / 32;
    uint32_t here = 0;
    SL_FOR_LANES(l, lanes)
      if (addr[l] / 32 == sector) here |= 1u << l;
    sum += sl__lanes_at_one_place(addr, here);
    lanes &= ~here;
  }
  return sum;
}
