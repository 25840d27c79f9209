// Oracle of cvt: the source's value, rounded to the type. Interface: st_o_cvt, st_o_cvt_wide, st_o_cvt_pack.
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#include <math.h>

#include "selftest/selftest.h"

static st_quad to_integral(st_quad v, st_round round) {
  st_quad down = floorf128(v), rest = v - down;
  if (rest == 0) return v;
  bool up = round == ST_RP || (round == ST_RZ && v < 0) ||
            (round == ST_RN && (rest > 0.5 || (rest == 0.5 && fmodf128(down, 2) != 0)));
  return copysignf128(up ? down + 1 : down, v);
}

// Out of range: the nearest number; a NaN is 0, or the top bit alone where 64 bits are on either side.
static uint64_t to_integer(const st_form *f, st_kind k, st_quad v) {
  bool wide = f->type == ST_F64 || st_bits(k) == 64;
  if (isnan(v)) return wide ? st_cut(k, (unsigned __int128)1 << (st_bits(k) - 1)) : 0;
  v = to_integral(v, f->round);
  if (v > 0x1p65) v = 0x1p65;
  if (v < -0x1p65) v = -0x1p65;
  return st_clamp(k, (__int128)v);
}

static uint64_t to_float(const st_form *f, st_kind k, st_quad v) {
  if (f->sat) v = v > 1 ? 1 : v > 0 ? v : 0;
  if (f->relu && v <= 0) v = 0;
  uint64_t r = st_pack(k, v, f->round);
  return f->ftz && k == ST_F32 && st_is_tiny(k, v, f->round) ? r & 0x80000000 : r;
}

static uint64_t oracle_convert(const st_form *f, st_kind to, uint64_t a) {
  st_kind from = f->type;
  bool integral = st_has(f, "rni") || st_has(f, "rzi") || st_has(f, "rmi") || st_has(f, "rpi");
  if (!st_is_float(from) && !st_is_float(to)) {
    __int128 n = (__int128)st_wide(from, a);
    return f->sat ? st_clamp(to, n) : st_cut(to, (unsigned __int128)n);
  }
  if (f->ftz && from == ST_F32 && to != ST_F16) a = st_flush(from, a);
  if (to == ST_TF32 && f->round == ST_RNA && st_bits_nan(from, a))
    return a & 0xffffe000; // cut, even if that makes it infinity
  st_quad v = st_is_float(from) ? st_value(from, a) : (st_quad)(__int128)st_wide(from, a);
  if (!st_is_float(to)) return to_integer(f, to, v);
  return to_float(f, to, integral && !isinf(v) && !isnan(v) ? to_integral(v, f->round) : v);
}

// PTX leaves a NaN's bits open.
ST_ORACLE(st_o_cvt) {
  st_kind to = st_half_of(f->type2);
  out[0] = oracle_convert(f, to, in[0]);
  if (st_is_pair(f->type2)) out[0] = out[0] << 16 | oracle_convert(f, to, in[1]);
  return ST_ANY_NAN;
}

// cvt to an integer in a register that may be wider
ST_ORACLE(st_o_cvt_wide) {
  st_said said = st_o_cvt(f, in, out);
  out[0] = (uint64_t)st_wide(f->type2, out[0]);
  return said;
}

// cvt.pack.sat.type.s32{.b32}: a and b side by side, as nearest numbers of the type; above them c's low part.
ST_ORACLE(st_o_cvt_pack) {
  const char *type = strchr(strstr(f->text, ".sat") + 1, '.') + 1;
  unsigned bits = (unsigned)strtoul(type + 1, NULL, 10), k;
  uint64_t packed = bits < 16 ? in[2] : 0;
  for (k = 0; k < 2; k++) {
    int64_t v = (int32_t)in[k], low = type[0] == 's' ? -(1ll << (bits - 1)) : 0,
            high = (1ll << bits) - 1 + low;
    v = v < low ? low : v > high ? high : v;
    packed = packed << bits | ((uint64_t)v & ((1ull << bits) - 1));
  }
  out[0] = (uint32_t)packed;
  return ST_EXACT;
}
