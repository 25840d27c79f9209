// Oracles of bit instructions, bit by bit: slow, short, close to the PTX manual. Interface: st_o_logic,
// st_o_lop3, st_o_shift, st_o_funnel, st_o_count, st_o_fns, st_o_field, st_o_bmsk, st_o_szext, st_o_prmt.
#include "selftest/selftest.h"

static unsigned bit(uint64_t v, unsigned at) { return at < 64 ? (unsigned)(v >> at & 1) : 0; }

ST_ORACLE(st_o_logic) {
  uint64_t a = in[0], b = in[1], mask = st_bits(f->type) < 64 ? (1ull << st_bits(f->type)) - 1 : ~0ull;
  out[0] = st_is(f, "and")   ? a & b
           : st_is(f, "or")  ? a | b
           : st_is(f, "xor") ? a ^ b
           : st_is(f, "not") ? ~a
                             : !(a & mask);
  out[0] &= mask;
  return ST_EXACT;
}

// lop3: the constant is a table of eight bits; with .or and .and a predicate says whether anything is set
ST_ORACLE(st_o_lop3) {
  unsigned lut = (unsigned)strtoul(strstr(f->text, "0x"), NULL, 16);
  out[0] = 0;
  for (unsigned k = 0; k < 32; k++)
    out[0] |= (uint64_t)(lut >> (bit(in[0], k) * 4 + bit(in[1], k) * 2 + bit(in[2], k)) & 1) << k;
  bool x = strchr(f->text, '!') ? !in[3] : in[3];
  out[1] = st_has(f, "or") ? out[0] || x : out[0] && x;
  return ST_EXACT;
}

// shl shr: amounts beyond the width count as the width
ST_ORACLE(st_o_shift) {
  unsigned bits = st_bits(f->type), by = in[1] > bits ? bits : (unsigned)in[1];
  unsigned __int128 a = st_wide(f->type, in[0]);
  out[0] = st_cut(f->type, st_is(f, "shl") ? a << by : (unsigned __int128)((__int128)a >> by));
  return ST_EXACT;
}

ST_ORACLE(st_o_funnel) {
  unsigned by = st_has(f, "wrap") ? in[2] & 31 : in[2] > 32 ? 32 : (unsigned)in[2];
  unsigned __int128 both = (unsigned __int128)in[1] << 32 | in[0];
  out[0] = (uint32_t)(st_has(f, "l") ? both << by >> 32 : both >> by);
  return ST_EXACT;
}

// The highest bit that differs from the sign (from 0 for unsigned types), -1 if none.
static int leading(st_kind k, uint64_t v) {
  unsigned bits = st_bits(k), sign = st_is_signed(k) ? bit(v, bits - 1) : 0;
  for (int at = (int)bits - 1; at >= 0; at--)
    if (bit(v, (unsigned)at) != sign) return at;
  return -1;
}

// popc clz bfind brev
ST_ORACLE(st_o_count) {
  unsigned bits = st_bits(f->type), ones = 0;
  uint64_t reverse = 0;
  int top = leading(f->type, in[0]);
  for (unsigned k = 0; k < bits; k++) {
    ones += bit(in[0], k);
    reverse |= (uint64_t)bit(in[0], k) << (bits - 1 - k);
  }
  out[0] = st_is(f, "popc")                    ? ones
           : st_is(f, "brev")                  ? reverse
           : st_is(f, "clz")                   ? bits - 1 - (unsigned)top
           : st_has(f, "shiftamt") && top >= 0 ? bits - 1 - (unsigned)top
                                               : (uint32_t)top;
  return ST_EXACT;
}

// fns: the n-th set bit of a mask, from a base up or (n negative) down; hardware answers 0 if -n is no number
ST_ORACLE(st_o_fns) {
  (void)f;
  int64_t base = (int64_t)in[1], n = (int32_t)in[2], step = n < 0 ? -1 : 1;
  out[0] = 0xffffffff;
  if (base > 31) return ST_UNSPECIFIED;
  if (n == INT32_MIN) return out[0] = 0, ST_EXACT;
  if (n == 0) n = bit(in[0], (unsigned)base) ? 1 : 64;
  for (int64_t at = base, left = n < 0 ? -n : n; at >= 0 && at < 32; at += step)
    if (bit(in[0], (unsigned)at) && --left == 0) {
      out[0] = (uint32_t)at;
      break;
    }
  return ST_EXACT;
}

// bfe bfi, as the manual's pseudocode has them: position and length are bytes, but of 64-bit fields, where
// hardware takes all of their bits
ST_ORACLE(st_o_field) {
  bool insert = st_is(f, "bfi"), is_signed = st_is_signed(f->type);
  const uint64_t *at = in + (insert ? 2 : 1);
  bool whole = st_bits(f->type) == 64;
  unsigned pos = whole && at[0] > 255 ? 255 : at[0] & 255, len = whole && at[1] > 255 ? 255 : at[1] & 255;
  unsigned bits = st_bits(f->type), msb = bits - 1;
  uint64_t r = insert ? in[1] : 0;
  unsigned last = pos + len - 1 < msb ? pos + len - 1 : msb,
           sign = !is_signed || len == 0 ? 0 : bit(in[0], last);
  for (unsigned k = 0; k <= msb; k++) {
    if (insert && k < len && pos + k <= msb)
      r = (r & ~(1ull << (pos + k))) | (uint64_t)bit(in[0], k) << (pos + k);
    if (!insert) r |= (uint64_t)(k < len && pos + k <= msb ? bit(in[0], pos + k) : sign) << k;
  }
  out[0] = r;
  return ST_EXACT;
}

ST_ORACLE(st_o_bmsk) {
  bool wrap = st_has(f, "wrap");
  uint64_t from = wrap ? in[0] & 31 : in[0], n = wrap ? in[1] & 31 : in[1];
  out[0] = 0;
  for (uint64_t k = 0; k < 32; k++) out[0] |= (uint64_t)(k >= from && k - from < n) << k;
  return ST_EXACT;
}

ST_ORACLE(st_o_szext) {
  uint64_t n = st_has(f, "wrap") ? in[1] & 31 : in[1] > 32 ? 32 : in[1];
  unsigned sign = st_is_signed(f->type) && n > 0 ? bit(in[0], (unsigned)n - 1) : 0;
  out[0] = 0;
  for (unsigned k = 0; k < 32; k++) out[0] |= (uint64_t)(k < n ? bit(in[0], k) : sign) << k;
  return ST_EXACT;
}

// Which bytes of {b, a} the named modes of prmt choose, by the low two bits of c; lowest byte first.
static const struct {
  const char *mode;
  char bytes[4][5];
} prmt_modes[] = {{"f4e", {"0123", "1234", "2345", "3456"}}, {"b4e", {"0765", "1076", "2107", "3210"}},
                  {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"0123", "1123", "2223", "3333"}},
                  {"ecr", {"0000", "0111", "0122", "0123"}}, {"rc16", {"0101", "2323", "0101", "2323"}}};

ST_ORACLE(st_o_prmt) {
  uint64_t bytes = in[1] << 32 | in[0];
  unsigned choice[4];
  for (unsigned k = 0; k < 4; k++) choice[k] = (unsigned)(in[2] >> 4 * k) & 15;
  for (size_t m = 0; m < sizeof prmt_modes / sizeof *prmt_modes; m++)
    if (st_has(f, prmt_modes[m].mode))
      for (unsigned k = 0; k < 4; k++) choice[k] = (unsigned)(prmt_modes[m].bytes[in[2] & 3][k] - '0');
  out[0] = 0;
  for (unsigned k = 0; k < 4; k++) {
    uint64_t byte = bytes >> 8 * (choice[k] & 7) & 255;
    out[0] |= (choice[k] & 8 ? (byte >> 7) * 255 : byte) << 8 * k;
  }
  return ST_EXACT;
}
