// The distributions.
//
// Interface: scanlab/generate.h. Each distribution is one function `element(g, i)` that returns the 32
// bits of element i. `draw_at(g, i)` is its only source of chance: 64 bits that depend on the seed and the
// counter i (SplitMix64's finalizer over a Weyl sequence). Floats are built as integer * power of two, which
// is exact, so that no platform, compiler or math library can change a bit. FILL makes the loop of a
// distribution. Type and seed stay the same in it, so the compiler moves their tests out of the loop. Three
// distributions have a loop of their own, because they compute something for several elements at once.
#include "scanlab/generate.h"
#include "data.h"

enum { GENERATE_GRAIN = 1 << 18 }; // a thread gets at least that many elements

// Chance ----------------------------------------------------------------------------------------------------

typedef struct gen {
  bool is_float;
  sl_type type;
  uint64_t key; // derived from the seed
  uint64_t n;
  uint64_t step; // 2^64 / n, rounded down
  uint64_t spot; // where the spike is
} gen;

static inline uint64_t draw_at(const gen *g, uint64_t i) {
  return sl__mix(g->key + (i + 1) * 0x9E3779B97F4A7C15u);
}
static inline uint32_t draw32(const gen *g, uint64_t i) { return (uint32_t)(draw_at(g, i) >> 32); }

// A second, independent sequence, for the choices of specials and nearly_sorted.
static inline uint64_t choice(const gen *g, uint64_t i) {
  return sl__mix(~g->key + (i + 1) * 0xD1B54A32D192ED03u);
}

// Numbers as bits -------------------------------------------------------------------------------------------

static inline uint32_t bits_of(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

// A small integer as an element of the type (negative ones of u32 modulo 2^32). |v| <= 2^24.
static inline uint32_t as_number(const gen *g, int32_t v) {
  return g->is_float ? bits_of((float)v) : (uint32_t)v;
}

static inline uint32_t real01(uint32_t u) { return bits_of((float)(int32_t)(u >> 8) * 0x1p-24f); }
static inline uint32_t real11(uint32_t u) {
  return bits_of((float)((int32_t)(u >> 8) - 0x800000) * 0x1p-23f);
}

// Makes NaNs finite by clearing a bit of their exponent.
static inline uint32_t not_nan(const gen *g, uint32_t u) {
  bool nan = g->is_float && (u & 0x7FFFFFFF) > 0x7F800000;
  return nan ? u & ~0x40000000u : u;
}

// Maps 32 bits to an element, keeping their order; floats lie in [-1, 1).
static inline uint32_t ordered(const gen *g, uint32_t u) {
  if (g->is_float) return real11(u);
  return g->type == SL_I32 ? u ^ 0x80000000u : u;
}

// Distributions ---------------------------------------------------------------------------------------------

#define FILL(fill, element)                                                                                  \
  static void fill(const gen *g, uint64_t first, size_t count, uint32_t *out) {                              \
    const gen local = *g;                                                                                    \
    for (size_t k = 0; k < count; k++) out[k] = element(&local, first + k);                                  \
  }

static inline uint32_t zeros(const gen *, uint64_t) { return 0; }
static inline uint32_t ones(const gen *g, uint64_t) { return as_number(g, 1); }
static inline uint32_t constant(const gen *g, uint64_t) { return as_number(g, 3); }
static inline uint32_t constant_tenth(const gen *, uint64_t) { return 0x3DCCCCCD; }
static inline uint32_t ramp(const gen *g, uint64_t i) { return as_number(g, (int32_t)(i & 7)); }
// The example of the handouts.
static inline uint32_t example(const gen *g, uint64_t i) {
  static const unsigned char numbers[] = {3, 1, 7, 0, 4, 1, 6, 3, 2, 5, 1, 4, 0, 2, 8, 1};
  return as_number(g, numbers[i % sizeof numbers]);
}
static inline uint32_t alternating(const gen *g, uint64_t i) { return as_number(g, i & 1 ? -1 : 1); }
static inline uint32_t pm1(const gen *g, uint64_t i) {
  return as_number(g, 1 - 2 * (int32_t)(draw32(g, i) >> 31));
}
static void fill_few_distinct(const gen *g, uint64_t first, size_t count, uint32_t *out) {
  const gen local = *g;
  uint32_t value[7];
  for (int32_t v = 0; v < 7; v++)
    value[v] = g->is_float ? as_number(g, v - 3) : (uint32_t)sl__mix(g->key ^ (uint64_t)v);
  for (size_t k = 0; k < count; k++) out[k] = value[((uint64_t)draw32(&local, first + k) * 7) >> 32];
}

// Differences of neighbours of a random sequence P in [0, 1024): the sum of any interval is P(end) -
// P(start), so a float sum of any interval is exact for every n.
static inline uint32_t uniform_int(const gen *g, uint64_t i) {
  int32_t here = (int32_t)(draw32(g, i) >> 22), next = (int32_t)(draw32(g, i + 1) >> 22);
  return as_number(g, g->type == SL_U32 ? here : next - here);
}

static inline uint32_t uniform(const gen *g, uint64_t i) {
  return g->is_float ? real01(draw32(g, i)) : draw32(g, i);
}
static inline uint32_t signed_uniform(const gen *g, uint64_t i) {
  return g->is_float ? real11(draw32(g, i)) : draw32(g, i);
}

// The sum of four uniform 16-bit numbers, centred; floats have variance 4/3.
static inline uint32_t normalish(const gen *g, uint64_t i) {
  uint64_t d = draw_at(g, i);
  int32_t sum = (int32_t)((d & 0xFFFF) + (d >> 16 & 0xFFFF) + (d >> 32 & 0xFFFF) + (d >> 48));
  if (g->type == SL_U32) return (uint32_t)sum;
  return g->is_float ? bits_of((float)(sum - 131070) * 0x1p-15f) : (uint32_t)(sum - 131070);
}

static inline uint32_t spike(const gen *g, uint64_t i) {
  static const uint32_t huge[SL_TYPE_COUNT] = {
      [SL_F32] = 0x4B000000, [SL_I32] = 0x7FFFFFFF, [SL_U32] = 0xFFFFFFFF};
  if (i == g->spot) return huge[g->type];
  return g->type == SL_U32 ? draw32(g, i) >> 31 : pm1(g, i);
}

// What stands before the peak keeps its last bits only in a sum that the peak is no part of.
static inline uint32_t peak(const gen *g, uint64_t i) {
  return i == g->spot ? bits_of(0x1p25f) : real01(draw32(g, i));
}

// Reals whose sums are as exact as those of larger ones, and nothing in numbers of a fixed point.
static inline uint32_t tiny(const gen *g, uint64_t i) {
  return bits_of((float)(int32_t)(draw32(g, i) >> 8) * 0x1p-84f);
}

// The one great number stands between others as long as its upper half is not looked at.
static inline uint32_t one_great(const gen *g, uint64_t i) {
  return draw32(g, i) >> 22 | (i == g->spot ? 1u << 30 : 0);
}

// Sums of these are numbers of base 8 whose digit k says how often element k is in them.
static inline uint32_t powers(const gen *g, uint64_t i) { return as_number(g, i < 8 ? 1 << 3 * i : 0); }
// Every sum from the first element on is -1, all bits set: what some take for "not there yet".
static inline uint32_t minus_one(const gen *g, uint64_t i) { return as_number(g, i == 0 ? -1 : 0); }

// Many neighbours differ in a single bit: who compares less than all 32 takes some for equal.
static inline uint32_t one_bit(const gen *g, uint64_t i) {
  uint64_t d = draw_at(g, i);
  return d >> 63 ? 1u << (d & 31) : 0;
}

// A random number in slice i of n equal slices of the type's range.
static inline uint32_t sorted(const gen *g, uint64_t i) {
  uint64_t jitter = (uint64_t)(((unsigned __int128)draw_at(g, i) * g->step) >> 64);
  return ordered(g, (uint32_t)((i * g->step + jitter) >> 32));
}

// The same for the n last slices of four numbers each: too near to each other for floats and halves.
static inline uint32_t close_by(const gen *g, uint64_t i) {
  return ordered(g, (uint32_t)(4 * (i - g->n) + (draw32(g, i) & 3)));
}

static inline uint32_t reversed(const gen *g, uint64_t i) { return sorted(g, g->n - 1 - i); }

// In one group of 16 out of eight, places are exchanged by a XOR with 0..15.
static void fill_nearly_sorted(const gen *g, uint64_t first, size_t count, uint32_t *out) {
  const gen local = *g;
  for (size_t k = 0; k < count;) {
    uint64_t i = first + k, c = choice(&local, i >> 4), end = (i | 15) - first + 1;
    uint64_t turn = (c >> 61) == 0 && (i | 15) < local.n ? c & 15 : 0;
    for (end = end < count ? end : count; k < end; k++) out[k] = sorted(&local, (first + k) ^ turn);
  }
}

static inline uint32_t odd(const gen *g, uint64_t i) { return draw32(g, i) | 1; }
static inline uint32_t bits(const gen *g, uint64_t i) { return not_nan(g, draw32(g, i)); }

static inline uint32_t one_hot_digit(const gen *g, uint64_t i) {
  return (draw32(g, i) >> 24) << (8 * (g->key >> 62));
}

// Stretches of 128, 256, .. or 2048 elements, by n, in which all are the same: whole warps, blocks and tiles
// that have one digit, and stand in no order.
static inline uint32_t runs(const gen *g, uint64_t i) {
  const unsigned log = 7 + (unsigned)(g->n % 8 + 1) / 2;
  return not_nan(g, draw32(g, i >> log));
}

// Both are long: each has at least three eighths of all elements.
static inline uint32_t two_runs(const gen *g, uint64_t i) {
  const uint64_t longer = choice(g, 0) % (g->n / 4 + 1);
  return as_number(g, i < g->n / 2 - g->n / 8 + longer ? 1 : 0);
}

// Each stretch of 128 elements has its own share of numbers that are not 0: about one in 256 (half of the
// stretches), one in 16, or one in two. So there are long gaps and short ones, and some begin or end inside a
// tile.
static inline uint32_t sparse(const gen *g, uint64_t i) {
  static const uint32_t share[4] = {1, 1, 16, 128}; // of 256
  uint64_t d = draw_at(g, i);
  int32_t number = (int32_t)(1 + (d & 0xFFFFFF) % 1023);
  if ((d >> 56) >= share[choice(g, i >> 7) >> 62]) return as_number(g, 0);
  return as_number(g, g->type != SL_U32 && (d >> 32 & 1) ? -number : number);
}

// Half of the elements are limits of the type, the others are ordinary. For each part a first loop draws and
// looks into the table; a second one chooses, which the compiler does for several elements at once.
enum { SPECIALS_PART = 256 };
static void fill_specials(const gen *g, uint64_t first, size_t count, uint32_t *out) {
  static const uint32_t floats[16] = {
      0x00000000, 0x80000000,                         // zeros
      0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, // least and largest denormals
      0x00800000, 0x80800000, 0x7F7FFFFF, 0xFF7FFFFF, // least and largest normal numbers
      0x7F800000, 0xFF800000,                         // infinities
      0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF, // NaNs: quiet, quiet, signalling, largest payload
  };
  static const uint32_t ints[16] = {0x80000000, 0x7FFFFFFF, 0x00000000, 0xFFFFFFFF, 0x00000001, 0x80000001,
                                    0x7FFFFFFE, 0xFFFFFFFE, 0x0000FFFF, 0xFFFF0000, 0x00010000, 0x000000FF,
                                    0xFF000000, 0x00FFFFFF, 0x55555555, 0xAAAAAAAA};
  const uint32_t *limits = g->is_float ? floats : ints;
  for (size_t k = 0, part = SPECIALS_PART; k < count; k += part) {
    uint32_t low[SPECIALS_PART], high[SPECIALS_PART], u[SPECIALS_PART], limit[SPECIALS_PART];
    const gen local = *g;
    if (part > count - k) part = count - k;
    for (size_t j = 0; j < part; j++) {
      uint64_t c = choice(&local, first + k + j);
      limit[j] = limits[c & 15], low[j] = (uint32_t)c, high[j] = (uint32_t)(c >> 32),
      u[j] = draw32(&local, first + k + j);
    }
    for (size_t j = 0; j < part; j++) {
      uint32_t odd_nan = (0u - (low[j] >> 3 & 1)) & 0x7F800001,
               ordinary = local.is_float ? real11(u[j]) : u[j];
      // denormals, odd NaNs
      uint32_t other = local.is_float ? (u[j] & 0x807FFFFF) | odd_nan : u[j] | 0x80000000u;
      uint32_t plain = 0u - (high[j] >> 31), odd = 0u - (low[j] >> 4 & 1);
      out[k + j] = (ordinary & plain) | (((other & odd) | (limit[j] & ~odd)) & ~plain);
    }
  }
}

FILL(fill_zeros, zeros)
FILL(fill_ones, ones)
FILL(fill_constant, constant)
FILL(fill_constant_tenth, constant_tenth)
FILL(fill_ramp, ramp)
FILL(fill_example, example)
FILL(fill_alternating, alternating)
FILL(fill_pm1, pm1)
FILL(fill_uniform_int, uniform_int)
FILL(fill_uniform, uniform)
FILL(fill_signed_uniform, signed_uniform)
FILL(fill_normalish, normalish)
FILL(fill_spike, spike)
FILL(fill_peak, peak)
FILL(fill_tiny, tiny)
FILL(fill_one_great, one_great)
FILL(fill_powers, powers)
FILL(fill_minus_one, minus_one)
FILL(fill_one_bit, one_bit)
FILL(fill_sorted, sorted)
FILL(fill_close, close_by)
FILL(fill_reversed, reversed)
FILL(fill_bits, bits)
FILL(fill_one_hot_digit, one_hot_digit)
FILL(fill_runs, runs)
FILL(fill_two_runs, two_runs)
FILL(fill_sparse, sparse)
FILL(fill_odd, odd)

// Pairs (a, b) of 32 bits each. a is odd, so the map can be undone and no composition loses what came before.
static void fill_affine(const gen *g, uint64_t first, size_t count, uint32_t *out) {
  for (size_t k = 0; k < count; k++) {
    uint64_t d = draw_at(g, first + k);
    out[2 * k] = (uint32_t)d | 1;
    out[2 * k + 1] = (uint32_t)(d >> 32);
  }
}

// Half of these are what a program may take for a mark of its own: the identity, {0, 0}, constants, factors
// alone. A constant loses what came before: one map in eight is one. Each third stretch of 1024 ends with
// {0, 0}, so what stands before a tile is that now and then.
static void fill_affine_special(const gen *g, uint64_t first, size_t count, uint32_t *out) {
  static const sl_affine special[] = {{1, 0},          {1, 0}, {UINT32_MAX, 0}, {3, 0},
                                      {1, UINT32_MAX}, {0, 0}, {0, 7},          {1u << 31, 1}};
  fill_affine(g, first, count, out);
  for (size_t k = 0; k < count; k++) {
    const uint64_t d = draw_at(g, first + k) >> 60;
    if (d < 8) memcpy(&out[2 * k], &special[d], sizeof(sl_affine));
    if ((first + k) % 3072 == 1023) out[2 * k] = out[2 * k + 1] = 0;
  }
}

// Table -----------------------------------------------------------------------------------------------------

enum { F = 1 << SL_F32, I = 1 << SL_I32, U = 1 << SL_U32, A = 1 << SL_AFFINE, FIU = F | I | U };

static const struct {
  sl_dist_info info;
  void (*fill)(const gen *g, uint64_t first, size_t count, uint32_t *out);
} DISTS[] = {
    {{"zeros", FIU, "0"}, fill_zeros},
    {{"ones", FIU, "1"}, fill_ones},
    {{"constant", FIU, "3"}, fill_constant},
    {{"constant_tenth", F, "0.1f, which no float sum keeps exact"}, fill_constant_tenth},
    {{"ramp", FIU, "0 1 2 3 4 5 6 7 0 1 ..; float sums exact for n < 4793490"}, fill_ramp},
    {{"example", FIU, "that of the handouts: 3 1 7 0 4 1 6 3, 2 5 1 4 0 2 8 1, and again"}, fill_example},
    {{"alternating", FIU, "1 -1 1 -1 ..; u32: modulo 2^32"}, fill_alternating},
    {{"pm1", FIU, "1 or -1 by chance; float sums exact for n <= 2^24; u32: modulo 2^32"}, fill_pm1},
    {{"uniform_int", FIU, "integers in -1023..1023 (u32: 0..1023) whose float sums are exact for every n"},
     fill_uniform_int},
    {{"uniform", FIU, "f32: reals in [0, 1); integers: all 32 bits"}, fill_uniform},
    {{"signed_uniform", FIU, "f32: reals in [-1, 1); integers: all 32 bits"}, fill_signed_uniform},
    {{"normalish", FIU, "bell-shaped: the sum of four uniform numbers; f32 in [-4, 4]"}, fill_normalish},
    {{"spike", FIU, "1 or -1 (u32: 0 or 1), and once 2^23 (i32: 2^31-1, u32: 2^32-1)"}, fill_spike},
    {{"peak", F, "reals in [0, 1), and once 2^25"}, fill_peak},
    {{"tiny", F, "reals in [0, 2^-60)"}, fill_tiny},
    {{"one_great", I | U, "numbers in 0..1023, and 2^30 more once"}, fill_one_great},
    {{"powers", FIU, "1 8 64 .. 8^7, then 0: a sum's digits of base 8 say which elements are in it"},
     fill_powers},
    {{"minus_one", FIU, "-1 (u32: 2^32-1), then 0: every sum from the first on is that"}, fill_minus_one},
    {{"sorted", FIU, "ascending over the whole range (f32: [-1, 1))"}, fill_sorted},
    {{"reversed", FIU, "descending over the whole range (f32: [-1, 1))"}, fill_reversed},
    {{"nearly_sorted", FIU, "sorted, but one group of 16 in eight is mixed"}, fill_nearly_sorted},
    {{"few_distinct", FIU, "seven values by chance (f32: -3..3)"}, fill_few_distinct},
    {{"bits", FIU, "all bit patterns by chance; f32: without NaN"}, fill_bits},
    {{"one_hot_digit", FIU, "one 8-bit digit varies (which: by the seed), the others are 0"},
     fill_one_hot_digit},
    {{"one_bit", FIU, "0, or a number of one bit: all 32 by chance"}, fill_one_bit},
    {{"odd", I | U, "all odd numbers by chance: a product of them loses none"}, fill_odd},
    {{"close", FIU, "ascending up to the greatest number (f32: 1), by 1 to 7 a step"}, fill_close},
    {{"runs", FIU, "stretches of 2^7 to 2^11 equal numbers (how many: by n), in no order"}, fill_runs},
    {{"two_runs", FIU, "1 up to a place near the middle (which: by the seed), then 0"}, fill_two_runs},
    {{"specials", FIU, "half limits of the type: f32 with -0, denormals, infinities, NaNs"}, fill_specials},
    {{"sparse", FIU, "numbers in -1023..1023 (u32: 0..1023), 0 in long gaps and short ones"}, fill_sparse},
    {{"affine_random", A, "maps x -> a*x + b modulo 2^32 with odd a"}, fill_affine},
    {{"affine_special", A, "half of them the identity, constants, {0, 0} and their like"},
     fill_affine_special},
};
enum { DIST_COUNT = sizeof DISTS / sizeof *DISTS };

bool sl_dist_at(size_t index, sl_dist_info *out) {
  if (index >= DIST_COUNT) return false;
  *out = DISTS[index].info;
  return true;
}

// The index of [name] in the table, whatever numbers it is about. If it is not there: -1, and [e] says the
// nearest.
static int find_dist(const char *name, const sl_about *a, sl_error *e) {
  const char *names[DIST_COUNT + 1] = {0};
  for (int d = 0; d < DIST_COUNT; d++) {
    names[d] = DISTS[d].info.name;
    if (strlen(names[d]) == a->base && memcmp(name, names[d], a->base) == 0) return d;
  }
  const char *near = sl_nearest(name, names);
  char hint[512] = "", *at = hint;
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  else
    for (int d = 0; d < DIST_COUNT; d++) at += sprintf(at, "%s%s", d ? ", " : "distributions are ", names[d]);
  sl_fail(e, SL_EXIT_INPUT, hint, "unknown distribution '%s'", name);
  return -1;
}

static int check_dist(const char *name, sl_type type, sl_about *a, sl_error *e) {
  int d = sl_about_read(name, a, e) ? find_dist(name, a, e) : -1;
  if (d < 0) return -1;
  if ((unsigned)type < SL_TYPE_COUNT && (DISTS[d].info.types & 1u << type)) return d;
  char types[64] = "", *at = types;
  for (int t = 0; t < SL_TYPE_COUNT; t++)
    if (DISTS[d].info.types & 1u << t)
      at += sprintf(at, "%s%s", *types ? ", " : "", sl_npy_type_name((sl_type)t));
  sl_fail(e, SL_EXIT_INPUT, type == SL_AFFINE ? "affine has the distribution affine_random" : NULL,
          "distribution %s: expected type %s, found %s", name, types, sl_npy_type_name(type));
  return -1;
}

bool sl_dist_check(const char *dist, sl_type type, sl_error *e) {
  sl_about about;
  return check_dist(dist, type, &about, e) >= 0;
}

bool sl_generate_part(const sl_gen_spec *spec, size_t first, size_t count, void *out, sl_error *e) {
  sl_about about;
  int d = check_dist(spec->dist, spec->type, &about, e);
  if (d < 0) return false;
  if (first > spec->n || count > spec->n - first)
    return sl_fail(e, SL_EXIT_INFRA, NULL, "elements %zu to %zu of an array of %zu", first, first + count,
                   spec->n);
  if (count == 0) return true;
  gen g = {.is_float = spec->type == SL_F32, .type = spec->type, .n = spec->n};
  g.key = sl__mix(spec->seed + 0x9E3779B97F4A7C15u);
  g.step = UINT64_MAX / spec->n;
  g.spot = (uint64_t)(((unsigned __int128)choice(&g, spec->n) * spec->n) >> 64);
  DISTS[d].fill(&g, first, count, out);
  sl__about_fill(spec, &about, first, count, out);
  return true;
}

typedef struct whole {
  const sl_gen_spec *spec;
  char *out;
} whole;

static void generate_part_of(void *context, size_t from, size_t to) {
  const whole *w = context;
  sl_generate_part(w->spec, from, to - from, w->out + from * sl_npy_item_size(w->spec->type), NULL);
}

bool sl_generate(const sl_gen_spec *spec, void *out, sl_error *e) {
  whole w = {spec, out};
  if (!sl_dist_check(spec->dist, spec->type, e)) return false;
  sl_parallel(spec->n, GENERATE_GRAIN, generate_part_of, &w);
  return true;
}
