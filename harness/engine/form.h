// Forms: the table behind each ALU decoder. A row says how an instruction is written, what its operands are
// and which handler runs it. An instruction without a row is refused at load.
//
// Interface: an op_*.c defines its rows and calls sl__decode_form.
//
// spelling   the mnemonic and its suffixes. {a,b} stands for one of these, maybe for nothing, as in
//            harness/selftest/forms.def: "add{,.rn}.{f32,f64}" is add.f32, add.rn.f32, add.f64 and
//            add.rn.f64.
// operands   one letter each, in the order of the text. "Type" is the last type among the suffixes.
//            d register of the type   D of twice its width   h register of 16 bits   w of 32   W of 64
//            t source of the type          T source of twice the width     u 32-bit source         U 64-bit
//            source P predicate register          p predicate source, may be negated v as w, or d|p, or _|p
//            (x->d2)   i integer literal (x->imm) ! as P, or p|q (q: x->d2)
// The modifiers ftz, sat, relu, NaN, ... of the instruction are in x->aux as SL_F_ bits.
#pragma once

#include "engine/engine.h"

typedef struct sl_form {
  const char *spelling, *operands;
  sl_op_fn fn;
  uint8_t cls; // sl_class
} sl_form;

// x->aux after sl__decode_form: rounding in the low two bits, then flags.
enum {
  SL_F_RN = 0,
  SL_F_RZ = 1,
  SL_F_RM = 2,
  SL_F_RP = 3,
  SL_F_ROUND = 3,
  SL_F_FTZ = 4,
  SL_F_SAT = 8,
  SL_F_RELU = 16,
  SL_F_NAN = 32,
  SL_F_XORSIGN = 64,
  SL_F_RNA = 128
};

// The row that spells [in], or NULL.
const sl_form *sl__find_form(const sl_ptx_insn *in, const sl_form *forms, size_t n);
// Fills fn, cls, aux and operands of [x] from the row that spells [in]; refuses when there is none.
bool sl__decode_form(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, const sl_form *forms, size_t n);
// As the second half of sl__decode_form: operands alone, of the given letters and type.
bool sl__decode_operands(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, const char *letters,
                         sl_ptx_mod type);
// One operand: a source or destination register must have exactly [bits] (16 stands for 8 as well).
bool sl__src_exact(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, sl_ptx_mod type, sl_slot *out);
bool sl__dst_exact(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, unsigned bits, sl_slot *out);
// Only video instructions take parts of registers, and only vmad one with a sign.
bool sl__parts_fit(sl_decoder *dc, const sl_ptx_insn *in);
// Last type among the suffixes, SL_M_NONE: none. Its flags for aux.
sl_ptx_mod sl__form_type(const sl_ptx_insn *in);
uint32_t sl__form_flags(const sl_ptx_insn *in);

// op_half.c: f16, bf16 and pairs of them; the families of the names forward to it. op_carry.c: .cc forms.
bool sl__is_half(sl_ptx_mod type);
bool sl__decode_half(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);
// op_fp8.c: false with *is_fp8 unset when it is no conversion of 8-bit floats.
bool sl__decode_fp8(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, bool *is_fp8);
bool sl__decode_carry(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);

// Writes the lanes of the mask to [d]; does nothing if [d] is absent.
static inline void sl__put32_opt(sl_warp *w, sl_slot d, const uint32_t *r) {
  if (d != SL_NO_SLOT) sl__put32(w, d, r);
}
static inline void sl__set_pred_opt(sl_warp *w, sl_slot d, uint32_t v) {
  if (d != SL_NO_SLOT) sl__set_pred(w, d, v);
}

#define SL_COUNT(table) (sizeof(table) / sizeof *(table))
