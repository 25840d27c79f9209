// Conversions between op_cvt.c (decoding, fast handlers) and cvt_slow.c (any other conversion, lane by lane).
#pragma once

#include "engine/form.h"
#include "engine/half.h"

typedef struct sl_cvt_type {
  uint8_t bits;
  bool is_signed, is_float;
  const sl_format *format; // if it is a float
} sl_cvt_type;

// One conversion: x->ext.
typedef struct sl_cvt {
  sl_cvt_type to, from;
  uint8_t to_lane, from_lane; // 32 or 64: bits of a lane of the registers
  bool to_integral;           // rounded to an integer (rni, rzi, ..), also as a float
  uint32_t flags;             // SL_F_ bits
} sl_cvt;

sl_step sl__op_cvt_slow(sl_warp *w, const sl_xinsn *i);
sl_step sl__op_cvt_pair(sl_warp *w, const sl_xinsn *i);
bool sl__decode_cvt_pair(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);
