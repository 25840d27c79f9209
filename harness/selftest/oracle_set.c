// Oracles of comparisons and choices. Interface: st_o_set, st_o_set_not, st_o_set_pair, st_o_set_each,
// st_o_select, st_o_testp.
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#include <math.h>

#include "selftest/selftest.h"

// The relation of two operands: less, equal, greater, or none (a NaN).
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static const struct {
  const char *name;
  unsigned holds;
} comparisons[] = {{"eq", EQUAL},
                   {"ne", LESS | GREATER},
                   {"lt", LESS},
                   {"le", LESS | EQUAL},
                   {"gt", GREATER},
                   {"ge", GREATER | EQUAL},
                   {"lo", LESS},
                   {"ls", LESS | EQUAL},
                   {"hi", GREATER},
                   {"hs", GREATER | EQUAL},
                   {"equ", EQUAL | UNORDERED},
                   {"neu", LESS | GREATER | UNORDERED},
                   {"ltu", LESS | UNORDERED},
                   {"leu", LESS | EQUAL | UNORDERED},
                   {"gtu", GREATER | UNORDERED},
                   {"geu", GREATER | EQUAL | UNORDERED},
                   {"num", LESS | EQUAL | GREATER},
                   {"nan", UNORDERED}};

static unsigned relation(const st_form *f, st_kind k, uint64_t a, uint64_t b) {
  if (!st_is_float(k)) {
    __int128 x = (__int128)st_wide(k, a), y = (__int128)st_wide(k, b);
    return x < y ? LESS : x > y ? GREATER : EQUAL;
  }
  if (f->ftz) a = st_flush(k, a), b = st_flush(k, b);
  st_quad x = st_value(k, a), y = st_value(k, b);
  return isnan(x) || isnan(y) ? UNORDERED : x < y ? LESS : x > y ? GREATER : EQUAL;
}

static bool oracle_compare(const st_form *f, st_kind k, uint64_t a, uint64_t b) {
  const char *name = strchr(f->text, '.') + 1;
  size_t len = strcspn(name, ".");
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if (strlen(comparisons[i].name) == len && memcmp(comparisons[i].name, name, len) == 0)
      return comparisons[i].holds & relation(f, k, a, b);
  return false;
}

static bool combine(const st_form *f, bool r, bool c) {
  return st_has(f, "and") ? r & c : st_has(f, "or") ? r | c : st_has(f, "xor") ? r ^ c : r;
}

// What "true" is in the destination's type.
static uint64_t truth(st_kind to) {
  if (st_is_float(to)) return st_pack(to, 1, ST_RN);
  return to == ST_PRED ? 1 : st_register_bits(to) == 16 ? 0xffff : 0xffffffff;
}

// setp and set: a second result is that of the opposite comparison
ST_ORACLE(st_o_set) {
  bool r = oracle_compare(f, f->type, in[0], in[1]);
  out[0] = combine(f, r, in[2]) ? truth(f->out[0]) : 0;
  out[1] = combine(f, !r, in[2]);
  return ST_EXACT;
}

// the same, with the predicate negated
ST_ORACLE(st_o_set_not) {
  uint64_t v[ST_INS] = {in[0], in[1], !in[2]};
  return st_o_set(f, v, out);
}

// one predicate for each half
ST_ORACLE(st_o_set_pair) {
  st_kind k = st_half_of(f->type);
  out[0] = oracle_compare(f, k, in[0] & 0xffff, in[1] & 0xffff);
  out[1] = oracle_compare(f, k, in[0] >> 16, in[1] >> 16);
  return ST_EXACT;
}

// set of pairs: 1.0 for each half where it holds, or all its bits
ST_ORACLE(st_o_set_each) {
  uint64_t both[ST_OUTS];
  st_o_set_pair(f, in, both);
  uint64_t yes = st_is_pair(f->type2) ? truth(st_half_of(f->type2)) : 0xffff;
  out[0] = (both[0] ? yes : 0) | (both[1] ? yes : 0) << 16;
  return ST_EXACT;
}

// selp: by a predicate. slct: by the sign of c; a NaN chooses b.
ST_ORACLE(st_o_select) {
  bool first = in[2];
  if (st_is(f, "slct")) {
    uint64_t c = f->ftz ? st_flush(f->type, in[2]) : in[2];
    first = f->type == ST_F32 ? st_value(ST_F32, c) >= 0 : (int32_t)c >= 0;
  }
  out[0] = first ? in[0] : in[1];
  return ST_EXACT;
}

// testp: zeros count as normal numbers
ST_ORACLE(st_o_testp) {
  st_quad v = st_value(f->type, in[0]);
  bool nan = isnan(v), inf = isinf(v), small = v != 0 && st_flush(f->type, in[0]) != in[0];
  out[0] = st_has(f, "finite")       ? !nan && !inf
           : st_has(f, "infinite")   ? inf
           : st_has(f, "number")     ? !nan
           : st_has(f, "notanumber") ? nan
           : st_has(f, "normal")     ? !nan && !inf && !small
                                     : small;
  return ST_EXACT;
}
