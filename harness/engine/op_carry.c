// Extended-precision integer arithmetic: add.cc addc sub.cc subc mad.cc madc, of 32 and 64 bits. Interface:
// sl__decode_carry. The carry of each lane is a bit of w->cc. As on hardware, a subtraction leaves the carry
// of a + ~b + 1, which is 1 if nothing was borrowed. addc after it (128-bit division) needs that.

// clang-format off
#include "engine/form.h"

enum { CARRY_IN = 1, CARRY_OUT = 2 };  // x->aux

typedef unsigned __int128 u128;
typedef __int128 i128;

static void carry_out(sl_warp *w, const sl_xinsn *i, uint32_t carry) {
  if (i->aux & CARRY_OUT) w->cc = (w->cc & ~w->mask) | (carry & w->mask);
}

// A handler that computes d = X OVERFLOWING Y OVERFLOWING carry; X and Y are made of lanes pa[l], pb[l],
// pc[l] of type T. BORROW: all ones for a subtraction, which takes and leaves the carry inverted.
#define SL_CARRY(NAME, T, OVERFLOW, BORROW, PUT, X, Y)                                         \
  sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                             \
    const T *pa = sl__at(w, i->s[0]), *pb = sl__at(w, i->s[1]), *pc = sl__at(w, i->s[2]);   \
    uint32_t in = i->aux & CARRY_IN ? w->cc ^ (BORROW) : 0, out = 0;                        \
    T r[SL_LANES];                                                                          \
    (void)pc;                                                                               \
    for (int l = 0; l < SL_LANES; l++) {                                                    \
      bool first = OVERFLOW((T)(X), (T)(Y), &r[l]);                                         \
      bool second = OVERFLOW(r[l], (T)(in >> l & 1), &r[l]);                                \
      out |= (uint32_t)(first | second) << l;                                               \
    }                                                                                       \
    PUT(w, i->d, r);                                                                        \
    carry_out(w, i, out ^ (BORROW));                                                        \
    return SL_STEP;                                                                         \
  }

// Opcode: add.cc.type d, a, b; addc{.cc}.type d, a, b       Synopsis: d = a + b (+ carry); carry = carry out
static SL_CARRY(op_addc_32, uint32_t, __builtin_add_overflow, 0, sl__put32, pa[l], pb[l])
static SL_CARRY(op_addc_64, uint64_t, __builtin_add_overflow, 0, sl__put64, pa[l], pb[l])
// Opcode: sub.cc.type d, a, b; subc{.cc}.type d, a, b       Synopsis: d = a - b (- borrow); carry = no borrow
static SL_CARRY(op_subc_32, uint32_t, __builtin_sub_overflow, SL_FULL, sl__put32, pa[l], pb[l])
static SL_CARRY(op_subc_64, uint64_t, __builtin_sub_overflow, SL_FULL, sl__put64, pa[l], pb[l])
// Opcode: mad.lo|hi.cc.type d, a, b, c; madc.lo|hi{.cc}     Synopsis: d = half of a * b, plus c (+ carry)
static SL_CARRY(op_madc_lo_32, uint32_t, __builtin_add_overflow, 0, sl__put32, pa[l] * pb[l], pc[l])
static SL_CARRY(op_madc_lo_64, uint64_t, __builtin_add_overflow, 0, sl__put64, pa[l] * pb[l], pc[l])
static SL_CARRY(op_madc_hi_u32, uint32_t, __builtin_add_overflow, 0, sl__put32, ((uint64_t)pa[l] * pb[l]) >> 32, pc[l])
static SL_CARRY(op_madc_hi_s32, uint32_t, __builtin_add_overflow, 0, sl__put32,
                ((int64_t)(int32_t)pa[l] * (int32_t)pb[l]) >> 32, pc[l])
static SL_CARRY(op_madc_hi_u64, uint64_t, __builtin_add_overflow, 0, sl__put64, ((u128)pa[l] * pb[l]) >> 64, pc[l])
static SL_CARRY(op_madc_hi_s64, uint64_t, __builtin_add_overflow, 0, sl__put64,
                ((i128)(int64_t)pa[l] * (int64_t)pb[l]) >> 64, pc[l])

static const sl_form carry_forms[] = {
    {"{add.cc,addc,addc.cc}.{u32,s32}", "dtt", op_addc_32, SL_CLS_ADD_INT},
    {"{add.cc,addc,addc.cc}.{u64,s64}", "dtt", op_addc_64, SL_CLS_ADD_INT},
    {"{sub.cc,subc,subc.cc}.{u32,s32}", "dtt", op_subc_32, 0},
    {"{sub.cc,subc,subc.cc}.{u64,s64}", "dtt", op_subc_64, 0},
    {"{mad.lo.cc,madc.lo,madc.lo.cc}.{u32,s32}", "dttt", op_madc_lo_32, 0},
    {"{mad.lo.cc,madc.lo,madc.lo.cc}.{u64,s64}", "dttt", op_madc_lo_64, 0},
    {"{mad.hi.cc,madc.hi,madc.hi.cc}.u32", "dttt", op_madc_hi_u32, 0},
    {"{mad.hi.cc,madc.hi,madc.hi.cc}.s32", "dttt", op_madc_hi_s32, 0},
    {"{mad.hi.cc,madc.hi,madc.hi.cc}.u64", "dttt", op_madc_hi_u64, 0},
    {"{mad.hi.cc,madc.hi,madc.hi.cc}.s64", "dttt", op_madc_hi_s64, 0},
};

bool sl__decode_carry(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  if (!sl__decode_form(dc, in, x, carry_forms, SL_COUNT(carry_forms))) return false;
  bool takes = sl_ptx_does(in, SL_DOES_TAKE_CARRY);
  x->aux = (takes ? CARRY_IN : 0u) | (sl_ptx_has_mod(in, SL_M_cc) ? CARRY_OUT : 0u);
  return true;
}
