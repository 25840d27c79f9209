// Oracles of instructions on several small numbers in one register: SIMD video instructions, numbers of 8
// bits. Interface: st_o_video, st_o_video_scalar, st_o_video_lanes, st_o_fp8.
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#include <math.h>

#include "selftest/selftest.h"

// The types of the result and of the two operands of vadd4.u32.s32.u32; vset4 has the last two alone.
typedef struct signs {
  bool d, a, b;
} signs;
static signs signs_of(const st_form *f) {
  bool s[3] = {false}, set = strncmp(f->text, "vset", 4) == 0;
  const char *p = f->text;
  for (int k = set; k < 3; k++) {
    p = strpbrk(strchr(p, '.') + 1, "us");
    s[k] = *p == 's';
  }
  if (set) s[0] = s[1]; // the manual does not say; GPUs do this
  return (signs){s[0], s[1], s[2]};
}

static int64_t element(uint64_t v, unsigned k, unsigned bits, bool is_signed) {
  static const st_kind kinds[2][2] = {{ST_U8, ST_S8}, {ST_U16, ST_S16}};
  return (int64_t)(__int128)st_wide(kinds[bits == 16][is_signed], v >> k * bits);
}

static int64_t combine(const st_form *f, int64_t a, int64_t b) {
  if (strncmp(f->text, "vadd", 4) == 0) return a + b;
  if (strncmp(f->text, "vsub", 4) == 0) return a - b;
  if (strncmp(f->text, "vavrg", 5) == 0) return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
  if (strncmp(f->text, "vabsdiff", 8) == 0) return a > b ? a - b : b - a;
  if (strncmp(f->text, "vmin", 4) == 0) return a < b ? a : b;
  if (strncmp(f->text, "vmax", 4) == 0) return a > b ? a : b;
  return st_has(f, "eq")   ? a == b
         : st_has(f, "ne") ? a != b
         : st_has(f, "lt") ? a < b
         : st_has(f, "le") ? a <= b
         : st_has(f, "gt") ? a > b
                           : a >= b;
}

// Two lanes of 16 bits or four of 8; .add sums them up with c
ST_ORACLE(st_o_video) {
  signs s = signs_of(f);
  unsigned bits = strcspn(f->text, "4") < strcspn(f->text, ".") ? 8 : 16;
  int64_t low = s.d ? -(1ll << (bits - 1)) : 0, high = (1ll << (bits - s.d)) - 1, sum = (int64_t)in[2];
  uint64_t packed = 0;
  for (unsigned k = 0; k < 32 / bits; k++) {
    int64_t v = combine(f, element(in[0], k, bits, s.a), element(in[1], k, bits, s.b));
    if (f->sat) v = v < low ? low : v > high ? high : v;
    sum += v;
    packed |= ((uint64_t)v & ((1u << bits) - 1)) << k * bits;
  }
  out[0] = st_has(f, "add") ? (uint32_t)sum : packed;
  return ST_EXACT;
}

// The part of operand [letter] behind its dot (a.b2): width and first bit; [digits]: as written, .b7010.
static unsigned part_of(const st_form *f, const char *letter, unsigned *at, const char **digits) {
  const char *p = strstr(f->text, letter);
  unsigned bits = p && p[2] == '.' ? p[3] == 'b' ? 8 : 16 : 32;
  *at = bits < 32 ? (unsigned)(p[4] - '0') * bits : 0;
  *digits = bits < 32 ? p + 4 : NULL;
  return bits;
}

static int64_t extract(uint64_t v, unsigned at, unsigned bits, bool is_signed) {
  uint64_t x = v << (64 - bits - at);
  return is_signed ? (int64_t)x >> (64 - bits) : (int64_t)(x >> (64 - bits));
}

// vadd d.b0, a.h1, b, c: one number; open: what a shift with .sat loses, a result that min or max would cut
ST_ORACLE(st_o_video_scalar) {
  signs s = signs_of(f);
  const char *digits;
  unsigned d_at, a_at, b_at, bits = part_of(f, " d", &d_at, &digits),
                             a_bits = part_of(f, " a", &a_at, &digits),
                             b_bits = part_of(f, " b", &b_at, &digits);
  int64_t a = extract(in[0], a_at, a_bits, s.a), b = extract(in[1], b_at, b_bits, s.b),
          c = extract(in[2], 0, 32, s.d);
  bool shift = st_is(f, "vshl") || st_is(f, "vshr"), fits;
  if (shift) b = st_has(f, "wrap") ? b % 32 : b > 32 ? 32 : b;
  __int128 v = st_is(f, "vshl")   ? (__int128)a * ((__int128)1 << b)
               : st_is(f, "vshr") ? a >> b
                                  : combine(f, a, b);
  __int128 low = s.d ? -((__int128)1 << (bits - 1)) : 0, high = ((__int128)1 << (bits - s.d)) - 1;
  fits = v >= -((__int128)1 << 33) && v < (__int128)1 << 33;
  if (f->sat) {
    if (!fits) return ST_UNSPECIFIED;
    v = v < low ? low : v > high ? high : v;
  }
  bool least = st_has(f, "min"), most = st_has(f, "max");
  if ((least || most) && (v < low || v > high)) return ST_UNSPECIFIED;
  if ((least && c < v) || (most && c > v)) v = c;
  if (st_has(f, "add")) v += c;
  uint64_t part = ((1ull << bits) - 1) << d_at;
  out[0] = bits < 32 ? (in[2] & ~part) | ((uint64_t)v << d_at & part) : (uint32_t)v;
  return ST_EXACT;
}

// vmad d, -a.h1, b, c: the sum in 128 bits. Whole registers are signed whatever their type, to the assembler.
ST_ORACLE(st_o_vmad) {
  signs s = signs_of(f);
  const char *digits, *operands = strchr(f->text, ' ');
  unsigned a_at, b_at, a_bits = part_of(f, operands[4] == '-' ? "-a" : " a", &a_at, &digits),
                       b_bits = part_of(f, strstr(operands, "-b") ? "-b" : " b", &b_at, &digits);
  __int128 product = (__int128)extract(in[0], a_at, a_bits, s.a || a_bits == 32) *
                     extract(in[1], b_at, b_bits, s.b || b_bits == 32);
  __int128 c = extract(in[2], 0, 32, true);
  bool less = !strstr(operands, "-a") != !strstr(operands, "-b"), less_c = strstr(operands, "-c");
  // A negated c is ~c in 32 bits, plus 1 in the sum: of the least number 2^31.
  __int128 v = (less ? -product : product) + (less_c ? -c : c) + st_has(f, "po");
  bool is_signed = s.a || s.b || less || less_c;
  unsigned shift = st_has(f, "shr7") ? 7 : st_has(f, "shr15") ? 15 : 0;
  // An unsigned sum is one of 64 bits.
  v = is_signed || !shift ? v >> shift : (__int128)((uint64_t)v >> shift);
  __int128 low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
  if (f->sat) v = v < low ? low : v > high ? high : v;
  out[0] = (uint32_t)v;
  return ST_EXACT;
}

// vadd4 d.b20, a.b7010, b.b3456, c: masks and selectors, the highest lane written first
ST_ORACLE(st_o_video_lanes) {
  signs s = signs_of(f);
  const char *of_d, *of_a, *of_b;
  unsigned at, bits = part_of(f, " a", &at, &of_a), n = 32 / bits;
  uint64_t both = in[0] | in[1] << 32, sum = in[2], packed = 0;
  part_of(f, " d", &at, &of_d);
  part_of(f, " b", &at, &of_b);
  for (unsigned k = 0; k < n; k++) {
    unsigned from_a = (unsigned)(of_a[n - 1 - k] - '0') * bits,
             from_b = (unsigned)(of_b[n - 1 - k] - '0') * bits;
    int64_t v = combine(f, extract(both, from_a, bits, s.a), extract(both, from_b, bits, s.b));
    bool taken = memchr(of_d, '0' + (int)k, strcspn(of_d, ","));
    if (taken) sum += (uint64_t)v;
    packed |= ((taken ? (uint64_t)v : in[2] >> k * bits) & ((1u << bits) - 1)) << k * bits;
  }
  out[0] = st_has(f, "add") ? (uint32_t)sum : packed;
  return ST_EXACT;
}

// e4m3: bias 7, no infinity, 0x7f a NaN, largest 0x7e (448). e5m2: bias 15, largest 0x7b (57344).
typedef struct small {
  int frac, emin;
  unsigned top;
} small;
static const small e4m3 = {3, -6, 0x7e}, e5m2 = {2, -14, 0x7b};

static st_quad value_of(const small *t, unsigned code) {
  unsigned mag = code & 0x7f;
  int e = (int)(mag >> t->frac), frac = (int)(mag & ((1u << t->frac) - 1));
  st_quad v = ldexpf128((st_quad)(frac + (e ? 1 << t->frac : 0)), (e ? e - 1 : 0) + t->emin - t->frac);
  if (mag > t->top) v = t == &e5m2 && mag == 0x7c ? (st_quad)INFINITY : (st_quad)NAN;
  return code & 0x80 ? -v : v;
}

// The nearest code, found by trying all of them; of two equally near the even one. Too large: the largest.
static unsigned code_of(const small *t, st_quad v, bool relu) {
  unsigned best = 0, sign = signbit(v) ? 0x80 : 0;
  st_quad mag = fabsf128(v);
  if (isnan(v)) return 0x7f;
  if (relu && sign) return 0;
  for (unsigned c = 1; c <= t->top; c++) {
    st_quad was = fabsf128(mag - value_of(t, best)), is = fabsf128(mag - value_of(t, c));
    if (is < was || (is == was && c % 2 == 0)) best = c;
  }
  return mag > value_of(t, t->top) ? t->top | sign : best | sign;
}

static uint64_t half_of(const small *t, unsigned code, bool relu) {
  st_quad v = value_of(t, code);
  return relu && signbit(v) && !isnan(v) ? 0 : st_pack(ST_F16, v, ST_RN);
}

// cvt between pairs of 8-bit floats and f16x2, and from two f32
ST_ORACLE(st_o_fp8) {
  const small *t = st_has(f, "e4m3x2") ? &e4m3 : &e5m2;
  if (f->in[0] == ST_F16X2)
    out[0] = code_of(t, st_value(ST_F16, in[0] >> 16), f->relu) << 8 |
             code_of(t, st_value(ST_F16, in[0] & 0xffff), f->relu);
  else if (f->in[0] == ST_F32)
    out[0] = code_of(t, st_value(ST_F32, in[0]), f->relu) << 8 | code_of(t, st_value(ST_F32, in[1]), f->relu);
  else out[0] = half_of(t, in[0] >> 8 & 255, f->relu) << 16 | half_of(t, in[0] & 255, f->relu);
  return ST_ANY_NAN;
}
