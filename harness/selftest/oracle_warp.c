// Oracles of instructions by which the lanes of a warp, or the threads of a block, act together. Lanes
// outside the member mask do not execute: their results are 0. Interface: st_w_vote, st_w_match, st_w_shfl,
// st_w_redux, st_w_atom, st_w_barrier.
#include "selftest/selftest.h"

static bool member(uint64_t mask, unsigned lane) { return mask >> lane & 1; }

ST_GROUP_ORACLE(st_w_vote) {
  uint64_t mask = in[0][1], ballot = 0;
  for (unsigned l = 0; l < n; l++) ballot |= (uint64_t)(member(mask, l) && in[l][0]) << l;
  uint64_t r = st_has(f, "ballot") ? ballot
               : st_has(f, "all")  ? ballot == mask
               : st_has(f, "any")  ? ballot != 0
                                   : ballot == mask || ballot == 0;
  for (unsigned l = 0; l < n; l++) out[l][0] = member(mask, l) ? r : 0, said[l] = ST_EXACT;
}

ST_GROUP_ORACLE(st_w_match) {
  uint64_t mask = in[0][1];
  for (unsigned l = 0; l < n; l++) {
    uint64_t same = 0;
    for (unsigned k = 0; k < n; k++) same |= (uint64_t)(member(mask, k) && in[k][0] == in[l][0]) << k;
    bool all = same == mask;
    said[l] = ST_EXACT;
    out[l][0] = !member(mask, l) ? 0 : st_has(f, "any") ? same : all ? mask : 0;
    out[l][1] = member(mask, l) && all;
  }
}

// The lane that [lane] reads, by the manual's pseudocode; *valid: it lies in range.
static unsigned source(const st_form *f, unsigned lane, unsigned b, unsigned c, bool *valid) {
  int bval = b & 31, cval = c & 31, seg = c >> 8 & 31, l = (int)lane;
  int limit = (l & seg) | (cval & ~seg), from = (l & seg) | (bval & ~seg);
  int j = st_has(f, "up") ? l - bval : st_has(f, "down") ? l + bval : st_has(f, "bfly") ? l ^ bval : from;
  *valid = st_has(f, "up") ? j >= limit : j <= limit;
  return (unsigned)(*valid ? j : l);
}

// PTX leaves open what an absent lane gives.
ST_GROUP_ORACLE(st_w_shfl) {
  uint64_t mask = in[0][3];
  for (unsigned l = 0; l < n; l++) {
    bool valid;
    unsigned from = source(f, l, (unsigned)in[l][1], (unsigned)in[l][2], &valid);
    said[l] = member(mask, l) && !member(mask, from) ? ST_UNSPECIFIED : ST_EXACT;
    out[l][0] = member(mask, l) ? in[from][0] : 0;
    out[l][1] = member(mask, l) && valid;
  }
}

static uint64_t fold(const st_form *f, uint64_t a, uint64_t b) {
  __int128 x = (__int128)st_wide(f->type, a), y = (__int128)st_wide(f->type, b);
  if (st_has(f, "add")) return (uint32_t)(a + b);
  if (st_has(f, "min")) return x < y ? a : b;
  if (st_has(f, "max")) return x > y ? a : b;
  return st_has(f, "and") ? a & b : st_has(f, "or") ? a | b : a ^ b;
}

ST_GROUP_ORACLE(st_w_redux) {
  uint64_t mask = in[0][1], r = 0;
  bool begun = false;
  for (unsigned l = 0; l < n; l++)
    if (member(mask, l)) r = begun ? fold(f, r, in[l][0]) : in[l][0], begun = true;
  for (unsigned l = 0; l < n; l++) out[l][0] = member(mask, l) ? r : 0, said[l] = ST_EXACT;
}

// Atomic operations of all threads on one place, whose outcome does not depend on their order
ST_GROUP_ORACLE(st_w_atom) {
  uint64_t r = in[0][0];
  for (unsigned l = 0; l < n; l++) r = st_atom(f, r, in[l][1], 0);
  for (unsigned l = 0; l < n; l++) out[l][0] = r, said[l] = ST_ANY_NAN;
}

// bar.red and barrier.red: a reduction of all threads' predicates
ST_GROUP_ORACLE(st_w_barrier) {
  unsigned ones = 0;
  for (unsigned l = 0; l < n; l++) ones += in[l][0] != 0;
  for (unsigned l = 0; l < n; l++)
    out[l][0] = st_has(f, "popc") ? ones : st_has(f, "and") ? ones == n : ones != 0, said[l] = ST_EXACT;
}

// activemask: all members, which execute it together. elect: the lowest of them.
ST_GROUP_ORACLE(st_w_active) {
  uint64_t mask = in[0][0];
  unsigned first = (unsigned)__builtin_ctz((uint32_t)mask);
  for (unsigned l = 0; l < n; l++) {
    said[l] = ST_EXACT;
    out[l][0] = !member(mask, l) ? 0 : st_is(f, "elect") ? first : mask;
    out[l][1] = member(mask, l) && l == first;
  }
}
