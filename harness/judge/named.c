// Calls for the numbers that a kernel's source names. A program that does otherwise from 30000 elements on,
// at 777 alone, for a key 4242 or after a run of 500 has that number in its source, or one that is made of
// others: it is called with so many elements, with one less and one more, and with inputs about the number.
//
// Interface: sl_sizes_near, sl_sizes_by_remainder, sl_calls_about (named.h), sl__add_named, sl__find_about
// (run.h). No skeleton brings a number that makes a call. Where a source has too many numbers, a key draws
// among them: none is left out for certain.
#include "judge/named.h"

#include "judge/run.h"
#include "scanlab/generate.h"

// Numbers ---------------------------------------------------------------------------------------------------

// 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, ..: every kernel has such numbers, cases have sizes round as many tiles.
static bool is_usual(uint64_t c) { return c < 4 || (c & (c - 1)) == 0 || (c & (c + 1)) == 0; }

// Smaller ones come up everywhere, and limits of floats and whole numbers in cases of their own.
static bool is_special(uint64_t c) { return c >= 16 && c << 41 && c != UINT32_MAX; }

static bool is_rare(uint64_t c) { return is_special(c) && !is_usual(c) && !is_usual(c - 1); }

static int by_value(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

// Puts them into an order that is drawn.
static void shuffle(sl_numbers *s) {
  for (unsigned k = s->n; k > 1; k--) {
    const unsigned other = (unsigned)(sl_mix(s->key + k) % k);
    const uint64_t last = s->at[k - 1];
    s->at[k - 1] = s->at[other], s->at[other] = last;
  }
}

// Sizes -----------------------------------------------------------------------------------------------------

static void add_size(const sl_named *o, sl_numbers *sizes, uint64_t size) {
  if (size >= o->from && size <= o->to) sl__add_number(sizes, size);
}

void sl_sizes_near(const sl_named *o, const sl_numbers *numbers, sl_numbers *sizes) {
  for (unsigned k = 0; k < numbers->n; k++) {
    const uint64_t c = numbers->at[k];
    if (c) add_size(o, sizes, c - 1);
    add_size(o, sizes, c), add_size(o, sizes, c + 1);
    if (!o->tile || is_usual(c)) continue;
    add_size(o, sizes, c * o->tile), add_size(o, sizes, c * o->tile + 1); // so many tiles, and one more
  }
}

// Sizes that leave [d] divided by [c], drawn: of a few tiles, and of more.
static void add_by_remainder(const sl_named *o, sl_numbers *sizes, uint64_t c, uint64_t d) {
  static const unsigned TILES[] = {4, 8, 16, 32};
  for (unsigned k = 0; k < sizeof TILES / sizeof *TILES; k++) {
    const uint64_t tiles = o->tile ? TILES[k] * o->tile : o->to, most = tiles > 4 * c ? tiles : 4 * c,
                   to = most < o->to ? most : o->to,
                   draw = sl_mix(sizes->key ^ (c << 32 | d) ^ (uint64_t)k << 62);
    if (to >= c + d) add_size(o, sizes, d + c * (1 + draw % ((to - d) / c)));
  }
}

// Divided by a number to which so many tiles belong, these leave 0 and 1.
void sl_sizes_by_remainder(const sl_named *o, const sl_numbers *numbers, sl_numbers *sizes) {
  for (unsigned k = 0; k < numbers->n; k++)
    for (unsigned i = 0; i < numbers->n; i++) {
      const uint64_t c = numbers->at[k], d = numbers->at[i];
      const bool met = d < 2 && c * o->tile > d && c * o->tile < o->to;
      if (c > d && c >= 16 && (is_rare(c) || is_rare(d)) && !met) add_by_remainder(o, sizes, c, d);
    }
}

static bool has_size(const sl_case *c, uint64_t n) {
  bool found = c->n == n;
  for (unsigned k = 0; k < c->n_also; k++) found |= c->also[k] == n;
  return found;
}

bool sl__alike(const sl_case *a, const sl_case *b) {
  return a->entry == b->entry && a->type == b->type && a->op == b->op && a->kind == b->kind &&
         a->tile == b->tile && a->bits == b->bits && a->values == b->values && a->unaligned == b->unaligned &&
         a->n_scalars == b->n_scalars && !memcmp(a->scalars, b->scalars, sizeof a->scalars) &&
         !memcmp(a->scalars_to, b->scalars_to, sizeof a->scalars_to);
}

// Is the size one of this case, or, if results count alone, of one of the part with such inputs?
static bool is_there(const sl_case *c, uint64_t n) {
  const sl_part *part = c->part;
  bool found = has_size(c, n);
  for (size_t k = 0; part && part->kind == SL_PART_CORRECT && k < part->n_cases; k++)
    found |= sl__alike(c, &part->cases[k]) && !strcmp(c->dist, part->cases[k].dist) &&
             has_size(&part->cases[k], n);
  return found;
}

// Adds up to [most] of [sizes], drawn, with together at most four times the elements of the largest, or some.
static void add_sizes(sl_case *c, sl_numbers *sizes, unsigned most) {
  enum { MOST_OF_THE_LARGEST = 4, SOME = 32768 };
  const uint64_t largest = MOST_OF_THE_LARGEST * c->named.to, limit = largest > SOME ? largest : SOME;
  const unsigned first = c->n_also, room = SL_MAX_ALSO - first, last = first + (most < room ? most : room);
  uint64_t elements = 0;
  shuffle(sizes);
  for (unsigned k = 0; k < sizes->n && c->n_also < last; k++) {
    const uint64_t n = sizes->at[k];
    if (is_there(c, n) || elements + n > limit) continue;
    elements += n;
    c->times[c->n_also] = 0;
    c->also[c->n_also++] = n;
  }
  qsort(c->also + first, c->n_also - first, sizeof *c->also, by_value);
}

// A size above the range, drawn, and one more: a number, or so many tiles of it, if sizes that other cases
// draw have not as many. A size of a million costs no more than all others do. With a scalar there may be too
// few rows or columns then for the threads to share.
static void add_large(const sl_lab_info *lab, sl_case *c, const sl_numbers *numbers) {
  enum { LARGEST = 2500000, LARGEST_BY_TILES = 1300000, MANY_TILES = 2048 };
  sl_numbers large = {.key = numbers->key};
  for (unsigned k = 0; k < numbers->n; k++) {
    const uint64_t number = numbers->at[k], size = number * c->named.tile;
    if (number > c->named.to && number < LARGEST && number < lab->max_n) sl__add_number(&large, number);
    if (number >= MANY_TILES && size > c->named.to && size < LARGEST_BY_TILES && size < lab->max_n)
      sl__add_number(&large, size);
  }
  if (!large.n || c->n_also + 2 > SL_MAX_ALSO) return;
  shuffle(&large);
  for (unsigned k = 0; k < 2; k++) {
    c->times[c->n_also] = 0;
    c->also[c->n_also++] = large.at[0] + k;
  }
}

void sl__add_named(const sl_judge_job *job, sl_case *c) {
  enum { MOST_BY_REMAINDER = 32 };
  sl_numbers numbers = {.key = c->seed}, near = {.key = c->seed}, by_remainder = near;
  if (!c->named.to) return;
  sl_numbers_of(job->runner, &numbers);
  sl_sizes_near(&c->named, &numbers, &near);
  if (job->kind == SL_PART_CORRECT && c->named.tile && !c->n_scalars) add_large(job->lab, c, &numbers);
  add_sizes(c, &near, SL_MAX_ALSO);
  if (job->kind != SL_PART_CORRECT) return;
  sl_sizes_by_remainder(&c->named, &numbers, &by_remainder);
  add_sizes(c, &by_remainder, MOST_BY_REMAINDER);
}

// Elements --------------------------------------------------------------------------------------------------

// How many numbers share a call, and the shortest stretch of a number.
enum { NUMBERS_A_CALL = SL_MOST_ABOUT, SHORTEST = 256 };

static uint64_t parts_of(const char *dist) { return !strcmp(dist, "uniform_int") ? 1 : 3; }

// The elements of each part of a stretch (datasets/about.c): more than the largest number, if all parts
// together may be half of the largest size.
static uint64_t part_about(const sl_named *o, uint64_t parts, uint64_t largest) {
  uint64_t part = o->tile > SHORTEST ? o->tile : SHORTEST;
  while (part <= largest && 4 * parts * part <= o->to) part *= 2;
  return part;
}

static void add_call(const sl_named *o, const char *dist, const uint64_t *at, unsigned n,
                     sl_about_calls *calls) {
  sl_about_call *c = &calls->at[calls->n++];
  const uint64_t parts = n * parts_of(dist), size = parts * part_about(o, parts, at[n - 1]);
  *c = (sl_about_call){.n = size < o->to ? size : o->to};
  snprintf(c->dist, sizeof c->dist, "%s@", dist);
  for (unsigned k = 0; k < n; k++)
    sl_append(c->dist, sizeof c->dist, k ? "," : "", "%llu", (unsigned long long)at[k]);
}

// The special numbers from [from] to [to], at most [most], drawn, in their order.
static sl_numbers special_numbers(const sl_numbers *numbers, uint64_t from, uint64_t to, unsigned most) {
  sl_numbers some = {.key = numbers->key};
  for (unsigned k = 0; k < numbers->n; k++)
    if (is_special(numbers->at[k]) && numbers->at[k] >= from && numbers->at[k] <= to)
      sl__add_number(&some, numbers->at[k]);
  shuffle(&some);
  some.n = some.n < most ? some.n : most;
  qsort(some.at, some.n, sizeof *some.at, by_value);
  return some;
}

// Numbers of about one size share a call, as its stretches are as long as the largest needs.
void sl_calls_about(const sl_named *o, const char *dist, const sl_numbers *numbers, sl_about_calls *calls) {
  enum { MOST = 16, ABOUT_ONE = 16 };
  const sl_numbers some = special_numbers(numbers, 0, UINT32_MAX, MOST);
  for (unsigned k = 0, n; k < some.n && calls->n < SL_MOST_ABOUT_CALLS; k += n) {
    for (n = 1; n < NUMBERS_A_CALL && k + n < some.n && some.at[k + n] <= ABOUT_ONE * some.at[k]; n++)
      ;
    add_call(o, dist, some.at + k, n, calls);
  }
}

// For a case whose scalar is drawn from a range: that scalar and one more, with a few rows of elements.
static void add_scalars(const sl_case *c, const sl_numbers *numbers, sl_about_calls *calls) {
  const uint64_t from = (uint64_t)c->scalars[0], to = (uint64_t)c->scalars_to[0];
  const sl_numbers some = special_numbers(numbers, from, to, SL_MOST_ABOUT_CALLS / 4);
  for (unsigned k = 0; k < 2 * some.n; k++) {
    const uint64_t scalar = some.at[k / 2] + k % 2, rows = 2 * scalar + scalar / 2;
    sl_about_call *call = &calls->at[calls->n++];
    *call = (sl_about_call){.n = rows < c->named.to ? rows : c->named.to, .scalar = (int64_t)scalar};
    memcpy(call->dist, c->dist, sizeof call->dist);
  }
}

// Has the part a later case of the kind? One of them is enough.
static bool comes_later(const sl_case *c) {
  size_t k = c->part->n_cases;
  while (k > 0 && strcmp(c->part->cases[k - 1].id, c->id) &&
         !(c->part->cases[k - 1].named.to && sl__alike(c, &c->part->cases[k - 1])))
    k--;
  return k > 0 && strcmp(c->part->cases[k - 1].id, c->id);
}

void sl__find_about(const sl_judge_job *job, sl_about_calls *calls) {
  const sl_case *c = job->c;
  sl_numbers numbers = {.key = c->seed};
  const bool results = job->kind == SL_PART_CORRECT || job->kind == SL_PART_CLEAN;
  if (!c->named.to || !c->part || !results || job->contest || !c->dist[0] || comes_later(c)) return;
  sl_named range = c->named;
  if (c->entry == SL_ENTRY_SORT) range.tile = 0; // what a tile adds up to is nothing to a sort
  sl_numbers_of(job->runner, &numbers);
  if (c->n_scalars && c->scalars_to[0] > c->scalars[0]) add_scalars(c, &numbers, calls);
  else sl_calls_about(&range, c->dist, &numbers, calls);
}
