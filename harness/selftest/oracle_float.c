// Oracles of float arithmetic that PTX defines to the bit: by exact arithmetic and one rounding (exact.c).
// Interface: st_o_float, st_o_minmax, st_o_sign, st_float_op.
#include "selftest/selftest.h"

// Exact, or with a last bit that tells that it is not.
static st_quad exact_op(st_kind k, char op, st_round round, const uint64_t *in) {
  st_quad a = st_value(k, in[0]), b = op == 's' ? 1 : st_value(k, in[1]), r;
  switch (op) {
  case '+': r = st_add(a, b, round); break;
  case '-': r = st_add(a, -b, round); break;
  case '*': r = st_mul(a, b); break;
  case 'f': r = st_add(st_mul(a, b), st_value(k, in[2]), round); break;
  case '/': r = st_div(a, b); break;
  default: r = st_sqrt(a); break;
  }
  return r;
}

uint64_t st_float_op(st_kind k, char op, st_round round, const uint64_t *in) {
  return st_pack(k, exact_op(k, op, round, in), round);
}

// Rounding, .ftz, .sat and .relu; a NaN saturates to 0.
static uint64_t finish_exact(const st_form *f, st_kind k, st_quad exact) {
  uint64_t r = st_pack(k, exact, f->round);
  st_quad v = st_value(k, r);
  if (f->ftz && st_is_tiny(k, exact, f->round)) r = st_flush(k, r & 1ull << (st_bits(k) - 1));
  if (f->sat && !(v > 0)) r = 0;
  if (f->sat && v > 1) r = st_pack(k, 1, ST_RN);
  if (f->relu && v <= 0) r = 0;
  return r;
}

static uint64_t one(const st_form *f, st_kind k, const uint64_t *in, unsigned shift) {
  static const struct {
    const char *name;
    char op;
  } ops[] = {{"add", '+'}, {"sub", '-'}, {"mul", '*'}, {"fma", 'f'},
             {"mad", 'f'}, {"div", '/'}, {"rcp", '/'}, {"sqrt", 's'}};
  uint64_t v[ST_INS] = {0}, mask = st_bits(k) < 64 ? (1ull << st_bits(k)) - 1 : ~0ull;
  for (int j = 0; j < f->n_in; j++)
    v[j] = f->ftz ? st_flush(k, in[j] >> shift & mask) : in[j] >> shift & mask;
  if (st_is(f, "rcp")) v[1] = v[0], v[0] = st_pack(k, 1, ST_RN);
  for (size_t j = 0; j < sizeof ops / sizeof *ops; j++)
    if (st_is(f, ops[j].name)) return finish_exact(f, k, exact_op(k, ops[j].op, f->round, v));
  return 0;
}

// A NaN's bits: defined for f32 and halves, open for f64.
static st_said said(const st_form *f) { return f->type == ST_F64 ? ST_ANY_NAN : ST_EXACT; }

ST_ORACLE(st_o_float) {
  st_kind k = st_half_of(f->type);
  out[0] = one(f, k, in, 0);
  if (st_is_pair(f->type)) out[0] |= one(f, k, in, 16) << 16;
  return said(f);
}

static uint64_t choose_extreme(const st_form *f, st_kind k, uint64_t a, uint64_t b) {
  uint64_t top = 1ull << (st_bits(k) - 1), sign = (a ^ b) & top;
  bool xor_sign = st_has(f, "xorsign"), a_nan, b_nan, take_a;
  if (f->ftz) a = st_flush(k, a), b = st_flush(k, b);
  if (xor_sign) a &= ~top, b &= ~top;
  a_nan = st_bits_nan(k, a), b_nan = st_bits_nan(k, b);
  if ((a_nan && b_nan) || (st_has(f, "NaN") && (a_nan || b_nan))) return st_nan(k);
  st_quad x = st_value(k, a), y = st_value(k, b);
  bool a_below = x < y || (x == y && a & top); // -0 lies below 0
  take_a = b_nan || (!a_nan && a_below == st_is(f, "min"));
  uint64_t r = take_a ? a : b;
  return xor_sign ? (r & ~top) | sign : r;
}

// min max: a number wins over a NaN, unless .NaN
ST_ORACLE(st_o_minmax) {
  st_kind k = st_half_of(f->type);
  uint64_t mask = st_is_pair(f->type) ? 0xffff : ~0ull;
  out[0] = choose_extreme(f, k, in[0] & mask, in[1] & mask);
  if (st_is_pair(f->type)) out[0] |= choose_extreme(f, k, in[0] >> 16, in[1] >> 16) << 16;
  return said(f);
}

static uint64_t sign_of(const st_form *f, st_kind k, uint64_t a, uint64_t b) {
  uint64_t top = 1ull << (st_bits(k) - 1);
  if (st_is(f, "copysign")) return (b & ~top) | (a & top);
  if (f->ftz) a = st_flush(k, a);
  return st_is(f, "neg") ? a ^ top : a & ~top;
}

// abs neg copysign; what becomes of a NaN is open
ST_ORACLE(st_o_sign) {
  st_kind k = st_half_of(f->type);
  uint64_t mask = st_is_pair(f->type) ? 0xffff : ~0ull;
  out[0] = sign_of(f, k, in[0] & mask, in[1] & mask);
  if (st_is_pair(f->type)) out[0] |= sign_of(f, k, in[0] >> 16, in[1] >> 16) << 16;
  return ST_ANY_NAN;
}
