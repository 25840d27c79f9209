// Undefined values in registers, for undefined.c (what an instruction does to them), undefined_bits.c (what
// operations do to single bits) and undefined_memory.c (loads, stores, calls, reports).
#pragma once

#include "observers/follow.h"

#define SL_USED_AS_ADDRESS "is used as an address"
#define SL_USED_IN_ATOMIC "takes part in an atomic operation" // a counter that nobody has cleared

enum { SL_UNDEF_SOURCES = 4, SL_UNDEF_ALL = 0xff };

// undefined.c: notes in [out] where the lanes of [u] come from and which of them are results of arithmetic.
void sl__undef_note(sl_undef *out, const sl_undef *u, uint32_t lanes);

// absent.c
void sl__absent_tell(sl_warp *w, const sl_origin *o, const char *use, uint32_t line);

// constant.c: constant memory that nobody has set
void sl__constant_tell(sl_warp *w, const sl_origin *o);

// unset.c: registers that nothing has written. [used]: the place where that decides something.
void sl__unset_begin(sl_block *b);
void sl__unset_enter(sl_warp *w, const sl_frame *f, uint32_t lanes);
void sl__unset_tell(sl_warp *w, const sl_origin *o, const char *use, uint32_t used);

// undefined_memory.c
// Reports that an undefined value decides something.
void sl__undef_use(sl_warp *w, const sl_origin *from, const char *use, uint32_t pc);
void sl__undef_param(sl_flowing *x, const sl_param_words *p);

// undefined_bits.c: one lane of an operation. u: bits that are undefined; v: the values.
typedef struct sl_bits {
  uint64_t u[SL_UNDEF_SOURCES], v[SL_UNDEF_SOURCES];
  unsigned bits, from_bits; // width of the destination, of the sources
  bool is_signed;           // the sources are
} sl_bits;
typedef uint64_t (*sl_bits_fn)(const sl_bits *b); // which bits of the result are undefined
sl_bits_fn sl__bits_of(const sl_ptx_insn *in);    // NULL: all bits, if any bit of any source is
// Do the defined bits settle a comparison (SL_M_eq, SL_M_lt, ..) of two integers?
bool sl__bits_settled(const sl_bits *b, sl_ptx_mod compare);
uint64_t sl__bits_wide(uint8_t bytes);  // makes eight bits of each byte's bit
uint8_t sl__bits_narrow(uint64_t bits); // the bytes that have a bit set
