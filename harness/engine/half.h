// Small floats in software: f16 and bf16 to float and back, flushing, and the rounding that all conversions
// to a narrower float share. A number is a sign, a whole 64-bit magnitude and a power of two; cvt_slow.c
// fits it into a format by any rounding mode, so nothing is ever rounded twice.
#pragma once

#include <math.h>
#include "engine/engine.h"

// Numbers and their bits.
typedef union sl_bits32 {
  uint32_t u;
  float f;
} sl_bits32;
typedef union sl_bits64 {
  uint64_t u;
  double f;
} sl_bits64;
static inline float sl__f32(uint32_t u) { return ((sl_bits32){.u = u}).f; }
static inline uint32_t sl__u32_of(float f) { return ((sl_bits32){.f = f}).u; }
static inline double sl__f64(uint64_t u) { return ((sl_bits64){.u = u}).f; }
static inline uint64_t sl__u64_of(double f) { return ((sl_bits64){.f = f}).u; }

#define SL_NAN32 0x7fffffffu
#define SL_NAN64 0x7ff8000000000000ull
#define SL_NAN16 0x7fffu

// Arithmetic drops a NaN's payload: the result is the canonical NaN.
static inline uint32_t sl__quiet32(float v) { return v != v ? SL_NAN32 : sl__u32_of(v); }
static inline uint64_t sl__quiet64(double v) { return v != v ? SL_NAN64 : sl__u64_of(v); }

// Subnormal numbers become zero of the same sign.
static inline float sl__flush(float f) { return fabsf(f) < 0x1p-126f ? copysignf(0, f) : f; }

static inline float sl__f16_to_float(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000) << 16, mag = h & 0x7fff;
  if (mag >= 0x7c00) return sl__f32(sign | 0x7f800000 | (mag & 0x3ff) << 13);
  return sl__f32(
      sign | sl__u32_of(sl__f32(mag << 13) * 0x1p112f)); // exact: moves the exponent, normalises subnormals
}
static inline float sl__bf16_to_float(uint16_t h) { return sl__f32((uint32_t)h << 16); }

static inline bool sl__is_bf16(sl_ptx_mod type) { return type == SL_M_bf16 || type == SL_M_bf16x2; }
static inline float sl__half_to_float(uint16_t h, sl_ptx_mod type) {
  return sl__is_bf16(type) ? sl__bf16_to_float(h) : sl__f16_to_float(h);
}
static inline float sl__half_flush(float f, sl_ptx_mod type) {
  return fabsf(f) < (sl__is_bf16(type) ? 0x1p-126f : 0x1p-14f) ? copysignf(0, f) : f;
}

// A binary format: explicit bits of its significand and its smallest normal exponent.
typedef struct sl_format {
  uint8_t bits, frac;
  int16_t emin;
} sl_format;
extern const sl_format sl__fmt_f16, sl__fmt_bf16, sl__fmt_tf32, sl__fmt_f32, sl__fmt_f64;
uint16_t sl__half_from_double(double v, sl_ptx_mod type); // to the nearest
