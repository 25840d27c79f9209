// Scans of 4-byte elements four at a time: sums and maxima of words, sums of floats in double.
//
// Interface: sl__scan_words_* (rows of the operator table in element.c), sl__scan_doubles (scan.c). The
// prefixes of four elements take two shifts and two operations. One operation more adds the prefix before
// them; the next four wait for that one alone. Vectors are the compiler's own. Where the CPU has AVX2, a
// second compilation of the same code runs, and for doubles one that holds four in a register. Both compute
// the same expressions, so the results are the same bits.
#include "reference/reference.h"

#if defined __x86_64__ && !defined SL_ANY_CPU
#define AVX2_CODE
#include <immintrin.h>
#define WITH_AVX2 __attribute__((target("avx2")))
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define WITH_AVX2
#define HAS_AVX2 0
#endif
#define INLINE static inline __attribute__((always_inline))

// Words -----------------------------------------------------------------------------------------------------

typedef uint32_t words __attribute__((vector_size(16)));
typedef int32_t ints __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

// The words of two vectors, beside each other, that the four numbers name.
#if __has_builtin(__builtin_shufflevector)
#define SHUFFLE __builtin_shufflevector
#else // gcc 11
#define SHUFFLE(l, r, ...) __builtin_shuffle(l, r, (words){__VA_ARGS__})
#endif

INLINE words pick(ints left, words l, words r) { return (words)(((ints)l & left) | ((ints)r & ~left)); }

INLINE words add_words(words l, words r) { return l + r; }
INLINE words max_u32(words l, words r) { return pick((ints)(l > r), l, r); }
INLINE words max_i32(words l, words r) { return pick((ints)l > (ints)r, l, r); }
// The larger; if one is a NaN, the other one, like fmaxf.
INLINE words max_f32(words l, words r) {
  return pick(((floats)l > (floats)r) | ((floats)r != (floats)r), l, r);
}

typedef words combine_words(words l, words r);

INLINE words prefixes(combine_words *combine, words none, words x) {
  x = combine(SHUFFLE(none, x, 0, 4, 5, 6), x);
  return combine(SHUFFLE(none, x, 0, 1, 4, 5), x);
}

// One turn: returns the results of four elements. *before becomes the prefix of the next four, in all lanes.
INLINE words scan_four(combine_words *combine, words none, bool exclusive, words *before, words x) {
  words local = prefixes(combine, none, x), shifted = SHUFFLE(none, local, 0, 4, 5, 6);
  words y = combine(*before, exclusive ? shifted : local);
  *before = combine(*before, SHUFFLE(local, local, 3, 3, 3, 3));
  return y;
}

typedef struct word_operation {
  combine_words *combine;
  sl_elem identity;
} word_operation;

// [out] NULL: only the total. Callers pass constants for [op], [exclusive] and whether [out] is NULL.
INLINE void scan_words(word_operation op, sl_elem *acc, bool exclusive, size_t n, const uint32_t *in,
                       uint32_t *out) {
  const uint32_t id = op.identity.u;
  words none = {id, id, id, id}, before = {acc->u, acc->u, acc->u, acc->u}, x, y;
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    memcpy(&x, in + i, sizeof x);
    y = scan_four(op.combine, none, exclusive, &before, x);
    if (out) memcpy(out + i, &y, sizeof y);
  }
  x = none;
  if (i < n) memcpy(&x, in + i, (n - i) * sizeof *in);
  y = scan_four(op.combine, none, exclusive, &before, x);
  if (out && i < n) memcpy(out + i, &y, (n - i) * sizeof *out);
  acc->u = before[0];
}

INLINE void scan_words_as(word_operation op, sl_elem *acc, sl_kind kind, size_t n, const void *in,
                          void *out) {
  if (!out) scan_words(op, acc, true, n, in, NULL);
  else if (kind == SL_EXCLUSIVE) scan_words(op, acc, true, n, in, out);
  else scan_words(op, acc, false, n, in, out);
}

#define WORD_SCAN(name, combine, ...)                                                                        \
  WITH_AVX2 static void name##_avx2(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out) {       \
    scan_words_as((word_operation){combine, {__VA_ARGS__}}, acc, kind, n, in, out);                          \
  }                                                                                                          \
  void sl__scan_words_##name(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out) {              \
    if (HAS_AVX2) name##_avx2(acc, kind, n, in, out);                                                        \
    else scan_words_as((word_operation){combine, {__VA_ARGS__}}, acc, kind, n, in, out);                     \
  }

WORD_SCAN(add_u32, add_words, .u = 0)
WORD_SCAN(max_u32, max_u32, .u = 0)
WORD_SCAN(max_i32, max_i32, .i = INT32_MIN)
WORD_SCAN(max_f32, max_f32, .f = -INFINITY)

// Doubles ---------------------------------------------------------------------------------------------------

// Elements a b c d become a, a+b, (a+b)+c, (a+b)+(c+d), each added to the prefix before them. This order
// defines the sum's rounding. Doubles cannot overflow here: the largest |in| is far too small.

typedef double two_doubles __attribute__((vector_size(16)));
typedef float two_floats __attribute__((vector_size(8)));

INLINE two_doubles load_two(const float *from) {
  two_floats x;
  memcpy(&x, from, sizeof x);
  return __builtin_convertvector(x, two_doubles);
}

INLINE void store_two(float *to, two_doubles x) {
  two_floats y = __builtin_convertvector(x, two_floats);
  memcpy(to, &y, sizeof y);
}

// The last [n] < 4 elements, padded to four.
static double scan_rest(size_t n, bool exclusive, double acc, const float *in, float *want) {
  double x[4] = {0};
  for (size_t i = 0; i < n; i++) x[i] = (double)in[i];
  double ab = x[0] + x[1], p[5] = {acc, x[0] + acc, ab + acc, ab + x[2] + acc, 0};
  for (size_t i = 0; want && i < n; i++) want[i] = (float)p[exclusive ? i : i + 1];
  return p[n];
}

INLINE double scan_by_twos(size_t n, bool exclusive, double acc, const float *in, float *want) {
  two_doubles before = {acc, acc};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    two_doubles ab = load_two(in + i), cd = load_two(in + i + 2);
    ab += (two_doubles){0, ab[0]};
    cd += (two_doubles){0, cd[0]};
    cd += (two_doubles){ab[1], ab[1]};
    two_doubles next = before + (two_doubles){cd[1], cd[1]};
    ab += before;
    cd += before;
    if (want) store_two(want + i, exclusive ? (two_doubles){before[0], ab[0]} : ab);
    if (want) store_two(want + i + 2, exclusive ? (two_doubles){ab[1], cd[0]} : cd);
    before = next;
  }
  return scan_rest(n - i, exclusive, before[0], in + i, want ? want + i : NULL);
}

double sl__scan_doubles_by_twos(const sl_scan_spec *s, double acc, const float *in, float *want) {
  if (!want) return scan_by_twos(s->n, true, acc, in, NULL);
  if (s->kind == SL_EXCLUSIVE) return scan_by_twos(s->n, true, acc, in, want);
  return scan_by_twos(s->n, false, acc, in, want);
}

#ifdef AVX2_CODE
// The sums of four elements, without the prefix before them.
WITH_AVX2 INLINE __m256d four_sums(const float *in) {
  __m256d x = _mm256_cvtps_pd(_mm_loadu_ps(in));
  x = _mm256_add_pd(x, _mm256_unpacklo_pd(_mm256_setzero_pd(), x)); // a a+b c c+d
  // 0 0 a+b a+b to it
  return _mm256_add_pd(x, _mm256_permute_pd(_mm256_permute2f128_pd(x, x, 0x08), 0xf));
}

WITH_AVX2 INLINE void store_four(float *out, bool exclusive, __m256d before, __m256d x) {
  __m256d y = _mm256_add_pd(x, before);
  if (exclusive) y = _mm256_blend_pd(_mm256_permute4x64_pd(y, 0x90), before, 1);
  _mm_storeu_ps(out, _mm256_cvtpd_ps(y));
}

// One turn handles one cache line. Prefetching makes it a tenth faster, output lines, too.
enum { TURN = 16, AHEAD = 512 };
WITH_AVX2 INLINE double scan_by_fours(size_t n, bool exclusive, double acc, const float *in, float *want) {
  __m256d before = _mm256_set1_pd(acc);
  size_t i = 0;
  for (; i + TURN <= n; i += TURN) {
    __builtin_prefetch(in + i + AHEAD);
    if (want) __builtin_prefetch(want + i + AHEAD);
    for (size_t k = i; k < i + TURN; k += 4) {
      __m256d x = four_sums(in + k);
      if (want) store_four(want + k, exclusive, before, x);
      before = _mm256_add_pd(before, _mm256_permute4x64_pd(x, 0xff));
    }
  }
  return scan_by_twos(n - i, exclusive, before[0], in + i, want ? want + i : NULL);
}

WITH_AVX2 static double scan_doubles_avx2(const sl_scan_spec *s, double acc, const float *in, float *want) {
  if (!want) return scan_by_fours(s->n, true, acc, in, NULL);
  if (s->kind == SL_EXCLUSIVE) return scan_by_fours(s->n, true, acc, in, want);
  return scan_by_fours(s->n, false, acc, in, want);
}
#else
#define scan_doubles_avx2 sl__scan_doubles_by_twos
#endif

double sl__scan_doubles(const sl_scan_spec *s, double acc, const float *in, float *want) {
  return HAS_AVX2 ? scan_doubles_avx2(s, acc, in, want) : sl__scan_doubles_by_twos(s, acc, in, want);
}
