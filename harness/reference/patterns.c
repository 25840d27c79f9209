// Finds what all wrong elements of a scan have in common, as a hint where to look.
//
// Interface: sl__scan_pattern tries the rows of a table from the most telling to the least and returns the
// first that holds for EVERY wrong element; its words are in patterns.def. A row is a question about one element
// i; rows with `state` may set it up from the first wrong element.
#include "reference/reference.h"

#include <math.h>

typedef struct state {
  const sl_scan_check *c;
  const sl_mismatch *m;
  size_t tile;     // guess at the tile size: the first wrong index
  sl_elem running; // scan since the last multiple of tile
  sl_elem offset;  // by how much the first element is wrong
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
static bool nan_value(state *s, size_t i) { return s->c->ref->spec.type == SL_F32 && isnan(got(s, i).f); }
static bool is_input(state *s, size_t i) { return is(s, i, s->c->in); }

// Was the inclusive scan given where the exclusive one is wanted? Then element i is what the next one should
// be. The last element has no next, so it fits.
static bool is_inclusive(state *s, size_t i) {
  if (s->c->ref->spec.kind != SL_EXCLUSIVE) return false;
  return i + 1 == s->m->n ? s->m->wrong > 1 : sl__scan_matches(s->c, i, i + 1);
}
static bool is_exclusive(state *s, size_t i) {
  sl_type type = s->c->ref->spec.type;
  if (s->c->ref->spec.kind != SL_INCLUSIVE) return false;
  if (i == 0) return sl_elem_same(type, got(s, i), sl_op_identity(type, s->c->ref->spec.op));
  return sl__scan_matches(s->c, i, i - 1);
}

// Are float sums of a tile close? 1e-3 relative is enough for a hint.
static bool about(sl_type type, sl_elem x, sl_elem y) {
  if (type != SL_F32) return sl_elem_same(type, x, y);
  return fabsf(x.f - y.f) <= 1e-3f * (1 + fabsf(y.f));
}

// Is each tile right by itself? Called for every i from the first tile on, in order, to keep `running`.
static bool tile_alone(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  if (s->tile < 2) return false;
  if (i % s->tile == 0) s->running = sl_op_identity(spec->type, spec->op);
  sl_elem next = sl_op_apply(spec->type, spec->op, s->running, sl_elem_at(s->c->in, spec->type, i));
  sl_elem want = spec->kind == SL_INCLUSIVE ? next : s->running;
  s->running = next;
  return about(spec->type, got(s, i), want);
}

// Are all sums off by the same? Then the root of the tree was not cleared, or the accumulator did not start
// at 0.
static bool shifted(state *s, size_t i) {
  const sl_scan_spec *spec = &s->c->ref->spec;
  sl_elem x = got(s, i), want = sl_elem_at(s->c->ref->want, spec->type, i), by = {.u = x.u - want.u};
  if (spec->op != SL_ADD || s->m->wrong < s->m->n || s->m->n < 2) return false;
  if (spec->type == SL_F32) by.f = x.f - want.f;
  if (i == 0) s->offset = by;
  return about(spec->type, by, s->offset);
}

static bool odd(state *s, size_t i) { return s->m->wrong > 1 && i % 2 == 1; }
static bool even(state *s, size_t i) { return s->m->wrong > 1 && i % 2 == 0; }
static bool last(state *s, size_t i) { return i + 1 == s->m->n; }
static bool first(state *s, size_t i) { return s->m->n > 1 && i == 0; }
static bool from_there(state *s, size_t i) {
  return s->m->first > 0 && i >= s->m->first && s->m->wrong == s->m->n - s->m->first;
}
static bool is_whole_shift(state *s, size_t i) { return (void)i, s->m->wrong == s->m->n; }

typedef struct row {
  bool (*holds)(state *s, size_t i);
  bool every; // must hold for every element from the first wrong one on, not only for the wrong ones
  sl_pattern pattern;
} row;

static const row rows[] = {
    {all_zero, false, SL_PATTERN_ZERO},
    {nan_value, false, SL_PATTERN_NAN},
    {is_inclusive, false, SL_PATTERN_INCLUSIVE},
    {is_exclusive, false, SL_PATTERN_EXCLUSIVE},
    {is_input, false, SL_PATTERN_INPUT},
    {tile_alone, true, SL_PATTERN_TILE_ALONE},
    {last, false, SL_PATTERN_LAST},
    {first, false, SL_PATTERN_FIRST},
    {odd, false, SL_PATTERN_ODD},
    {even, false, SL_PATTERN_EVEN},
    {shifted, false, SL_PATTERN_SHIFTED},
    {is_whole_shift, false, SL_PATTERN_WHOLE},
    {from_there, false, SL_PATTERN_FROM_THERE},
};

static bool holds(const row *r, state *s) {
  for (size_t i = s->m->first; i < s->m->n; i++)
    if ((r->every || !sl__scan_matches(s->c, i, i)) && !r->holds(s, i)) return false;
  return true;
}

bool sl__scan_unwritten(const sl_scan_check *c, const sl_mismatch *m) {
  state s = {.c = c, .m = m};
  return holds(&(row){.holds = never_written}, &s);
}

sl_pattern sl__scan_pattern(const sl_scan_check *c, const sl_mismatch *m) {
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
