// Bits: popc clz bfind fns brev bfe bfi bmsk szext, and or xor not cnot lop3, shifts, prmt. Interface:
// sl__decode_bits. Shift amounts are never taken modulo the width unless the form says .wrap: a shift by the
// width or more gives 0, or copies of the sign.

// clang-format off
#include "engine/form.h"

#define SL_PRED(NAME, EXPR)                                 \
  static sl_step NAME(sl_warp *w, const sl_xinsn *i) {      \
    sl__set_pred_opt(w, i->d, EXPR);                        \
    return SL_STEP;                                         \
  }
SL_PRED(op_and_pred, sl__pred_src(w, i, 0) & sl__pred_src(w, i, 1))
SL_PRED(op_or_pred, sl__pred_src(w, i, 0) | sl__pred_src(w, i, 1))
SL_PRED(op_xor_pred, sl__pred_src(w, i, 0) ^ sl__pred_src(w, i, 1))
SL_PRED(op_not_pred, ~sl__pred_src(w, i, 0))

// Bit k of [lut] says whether bits (a, b, c) = binary digits of k give 1.
static inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t lut) {
  uint32_t r = 0;
  for (uint32_t k = 0; k < 8; k++)
    r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c) & -(lut >> k & 1);
  return r;
}

// Opcode: lop3.and|or|xor.b32 d|p, a, b, c, lut, q   Synopsis: d as lop3; p = (d != 0) op q
static sl_step op_lop3_bool_b32(sl_warp *w, const sl_xinsn *i) {
  const uint32_t *a = sl__u32(w, i->s[0]), *b = sl__u32(w, i->s[1]), *c = sl__u32(w, i->s[2]);
  uint32_t r[SL_LANES], p = 0, q = sl__pred_src(w, i, 3);
  for (int l = 0; l < SL_LANES; l++) {
    r[l] = lop3(a[l], b[l], c[l], (uint32_t)i->imm);
    p |= (uint32_t)(r[l] != 0) << l;
  }
  sl__put32_opt(w, i->d, r);
  sl__set_pred_opt(w, i->d2, i->aux == SL_M_and ? p & q : i->aux == SL_M_or ? p | q : p ^ q);
  return SL_STEP;
}

static inline uint64_t join_words(uint32_t lo, uint32_t hi) { return (uint64_t)hi << 32 | lo; }
static inline uint32_t at_most(uint32_t v, uint32_t top) { return v < top ? v : top; }

static inline uint32_t clz64(uint64_t a) { return a ? (uint32_t)__builtin_clzll(a) : 64; }
static inline uint32_t clz32(uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : 32; }

// The offset-th set bit of [mask] from [base] on, in the direction of the offset's sign.
static inline uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1) ? base : SL_FULL;
  int step = offset > 0 ? 1 : -1;
  uint32_t left = offset > 0 ? (uint32_t)offset : -(uint32_t)offset;
  for (uint32_t pos = base; pos < 32; pos += (uint32_t)step)
    if ((mask >> pos & 1) && --left == 0) return pos;
  return SL_FULL;
}

static inline uint32_t reverse32(uint32_t a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(a);
}

// Low [n] bits; all from the width on.
static inline uint64_t field_u(uint64_t a, uint32_t pos, uint32_t len) { return pos > 63 ? 0 : a >> pos & sl_low_bits(len); }
static inline int64_t field_s(int64_t a, uint32_t pos, uint32_t len) {
  int64_t v = a >> at_most(pos, 63);
  if (len == 0) return 0;
  return len > 63 ? v : (int64_t)((uint64_t)v << (64 - len)) >> (64 - len);
}
// Opcode: bfe.type d, a, b, c
//   Synopsis: d = c bits of a from bit b on (b and c: 8 bits), sign-extended for s.
// The 64-bit forms are more than one instruction of the hardware: they take all of b and c.

static inline uint64_t insert(uint64_t a, uint64_t b, uint32_t pos, uint32_t len) {
  uint64_t m = pos > 63 ? 0 : sl_low_bits(len) << pos;
  return (b & ~m) | (pos > 63 ? 0 : a << pos & m);
}
// Opcode: bfi.type f, a, b, c, d  Synopsis: f = b with its d bits from bit c on replaced by the low bits of a
#define SL_INSERT(NAME, T, PUT, MASK)                                                                \
  static sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                               \
    const T *a = sl__at(w, i->s[0]), *b = sl__at(w, i->s[1]);                                        \
    const uint32_t *c = sl__u32(w, i->s[2]), *n = sl__u32(w, i->s[3]);                               \
    T r[SL_LANES];                                                                                   \
    for (int l = 0; l < SL_LANES; l++) r[l] = (T)insert(a[l], b[l], c[l] & (MASK), n[l] & (MASK));   \
    PUT(w, i->d, r);                                                                                 \
    return SL_STEP;                                                                                  \
  }
SL_INSERT(op_bfi_b32, uint32_t, sl__put32, 255)
SL_INSERT(op_bfi_b64, uint64_t, sl__put64, SL_FULL)

// Ones from bit [from] on, [n] of them at most.
static inline uint32_t ones(uint32_t from, uint32_t n) {
  uint32_t run = n > 31 ? SL_FULL : (1u << (n & 31)) - 1;
  return from > 31 ? 0 : run << (from & 31);
}

// Byte [sel & 7] of {b, a}; if bit 3 of [sel] is set, its sign bit eight times.
static inline uint32_t pick_byte(uint64_t bytes, uint32_t sel) {
  uint32_t byte = (uint32_t)(bytes >> (sel & 7) * 8) & 0xff;
  return sel & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
static inline uint32_t permute(uint64_t bytes, uint32_t sel) {
  return pick_byte(bytes, sel) | pick_byte(bytes, sel >> 4) << 8 | pick_byte(bytes, sel >> 8) << 16 |
         pick_byte(bytes, sel >> 12) << 24;
}
// The named modes are selectors chosen by the low two bits of c.
enum { PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16, PRMT_MODES };
static const uint16_t prmt_mode[PRMT_MODES][4] = {
    [PRMT_F4E] = {0x3210, 0x4321, 0x5432, 0x6543}, [PRMT_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
    [PRMT_RC8] = {0x0000, 0x1111, 0x2222, 0x3333}, [PRMT_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
    [PRMT_ECR] = {0x0000, 0x1110, 0x2210, 0x3210}, [PRMT_RC16] = {0x1010, 0x3232, 0x1010, 0x3232}};

#include "engine/alu_handlers.h"
#include "engine/op_bits.def"

static const sl_form bits_forms[] = {
    {"and.pred", "Ppp", op_and_pred, 0},
    {"or.pred", "Ppp", op_or_pred, 0},
    {"xor.pred", "Ppp", op_xor_pred, 0},
    {"not.pred", "Pp", op_not_pred, 0},
    {"lop3.{and,or,xor}.b32", "vtttip", op_lop3_bool_b32, 0},
    {"bfi.b32", "dttuu", op_bfi_b32, 0},
    {"bfi.b64", "dttuu", op_bfi_b64, 0},
#include "engine/alu_forms.h"
#include "engine/op_bits.def"
};

static uint32_t prmt_aux(sl_ptx_mod mode) {
  static const uint8_t modes[PRMT_MODES] = {SL_M_f4e, SL_M_b4e, SL_M_rc8, SL_M_ecl, SL_M_ecr, SL_M_rc16};
  uint32_t k = 0;
  while (k < PRMT_MODES - 1 && modes[k] != mode) k++;
  return k;
}

bool sl__decode_bits(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  if (!sl__decode_form(dc, in, x, bits_forms, SL_COUNT(bits_forms))) return false;
  if (in->op == SL_OP_prmt && in->n_mods == 2) x->aux = prmt_aux(in->mods[1]);
  if (in->op == SL_OP_lop3 && in->n_mods == 2) x->aux = in->mods[0];
  return true;
}
