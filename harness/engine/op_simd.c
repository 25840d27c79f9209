// Video instructions: vadd2 .. vset4 work on two lanes of 16 bits or four of 8 bits in a register; vadd ..
// vset and vmad on one number, a register or a part of it (%r1.b0, %r1.h1). Interface: sl__decode_simd.
//
// SIMD without .add: each lane of d in the mask is a result, cut to the lane, or with .sat the nearest
// number of d's type; other lanes are those of c. With .add: d is c plus the sum of the lanes in the mask.
// Scalar: the result, with .sat the nearest number of d's type, is d, or is combined with c, or replaces a
// part of c.
#include "engine/form.h"

typedef int64_t video_fn(int64_t a, int64_t b);
typedef struct simd {
  video_fn *fn, *second; // second: of a scalar instruction with the third operand
  bool sum, sat, wrap, signed_d, signed_a, signed_b;
  unsigned bits;                           // bits of a lane, or of a scalar instruction's result
  unsigned at, a_at, b_at, a_bits, b_bits; // scalar: the parts
  uint16_t a_from, b_from; // SIMD: where each lane comes from, 4 bits a lane: lanes of a, then of b
  uint8_t mask;            // SIMD: the lanes of d that are results
} simd;

static int64_t simd_add(int64_t a, int64_t b) { return a + b; }
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

// The lower half is 0 after 32 places; what is lost lies beyond every type.
static int64_t shl(int64_t a, int64_t b) {
  return b < 32 ? (int64_t)((uint64_t)a << b) : a > 0 ? 1ll << 62 : a < 0 ? -(1ll << 62) : 0;
}
static int64_t shr(int64_t a, int64_t b) { return a >> b; }

static const struct {
  const char *name; // the instruction without its number of lanes, or the comparison of vset
  video_fn *fn;
} OPS[] = {{"vadd", simd_add}, {"vsub", sub}, {"vavrg", avrg}, {"vabsdiff", absdiff},
           {"vmin", min},      {"vmax", max}, {"eq", eq},      {"ne", ne},
           {"lt", lt},         {"le", le},    {"gt", gt},      {"ge", ge},
           {"vshl", shl},      {"vshr", shr}};

static int64_t lane(uint64_t v, unsigned at, unsigned bits, bool is_signed) {
  int64_t x = (int64_t)(v >> at & ((1ull << bits) - 1));
  return is_signed && x >> (bits - 1) ? x - (1ll << bits) : x;
}

static int64_t nearest(const simd *s, int64_t v) {
  int64_t low = s->signed_d ? -(1ll << (s->bits - 1)) : 0,
          high = s->signed_d ? -low - 1 : (1ll << s->bits) - 1;
  return v < low ? low : v > high ? high : v;
}

static uint32_t one(const simd *s, uint32_t a, uint32_t b, uint32_t c) {
  uint64_t ab = a | (uint64_t)b << 32, lane_mask = (1u << s->bits) - 1;
  uint32_t r = s->sum ? c : 0;
  for (unsigned k = 0, at = 0; at < 32; k++, at += s->bits) {
    int64_t v = s->fn(lane(ab, (s->a_from >> 4 * k & 7) * s->bits, s->bits, s->signed_a),
                      lane(ab, (s->b_from >> 4 * k & 7) * s->bits, s->bits, s->signed_b));
    if (s->sat) v = nearest(s, v);
    if (s->sum) r += s->mask >> k & 1 ? (uint32_t)v : 0;
    else r |= (uint32_t)(((s->mask >> k & 1 ? (uint64_t)v : c >> at) & lane_mask) << at);
  }
  return r;
}

static uint32_t scalar(const simd *s, uint32_t a, uint32_t b, uint32_t c) {
  int64_t vb = lane(b, s->b_at, s->b_bits, s->signed_b);
  if (s->fn == shl || s->fn == shr) vb = s->wrap ? vb & 31 : min(vb, 32);
  int64_t v = s->fn(lane(a, s->a_at, s->a_bits, s->signed_a), vb);
  if (s->sat) v = nearest(s, v);
  if (s->second)
    return (uint32_t)s->second(lane((uint64_t)v, 0, 32, s->signed_d), lane(c, 0, 32, s->signed_d));
  if (s->bits == 32) return (uint32_t)v;
  uint32_t part = ((1u << s->bits) - 1) << s->at;
  return (c & ~part) | ((uint32_t)v << s->at & part);
}

static SL_TERNARY(run_simd, uint32_t, uint32_t, uint32_t, uint32_t,
                  (((const simd *)i->ext)->mask ? one : scalar)(i->ext, a, b, c))

// [n] bytes of [name] are those of a row.
static bool find_simd_name(simd *s, const char *name, size_t n) {
  for (size_t k = 0; k < SL_COUNT(OPS); k++)
    if (strlen(OPS[k].name) == n && strncmp(OPS[k].name, name, n) == 0) s->fn = OPS[k].fn;
  return s->fn;
}

// The selector of operand [o] as written, or [all]; false: it names something else than lanes of [bits] bits.
static bool selector(const sl_operand *o, unsigned bits, uint16_t all, uint16_t *from) {
  *from = o->part ? o->parts : all;
  if (!o->part) return true;
  if (o->part != (bits == 8 ? 'b' : 'h') || o->n_parts != 32 / bits) return false;
  for (unsigned k = 0; k < o->n_parts; k++)
    if ((o->parts >> 4 * k & 15u) >= 64 / bits) return false;
  return true;
}

// The lanes that d's mask names, the highest first.
static bool mask(const sl_operand *o, unsigned bits, uint8_t *lanes) {
  *lanes = (uint8_t)((1u << 32 / bits) - 1);
  if (!o->part) return true;
  *lanes = 0;
  for (unsigned k = 0, last = 0; k < o->n_parts; k++) {
    unsigned at = o->parts >> 4 * k & 15u;
    if (at >= 32 / bits || (k && at <= last)) return false;
    *lanes |= (uint8_t)(1u << at), last = at;
  }
  return o->part == (bits == 8 ? 'b' : 'h');
}

static bool lanes(sl_decoder *dc, const sl_ptx_insn *in, simd *s) {
  bool byte = s->bits == 8;
  if (in->n_ops != 4) return sl__refuse(dc, in, "it has four operands");
  if (!mask(&in->ops[0], s->bits, &s->mask))
    return sl__refuse(dc, in, "the mask behind its result is no list of lanes");
  if (!selector(&in->ops[1], s->bits, byte ? 0x3210 : 0x10, &s->a_from) ||
      !selector(&in->ops[2], s->bits, byte ? 0x7654 : 0x32, &s->b_from))
    return sl__refuse(dc, in, "a selector names one lane of the two operands for each lane of the result");
  return !in->ops[3].part || sl__refuse(dc, in, "the last operand is whole");
}

// The part of a register that a scalar instruction takes or gives: .b0 .. .b3, .h0, .h1, or all of it.
static bool part(const sl_operand *o, unsigned *at, unsigned *bits) {
  *bits = o->part == 'b' ? 8 : o->part == 'h' ? 16 : 32;
  *at = o->part ? o->parts * *bits : 0;
  return *at < 32 && (!o->part || o->n_parts == 1);
}

static bool parts(sl_decoder *dc, const sl_ptx_insn *in, simd *s) {
  s->second = sl_ptx_has_mod(in, SL_M_add)   ? simd_add
              : sl_ptx_has_mod(in, SL_M_min) ? min
              : sl_ptx_has_mod(in, SL_M_max) ? max
                                             : NULL;
  s->wrap = sl_ptx_has_mod(in, SL_M_wrap);
  if ((s->fn == shl || s->fn == shr) && !s->wrap && !sl_ptx_has_mod(in, SL_M_clamp))
    return sl__refuse(dc, in, "a shift says .clamp or .wrap");
  if (in->n_ops < 3 || !part(&in->ops[0], &s->at, &s->bits) || !part(&in->ops[1], &s->a_at, &s->a_bits) ||
      !part(&in->ops[2], &s->b_at, &s->b_bits))
    return sl__refuse(dc, in, "a part is one of .b0 .b1 .b2 .b3 .h0 .h1");
  if (s->second && s->bits < 32)
    return sl__refuse(dc, in, "a second operation and a part of the result exclude each other");
  bool third = s->second || s->bits < 32;
  if (in->n_ops != 3u + third) return sl__refuse(dc, in, "it has %u operands", 3 + third);
  return !third || !in->ops[3].part || sl__refuse(dc, in, "the last operand is whole");
}

// vmad: a * b + c in 64 bits, shifted right, then with .sat the nearest number of the result's type. That
// type is signed when a, b, their product or c is: each has a sign of its own, or is negated. [carry]: 1
// more, of .po or of a negation, which is ~x + 1.
typedef struct vmad {
  bool signed_a, signed_b, signed_d, sat;
  uint64_t flip_product, flip_c; // all ones where it is negated
  int64_t carry;
  unsigned a_at, a_bits, b_at, b_bits, shift;
} vmad;

// A whole register counts as signed in the product and in the sum, whatever its type says. The assembler has
// made such code for every GPU since 7.5; only a shift or .sat shows the difference.
static int64_t factor(uint32_t v, unsigned at, unsigned bits, bool is_signed) {
  return lane(v, at, bits, is_signed || bits == 32);
}

static uint32_t multiply_add(const vmad *s, uint32_t a, uint32_t b, uint32_t c) {
  int64_t product = factor(a, s->a_at, s->a_bits, s->signed_a) * factor(b, s->b_at, s->b_bits, s->signed_b);
  uint64_t sum = ((uint64_t)product ^ s->flip_product) +
                 (uint64_t)(int64_t)(int32_t)(c ^ (uint32_t)s->flip_c) + (uint64_t)s->carry;
  int64_t v = s->signed_d ? (int64_t)sum >> s->shift : (int64_t)(sum >> s->shift);
  int64_t low = s->signed_d ? INT32_MIN : 0, high = s->signed_d ? INT32_MAX : UINT32_MAX;
  return (uint32_t)(s->sat ? min(max(v, low), high) : v);
}

static SL_TERNARY(run_vmad, uint32_t, uint32_t, uint32_t, uint32_t, multiply_add(i->ext, a, b, c))

// vmad.dtype.atype.btype{.po}{.sat}{.shr7|.shr15} d, {-}a{.part}, {-}b{.part}, {-}c
static bool decode_vmad(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  if (in->n_ops != 4 || in->n_mods < 3) return sl__refuse(dc, in, "it has three types and four operands");
  const sl_operand *d = &in->ops[0], *a = &in->ops[1], *b = &in->ops[2], *c = &in->ops[3];
  bool negated = a->minus != b->minus, plus_one = sl_ptx_has_mod(in, SL_M_po);
  vmad *s = sl__decode_alloc(dc, sizeof *s);
  *s = (vmad){.signed_a = in->mods[1] == SL_M_s32,
              .signed_b = in->mods[2] == SL_M_s32,
              .sat = sl_ptx_has_mod(in, SL_M_sat),
              .flip_product = negated ? UINT64_MAX : 0,
              .flip_c = c->minus ? UINT64_MAX : 0,
              .carry = plus_one || negated || c->minus,
              .shift = sl_ptx_has_mod(in, SL_M_shr7)    ? 7
                       : sl_ptx_has_mod(in, SL_M_shr15) ? 15
                                                        : 0};
  s->signed_d = s->signed_a || s->signed_b || negated || c->minus;
  if (!part(a, &s->a_at, &s->a_bits) || !part(b, &s->b_at, &s->b_bits))
    return sl__refuse(dc, in, "a part is one of .b0 .b1 .b2 .b3 .h0 .h1");
  if (d->part || c->part || d->minus)
    return sl__refuse(dc, in, "its first and last operand are whole, the first without a sign");
  if ((negated && c->minus) || (plus_one && (a->minus || b->minus || c->minus)))
    return sl__refuse(dc, in, "only one of the product, the last operand and .po may change the sum");
  x->fn = run_vmad;
  x->ext = s;
  return sl__decode_operands(dc, in, x, "wuuu", SL_M_u32);
}

// vadd4.dtype.atype.btype{.sat|.add}, vset4.atype.btype.cmp{.add};
// vadd.dtype.atype.btype{.sat}{.add|.min|.max}, vshl.dtype.atype.u32{.sat}.mode{.add|..},
// vset.atype.btype.cmp{.add|..}
bool sl__decode_simd(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  if (in->op == SL_OP_vmad) return decode_vmad(dc, in, x);
  const char *name = sl_ptx_op_name(in->op);
  bool set = strncmp(name, "vset", 4) == 0, wide = !strpbrk(name, "24");
  size_t n = strlen(name) - !wide;
  simd *s = sl__decode_alloc(dc, sizeof *s);
  *s = (simd){.bits = name[n] == '4' ? 8 : 16,
              .sum = sl_ptx_has_mod(in, SL_M_add),
              .sat = sl_ptx_has_mod(in, SL_M_sat)};
  uint32_t types = set ? 2 : 3;
  if (in->n_mods < types + set) return sl__refuse(dc, in, "types are missing");
  s->signed_d = in->mods[0] == SL_M_s32; // for vset the type of a, as on GPUs
  s->signed_a = in->mods[types - 2] == SL_M_s32, s->signed_b = in->mods[types - 1] == SL_M_s32;
  const char *op = set ? sl_ptx_mod_name(in->mods[2]) : name;
  if (!find_simd_name(s, op, set ? strlen(op) : n)) return sl__refuse(dc, in, "this comparison is not known");
  if (!(wide ? parts : lanes)(dc, in, s)) return false;
  x->fn = run_simd;
  x->ext = s;
  return sl__decode_operands(dc, in, x, in->n_ops == 4 ? "wuuu" : "wuu", SL_M_u32);
}
