// Undefined values on their way through registers: shared by undefined.c (what an instruction does to them),
// undefined_bits.c (what operations do to single bits) and undefined_memory.c (loads, stores, parameters,
// reports).
#ifndef SL_OBSERVERS_UNDEFINED_H
#define SL_OBSERVERS_UNDEFINED_H

#include "observers/observers.h"

#define SL_USED_AS_ADDRESS "is used as an address"

enum { SL_UNDEF_SOURCES = 4, SL_UNDEF_ALL = 0xff };

// An instruction of a function, and what is known of its values: [out] is what its destinations get.
typedef struct sl_flowing {
  sl_warp *w;
  const sl_xinsn *i;
  const sl_ptx_func *f;
  const sl_ptx_insn *in;
  uint32_t base; // lanes whose address is undefined
  sl_undef out;
} sl_flowing;

// undefined.c. Marks belong to registers of the frame that runs, or to words of its parameters
// (SL_UNDEF_PARAM | word).
enum { SL_UNDEF_PARAM = 1u << 30 };
const sl_undef *sl__mark_of(const sl_warp *w, const sl_frame *frame, uint32_t reg); // NULL: defined
// Sets the marks of a register in the lanes of the warp's mask.
void sl__mark_set(sl_warp *w, const sl_frame *frame, uint32_t reg, const sl_undef *to);
// Notes in x->out where the lanes of [u] come from and which of them are results of arithmetic.
void sl__mark_note(sl_flowing *x, const sl_undef *u);
const sl_ptx_insn *sl__undef_insn(const sl_warp *w, uint32_t pc, const sl_ptx_func **f);

// absent.c
void sl__absent_tell(sl_warp *w, const sl_origin *o, const char *use, uint32_t line);

// undefined_memory.c
// Reports that an undefined value decides something.
void sl__undef_use(sl_warp *w, const sl_origin *from, const char *use, uint32_t pc);
// What a ld.param or st.param touches: [n] elements of [size] bytes from byte [at] of the parameters of
// [frame]. The frame is the caller's if the parameter is passed or returned. Marks of undefined values and of
// data are kept for each of these words.
typedef struct sl_param_words {
  const sl_frame *frame;
  const sl_operand *value; // register or vector
  uint64_t at;
  uint32_t n, size;
  bool write;
} sl_param_words;
// Finds the words that instruction [in] touches; its function [of] runs in frame [f]. False: it touches no
// parameter.
bool sl__param_words(const sl_warp *w, const sl_ptx_func *of, const sl_ptx_insn *in, const sl_frame *f,
                     sl_param_words *out);
void sl__undef_param(sl_flowing *x); // ld.param, st.param

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

#endif
