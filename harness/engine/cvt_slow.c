// Any conversion, lane by lane, and the rounding of a number to a binary format. Interface: sl__op_cvt_slow
// (described by an sl_cvt in x->ext), sl__op_cvt_pair (two floats to a pair of halves).
#include "engine/cvt.h"
#include "engine/float.h"

const sl_format sl__fmt_f16 = {16, 10, -14}, sl__fmt_bf16 = {16, 7, -126}, sl__fmt_tf32 = {32, 10, -126},
                sl__fmt_f32 = {32, 23, -126}, sl__fmt_f64 = {64, 52, -1022};

// Is [mag] cut off below bit [drop] rounded up?. half: the dropped part against one half: -1, 0, 1.
static bool rounds_up(bool negative, bool odd, int half, bool exact, uint32_t mode) {
  if (exact) return false;
  if (mode & SL_F_RNA) return half >= 0;
  switch (mode & SL_F_ROUND) {
  case SL_F_RN: return half > 0 || (half == 0 && odd);
  case SL_F_RM: return negative;
  case SL_F_RP: return !negative;
  default: return false;
  }
}

// [mag] / 2^drop, rounded to a whole number.
static uint64_t round_shift(uint64_t mag, int drop, bool negative, uint32_t mode) {
  if (drop <= 0) return mag << -drop;
  if (drop > 64) return rounds_up(negative, false, -1, mag == 0, mode);
  uint64_t kept = drop == 64 ? 0 : mag >> drop, rest = drop == 64 ? mag : mag & ((1ull << drop) - 1);
  uint64_t middle = 1ull << (drop - 1);
  int half = rest > middle ? 1 : rest == middle ? 0 : -1;
  return kept + rounds_up(negative, kept & 1, half, rest == 0, mode);
}

// Bits of infinity or the largest number: what [mode] makes of a number that is too large.
static uint64_t overflow(bool negative, uint64_t infinity, uint32_t mode) {
  uint32_t m = mode & SL_F_ROUND;
  bool inward = m == SL_F_RZ || (m == SL_F_RM && !negative) || (m == SL_F_RP && negative);
  return inward ? infinity - 1 : infinity;
}

// Bits of a float of format [f] stand at the top of f->bits: tf32 has 13 bits below that are zero.
static unsigned spare_bits(const sl_format *f) { return f == &sl__fmt_tf32 ? 13 : 0; }

// Bits of sign * mag * 2^exp in format [f], rounded by [mode] (SL_F_RN, .. or SL_F_RNA: nearest, ties away).
static uint64_t round_pack(const sl_format *f, bool negative, uint64_t mag, int exp, uint32_t mode) {
  uint64_t sign = negative ? 1ull << (f->bits - 1) : 0, out = 0;
  if (mag) {
    int top = 63 - __builtin_clzll(mag) + exp;            // the number lies in [2^top, 2^(top+1))
    int unit = (top < f->emin ? f->emin : top) - f->frac; // weight of its last bit in the format
    uint64_t kept = round_shift(mag, unit - exp, negative, mode);
    uint64_t infinity = (uint64_t)(2 * (1 - f->emin) + 1) << f->frac;
    // The hidden bit of a normal number adds one to the exponent, as does a carry out of the significand.
    out = ((uint64_t)(unit + f->frac - f->emin) << f->frac) + kept;
    if (top > -f->emin + 1 || out >= infinity) out = overflow(negative, infinity, mode);
  }
  return sign | out << spare_bits(f);
}

static uint64_t canonical_nan(const sl_format *f) {
  return f->bits == 64 ? SL_NAN64 : (1ull << (f->bits - 1)) - 1;
}

// The same for a double: infinities stay, a NaN becomes the format's canonical one.
static uint64_t round_double(const sl_format *f, double v, uint32_t mode) {
  uint64_t u = sl__u64_of(v), frac = u & ((1ull << 52) - 1), sign = u >> 63;
  int e = (int)(u >> 52 & 0x7ff);
  if (v != v) return canonical_nan(f);
  if (e == 0x7ff)
    return sign << (f->bits - 1) | ((uint64_t)(2 * (1 - f->emin) + 1) << f->frac) << spare_bits(f);
  return round_pack(f, sign, e ? frac | 1ull << 52 : frac, (e ? e : 1) - 1075, mode);
}

uint16_t sl__half_from_double(double v, sl_ptx_mod type) {
  return (uint16_t)round_double(sl__is_bf16(type) ? &sl__fmt_bf16 : &sl__fmt_f16, v, SL_F_RN);
}

// Integers: as a sign and a magnitude.
typedef struct whole {
  bool negative;
  uint64_t mag;
} whole;

static whole read_int(const sl_cvt_type *t, uint64_t raw) {
  uint64_t v = raw & sl_low_bits(t->bits);
  bool negative = t->is_signed && v >> (t->bits - 1);
  return (whole){negative, negative ? -(v | ~sl_low_bits(t->bits)) : v};
}
static uint64_t two_complement(whole v) { return v.negative ? -v.mag : v.mag; }

// The nearest number of type [t].
static whole clamp(const sl_cvt_type *t, whole v) {
  uint64_t top = sl_low_bits(t->bits - (t->is_signed ? 1u : 0u));
  if (v.negative) {
    uint64_t most = t->is_signed ? top + 1 : 0;
    if (v.mag > most) v.mag = most;
  } else if (v.mag > top) v.mag = top;
  return v;
}

static double read_float(const sl_cvt *c, uint64_t raw) {
  const sl_format *f = c->from.format;
  float v = f == &sl__fmt_f16    ? sl__f16_to_float((uint16_t)raw)
            : f == &sl__fmt_bf16 ? sl__bf16_to_float((uint16_t)raw)
                                 : sl__f32((uint32_t)raw);
  if (f == &sl__fmt_f64) return sl__f64(raw);
  // a conversion to f16 flushes nothing
  bool flush = c->flags & SL_F_FTZ && f == &sl__fmt_f32 && c->to.format != &sl__fmt_f16;
  return flush ? sl__flush(v) : v;
}

static double round_integral(double v, uint32_t mode) {
  switch (mode & SL_F_ROUND) {
  case SL_F_RN: return nearbyint(v);
  case SL_F_RZ: return trunc(v);
  case SL_F_RM: return floor(v);
  default: return ceil(v);
  }
}

static uint64_t int_to_int(const sl_cvt *c, uint64_t raw) {
  whole v = read_int(&c->from, raw);
  return two_complement(c->flags & SL_F_SAT ? clamp(&c->to, v) : v);
}

// A NaN becomes 0; if either type has 64 bits, the lowest number (as unsigned: the top bit).
static uint64_t float_to_int(const sl_cvt *c, uint64_t raw) {
  double v = round_integral(read_float(c, raw), c->flags);
  if (v != v) return c->from.bits == 64 || c->to.bits == 64 ? 1ull << (c->to.bits - 1) : 0;
  double mag = fabs(v);
  return two_complement(clamp(&c->to, (whole){v < 0, mag >= 0x1p64 ? ~0ull : (uint64_t)mag}));
}

static uint64_t saturate(const sl_format *f, double v, uint32_t flags, uint64_t bits) {
  if (flags & SL_F_SAT) return v > 0 ? (v < 1 ? bits : round_double(f, 1, 0)) : 0;
  if (flags & SL_F_RELU && v <= 0) return 0;
  return bits;
}

static uint64_t int_to_float(const sl_cvt *c, uint64_t raw) {
  whole v = read_int(&c->from, raw);
  uint64_t bits = round_pack(c->to.format, v.negative, v.mag, 0, c->flags);
  return saturate(c->to.format, v.negative ? -1 : v.mag ? 1 : 0, c->flags, bits);
}

static uint64_t float_to_float(const sl_cvt *c, uint64_t raw) {
  double v = read_float(c, raw);
  if (c->to_integral) v = round_integral(v, c->flags);
  uint64_t bits = round_double(c->to.format, v, c->to_integral ? 0 : c->flags);
  if (c->flags & SL_F_FTZ && c->to.format == &sl__fmt_f32 && sl__tiny(v, c->flags)) bits &= 0x80000000;
  if (c->flags & SL_F_RNA && v != v) bits = raw & 0xffffe000; // the hardware cuts, also what made it a NaN
  return saturate(c->to.format, v, c->flags, bits);
}

// Extends a result from its type to the register, by the sign of the type.
static uint64_t extend(const sl_cvt *c, uint64_t v) {
  v &= sl_low_bits(c->to.bits);
  if (c->to.is_signed && v >> (c->to.bits - 1)) v |= ~sl_low_bits(c->to.bits);
  return v;
}

static uint64_t convert_slow(const sl_cvt *c, uint64_t raw) {
  if (c->from.is_float) return c->to.is_float ? float_to_float(c, raw) : float_to_int(c, raw);
  return c->to.is_float ? int_to_float(c, raw) : int_to_int(c, raw);
}

// Opcode: cvt{.round}{.ftz}{.sat}.dtype.stype d, a   Synopsis: d = a as dtype
sl_step sl__op_cvt_slow(sl_warp *w, const sl_xinsn *i) {
  const sl_cvt *c = i->ext;
  uint64_t r[SL_LANES];
  uint32_t cut[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) {
    uint64_t raw = c->from_lane == 64 ? sl__u64(w, i->s[0])[l] : sl__u32(w, i->s[0])[l];
    r[l] = extend(c, convert_slow(c, raw));
    cut[l] = (uint32_t)r[l];
  }
  if (c->to_lane == 64) sl__put64(w, i->d, r);
  else sl__put32(w, i->d, cut);
  return SL_STEP;
}

// Opcode: cvt.rn{.relu}.f16x2.f32 d, a, b            Synopsis: d = a in the upper, b in the lower half
static uint32_t half_of(const sl_xinsn *i, double v) {
  const sl_format *f = sl__is_bf16((sl_ptx_mod)i->imm) ? &sl__fmt_bf16 : &sl__fmt_f16;
  return (uint32_t)saturate(f, v, i->aux, round_double(f, v, i->aux));
}
SL_BINARY(sl__op_cvt_pair, uint32_t, float, float, half_of(i, a) << 16 | half_of(i, b))

bool sl__decode_cvt_pair(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  x->fn = sl__op_cvt_pair;
  x->aux = sl__form_flags(in);
  x->imm = in->mods[in->n_mods - 2];
  return sl__decode_operands(dc, in, x, "dtt", SL_M_f32);
}
