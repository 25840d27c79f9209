// Oracles of loads, stores and atomics. The first operands are bytes of memory; a load takes its elements
// from them, a store puts its own over them. Interface: st_o_load, st_o_store, st_o_atom, st_o_atom_pair,
// st_o_pack, st_o_unpack, st_atom.
#include "selftest/selftest.h"

// An element goes into a register of 32 or 64 bits (results w, l) by the sign of its type.
ST_ORACLE(st_o_load) {
  unsigned bytes = st_bits(f->type) / 8;
  for (int k = 0; k < f->n_out; k++) {
    uint64_t v = 0, reg = st_register_bits(f->out[k]);
    memcpy(&v, (const char *)in + (unsigned)k * bytes, bytes);
    v = (uint64_t)st_wide(f->type, v);
    out[k] = reg < 64 ? v & ((1ull << reg) - 1) : v;
  }
  return ST_EXACT;
}

// One element over one word of memory, or (vectors) c, x, x, c over two.
ST_ORACLE(st_o_store) {
  unsigned bytes = st_bits(f->type) / 8, words = (unsigned)f->n_out,
           n = words == 1        ? 1
               : st_has(f, "v4") ? 4
                                 : 2;
  memcpy(out, in, words * sizeof *in);
  for (unsigned k = 0; k < n; k++) memcpy((char *)out + k * bytes, &in[words + (k == 1 || k == 2)], bytes);
  return ST_EXACT;
}

// In global memory an f32 sum flushes subnormal numbers, in shared memory it does not.
static uint64_t oracle_add(const st_form *f, uint64_t a, uint64_t b) {
  bool flush = f->type == ST_F32 && !st_has(f, "shared");
  st_kind k = st_half_of(f->type);
  uint64_t mask = st_bits(k) < 64 ? (1ull << st_bits(k)) - 1 : ~0ull, v[2] = {a & mask, b & mask},
           hi[2] = {a >> 16, b >> 16};
  if (!st_is_float(k)) return (a + b) & mask;
  for (int i = 0; flush && i < 2; i++) v[i] = st_flush(k, v[i]);
  uint64_t r = st_float_op(k, '+', ST_RN, v);
  if (st_is_pair(f->type)) r |= st_float_op(k, '+', ST_RN, hi) << 16;
  return flush ? st_flush(k, r) : r;
}

uint64_t st_atom(const st_form *f, uint64_t old, uint64_t b, uint64_t c) {
  uint64_t mask = st_bits(f->type) < 64 ? (1ull << st_bits(f->type)) - 1 : ~0ull;
  __int128 x = (__int128)st_wide(f->type, old), y = (__int128)st_wide(f->type, b);
  if (st_has(f, "add")) return oracle_add(f, old, b);
  if (st_has(f, "inc")) return old >= b ? 0 : old + 1;
  if (st_has(f, "dec")) return old == 0 || old > b ? b : old - 1;
  if (st_has(f, "min")) return x < y ? old : b;
  if (st_has(f, "max")) return x > y ? old : b;
  if (st_has(f, "and")) return old & b;
  if (st_has(f, "or")) return old | b;
  if (st_has(f, "xor")) return old ^ b;
  if (st_has(f, "cas")) return (old & mask) == (b & mask) ? c : old;
  return b; // exch
}

// atom: the old value, then the new one; red: the new one
ST_ORACLE(st_o_atom) {
  out[0] = in[0];
  out[f->n_out - 1] = st_atom(f, in[0], in[1], in[2]);
  return ST_ANY_NAN;
}

// atom on a vector of two: the old values, then the new ones
ST_ORACLE(st_o_atom_pair) {
  for (int k = 0; k < 2; k++) {
    out[k] = in[k];
    out[k + 2] = st_atom(f, in[k], in[k + 2], 0);
  }
  return ST_ANY_NAN;
}

// mov of several registers into one, the first lowest; and of one into several
ST_ORACLE(st_o_pack) {
  unsigned each = st_bits(f->in[0]);
  out[0] = 0;
  for (int k = 0; k < f->n_in; k++)
    out[0] |= (each < 64 ? in[k] & ((1ull << each) - 1) : in[k]) << each * (unsigned)k;
  return ST_EXACT;
}
ST_ORACLE(st_o_unpack) {
  unsigned each = st_bits(f->out[0]);
  for (int k = 0; k < f->n_out; k++) out[k] = in[0] >> each * (unsigned)k & ((1ull << each) - 1);
  return ST_EXACT;
}

// 128 bits as two halves. mov: the value; exch and cas: the old value, then the new one.
ST_ORACLE(st_o_wide) {
  out[0] = in[0], out[1] = in[1];
  if (!st_is(f, "atom")) return ST_EXACT;
  bool swaps = st_has(f, "exch") || in[1] == in[3];
  out[2] = swaps ? in[2] : in[0];
  out[3] = st_has(f, "exch") ? in[3] : in[1];
  return ST_EXACT;
}

// An address of global, one of shared and one of local memory.
ST_ORACLE(st_o_space) {
  (void)in;
  out[0] = st_has(f, "global"), out[1] = st_has(f, "shared"), out[2] = st_has(f, "local");
  return ST_EXACT;
}
