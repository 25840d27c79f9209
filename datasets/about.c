// Inputs about some numbers: "sparse@777,255" is "sparse" in which these numbers show up as a kernel may look
// for them: as elements, as sums, as lengths of runs, gaps and segments, as counts.
//
// Interface: sl_about_read (generate.h), sl__about_fill (data.h). Each number has a stretch of its own, all
// are equally long. Of "uniform_int" a stretch is made anew: its sums begin with 0, are the number at each
// power of 2 and now and then elsewhere, and stay exact floats. A stretch of any other has three parts: as
// many ones as the number, then zeros; single ones, about the number apart; elements near it among those of
// the distribution.
#include "data.h"

bool sl_about_read(const char *dist, sl_about *a, sl_error *e) {
  const char *at = strchrnul(dist, '@');
  *a = (sl_about){.base = (size_t)(at - dist)};
  while (*at) {
    char *end;
    const unsigned long long value = strtoull(at + 1, &end, 10);
    if (!strchr("0123456789", at[1]) || end == at + 1 || value > UINT32_MAX || (*end && *end != ',') ||
        a->n == SL_MOST_ABOUT)
      return sl_fail(e, SL_EXIT_INPUT, "sparse@777 or sparse@777,255: at most 8 numbers below 2^32",
                     "distribution '%s': expected whole numbers behind the @", dist);
    a->at[a->n++] = (uint32_t)value, at = end;
  }
  return true;
}

typedef struct maker {
  const sl_gen_spec *spec;
  const sl_about *about;
  uint64_t key, stretch, part; // elements of a stretch, and of its parts
} maker;

static uint64_t draw(const maker *m, uint64_t i) { return sl__mix(m->key + (i + 1) * 0x8CB92BA72F3D8DD7u); }

static uint32_t as_number(const maker *m, uint32_t v) {
  const float x = (float)(int32_t)v;
  if (m->spec->type == SL_F32) memcpy(&v, &x, sizeof v);
  return v;
}

// Sums that are exact floats --------------------------------------------------------------------------------

// The sum of all elements before [i].
static uint32_t sum_before(const maker *m, uint64_t i) {
  const uint64_t at = i % m->stretch, d = draw(m, i);
  const uint32_t c = m->about->at[i / m->stretch % m->about->n] & (m->spec->type == SL_F32 ? 0xFFFFFF : ~0u),
                 near[4] = {0, c - (c > 0), c, c + 1};
  if (at == 0) return 0;
  if (at >= 32 && (at & (at - 1)) == 0) return c;
  return d >> 63 ? near[d & 3] : (uint32_t)(d >> 16) & 1023;
}

static uint32_t step(const maker *m, uint64_t i, uint32_t) {
  return as_number(m, sum_before(m, i + 1) - sum_before(m, i));
}

// Elements, counts and lengths ------------------------------------------------------------------------------

// Single places, c - 1, c, c + 1 and c + 2 apart.
static bool is_single(uint64_t at, uint64_t c) {
  at %= 4 * c + 2;
  return at == 0 || at + 1 == c || at + 1 == 2 * c || at == 3 * c;
}

// One of the numbers near [c], or one of whose bits they are a half.
static uint32_t number_near(const maker *m, uint32_t c, uint64_t d, uint32_t base) {
  const bool half = c <= UINT16_MAX && m->spec->type != SL_F32;
  const uint32_t near[8] = {c - 1, c, c + 1, 0 - c, c, c, (base & 0xFFFF0000) | c, (base & 0xFFFF) | c << 16};
  return as_number(m, near[d & (half ? 7 : 3)]);
}

static uint32_t element(const maker *m, uint64_t i, uint32_t base) {
  const uint64_t at = i % m->stretch, d = draw(m, i);
  const uint32_t c = m->about->at[i / m->stretch];
  if (at < m->part) return as_number(m, at < c);
  if (at + 1 == m->stretch) return 0; // nothing goes on into the next one
  if (at < 2 * m->part) return as_number(m, is_single(at - m->part, c) ? c : 0);
  return d >> 62 ? base : number_near(m, c, d, base);
}

static void fill_maps(const maker *m, size_t first, size_t count, uint32_t *out) {
  for (size_t k = 0; k < count; k++) {
    const uint64_t d = draw(m, first + k);
    const uint32_t c = m->about->at[(first + k) / m->stretch];
    const sl_affine near[8] = {{c, 0}, {0, c}, {1, c}, {c, 1}, {c, c}, {1, c - 1}, {1, c + 1}, {1, 0 - c}};
    if (d >> 62 == 0) memcpy(&out[2 * k], &near[d & 7], sizeof(sl_affine));
  }
}

void sl__about_fill(const sl_gen_spec *spec, const sl_about *a, size_t first, size_t count, void *out) {
  if (!a->n) return;
  maker m = {.spec = spec, .about = a, .key = sl__mix(spec->seed + 0xA0761D6478BD642Fu)};
  m.stretch = (spec->n + a->n - 1) / a->n, m.part = m.stretch / 3;
  uint32_t (*const make)(const maker *, uint64_t, uint32_t) =
      strncmp(spec->dist, "uniform_int@", 12) == 0 ? step : element;
  uint32_t *to = out;
  if (spec->type == SL_AFFINE) {
    fill_maps(&m, first, count, to);
    return;
  }
  for (size_t k = 0; k < count; k++) to[k] = make(&m, first + k, to[k]);
}
