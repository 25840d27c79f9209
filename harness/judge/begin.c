// How a graded case that looks for races begins: with the calls of a case that counts work. A program whose
// kernels are fast with a race, and slow without, would otherwise know by the first sizes where to be which.
//
// Interface: sl__begin_as_counted (run.h). Which counted case it is follows from the seed, which nobody knows
// in grading; in a student's own run the case has the sizes that its description says, and no others.
#include "judge/run.h"

// Its sizes are no larger than the case's own, as looking for races takes time.
static bool serves(const sl_case *c, const sl_part *part, const sl_case *counted) {
  return part->kind == SL_PART_COUNTERS && sl__alike(c, counted) && !strcmp(c->dist, counted->dist) &&
         sl_case_largest(counted) <= sl_case_largest(c);
}

// Those that serve: how many, and number [k] of them.
static unsigned counted_cases(const sl_case *c, unsigned k, const sl_case **at) {
  const sl_lab *lab = c->part->lab;
  unsigned n = 0;
  for (size_t p = 0; p < lab->n_parts; p++)
    for (size_t i = 0; i < lab->parts[p].n_cases; i++)
      if (serves(c, &lab->parts[p], &lab->parts[p].cases[i]) && n++ == k) *at = &lab->parts[p].cases[i];
  return n;
}

static void add(sl_case *c, uint64_t n, unsigned times) {
  if (c->n_also == SL_MAX_ALSO) return;
  c->times[c->n_also] = times;
  c->also[c->n_also++] = n;
}

void sl__begin_as_counted(sl_case *c) {
  const sl_case own = *c, *at = NULL;
  if (!c->part || c->part->kind != SL_PART_CLEAN || !c->salted || c->n == SL_WHOLE) return;
  const unsigned n = counted_cases(c, 0, &at);
  if (!n) return;
  counted_cases(c, (unsigned)(sl_mix(c->seed) % n), &at);
  sl_case counted = *at;
  counted.seed = sl_mix(c->seed ^ at->seed) >> 1;
  c->n = counted.n, c->n_also = 0;
  for (unsigned k = 0; k < counted.n_also; k++) add(c, counted.also[k], 0);
  for (unsigned k = 0; k < counted.n_draw; k++) add(c, sl_case_drawn(&counted, k), 0);
  add(c, own.n, 0);
  for (unsigned k = 0; k < own.n_also; k++) add(c, own.also[k], own.times[k]);
}
