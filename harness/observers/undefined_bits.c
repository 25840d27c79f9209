// What operations make of undefined bits, as in N. Nethercote, J. Seward, "Using Valgrind to detect undefined
// value errors with bit-precision", 2005: shifts move them, masks take them away, carries spread them
// upwards. Marks are kept by byte, so a struct may be loaded of which only some fields were filled.
//
// Interface: the last part of undefined.h, from sl__bits_of on.
#include "observers/undefined.h"

uint64_t sl__bits_wide(uint8_t bytes) {
  uint64_t r = 0;
  for (int k = 0; k < 8; k++)
    if (bytes >> k & 1) r |= 0xffull << 8 * k;
  return r;
}

uint8_t sl__bits_narrow(uint64_t bits) {
  uint8_t r = 0;
  for (int k = 0; k < 8; k++)
    if (bits >> 8 * k & 0xff) r |= (uint8_t)(1u << k);
  return r;
}

// Extends a sign: the bits from [bits] on become what the one below is.
static uint64_t extended(uint64_t x, unsigned bits, bool is_signed) {
  x &= sl_low_bits(bits);
  return is_signed && bits && x >> (bits - 1) & 1 ? x | ~sl_low_bits(bits) : x;
}

static uint64_t same(const sl_bits *b) { return b->u[0]; }
static uint64_t either(const sl_bits *b) { return b->u[0] | b->u[1]; }

static uint64_t bit_and(const sl_bits *b) {
  return (b->u[0] | b->u[1]) & (b->u[0] | b->v[0]) & (b->u[1] | b->v[1]);
}

static uint64_t bit_or(const sl_bits *b) {
  return (b->u[0] | b->u[1]) & (b->u[0] | ~b->v[0]) & (b->u[1] | ~b->v[1]);
}

static uint64_t shift_left(const sl_bits *b) {
  uint32_t n = (uint32_t)b->v[1];
  return b->u[1] ? ~0ull : n >= b->bits ? 0 : b->u[0] << n;
}

static uint64_t shift_right(const sl_bits *b) {
  uint32_t n = (uint32_t)b->v[1];
  if (b->u[1]) return ~0ull;
  if (n >= b->bits) n = b->is_signed ? b->bits - 1 : 64;
  uint64_t x = extended(b->u[0], b->bits, b->is_signed);
  return n >= 64 ? 0 : b->is_signed ? (uint64_t)((int64_t)x >> n) : x >> n;
}

// d = bits [pos, pos + len) of a
static uint64_t extract(const sl_bits *b) {
  unsigned pos = (unsigned)b->v[1] & 0xff, len = (unsigned)b->v[2] & 0xff;
  if (b->u[1] | b->u[2]) return ~0ull;
  if (!len) return 0;
  if (pos >= b->bits) return b->is_signed && b->u[0] >> (b->bits - 1) & 1 ? ~0ull : 0;
  if (len > b->bits - pos) len = b->bits - pos;
  return extended(b->u[0] >> pos, len, b->is_signed);
}

// d = b with bits [pos, pos + len) replaced by a
static uint64_t insert(const sl_bits *b) {
  unsigned pos = (unsigned)b->v[2] & 0xff, len = (unsigned)b->v[3] & 0xff;
  if (b->u[2] | b->u[3]) return ~0ull;
  uint64_t m = pos >= b->bits ? 0 : sl_low_bits(len) << pos;
  return (b->u[1] & ~m) | (b->u[0] << (pos & 63) & m);
}

// Bytes picked from b:a by the nibbles of c; bit 3 of one takes the sign of the byte.
static uint64_t permute(const sl_bits *b) {
  uint64_t from = (b->u[1] & sl_low_bits(32)) << 32 | (b->u[0] & sl_low_bits(32)), r = 0;
  if (b->u[2]) return ~0ull;
  for (int k = 0; k < 4; k++) {
    unsigned nibble = b->v[2] >> 4 * k & 0xf;
    uint64_t byte = from >> 8 * (nibble & 7) & 0xff;
    r |= (nibble & 8 ? (byte >> 7) * 0xff : byte) << 8 * k;
  }
  return r;
}

static uint64_t convert_bits(const sl_bits *b) { return extended(b->u[0], b->from_bits, b->is_signed); }

// Sums and products: the bits below the lowest undefined one are settled.
static uint64_t carried(const sl_bits *b) {
  uint64_t any = b->u[0] | b->u[1] | b->u[2];
  return any ? ~((any & -any) - 1) : 0;
}

// Each half of a word on its own.
static uint64_t halves(const sl_bits *b) {
  uint64_t any = b->u[0] | b->u[1] | b->u[2];
  return (any & 0xffff ? 0xffff : 0) | (any >> 16 & 0xffff ? 0xffff0000 : 0);
}

static const struct {
  sl_ptx_op op;
  sl_bits_fn fn;
} OPS[] = {{SL_OP_mov, same},    {SL_OP_not, same},       {SL_OP_xor, either},       {SL_OP_and, bit_and},
           {SL_OP_or, bit_or},   {SL_OP_shl, shift_left}, {SL_OP_shr, shift_right},  {SL_OP_bfe, extract},
           {SL_OP_bfi, insert},  {SL_OP_prmt, permute},   {SL_OP_cvt, convert_bits}, {SL_OP_add, carried},
           {SL_OP_sub, carried}, {SL_OP_mul, carried},    {SL_OP_mad, carried},      {SL_OP_neg, carried}};

static bool has_any(const sl_ptx_insn *in, const sl_ptx_mod *mods, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (sl_ptx_has_mod(in, mods[k])) return true;
  return false;
}

sl_bits_fn sl__bits_of(const sl_ptx_insn *in) {
  static const sl_ptx_mod pairs[] = {SL_M_f16x2, SL_M_bf16x2, SL_M_u16x2, SL_M_s16x2},
                          other[] = {SL_M_f16, SL_M_bf16, SL_M_f32, SL_M_f64, SL_M_sat,  SL_M_hi,  SL_M_f4e,
                                     SL_M_b4e, SL_M_rc8,  SL_M_ecl, SL_M_ecr, SL_M_rc16, SL_M_b128};
  if (in->op == SL_OP_mov) return sl_ptx_has_mod(in, SL_M_b128) ? NULL : same;
  if (in->op != SL_OP_cvt && has_any(in, pairs, sizeof pairs / sizeof *pairs)) return halves;
  if (has_any(in, other, sizeof other / sizeof *other)) return NULL;
  for (size_t k = 0; k < sizeof OPS / sizeof *OPS; k++)
    if (OPS[k].op == (sl_ptx_op)in->op) return OPS[k].fn;
  return NULL;
}

// Comparisons: the least and the greatest value that each operand may have decide.
static int64_t extreme(const sl_bits *b, int k, bool greatest) {
  const uint64_t v = b->v[k], u = b->u[k], sign = b->is_signed ? 1ull << (b->from_bits - 1) : 0;
  return (int64_t)extended(greatest ? (v | u) & ~(u & sign) : (v & ~u) | (u & sign), b->from_bits,
                           b->is_signed);
}

static bool below(const sl_bits *b, int64_t x, int64_t y, bool or_equal) {
  if (x == y) return or_equal;
  return b->is_signed ? x < y : (uint64_t)x < (uint64_t)y;
}

// Is a < b (or a <= b) the same for all values that they may have?
static bool order_settled(const sl_bits *b, int first, int second, bool or_equal) {
  return below(b, extreme(b, first, true), extreme(b, second, false), or_equal) ||
         !below(b, extreme(b, first, false), extreme(b, second, true), or_equal);
}

bool sl__bits_settled(const sl_bits *b, sl_ptx_mod compare) {
  switch (compare) {
  case SL_M_eq:
  case SL_M_ne: return (b->v[0] ^ b->v[1]) & ~(b->u[0] | b->u[1]) & sl_low_bits(b->from_bits);
  case SL_M_lt:
  case SL_M_lo: return order_settled(b, 0, 1, false);
  case SL_M_le:
  case SL_M_ls: return order_settled(b, 0, 1, true);
  case SL_M_gt:
  case SL_M_hi: return order_settled(b, 1, 0, false);
  case SL_M_ge:
  case SL_M_hs: return order_settled(b, 1, 0, true);
  default: return false;
  }
}
