// Operands: edge values of each type, all combinations of them, and seeded random values near difficult
// places (near edges, with near exponents, small ones). Interface: st_make_vectors.
#include "selftest/selftest.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

// The most promising first: combinations of three or four operands take only the first of them.
static const uint64_t int_edges[] = {
    0x0000000000000000, 0x0000000000000001, 0xffffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
    0x0000000000000002, 0x0000000000000003, 0x0000000000000080, 0x000000000000007f, 0x00000000000000ff,
    0x0000000000008000, 0x0000000000007fff, 0x000000000000ffff, 0x0000000080000000, 0x000000007fffffff,
    0x00000000ffffffff, 0x0000000100000000, 0x0000000055555555, 0x00000000aaaaaaaa, 0x0000000012345678,
    0xfedcba9876543210, 0x8000000000000001, 0xfffffffffffffffe, 0x0000000000010000, 0x0000000000800000,
    0x00000000007fffff, 0x00000000ffffff80, 0x00000000ffff8000, 0x0000000000ff00ff, 0xcafebabe80017fff,
    0x0000000000000018, 0x0000000000000064, 0x00000000fffffffe, 0x0000000080000001, 0x0000000001000000};
static const uint64_t count_edges[] = {0,  1,  31, 32,  8,   33,  63,  64,         4,
                                       16, 15, 17, 2,   7,   24,  28,  30,         47,
                                       48, 62, 65, 127, 128, 255, 256, 0x80000000, 0xffffffff};
static const uint32_t f32_edges[] = {
    0x3f800000, 0x80000000, 0x7f800000, 0x7fc00000, 0x00000001, 0xff7fffff, 0x00800000, 0x00000000,
    0x3f000000, 0xbf800001, 0x807fffff, 0xff800000, 0x7f800001, 0xffc12345, 0x3f7fffff, 0x3f800001,
    0x40490fdb, 0x4b000001, 0x4b800000, 0xcb000003, 0x3fc00000, 0x40200000, 0xc0200000, 0x4effffff,
    0x4f000000, 0xcf000000, 0xcf000001, 0x4f800000, 0x4f7fffff, 0x5f000000, 0x5f800000, 0xdf000000,
    0x437f8000, 0x42fe0000, 0x477fe000, 0x477ff000, 0x33000000, 0x33800001, 0x7e800000, 0x7f000000,
    0x1e800000, 0x20000001, 0x80800000, 0xbf000000, 0x3effffff, 0x7f7fffff};
static const uint64_t f64_edges[] = {
    0x3ff0000000000000, 0x8000000000000000, 0x7ff0000000000000, 0x7ff8000000000000, 0x0000000000000001,
    0xffefffffffffffff, 0x0010000000000000, 0x0000000000000000, 0x3fe0000000000000, 0xbff0000000000001,
    0x800fffffffffffff, 0xfff0000000000000, 0x7ff0000000000001, 0xfff8123456789abc, 0x3fefffffffffffff,
    0x3ff0000000000001, 0x400921fb54442d18, 0x4330000000000001, 0x4340000000000000, 0xc330000000000003,
    0x3ff8000000000000, 0x4004000000000000, 0xc004000000000000, 0x41dfffffffc00000, 0x41e0000000000000,
    0xc1e0000000000000, 0xc1e0000000200000, 0x41f0000000000000, 0x43e0000000000000, 0x43f0000000000000,
    0xc3e0000000000000, 0x43dfffffffffffff, 0x47efffffe0000000, 0x47effffff0000000, 0x380fffffe0000000,
    0x3690000000000000, 0x36a0000000000001, 0x3810000000000000, 0x40effc0000000000, 0x40effe0000000000,
    0x3e60000000000000, 0x1e60000000000000, 0x5fe0000000000000, 0xbfe0000000000000, 0x3fdfffffffffffff,
    0x7fefffffffffffff, 0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0000010000001};
static const uint16_t f16_edges[] = {0x3c00, 0x8000, 0x7c00, 0x7e00, 0x0001, 0xfbff, 0x0400, 0x0000, 0x3800,
                                     0xbc01, 0x83ff, 0xfc00, 0x7c01, 0xfe12, 0x3bff, 0x3c01, 0x4248, 0x6401,
                                     0x6800, 0xe403, 0x3e00, 0x4100, 0xc100, 0x57f8, 0x5800, 0xd800, 0x77ff,
                                     0x7800, 0x1400, 0x1c00, 0x2400, 0x8400, 0x7bff, 0xb800, 0x37ff, 0x5bf8};
static const uint16_t bf16_edges[] = {0x3f80, 0x8000, 0x7f80, 0x7fc0, 0x0001, 0xff7f, 0x0080, 0x0000, 0x3f00,
                                      0xbf81, 0x807f, 0xff80, 0x7f81, 0xffc1, 0x3f7f, 0x3f81, 0x4049, 0x4301,
                                      0x4380, 0xc303, 0x3fc0, 0x4020, 0xc020, 0x437f, 0x4700, 0xc700, 0x4f00,
                                      0x4f80, 0x5f00, 0x2000, 0x1e80, 0x7e80, 0x8080, 0x7f7f, 0xbf00, 0x3eff};

typedef struct rng {
  uint64_t s;
} rng;
static uint64_t next(rng *r) {
  uint64_t z = r->s += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

static size_t n_edges(st_kind k, char letter) {
  if (letter == 'u') return COUNT(count_edges);
  switch (st_half_of(k)) {
  case ST_F32:
  case ST_TF32: return COUNT(f32_edges);
  case ST_F64: return COUNT(f64_edges);
  case ST_F16: return COUNT(f16_edges);
  case ST_BF16: return COUNT(bf16_edges);
  case ST_PRED: return 2;
  default: return COUNT(int_edges);
  }
}

static uint64_t edge(st_kind k, char letter, size_t i) {
  if (letter == 'u') return count_edges[i];
  switch (k) {
  case ST_F32:
  case ST_TF32: return f32_edges[i];
  case ST_F64: return f64_edges[i];
  case ST_F16: return f16_edges[i];
  case ST_BF16: return bf16_edges[i];
  case ST_F16X2: return f16_edges[i] | (uint32_t)f16_edges[(i * 7 + 3) % COUNT(f16_edges)] << 16;
  case ST_BF16X2: return bf16_edges[i] | (uint32_t)bf16_edges[(i * 7 + 3) % COUNT(bf16_edges)] << 16;
  default: break;
  }
  // The sign bit and the largest number of the type itself.
  unsigned bits = st_bits(k);
  uint64_t v = int_edges[i];
  return i == 3      ? 1ull << (bits - 1)
         : i == 4    ? (1ull << (bits - 1)) - 1
         : bits < 64 ? v & ((1ull << bits) - 1)
                     : v;
}

// A float whose exponent is near [center]'s: sums that cancel, products around 1.
static uint64_t random_float(st_kind k, rng *r) {
  static const struct {
    int frac, exp_bits;
  } shape[] = {
      [ST_F16] = {10, 5}, [ST_BF16] = {7, 8}, [ST_TF32] = {23, 8}, [ST_F32] = {23, 8}, [ST_F64] = {52, 11}};
  uint64_t v = next(r), bits = st_bits(k), mask = bits < 64 ? (1ull << bits) - 1 : ~0ull, how = next(r) % 4;
  int frac = shape[k].frac, e = 1 << shape[k].exp_bits;
  if (how == 0) return v & mask;
  uint64_t exponent = (uint64_t)(e / 2 - 1 - 4) + next(r) % 9;
  if (how == 1) exponent = (uint64_t)(e / 2 - 1) + next(r) % (uint64_t)(k == ST_F16 ? 16 : 66);
  v = (v & mask & ~((uint64_t)(e - 1) << frac)) | exponent << frac;
  if (how == 3) v &= ~0ull << frac / 2; // few digits: ties
  return v;
}

static uint64_t random_value(st_kind k, char letter, rng *r) {
  unsigned bits = st_bits(k);
  uint64_t mask = bits < 64 ? (1ull << bits) - 1 : ~0ull;
  if (letter == 'u') return next(r) % 4 ? next(r) % 70 : next(r) & 0xffffffff;
  if (st_is_pair(k)) {
    st_kind h = st_half_of(k);
    uint64_t lo = random_value(h, letter, r);
    return lo | random_value(h, letter, r) << 16;
  }
  if (st_is_float(k)) return random_float(k, r);
  switch (next(r) % 4) {
  case 0: return (next(r) % 200 - 100) & mask;
  case 1: return (edge(k, letter, next(r) % n_edges(k, letter)) + next(r) % 5 - 2) & mask;
  default: return next(r) & mask;
  }
}

// A small whole number of the type, for sums of many threads, or one of few different values.
static uint64_t small_value(st_kind k, char letter, rng *r) {
  int64_t n = letter == 'v' ? (int64_t)(next(r) % 3) + 5 : (int64_t)(next(r) % 17) - 8;
  if (st_is_pair(k)) return st_pack(st_half_of(k), (st_quad)n, ST_RN) * 0x10001;
  if (st_is_float(k)) return st_pack(k, (st_quad)n, ST_RN);
  return st_bits(k) < 64 ? (uint64_t)n & ((1ull << st_bits(k)) - 1) : (uint64_t)n;
}

// Operands that all threads of a group share.
static uint64_t uniform_value(const st_form *f, int k, rng *r) {
  uint64_t v = next(r);
  if (f->letter[k] == 'U') return small_value(f->in[k], 'o', r);
  if (f->letter[k] == 'C') return (32 - (1u << v % 6)) << 8 | (v >> 8 & 1 ? 31 : 0);
  static const uint32_t masks[] = {0xffffffff, 0xffffffff, 0x0000ffff, 0x55555555,
                                   0x80000000, 0x00000001, 0xfffffffe};
  return v % 3 ? masks[v / 3 % COUNT(masks)] : (v >> 32 | 1);
}

static uint64_t one_operand(const st_form *f, int k, rng *r) {
  char c = f->letter[k];
  return c == 'o' || c == 'v' ? small_value(f->in[k], c, r) : random_value(f->in[k], c, r);
}

typedef struct shape {
  size_t edges[ST_INS], combinations, total;
} shape;

static shape shape_of(const st_row *row, const st_form *f) {
  static const size_t most[ST_INS + 1] = {1, 64, 40, 11, 6};
  shape s = {.combinations = 1};
  for (int k = 0; k < f->n_in; k++) {
    s.edges[k] = n_edges(f->in[k], f->letter[k]);
    if (s.edges[k] > most[f->n_in]) s.edges[k] = most[f->n_in];
    s.combinations *= s.edges[k];
  }
  size_t random = row->group ? 1024 : row->value ? 2048 : 512;
  if (row->group) s.combinations = 0;
  s.total = (s.combinations + random + ST_BLOCK - 1) / ST_BLOCK * ST_BLOCK;
  return s;
}

static void make_vector(const st_form *f, const shape *s, size_t i, uint64_t *at, rng *r) {
  size_t rest = i;
  for (int k = 0; k < f->n_in; k++) {
    at[k] = i < s->combinations ? edge(f->in[k], f->letter[k], rest % s->edges[k]) : one_operand(f, k, r);
    if (i < s->combinations) rest /= s->edges[k];
  }
}

// The seed of a row is its first form's text, so other rows may come and go.
static uint64_t text_hash(const char *s) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 0x100000001b3ull;
  return h;
}

st_vectors st_make_vectors(const st_form *f, uint64_t seed) {
  shape s = shape_of(f->row, f);
  st_vectors v = {sl_must(calloc(s.total, sizeof *v.at)), s.total};
  rng r = {seed ^ text_hash(f->text)};
  for (size_t i = 0; i < v.n; i++) make_vector(f, &s, i, v.at[i], &r);
  for (int k = 0; k < f->n_in; k++) {
    if (!strchr("MCU", f->letter[k])) continue;
    for (size_t i = 0; i < v.n; i++)
      v.at[i][k] = i % f->row->threads ? v.at[i - 1][k] : uniform_value(f, k, &r);
  }
  return v;
}
