// Finds what all wrong elements of a scan have in common, as a hint where to look.
//
// Interface: sl__scan_pattern tries the rows of a table from the most telling to the least and returns the
// first that holds for EVERY wrong element; its words are in patterns.def. A row is a question about one
// element i; rows with `state` may set it up from the first wrong element.
#include "reference/reference.h"

typedef struct state {
  const sl_scan_check *c;
  const sl_mismatch *m;
  size_t tile, next; // tile: guess at its size, the first wrong index
  sl_elem running;   // what comes before element [next] in a scan that a pattern supposes
  bool begun;        // there is such a scan
  sl_elem offset;    // by how much the first element is wrong
} state;

static sl_elem got(const state *s, size_t i) { return sl_elem_at(s->c->got, s->c->ref->spec.type, i); }

static bool is(const state *s, size_t i, const void *array) {
  sl_type type = s->c->ref->spec.type;
  return array && sl_elem_bits_same(type, got(s, i), sl_elem_at(array, type, i));
}

static bool never_written(state *s, size_t i) { return is(s, i, s->c->poison); }
static bool all_zero(state *s, size_t i) {
  return sl_elem_same(s->c->ref->spec.type, got(s, i), (sl_elem){.a = {0, 0}});
}
// One element may be whole by chance. A sum of fractions that are all cut off is 0.
static bool cut(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  if (spec->type != SL_F32 || spec->op != SL_ADD || s->m->wrong < 2) return false;
  const float x = got(s, i).f, want = sl_elem_at(s->c->ref->want, SL_F32, i).f,
              own = sl_elem_at(s->c->in, SL_F32, i).f;
  return truncf(x) == x && truncf(want) != want && (x != 0 || truncf(own) == 0);
}
static bool nan_value(state *s, size_t i) { return s->c->ref->spec.type == SL_F32 && isnan(got(s, i).f); }
// One element or three may look so by chance.
static bool is_input(state *s, size_t i) { return s->m->wrong > 1 && s->m->n > 3 && is(s, i, s->c->in); }

static bool is_exclusive(state *s, size_t i) {
  sl_type type = s->c->ref->spec.type;
  if (s->c->ref->spec.kind != SL_INCLUSIVE) return false;
  if (i == 0) return sl_elem_same(type, got(s, i), sl_op_identity(type, s->c->ref->spec.op));
  return sl__scan_matches(s->c, i, i - 1);
}

// Is element i what the one before should be, as of an input shifted twice? Two elements do not tell.
static bool is_twice(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  if (spec->kind != SL_EXCLUSIVE || s->m->n < 3) return false;
  return i == 0 ? sl_elem_same(spec->type, got(s, i), sl_op_identity(spec->type, spec->op))
                : sl__scan_matches(s->c, i, i - 1);
}

// A number that may have been rounded is whole by chance at most, unless it is large.
static bool is_whole(float x) { return truncf(x) == x && fabsf(x) < 1 << 23; }

// Are float sums of a tile close? 1e-3 relative is enough for a hint; whole numbers are exact.
static bool about(sl_type type, sl_elem x, sl_elem y) {
  if (type != SL_F32 || (is_whole(x.f) && is_whole(y.f))) return sl_elem_same(type, x, y);
  return fabsf(x.f - y.f) <= 1e-3f * (1 + fabsf(y.f));
}

static sl_elem apply(const state *s, sl_elem left, sl_elem right) {
  return sl_op_apply(s->c->ref->spec.type, s->c->ref->spec.op, left, right);
}

static sl_elem input(const state *s, size_t i) { return sl_elem_at(s->c->in, s->c->ref->spec.type, i); }
static sl_elem identity(const state *s) { return sl_op_identity(s->c->ref->spec.type, s->c->ref->spec.op); }

// Was the inclusive scan given where the exclusive one is wanted? Then element i is what the next one should
// be. The last element has no next: it fits, but of two it is to be the sum of both.
static bool is_inclusive(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  const size_t n = s->m->n;
  if (spec->kind != SL_EXCLUSIVE) return false;
  if (i + 1 < n) return sl__scan_matches(s->c, i, i + 1);
  return s->m->wrong > 1 && (n != 2 || about(spec->type, got(s, i), apply(s, input(s, 0), input(s, 1))));
}

// Do the first elements differ? Sums of equal ones look alike.
static bool tells(const state *s) {
  return s->m->n > 1 && !sl_elem_same(s->c->ref->spec.type, input(s, 0), input(s, 1));
}

// Has another wrong element the value that is wanted here, and is the value here wanted there? Among many
// elements that may be by chance, and so it may in a scan of the maximum.
static bool is_moved(state *s, size_t i) {
  enum { FEW = 64 };
  const sl_scan_spec *spec = &s->c->ref->spec;
  bool given = false, wanted = false;
  if (spec->op != SL_ADD || !tells(s) || s->m->wrong < 2 || s->m->n > FEW) return false;
  for (size_t k = 0; k < s->m->n; k++) {
    if (k == i || sl__scan_matches(s->c, k, k)) continue;
    given |= sl__scan_matches(s->c, k, i), wanted |= sl__scan_matches(s->c, i, k);
  }
  return given && wanted;
}

// Is each sum that of the elements 1 to i?
static bool is_first_lost(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  if (spec->op != SL_ADD || !tells(s)) return false;
  s->running = i == 0 ? identity(s) : apply(s, s->running, input(s, i));
  return about(spec->type, got(s, i), s->running);
}

// Is each sum that of the elements 1 to i + 1, with the input shifted the other way? Equal ones do not tell.
static bool is_next(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  if (spec->kind != SL_EXCLUSIVE || spec->op != SL_ADD || !tells(s)) return false;
  if (i == 0) s->running = identity(s);
  if (i + 1 < s->m->n) s->running = apply(s, s->running, input(s, i + 1));
  return about(spec->type, got(s, i), s->running);
}

// Is element i what a scan from [from] on with [before] gives? Called for ascending i, for `running`.
static bool continues(state *s, size_t from, size_t i, sl_elem before) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  if (!s->begun) s->running = before, s->begun = true, s->next = from;
  for (; s->next < i; s->next++) s->running = apply(s, s->running, input(s, s->next));
  const sl_elem want = spec->kind == SL_INCLUSIVE ? apply(s, s->running, input(s, i)) : s->running;
  return s->c->ref->sum ? about(spec->type, got(s, i), want) : sl_elem_same(spec->type, got(s, i), want);
}

// Is each element the sum of all, or what the last one should be?
static bool is_total(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  const size_t n = s->m->n;
  if (spec->op != SL_ADD || n < 3) return false; // two do not tell
  if (i == 0)
    for (s->running = identity(s); s->next < n; s->next++)
      s->running = apply(s, s->running, input(s, s->next));
  return about(spec->type, got(s, i), s->running) || sl__scan_matches(s->c, i, n - 1);
}

// The bits of a small whole number.
static unsigned bits_of(const state *s, sl_elem x) {
  return (unsigned)(s->c->ref->spec.type == SL_F32 ? (x.f >= 0 && x.f < 65536 ? (int)x.f : 0) : (int)x.u);
}

// Where the input is different powers of two: has the sum the right number of elements, but wrong ones?
static bool others(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  unsigned all = 0;
  for (size_t k = 0; k < s->m->n && k < 17; k++) {
    const unsigned bits = bits_of(s, input(s, k));
    if (__builtin_popcount(bits) != 1 || all & bits) return false;
    all |= bits;
  }
  const unsigned sum = bits_of(s, got(s, i)), want = bits_of(s, sl_elem_at(s->c->ref->want, spec->type, i));
  return spec->op == SL_ADD && s->m->n <= 16 && !(sum & ~all) &&
         __builtin_popcount(sum) == __builtin_popcount(want);
}

enum { WARP = 32 }; // no tile is smaller

// Do the wrong elements begin where a tile may begin?
static bool at_tile(const state *s) { return s->m->first > 0 && s->m->first % WARP == 0; }

// Is each tile right by itself, and several behind the first? Called for every i from the first wrong one.
static bool tile_alone(state *s, size_t i) {
  if (s->tile < 2 || s->m->n <= 2 * s->tile) return false;
  if (i % s->tile == 0) s->begun = false;
  return continues(s, i, i, identity(s));
}

// Does the scan begin anew at the first wrong element? A single one, 0 by chance, says little.
static bool alone(state *s, size_t i) {
  enum { BLOCK = 256 };
  return at_tile(s) && (s->m->wrong > 1 || s->m->first >= BLOCK) && continues(s, s->m->first, i, identity(s));
}

static sl_elem join(const state *s, size_t n) {
  sl_elem sum = identity(s);
  for (size_t k = 0; k < n; k++) sum = apply(s, sum, input(s, k));
  return sum;
}

// What is true of the first wrong tile is enough: the next ones have several such faults.
static bool goes_on_from(state *s, size_t i, size_t n_before) {
  const size_t first = s->m->first;
  if (!at_tile(s)) return false;
  return i >= 2 * first || continues(s, first, i, s->begun ? s->running : join(s, n_before));
}

static bool is_power(size_t n) { return (n & (n - 1)) == 0; }

// Is only a part of what comes before added, the nearest elements: a tile, or as many as fit into one level?
static bool nearest_only(state *s, size_t i) {
  const size_t first = s->m->first;
  sl_elem sum = identity(s);
  if (!at_tile(s)) return false;
  for (size_t k = first; !s->begun && k > 1; k--) {
    sum = apply(s, input(s, k - 1), sum);
    const size_t n = first - k + 1;
    if (n >= WARP && is_power(n) && continues(s, first, first, sum)) break;
    s->begun = false;
  }
  return s->begun && (i >= 2 * first || continues(s, first, i, sum));
}

static bool lacks_one(state *s, size_t i) { return s->m->first > 0 && goes_on_from(s, i, s->m->first - 1); }

// Is only the beginning of the first tile added? Behind several tiles the whole sums of some may be missing.
static bool part_only(state *s, size_t i) {
  enum { LARGEST_TILE = 8192 };
  const size_t first = s->m->first;
  sl_elem sum = identity(s);
  if (!at_tile(s) || first > LARGEST_TILE) return false;
  for (size_t k = 0; !s->begun && k + 1 < first; k++) {
    sum = apply(s, sum, input(s, k));
    if (continues(s, first, first, sum)) break;
    s->begun = false;
  }
  return s->begun && (i >= 2 * first || continues(s, first, i, sum));
}

// Is what stands before the tile the sum up to its end?
static bool own_too(state *s, size_t i) {
  return goes_on_from(s, i, 2 * s->m->first < s->m->n ? 2 * s->m->first : s->m->n);
}

// Maps x -> a * x + b: whatever the order, the factors have the same product. Two have one other order.
static bool swapped(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  const sl_elem want = sl_elem_at(s->c->ref->want, spec->type, i);
  const size_t joined = i + (spec->kind == SL_INCLUSIVE);
  if (spec->op != SL_COMPOSE || got(s, i).a.a != want.a.a || joined < 2) return false;
  return joined > 2 || got(s, i).a.b == apply(s, input(s, 1), input(s, 0)).a.b;
}

static bool above_zero(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  const sl_elem want = sl_elem_at(s->c->ref->want, spec->type, i);
  const bool negative = spec->type == SL_F32 ? want.f < 0 : spec->type == SL_I32 && want.i < 0;
  return spec->op == SL_MAX && negative && all_zero(s, i);
}

// Are all sums off by the same? The root was not cleared, or the accumulator did not start at 0.
static bool shifted(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  sl_elem x = got(s, i), want = sl_elem_at(s->c->ref->want, spec->type, i), by = {.u = x.u - want.u};
  if (spec->op != SL_ADD || s->m->wrong < s->m->n || s->m->n < 2) return false;
  if (spec->type == SL_F32) by.f = x.f - want.f;
  if (i == 0) s->offset = by;
  return about(spec->type, by, s->offset);
}

// Among a few elements the places of the wrong ones say little.
static bool many(const state *s) { return s->m->n >= 8; }
static bool odd(state *s, size_t i) { return many(s) && s->m->wrong > 1 && i % 2 == 1; }
static bool even(state *s, size_t i) { return many(s) && s->m->wrong > 1 && i % 2 == 0; }
static bool last(state *s, size_t i) { return many(s) && i + 1 == s->m->n; }
static bool first(state *s, size_t i) { return many(s) && i == 0; }
static bool from_there(state *s, size_t i) {
  return s->m->first > 0 && i >= s->m->first && s->m->wrong == s->m->n - s->m->first;
}
static bool is_whole_shift(state *s, size_t) { return s->m->wrong == s->m->n; }

typedef struct row {
  bool (*holds)(state *s, size_t i);
  enum {
    WRONG,
    LATER,
    ALL
  } of; // must hold for the wrong elements, for all from the first wrong one on, for all
  sl_pattern pattern;
} row;

static const row rows[] = {
    {above_zero, WRONG, SL_PATTERN_ABOVE_ZERO},
    {swapped, WRONG, SL_PATTERN_SWAPPED},
    {tile_alone, LATER, SL_PATTERN_TILE_ALONE},
    {alone, WRONG, SL_PATTERN_ALONE},
    {cut, WRONG, SL_PATTERN_CUT},
    {all_zero, WRONG, SL_PATTERN_ZERO},
    {nan_value, WRONG, SL_PATTERN_NAN},
    {is_moved, WRONG, SL_PATTERN_MOVED},
    {is_first_lost, ALL, SL_PATTERN_FIRST_LOST},
    {is_inclusive, ALL, SL_PATTERN_INCLUSIVE},
    {is_exclusive, ALL, SL_PATTERN_EXCLUSIVE},
    {is_next, ALL, SL_PATTERN_NEXT},
    {is_twice, ALL, SL_PATTERN_TWICE},
    {is_total, ALL, SL_PATTERN_TOTAL},
    {is_input, WRONG, SL_PATTERN_INPUT},
    {lacks_one, WRONG, SL_PATTERN_LACKS_ONE},
    {own_too, WRONG, SL_PATTERN_OWN_TOO},
    {nearest_only, WRONG, SL_PATTERN_NEAREST},
    {part_only, WRONG, SL_PATTERN_PART},
    {others, WRONG, SL_PATTERN_OTHERS},
    {last, WRONG, SL_PATTERN_LAST},
    {first, WRONG, SL_PATTERN_FIRST},
    {odd, WRONG, SL_PATTERN_ODD},
    {even, WRONG, SL_PATTERN_EVEN},
    {shifted, WRONG, SL_PATTERN_SHIFTED},
    {is_whole_shift, WRONG, SL_PATTERN_WHOLE},
    {from_there, WRONG, SL_PATTERN_FROM_THERE},
};

static bool holds(const row *r, state *s) {
  for (size_t i = r->of == ALL ? 0 : s->m->first; i < s->m->n; i++)
    if ((r->of != WRONG || !sl__scan_matches(s->c, i, i)) && !r->holds(s, i)) return false;
  return true;
}

bool sl__scan_unwritten(const sl_scan_check *c, const sl_mismatch *m) {
  state s = {.c = c, .m = m};
  return holds(&(row){.holds = never_written}, &s);
}

// Was an element, but not each wrong one, never written?
static bool has_gaps(const sl_scan_check *c, const sl_mismatch *m) {
  state s = {.c = c, .m = m};
  for (size_t i = m->first; i < m->n; i++)
    if (never_written(&s, i) && !sl__scan_matches(c, i, i)) return true;
  return false;
}

sl_pattern sl__scan_pattern(const sl_scan_check *c, const sl_mismatch *m) {
  if (has_gaps(c, m)) return SL_PATTERN_GAPS;
  // A tile that restarts is wrong from its first element on, exclusive or inclusive.
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    state s = {.c = c, .m = m, .tile = m->first};
    if (holds(&rows[k], &s)) return rows[k].pattern;
  }
  return SL_PATTERN_NONE;
}

const char *sl_pattern_id(sl_pattern p) {
  static const char *const IDS[SL_PATTERN_COUNT] = {
      "",
#define SL_PATTERN(name, id, text) id,
#include "reference/patterns.def"
#undef SL_PATTERN
  };
  return IDS[p];
}
