// Medians and their percentile bootstrap intervals.
//
// Interface: sl__median, sl_median_interval, sl_ratio_interval (timing.h). A resample of n sorted values is n
// indices. Its median follows from how often each index was drawn, so a resample costs 2n steps and no
// sorting. The generator is splitmix64 with a given seed, so an interval can be computed again.
#include "timing/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 1000, FEW = 6 };

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double sl__median(double *x, unsigned n) {
  qsort(x, n, sizeof *x, by_size);
  return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// A sorted sample, with room to count draws.
typedef struct sorted {
  double *at;
  unsigned *count;
  unsigned n;
} sorted;

static bool sorted_make(sorted *s, const double *x, unsigned n) {
  *s = (sorted){malloc(n * sizeof *s->at), malloc(n * sizeof *s->count), n};
  if (!s->at || !s->count) return false;
  memcpy(s->at, x, n * sizeof *x);
  qsort(s->at, n, sizeof *s->at, by_size);
  return true;
}

static void sorted_free(sorted *s) {
  free(s->at);
  free(s->count);
}

static double median_of(const sorted *s) {
  return s->n % 2 ? s->at[s->n / 2] : (s->at[s->n / 2 - 1] + s->at[s->n / 2]) / 2;
}

// The value at [rank] of the resample that `count` describes.
static double at_rank(const sorted *s, unsigned rank) {
  unsigned k = 0;
  for (unsigned seen = s->count[0]; seen <= rank; seen += s->count[k]) k++;
  return s->at[k];
}

static double resampled_median(sorted *s, uint64_t *state) {
  memset(s->count, 0, s->n * sizeof *s->count);
  for (unsigned i = 0; i < s->n; i++) s->count[(next(state) >> 32) * s->n >> 32]++;
  double upper = at_rank(s, s->n / 2);
  return s->n % 2 ? upper : (at_rank(s, s->n / 2 - 1) + upper) / 2;
}

static sl_interval between(double value, double *resampled) {
  qsort(resampled, RESAMPLES, sizeof *resampled, by_size);
  return (sl_interval){value, resampled[RESAMPLES * 25 / 1000], resampled[RESAMPLES * 975 / 1000 - 1]};
}

sl_interval sl_median_interval(const double *x, unsigned n, uint64_t seed) {
  sorted s;
  double medians[RESAMPLES];
  sl_interval out = {NAN, 0, INFINITY};
  if (sorted_make(&s, x, n)) {
    for (unsigned k = 0; k < RESAMPLES; k++) medians[k] = resampled_median(&s, &seed);
    out = n < FEW ? (sl_interval){median_of(&s), s.at[0], s.at[n - 1]} : between(median_of(&s), medians);
  }
  sorted_free(&s);
  return out;
}

static double ratio(double a, double b, double offset) {
  a -= offset, b -= offset;
  if (a < 0) a = 0;
  return b > 0 ? a / b : INFINITY;
}

enum { OVER, UNDER, OFF, RATIO_SAMPLES };

static double largest(const sorted *s) { return s->at[s->n - 1]; }

// The widest interval that a few values allow. What is taken off lowers a ratio below one, and raises others.
static sl_interval widest(double value, const sorted s[RATIO_SAMPLES]) {
  const double off[] = {s[OFF].at[0], largest(&s[OFF])};
  sl_interval x = {value, value, value};
  for (int k = 0; k < 2; k++) {
    x.lo = fmin(x.lo, ratio(s[OVER].at[0], largest(&s[UNDER]), off[k]));
    x.hi = fmax(x.hi, ratio(largest(&s[OVER]), s[UNDER].at[0], off[k]));
  }
  return x;
}

sl_interval sl_ratio_interval(sl_sample a, sl_sample b, const sl_sample *offset, uint64_t seed) {
  static const double nothing = 0;
  const sl_sample of[RATIO_SAMPLES] = {a, b, offset ? *offset : (sl_sample){&nothing, 1}};
  sorted s[RATIO_SAMPLES] = {0};
  double ratios[RESAMPLES], m[RATIO_SAMPLES];
  sl_interval out = {NAN, 0, INFINITY};
  bool ok = true, few = false;
  for (int k = 0; k < RATIO_SAMPLES; k++) {
    ok = ok && sorted_make(&s[k], of[k].at, of[k].n);
    few |= of[k].n < FEW && (k != OFF || offset);
  }
  for (unsigned r = 0; ok && r < RESAMPLES; r++) {
    for (int k = 0; k < RATIO_SAMPLES; k++) m[k] = resampled_median(&s[k], &seed);
    ratios[r] = ratio(m[OVER], m[UNDER], m[OFF]);
  }
  if (ok) {
    double value = ratio(median_of(&s[OVER]), median_of(&s[UNDER]), median_of(&s[OFF]));
    out = few ? widest(value, s) : between(value, ratios);
  }
  for (int k = 0; k < RATIO_SAMPLES; k++) sorted_free(&s[k]);
  return out;
}

double sl_half_width(const sl_interval *x) {
  return x->value > 0 ? (x->hi - x->lo) / 2 / x->value : INFINITY;
}
