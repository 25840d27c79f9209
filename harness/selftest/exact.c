// Arithmetic of floats of any format, by numbers of 113 bits. A result that does not fit is cut, and its last
// bit is set ("rounded to odd"). Rounding that to a format with at least two bits fewer gives the same as
// rounding the exact result. Interface: st_value, st_pack, st_add, st_mul, st_div, st_sqrt and others.
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#include <math.h>

#include "selftest/selftest.h"

typedef unsigned __int128 u128;

// frac: bits after the point; emin: smallest exponent of a normal number; exp_bits: bits of the exponent's
// field; shift: how far to the left the number lies in its register.
typedef struct format {
  int frac, emin, exp_bits, shift;
} format;
static const format formats[] = {[ST_F16] = {10, -14, 5, 0},
                                 [ST_BF16] = {7, -126, 8, 0},
                                 [ST_TF32] = {10, -126, 8, 13},
                                 [ST_F32] = {23, -126, 8, 0},
                                 [ST_F64] = {52, -1022, 11, 0}};

static uint64_t infinity_of(const format *t) { return (uint64_t)((1 << t->exp_bits) - 1) << t->frac; }
static uint64_t sign_bit(const format *t) { return 1ull << (t->frac + t->exp_bits); }

uint64_t st_nan(st_kind k) {
  const format *t = &formats[k];
  if (k == ST_F64) return 0x7ff8000000000000ull;
  return (sign_bit(t) - 1) << t->shift | (t->shift ? (1u << t->shift) - 1 : 0);
}

bool st_bits_nan(st_kind k, uint64_t bits) {
  const format *t = &formats[k];
  return st_is_float(k) && (bits >> t->shift & (sign_bit(t) - 1)) > infinity_of(t);
}

st_quad st_value(st_kind k, uint64_t bits) {
  const format *t = &formats[k];
  if (k == ST_TF32) k = ST_F32, t = &formats[k];
  uint64_t mag = bits & (sign_bit(t) - 1), frac = mag & ((1ull << t->frac) - 1);
  int e = (int)(mag >> t->frac);
  st_quad v;
  if (mag >= infinity_of(t)) v = mag > infinity_of(t) ? (st_quad)NAN : (st_quad)INFINITY;
  else v = ldexpf128((st_quad)(frac + (e ? 1ull << t->frac : 0)), (e ? e - 1 : 0) + t->emin - t->frac);
  return bits & sign_bit(t) ? -v : v;
}

static bool rounds_up(st_round round, bool negative, uint64_t n, st_quad rest) {
  switch (round) {
  case ST_RN: return rest > 0.5 || (rest == 0.5 && n & 1);
  case ST_RM: return negative && rest > 0;
  case ST_RP: return !negative && rest > 0;
  case ST_RNA: return rest >= 0.5;
  default: return false;
  }
}

uint64_t st_pack(st_kind k, st_quad v, st_round round) {
  const format *t = &formats[k];
  bool negative = signbit(v);
  uint64_t sign = negative ? sign_bit(t) : 0, top = infinity_of(t);
  if (isnan(v)) return st_nan(k);
  st_quad mag = negative ? -v : v;
  if (isinf(mag)) return (sign | top) << t->shift;
  if (mag == 0) return sign << t->shift;
  int e;
  (void)frexpf128(mag, &e);
  e = e - 1 < t->emin ? t->emin : e - 1;
  st_quad scaled = ldexpf128(mag, t->frac - e), whole = floorf128(scaled);
  uint64_t n = (uint64_t)whole;
  if (e > 4 * (1 << t->exp_bits)) e = 4 * (1 << t->exp_bits);
  n += rounds_up(round, negative, n, scaled - whole);
  u128 bits = n + ((u128)(unsigned)(e - t->emin) << t->frac); // the hidden bit counts the exponent one up
  if (bits >= top) {
    bool away =
        round == ST_RN || round == ST_RNA || (round == ST_RM && negative) || (round == ST_RP && !negative);
    bits = away ? top : top - 1;
  }
  return (sign | (uint64_t)bits) << t->shift;
}

uint64_t st_flush(st_kind k, uint64_t bits) {
  const format *t = &formats[k];
  uint64_t mag = bits & (sign_bit(t) - 1);
  return mag >> t->frac ? bits : bits & sign_bit(t);
}

bool st_is_tiny(st_kind k, st_quad v, st_round round) {
  if (v == 0 || isnan(v) || fabsf128(v) >= ldexpf128(1, formats[k].emin)) return false;
  return fabsf128(st_value(k, st_pack(k, 16 * v, round))) < ldexpf128(16, formats[k].emin);
}

double st_ulp(st_kind k, st_quad v) {
  const format *t = &formats[k];
  int e = t->emin + 1;
  if (v != 0) (void)frexpf128(v, &e);
  e = e - 1 < t->emin ? t->emin : e - 1;
  return ldexp(1, e - t->frac);
}

// Rounds s + rest to odd, s nearest to the exact sum: towards zero, with the last bit set if inexact.
static st_quad odd(st_quad s, st_quad rest) {
  u128 bits;
  if (!(rest != 0) || isnan(s) || isinf(s)) return s;
  memcpy(&bits, &s, sizeof bits);
  if (signbit(rest) != signbit(s)) bits--;
  bits |= 1;
  memcpy(&s, &bits, sizeof s);
  return s;
}

st_quad st_add(st_quad a, st_quad b, st_round round) {
  st_quad s = a + b, t = s - a;
  if (s == 0) return a == 0 && signbit(a) == signbit(b) ? a : round == ST_RM ? (st_quad)-0.0 : (st_quad)0.0;
  return odd(s, (a - (s - t)) + (b - t));
}

st_quad st_mul(st_quad a, st_quad b) { return a * b; } // the product has at most 113 bits: always exact

st_quad st_div(st_quad a, st_quad b) {
  st_quad s = a / b;
  if (isnan(s) || isinf(s) || isinf(b) || s == 0) return s;
  st_quad rest = fmaf128(-s, b, a);
  return odd(s, signbit(b) ? -rest : rest);
}

st_quad st_sqrt(st_quad a) {
  st_quad s = sqrtf128(a);
  if (isnan(s) || isinf(s) || s == 0) return s;
  return odd(s, fmaf128(-s, s, a));
}
