// SIMD video instructions: vadd2 .. vset4, on two lanes of 16 or four of 8 bits of a register. Interface: sl__decode_simd.
// Without .add each lane of d is a result, cut to the lane or with .sat the nearest number of d's type; with .add d is c
// plus the sum of all. Lane masks and selectors (.b3210) are not read: nothing in the toolkit writes them.
#include "sim/form.h"

typedef struct simd {
  int64_t (*fn)(int64_t a, int64_t b);
  bool sum, sat, signed_d, signed_a, signed_b;
  unsigned bits;
} simd;

static int64_t add(int64_t a, int64_t b) { return a + b; }
static int64_t sub(int64_t a, int64_t b) { return a - b; }
static int64_t avrg(int64_t a, int64_t b) { return (a + b + (a + b >= 0)) >> 1; }
static int64_t absdiff(int64_t a, int64_t b) { return a > b ? a - b : b - a; }
static int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t eq(int64_t a, int64_t b) { return a == b; }
static int64_t ne(int64_t a, int64_t b) { return a != b; }
static int64_t lt(int64_t a, int64_t b) { return a < b; }
static int64_t le(int64_t a, int64_t b) { return a <= b; }
static int64_t gt(int64_t a, int64_t b) { return a > b; }
static int64_t ge(int64_t a, int64_t b) { return a >= b; }

static const struct {
  const char *name; // of the instruction without its number of lanes; of the comparison of vset
  int64_t (*fn)(int64_t a, int64_t b);
} OPS[] = {{"vadd", add}, {"vsub", sub}, {"vavrg", avrg}, {"vabsdiff", absdiff}, {"vmin", min}, {"vmax", max},
           {"eq", eq},    {"ne", ne},    {"lt", lt},      {"le", le},            {"gt", gt},    {"ge", ge}};

static int64_t lane(uint32_t v, unsigned at, unsigned bits, bool is_signed) {
  int64_t x = v >> at & ((1u << bits) - 1);
  return is_signed && x >> (bits - 1) ? x - (1ll << bits) : x;
}

static int64_t nearest(const simd *s, int64_t v) {
  int64_t low = s->signed_d ? -(1ll << (s->bits - 1)) : 0, high = s->signed_d ? -low - 1 : (1ll << s->bits) - 1;
  return v < low ? low : v > high ? high : v;
}

static uint32_t one(const simd *s, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t r = s->sum ? c : 0;
  for (unsigned at = 0; at < 32; at += s->bits) {
    int64_t v = s->fn(lane(a, at, s->bits, s->signed_a), lane(b, at, s->bits, s->signed_b));
    if (s->sat) v = nearest(s, v);
    r += s->sum ? (uint32_t)v : ((uint32_t)v & ((1u << s->bits) - 1)) << at;
  }
  return r;
}

static sl_step run(sl_warp *w, const sl_xinsn *i) {
  const uint32_t *a = sl__u32(w, i->s[0]), *b = sl__u32(w, i->s[1]), *c = sl__u32(w, i->s[2]);
  uint32_t r[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) r[l] = one(i->ext, a[l], b[l], c[l]);
  sl__put32(w, i->d, r);
  return SL_STEP;
}

// [n] bytes of [name] are those of a row.
static bool find(simd *s, const char *name, size_t n) {
  for (size_t k = 0; k < SL_COUNT(OPS); k++)
    if (strlen(OPS[k].name) == n && strncmp(OPS[k].name, name, n) == 0) s->fn = OPS[k].fn;
  return s->fn;
}

// vadd4.dtype.atype.btype{.sat|.add}, vset4.atype.btype.cmp{.add}
bool sl__decode_simd(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  const char *name = sl_ptx_op_name(in->op);
  size_t n = strlen(name) - 1;
  bool set = strncmp(name, "vset", 4) == 0;
  simd *s = sl__decode_alloc(dc, sizeof *s);
  *s = (simd){.bits = name[n] == '4' ? 8 : 16, .sum = sl_ptx_has_mod(in, SL_M_add), .sat = sl_ptx_has_mod(in, SL_M_sat)};
  uint32_t types = set ? 2 : 3;
  if (in->n_mods < types + set) return sl__refuse(dc, in, "types are missing");
  s->signed_d = in->mods[0] == SL_M_s32;
  s->signed_a = in->mods[types - 2] == SL_M_s32, s->signed_b = in->mods[types - 1] == SL_M_s32;
  const char *op = set ? sl_ptx_mod_name(in->mods[2]) : name;
  for (uint32_t k = 0; k < in->n_ops; k++)
    if (in->ops[k].part) return sl__refuse(dc, in, "lane masks and selectors are not supported");
  if (!find(s, op, set ? strlen(op) : n)) return sl__refuse(dc, in, "this comparison is not known");
  x->fn = run;
  x->ext = s;
  return sl__decode_operands(dc, in, x, "wuuu", SL_M_u32);
}
