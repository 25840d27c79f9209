// Oracles of integer arithmetic, in 128 bits: the type alone cuts. Interface: st_o_int1, st_o_int2, st_o_mul,
// st_o_mul24, st_o_sad, st_o_div, st_o_dot, st_o_carry, st_o_immediate; st_wide, st_cut, st_clamp.
#include "selftest/selftest.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

u128 st_wide(st_kind k, uint64_t v) {
  unsigned drop = 64 - st_bits(k);
  return st_is_signed(k) ? (u128)(i128)((int64_t)(v << drop) >> drop) : (u128)(v << drop >> drop);
}

static i128 as_integer(st_kind k, uint64_t v) { return (i128)st_wide(k, v); }

// A number of 8 bits fills its 32-bit register by its sign.
uint64_t st_cut(st_kind k, u128 v) {
  unsigned reg = st_register_bits(k);
  uint64_t low = (uint64_t)st_wide(k, (uint64_t)v);
  return reg < 64 ? low & ((1ull << reg) - 1) : low;
}

uint64_t st_clamp(st_kind k, i128 v) {
  unsigned bits = st_bits(k);
  i128 low = st_is_signed(k) ? -((i128)1 << (bits - 1)) : 0, high = ((i128)1 << (bits - st_is_signed(k))) - 1;
  return st_cut(k, (u128)(v < low ? low : v > high ? high : v));
}

static uint64_t int2(const st_form *f, st_kind k, uint64_t p, uint64_t q) {
  i128 a = as_integer(k, p), b = as_integer(k, q);
  if (st_is(f, "add")) return f->sat ? st_clamp(k, a + b) : st_cut(k, (u128)(a + b));
  if (st_is(f, "sub")) return f->sat ? st_clamp(k, a - b) : st_cut(k, (u128)(a - b));
  i128 r = st_is(f, "min") == (a < b) ? a : b;
  return f->relu && r < 0 ? 0 : st_cut(k, (u128)r);
}

// add sub min max, of one number or of two halves
ST_ORACLE(st_o_int2) {
  st_kind half = st_half_of(f->type);
  out[0] = int2(f, half, in[0], in[1]);
  if (st_is_pair(f->type))
    out[0] = (out[0] & 0xffff) | (int2(f, half, in[0] >> 16, in[1] >> 16) & 0xffff) << 16;
  return ST_EXACT;
}

// abs neg: the lowest number stays
ST_ORACLE(st_o_int1) {
  i128 a = as_integer(f->type, in[0]);
  out[0] = st_cut(f->type, (u128)(st_is(f, "neg") || a < 0 ? -a : a));
  return ST_EXACT;
}

// mul and mad: .lo .hi .wide
ST_ORACLE(st_o_mul) {
  st_kind k = f->type;
  u128 p = st_wide(k, in[0]) * st_wide(k, in[1]),
       hi = st_bits(k) < 64 ? (u128)((i128)p >> st_bits(k)) : p >> 64;
  u128 part = st_has(f, "hi") ? hi : p;
  st_kind to = st_has(f, "wide") ? f->out[0] : k;
  u128 c = f->n_in == 3 ? st_wide(to, in[2]) : 0;
  out[0] = f->sat ? st_clamp(k, (i128)(int32_t)part + (i128)c) : st_cut(to, part + c);
  return ST_EXACT;
}

static i128 low24(st_kind k, uint64_t v) {
  return st_is_signed(k) ? (i128)((int32_t)(v << 8) >> 8) : (i128)(v & 0xffffff);
}

// mul24 and mad24: bits 0 to 31 or 16 to 47 of the product of 24-bit numbers
ST_ORACLE(st_o_mul24) {
  i128 p = low24(f->type, in[0]) * low24(f->type, in[1]);
  int32_t part = (int32_t)(st_has(f, "hi") ? p >> 16 : p);
  i128 c = f->n_in == 3 ? as_integer(f->type, in[2]) : 0;
  out[0] = f->sat ? st_clamp(f->type, part + c) : st_cut(f->type, (u128)(part + c));
  return ST_EXACT;
}

ST_ORACLE(st_o_sad) {
  i128 a = as_integer(f->type, in[0]), b = as_integer(f->type, in[1]);
  out[0] = st_cut(f->type, st_wide(f->type, in[2]) + (u128)(a < b ? b - a : a - b));
  return ST_EXACT;
}

// Division by zero and the lowest number by -1 are left open by PTX.
ST_ORACLE(st_o_div) {
  i128 a = as_integer(f->type, in[0]), b = as_integer(f->type, in[1]);
  if (b == 0) return ST_UNSPECIFIED;
  out[0] = st_cut(f->type, (u128)(st_is(f, "div") ? a / b : a % b));
  return st_is_signed(f->type) && b == -1 && a == -((i128)1 << (st_bits(f->type) - 1)) ? ST_UNSPECIFIED
                                                                                       : ST_EXACT;
}

// dp4a dp2a: the first type is that of a's parts, the second that of b's bytes
ST_ORACLE(st_o_dot) {
  bool four = st_is(f, "dp4a");
  int64_t sum = (int64_t)in[2];
  for (unsigned k = 0; k < (four ? 4 : 2); k++) {
    st_kind parts = st_is_signed(f->type2) ? (four ? ST_S8 : ST_S16) : (four ? ST_U8 : ST_U16);
    st_kind bytes = st_is_signed(f->type) ? ST_S8 : ST_U8;
    unsigned at = k + (st_has(f, "hi") ? 2 : 0);
    sum += (int64_t)(as_integer(parts, in[0] >> k * (four ? 8 : 16)) * as_integer(bytes, in[1] >> at * 8));
  }
  out[0] = (uint32_t)sum;
  return ST_EXACT;
}

// The low part of [v], and what it carries over (borrows).
static uint64_t carry_step(st_kind k, u128 v, bool *carry) {
  *carry = v >> st_bits(k) & 1;
  return st_cut(k, v);
}

static u128 unsigned_of(st_kind k, uint64_t v) {
  return st_bits(k) < 64 ? (u128)(v & ((1ull << st_bits(k)) - 1)) : v;
}

// Chains of two instructions that pass a carry, and an addition of 0 that shows the last one.
ST_ORACLE(st_o_carry) {
  st_kind k = f->type;
  u128 a = unsigned_of(k, in[0]), b = unsigned_of(k, in[1]), c = unsigned_of(k, in[2]),
       x = unsigned_of(k, in[3]);
  u128 p = st_wide(k, in[0]) * st_wide(k, in[1]);
  u128 lo = unsigned_of(k, (uint64_t)p), hi = unsigned_of(k, (uint64_t)(p >> st_bits(k)));
  bool carry;
  if (st_is(f, "addc")) {
    out[0] = carry_step(k, a + b, &carry);
    out[1] = carry_step(k, c + x + carry, &carry);
  } else if (st_is(f, "subc")) {
    out[0] = carry_step(k, a - b, &carry);
    out[1] = carry_step(k, c - x - carry, &carry);
    out[2] = st_cut(k, -(u128)carry);
    return ST_EXACT;
  } else {
    bool low_second = st_has(f, "lo");
    out[0] = carry_step(k, (low_second ? hi : lo) + c, &carry);
    out[1] = carry_step(k, (low_second ? lo : hi) + x + carry, &carry);
  }
  out[2] = carry;
  return ST_EXACT;
}

// The same with additions and subtractions in turn. Subtracting is adding ~b and 1: without a carry, 1 less.
ST_ORACLE(st_o_carry_mixed) {
  st_kind k = f->type;
  u128 a = unsigned_of(k, in[0]), b = unsigned_of(k, in[1]), c = unsigned_of(k, in[2]),
       x = unsigned_of(k, in[3]);
  bool sub = st_is(f, "sub"), carry;
  out[0] = carry_step(k, sub ? a + unsigned_of(k, ~in[1]) + 1 : a + b, &carry);
  out[1] = carry_step(k, (sub ? c + x : c + unsigned_of(k, ~in[3])) + carry, &carry);
  out[2] = st_cut(k, sub ? (u128)carry - 1 : (u128)carry);
  return ST_EXACT;
}

// The constant at the end of the instruction: 0f and 0d are bits, others a number.
static uint64_t constant(const char *text, st_kind k) {
  const char *p = strrchr(text, ',') + 1;
  while (*p == ' ') p++;
  if (p[0] == '0' && (p[1] == 'f' || p[1] == 'd')) return strtoull(p + 2, NULL, 16);
  if (p[0] == '0' && p[1] == 'b') return strtoull(p + 2, NULL, 2);
  if (st_is_float(k)) return st_pack(k, (st_quad)strtod(p, NULL), ST_RN);
  return *p == '-' ? -strtoull(p + 1, NULL, 10) : strtoull(p, NULL, 0);
}

// add sub mul with a constant
ST_ORACLE(st_o_immediate) {
  st_kind k = f->type;
  uint64_t v[2] = {in[0], constant(f->text, k)};
  char op = st_is(f, "add") ? '+' : st_is(f, "sub") ? '-' : '*';
  if (st_is_float(k)) out[0] = st_float_op(k, op, ST_RN, v);
  else out[0] = st_cut(k, op == '+' ? (u128)v[0] + v[1] : (u128)v[0] - v[1]);
  // assemblers make a copy of it, and a NaN keeps its bits
  bool copies = op == '*' && v[1] == st_pack(k, 1, ST_RN);
  return k == ST_F64 || copies ? ST_ANY_NAN : ST_EXACT;
}
