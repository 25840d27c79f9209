// Bits: popc clz bfind fns brev bfe bfi bmsk szext, and or xor not cnot lop3, shifts, prmt. Interface:
// sl__decode_bits. Shift amounts are never taken modulo the width unless the form says .wrap: a shift by the
// width or more gives 0, or copies of the sign.

// clang-format off
#include "engine/form.h"

// Opcode: and.type d, a, b          Synopsis: d = a & b (16, 32 and 64 bits, predicates)
static SL_BINARY(op_and_b32, uint32_t, uint32_t, uint32_t, a & b)
static SL_BINARY(op_and_b64, uint64_t, uint64_t, uint64_t, a & b)
// Opcode: or.type d, a, b           Synopsis: d = a | b
static SL_BINARY(op_or_b32, uint32_t, uint32_t, uint32_t, a | b)
static SL_BINARY(op_or_b64, uint64_t, uint64_t, uint64_t, a | b)
// Opcode: xor.type d, a, b          Synopsis: d = a ^ b
static SL_BINARY(op_xor_b32, uint32_t, uint32_t, uint32_t, a ^ b)
static SL_BINARY(op_xor_b64, uint64_t, uint64_t, uint64_t, a ^ b)
// Opcode: not.type d, a             Synopsis: d = ~a
static SL_UNARY(op_not_b32, uint32_t, uint32_t, ~a)
static SL_UNARY(op_not_b64, uint64_t, uint64_t, ~a)
// Opcode: cnot.type d, a            Synopsis: d = a == 0
static SL_UNARY(op_cnot_b16, uint32_t, uint32_t, (uint16_t)a == 0)
static SL_UNARY(op_cnot_b32, uint32_t, uint32_t, a == 0)
static SL_UNARY(op_cnot_b64, uint64_t, uint64_t, a == 0)

static sl_step op_and_pred(sl_warp *w, const sl_xinsn *i) {
  sl__set_pred_opt(w, i->d, sl__pred_src(w, i, 0) & sl__pred_src(w, i, 1));
  return SL_STEP;
}
static sl_step op_or_pred(sl_warp *w, const sl_xinsn *i) {
  sl__set_pred_opt(w, i->d, sl__pred_src(w, i, 0) | sl__pred_src(w, i, 1));
  return SL_STEP;
}
static sl_step op_xor_pred(sl_warp *w, const sl_xinsn *i) {
  sl__set_pred_opt(w, i->d, sl__pred_src(w, i, 0) ^ sl__pred_src(w, i, 1));
  return SL_STEP;
}
static sl_step op_not_pred(sl_warp *w, const sl_xinsn *i) {
  sl__set_pred_opt(w, i->d, ~sl__pred_src(w, i, 0));
  return SL_STEP;
}

// Bit k of [lut] says whether bits (a, b, c) = binary digits of k give 1.
static inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t lut) {
  uint32_t r = 0;
  for (uint32_t k = 0; k < 8; k++)
    r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c) & -(lut >> k & 1);
  return r;
}
// Opcode: lop3.b32 d, a, b, c, lut  Synopsis: d = any function of three bits, by table
static SL_TERNARY(op_lop3_b32, uint32_t, uint32_t, uint32_t, uint32_t, lop3(a, b, c, (uint32_t)i->imm))

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

// Opcode: shl.type d, a, b          Synopsis: d = a << b; 0 from the width on
static SL_BINARY(op_shl_b16, uint32_t, uint32_t, uint32_t, b > 15 ? 0 : a << (b & 15))
static SL_BINARY(op_shl_b32, uint32_t, uint32_t, uint32_t, b > 31 ? 0 : a << (b & 31))
static SL_BINARY(op_shl_b64, uint64_t, uint64_t, uint32_t, b > 63 ? 0 : a << (b & 63))
// Opcode: shr.type d, a, b          Synopsis: d = a >> b; 0 or the sign from the width on
static SL_BINARY(op_shr_u16, uint32_t, uint32_t, uint32_t, b > 15 ? 0 : (a & 0xffff) >> (b & 15))
static SL_BINARY(op_shr_s16, uint32_t, uint32_t, uint32_t, (int16_t)a >> (b > 15 ? 15 : b))
static SL_BINARY(op_shr_u32, uint32_t, uint32_t, uint32_t, b > 31 ? 0 : a >> (b & 31))
static SL_BINARY(op_shr_s32, int32_t, int32_t, uint32_t, a >> (b > 31 ? 31 : b))
static SL_BINARY(op_shr_u64, uint64_t, uint64_t, uint32_t, b > 63 ? 0 : a >> (b & 63))
static SL_BINARY(op_shr_s64, int64_t, int64_t, uint32_t, a >> (b > 63 ? 63 : b))

static inline uint64_t join_words(uint32_t lo, uint32_t hi) { return (uint64_t)hi << 32 | lo; }
static inline uint32_t at_most(uint32_t v, uint32_t top) { return v < top ? v : top; }
// Opcode: shf.l|r.clamp|wrap.b32 d, a, b, c   Synopsis: d = upper (lower) half of {b, a} shifted left (right) by c
static SL_TERNARY(op_shf_l_wrap_b32, uint32_t, uint32_t, uint32_t, uint32_t, (join_words(a, b) << (c & 31)) >> 32)
static SL_TERNARY(op_shf_l_clamp_b32, uint32_t, uint32_t, uint32_t, uint32_t, (join_words(a, b) << at_most(c, 32)) >> 32)
static SL_TERNARY(op_shf_r_wrap_b32, uint32_t, uint32_t, uint32_t, uint32_t, join_words(a, b) >> (c & 31))
static SL_TERNARY(op_shf_r_clamp_b32, uint32_t, uint32_t, uint32_t, uint32_t, join_words(a, b) >> at_most(c, 32))

static inline uint32_t clz64(uint64_t a) { return a ? (uint32_t)__builtin_clzll(a) : 64; }
static inline uint32_t clz32(uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : 32; }
// Opcode: popc.type d, a            Synopsis: d = number of ones
static SL_UNARY(op_popc_b32, uint32_t, uint32_t, __builtin_popcount(a))
static SL_UNARY(op_popc_b64, uint32_t, uint64_t, __builtin_popcountll(a))
// Opcode: clz.type d, a             Synopsis: d = number of leading zeros
static SL_UNARY(op_clz_b32, uint32_t, uint32_t, clz32(a))
static SL_UNARY(op_clz_b64, uint32_t, uint64_t, clz64(a))
// Opcode: bfind.type d, a           Synopsis: d = position of the leading bit that is not a copy of the sign; -1: none
static SL_UNARY(op_bfind_u32, uint32_t, uint32_t, 31 - clz32(a))
static SL_UNARY(op_bfind_s32, uint32_t, uint32_t, 31 - clz32((int32_t)a < 0 ? ~a : a))
static SL_UNARY(op_bfind_u64, uint32_t, uint64_t, 63 - clz64(a))
static SL_UNARY(op_bfind_s64, uint32_t, uint64_t, 63 - clz64((int64_t)a < 0 ? ~a : a))
// Opcode: bfind.shiftamt.type d, a  Synopsis: d = how far to shift left so that bit leads; -1: none
static SL_UNARY(op_bfind_shiftamt_u32, uint32_t, uint32_t, a ? clz32(a) : SL_FULL)
static SL_UNARY(op_bfind_shiftamt_s32, uint32_t, uint32_t, a + 1 > 1 ? clz32((int32_t)a < 0 ? ~a : a) : SL_FULL)
static SL_UNARY(op_bfind_shiftamt_u64, uint32_t, uint64_t, a ? clz64(a) : SL_FULL)
static SL_UNARY(op_bfind_shiftamt_s64, uint32_t, uint64_t, a + 1 > 1 ? clz64((int64_t)a < 0 ? ~a : a) : SL_FULL)

// The offset-th set bit of [mask] from [base] on, in the direction of the offset's sign.
static inline uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1) ? base : SL_FULL;
  int step = offset > 0 ? 1 : -1;
  uint32_t left = offset > 0 ? (uint32_t)offset : -(uint32_t)offset;
  for (uint32_t pos = base; pos < 32; pos += (uint32_t)step)
    if ((mask >> pos & 1) && --left == 0) return pos;
  return SL_FULL;
}
// Opcode: fns.b32 d, a, b, c        Synopsis: d = position of the c-th set bit of a from bit b on; -1: none (0 on hardware where c is -2^31)
static SL_TERNARY(op_fns_b32, uint32_t, uint32_t, uint32_t, int32_t, c == INT32_MIN ? 0 : find_nth_set(a, b, c))

static inline uint32_t reverse32(uint32_t a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(a);
}
// Opcode: brev.type d, a            Synopsis: d = bits of a in reverse order
static SL_UNARY(op_brev_b32, uint32_t, uint32_t, reverse32(a))
static SL_UNARY(op_brev_b64, uint64_t, uint64_t, join_words(reverse32((uint32_t)(a >> 32)), reverse32((uint32_t)a)))

// Low [n] bits; all from the width on.
static inline uint64_t low_bits(uint32_t n) { return n > 63 ? ~0ull : (1ull << n) - 1; }
static inline uint64_t field_u(uint64_t a, uint32_t pos, uint32_t len) { return pos > 63 ? 0 : a >> pos & low_bits(len); }
static inline int64_t field_s(int64_t a, uint32_t pos, uint32_t len) {
  int64_t v = a >> at_most(pos, 63);
  if (len == 0) return 0;
  return len > 63 ? v : (int64_t)((uint64_t)v << (64 - len)) >> (64 - len);
}
// Opcode: bfe.type d, a, b, c       Synopsis: d = c bits of a from bit b on (b and c: 8 bits), sign-extended for s.
// The 64-bit forms are more than one instruction of the hardware: they take all of b and c.
static SL_TERNARY(op_bfe_u32, uint32_t, uint32_t, uint32_t, uint32_t, field_u(a, b & 255, c & 255))
static SL_TERNARY(op_bfe_s32, uint32_t, int32_t, uint32_t, uint32_t, field_s(a, b & 255, c & 255))
static SL_TERNARY(op_bfe_u64, uint64_t, uint64_t, uint32_t, uint32_t, field_u(a, b, c))
static SL_TERNARY(op_bfe_s64, int64_t, int64_t, uint32_t, uint32_t, field_s(a, b, c))

static inline uint64_t insert(uint64_t a, uint64_t b, uint32_t pos, uint32_t len) {
  uint64_t m = pos > 63 ? 0 : low_bits(len) << pos;
  return (b & ~m) | (pos > 63 ? 0 : a << pos & m);
}
// Opcode: bfi.type f, a, b, c, d    Synopsis: f = b with its d bits from bit c on replaced by the low bits of a
static sl_step op_bfi_b32(sl_warp *w, const sl_xinsn *i) {
  const uint32_t *a = sl__u32(w, i->s[0]), *b = sl__u32(w, i->s[1]), *c = sl__u32(w, i->s[2]), *n = sl__u32(w, i->s[3]);
  uint32_t r[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) r[l] = (uint32_t)insert(a[l], b[l], c[l] & 255, n[l] & 255);
  sl__put32(w, i->d, r);
  return SL_STEP;
}
static sl_step op_bfi_b64(sl_warp *w, const sl_xinsn *i) {
  const uint64_t *a = sl__u64(w, i->s[0]), *b = sl__u64(w, i->s[1]);
  const uint32_t *c = sl__u32(w, i->s[2]), *n = sl__u32(w, i->s[3]);
  uint64_t r[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) r[l] = insert(a[l], b[l], c[l], n[l]);
  sl__put64(w, i->d, r);
  return SL_STEP;
}

// Ones from bit [from] on, [n] of them at most.
static inline uint32_t ones(uint32_t from, uint32_t n) {
  uint32_t run = n > 31 ? SL_FULL : (1u << (n & 31)) - 1;
  return from > 31 ? 0 : run << (from & 31);
}
// Opcode: bmsk.clamp|wrap.b32 d, a, b   Synopsis: d = b ones from bit a on (wrap: both modulo 32)
static SL_BINARY(op_bmsk_clamp_b32, uint32_t, uint32_t, uint32_t, ones(a, b))
static SL_BINARY(op_bmsk_wrap_b32, uint32_t, uint32_t, uint32_t, ones(a & 31, b & 31))

// Opcode: szext.clamp|wrap.type d, a, b  Synopsis: d = low b bits of a, sign- or zero-extended
static SL_BINARY(op_szext_clamp_u32, uint32_t, uint32_t, uint32_t, a & low_bits(b))
static SL_BINARY(op_szext_wrap_u32, uint32_t, uint32_t, uint32_t, a & low_bits(b & 31))
static SL_BINARY(op_szext_clamp_s32, uint32_t, int32_t, uint32_t, field_s(a, 0, b))
static SL_BINARY(op_szext_wrap_s32, uint32_t, int32_t, uint32_t, field_s(a, 0, b & 31))

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
// Opcode: prmt.b32{.mode} d, a, b, c   Synopsis: d = four bytes of {b, a}, chosen by c
static SL_TERNARY(op_prmt_b32, uint32_t, uint32_t, uint32_t, uint32_t, permute(join_words(a, b), c))
static SL_TERNARY(op_prmt_mode_b32, uint32_t, uint32_t, uint32_t, uint32_t, permute(join_words(a, b), prmt_mode[i->aux][c & 3]))

static const sl_form bits_forms[] = {
    {"and.{b16,b32}", "dtt", op_and_b32, 0},
    {"and.b64", "dtt", op_and_b64, 0},
    {"and.pred", "Ppp", op_and_pred, 0},
    {"or.{b16,b32}", "dtt", op_or_b32, 0},
    {"or.b64", "dtt", op_or_b64, 0},
    {"or.pred", "Ppp", op_or_pred, 0},
    {"xor.{b16,b32}", "dtt", op_xor_b32, 0},
    {"xor.b64", "dtt", op_xor_b64, 0},
    {"xor.pred", "Ppp", op_xor_pred, 0},
    {"not.{b16,b32}", "dt", op_not_b32, 0},
    {"not.b64", "dt", op_not_b64, 0},
    {"not.pred", "Pp", op_not_pred, 0},
    {"cnot.b16", "dt", op_cnot_b16, 0},
    {"cnot.b32", "dt", op_cnot_b32, 0},
    {"cnot.b64", "dt", op_cnot_b64, 0},
    {"lop3.b32", "dttti", op_lop3_b32, 0},
    {"lop3.{and,or,xor}.b32", "vtttip", op_lop3_bool_b32, 0},
    {"shl.b16", "dtu", op_shl_b16, 0},
    {"shl.b32", "dtu", op_shl_b32, 0},
    {"shl.b64", "dtu", op_shl_b64, 0},
    {"shr.{u16,b16}", "dtu", op_shr_u16, 0},
    {"shr.s16", "dtu", op_shr_s16, 0},
    {"shr.{u32,b32}", "dtu", op_shr_u32, 0},
    {"shr.s32", "dtu", op_shr_s32, 0},
    {"shr.{u64,b64}", "dtu", op_shr_u64, 0},
    {"shr.s64", "dtu", op_shr_s64, 0},
    {"shf.l.wrap.b32", "dttu", op_shf_l_wrap_b32, 0},
    {"shf.l.clamp.b32", "dttu", op_shf_l_clamp_b32, 0},
    {"shf.r.wrap.b32", "dttu", op_shf_r_wrap_b32, 0},
    {"shf.r.clamp.b32", "dttu", op_shf_r_clamp_b32, 0},
    {"popc.b32", "wt", op_popc_b32, 0},
    {"popc.b64", "wt", op_popc_b64, 0},
    {"clz.b32", "wt", op_clz_b32, 0},
    {"clz.b64", "wt", op_clz_b64, 0},
    {"bfind.u32", "wt", op_bfind_u32, 0},
    {"bfind.s32", "wt", op_bfind_s32, 0},
    {"bfind.u64", "wt", op_bfind_u64, 0},
    {"bfind.s64", "wt", op_bfind_s64, 0},
    {"bfind.shiftamt.u32", "wt", op_bfind_shiftamt_u32, 0},
    {"bfind.shiftamt.s32", "wt", op_bfind_shiftamt_s32, 0},
    {"bfind.shiftamt.u64", "wt", op_bfind_shiftamt_u64, 0},
    {"bfind.shiftamt.s64", "wt", op_bfind_shiftamt_s64, 0},
    {"fns.b32", "dtuu", op_fns_b32, 0},
    {"brev.b32", "dt", op_brev_b32, 0},
    {"brev.b64", "dt", op_brev_b64, 0},
    {"bfe.u32", "dtuu", op_bfe_u32, 0},
    {"bfe.s32", "dtuu", op_bfe_s32, 0},
    {"bfe.u64", "dtuu", op_bfe_u64, 0},
    {"bfe.s64", "dtuu", op_bfe_s64, 0},
    {"bfi.b32", "dttuu", op_bfi_b32, 0},
    {"bfi.b64", "dttuu", op_bfi_b64, 0},
    {"bmsk.clamp.b32", "dtt", op_bmsk_clamp_b32, 0},
    {"bmsk.wrap.b32", "dtt", op_bmsk_wrap_b32, 0},
    {"szext.clamp.u32", "dtu", op_szext_clamp_u32, 0},
    {"szext.wrap.u32", "dtu", op_szext_wrap_u32, 0},
    {"szext.clamp.s32", "dtu", op_szext_clamp_s32, 0},
    {"szext.wrap.s32", "dtu", op_szext_wrap_s32, 0},
    {"prmt.b32", "dttu", op_prmt_b32, 0},
    {"prmt.b32.{f4e,b4e,rc8,ecl,ecr,rc16}", "dttu", op_prmt_mode_b32, 0},
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
