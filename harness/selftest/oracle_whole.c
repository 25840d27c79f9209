// CUDA C's functions with whole results, from the host's library and by bits. Interface: st_o_function.
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#include <math.h>

#include "selftest/selftest.h"

// Rounded to the nearest, ties to even or away from zero; open where it does not fit.
static st_said rounded(const st_form *f, st_quad v, bool away, uint64_t *out) {
  st_quad r = away ? roundf128(v) : rintf128(v),
          top = f->out[0] == ST_S32 && f->in[0] == ST_F32 ? 0x1p31 : 0x1p63;
  if (isnan(r) || r >= top || r < -top) return ST_UNSPECIFIED;
  out[0] = st_cut(f->out[0], (unsigned __int128)(__int128)r);
  return ST_EXACT;
}

static unsigned count_bits(uint64_t v, unsigned bits, char what) {
  unsigned n = 0;
  for (unsigned k = 0; k < bits; k++) {
    bool low = v >> k & 1, high = v >> (bits - 1 - k) & 1;
    if (what == 'f' && low) return k + 1; // ffs
    if (what == 'c' && high) return k;    // clz
    n += what == 'p' && low;
  }
  return what == 'c' ? bits : n;
}

static uint64_t reversed(uint64_t v, unsigned bits) {
  uint64_t r = 0;
  for (unsigned k = 0; k < bits; k++) r |= (v >> k & 1) << (bits - 1 - k);
  return r;
}

ST_ORACLE(st_o_function) {
  const char *name = f->text + strspn(f->text, "_");
  unsigned bits = st_bits(f->in[0]);
  if (strncmp(name, "ilogb", 5) == 0) {
    st_quad v = st_value(f->in[0], in[0]);
    if (v == 0 || isnan(v) || isinf(v)) return ST_UNSPECIFIED;
    out[0] = (uint32_t)ilogbf128(v);
    return ST_EXACT;
  }
  const char *round = strstr(name, "round"), *rint = strstr(name, "rint");
  if (round || rint) return rounded(f, st_value(f->in[0], in[0]), round != NULL, out);
  if (strstr(name, "abs")) {
    __int128 v = (__int128)st_wide(f->in[0], in[0]);
    if (in[0] == 1ull << (bits - 1)) return ST_UNSPECIFIED;
    out[0] = st_cut(f->out[0], (unsigned __int128)(v < 0 ? -v : v));
  } else if (strncmp(name, "brev", 4) == 0) out[0] = reversed(in[0], bits);
  else if (strstr(name, "hiint")) out[0] = in[0] >> 32;
  else if (strstr(name, "loint")) out[0] = (uint32_t)in[0];
  else if (strstr(name, "_as_")) out[0] = in[0];
  else out[0] = count_bits(in[0], bits, name[0]);
  return ST_EXACT;
}
