// The order in which findings are told: causes before what follows from them.
//
// Interface: sl_findings_sort (findings.h). An earlier launch comes first, since it made what a later one
// reads. Within a launch the kinds follow each other as in KINDS: a race makes values and indices wrong, a
// store out of bounds leaves an element unwritten, and a kernel that never ends may wait for any of these.
#include "findings/findings.h"

static const sl_found KINDS[] = {
    SL_FOUND_LOAD_IMAGE,        SL_FOUND_LOAD_PTX,          SL_FOUND_BARRIER_INVALID,
    SL_FOUND_BARRIER_MASK,      SL_FOUND_BARRIER_DIVERGENT, SL_FOUND_RACE_ASYNC,
    SL_FOUND_RACE_HOST,         SL_FOUND_RACE_SHARED,       SL_FOUND_RACE_GLOBAL,
    SL_FOUND_ORDER_FENCE,       SL_FOUND_REPEAT_STATE,      SL_FOUND_MEMORY_HOST,
    SL_FOUND_MEMORY_FREED,      SL_FOUND_MEMORY_READONLY,   SL_FOUND_MEMORY_BOUNDS,
    SL_FOUND_MEMORY_MISALIGNED, SL_FOUND_MEMORY_FREE,       SL_FOUND_STACK_OVERFLOW,
    SL_FOUND_KERNEL_ASSERT,     SL_FOUND_KERNEL_TRAP,       SL_FOUND_KERNEL_ILLEGAL,
    SL_FOUND_MEMORY_UNINIT,     SL_FOUND_PROGRESS_DEADLOCK, SL_FOUND_PROGRESS_TIMEOUT,
    SL_FOUND_PROGRESS_ORDER,    SL_FOUND_SCHEDULE_DIFFERS,  SL_FOUND_HOST_ERROR,
    SL_FOUND_MEMORY_LEAK,       SL_FOUND_MEMORY_CONSTANT,   SL_FOUND_MEMORY_COPIED,
    SL_FOUND_MEMORY_FILL};
enum { N_KINDS = sizeof KINDS / sizeof *KINDS };
_Static_assert(N_KINDS == SL_FOUND_COUNT - 1, "every kind has its place");

static bool is_race(const sl_finding *f) {
  return f->id == SL_FOUND_RACE_SHARED || f->id == SL_FOUND_RACE_GLOBAL;
}

// An early finding stands in front of a kind that follows from it: an unwritten index in front of the access
// to a wrong place, a flag that is polled plainly in front of the races on what it guards. Not where the
// launch had made a bad access before: an element that went astray is missing where it belongs, and is raced
// for where it does not: such a race stands behind the access.
static int place_of(const sl_finding *f) {
  const bool race = is_race(f);
  const sl_found id = f->follows                        ? race ? SL_FOUND_MEMORY_BOUNDS : f->id
                      : !f->early                       ? f->id
                      : f->id == SL_FOUND_MEMORY_UNINIT ? SL_FOUND_MEMORY_HOST
                                                        : SL_FOUND_RACE_ASYNC;
  int k = 0;
  while (k < N_KINDS && KINDS[k] != id) k++;
  return 2 * k - (f->early && !f->follows) + (race && f->follows);
}

// What belongs to no launch comes last, but for bytes that the host changed: the next launch has met them.
static uint64_t launch_of(const sl_finding *f) {
  return f->grid[0] || f->id == SL_FOUND_RACE_HOST ? f->launch : UINT64_MAX;
}

// Below 0: x is told before y.
static int compare_causes(const sl_finding *x, const sl_finding *y) {
  const uint64_t xs = launch_of(x), ys = launch_of(y);
  if (xs != ys) return xs < ys ? -1 : 1;
  return place_of(x) - place_of(y);
}

static bool same_places(const sl_finding *x, const sl_finding *y) {
  return x->launch == y->launch && ((x->line == y->line && x->other_line == y->other_line) ||
                                    (x->line == y->other_line && x->other_line == y->line));
}

static void move_forward(sl_finding *f, size_t from, size_t to) {
  const sl_finding moved = f[from];
  for (; from > to; from--) f[from] = f[from - 1];
  f[to] = moved;
}

// A missing fence is told before the race of threads at the same places that had not seen the flag yet.
static void put_fences_first(sl_finding *f, size_t n) {
  for (size_t k = 1; k < n; k++)
    for (size_t to = 0; f[k].id == SL_FOUND_ORDER_FENCE && to < k; to++)
      if (f[to].id == SL_FOUND_RACE_GLOBAL && same_places(&f[to], &f[k])) move_forward(f, k, to);
}

// Did the launch go past the end of the array at a line of the race? Then the index is wrong, and where it
// did not leave the array it met the elements of others.
static bool by_bad_index(const sl_finding *race, const sl_finding *f) {
  return f->id == SL_FOUND_MEMORY_BOUNDS && f->launch == race->launch && f->grid[0] && f->line &&
         (f->line == race->line || f->line == race->other_line) && *f->object.name &&
         !strcmp(f->object.name, race->object.name) && !strcmp(f->object.space, race->object.space);
}

static void find_bad_indices(sl_finding *f, size_t n) {
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; is_race(&f[k]) && i < n; i++) f[k].follows |= by_bad_index(&f[k], &f[i]);
}

// Findings that nothing sets apart keep their order, in which they were found.
void sl_findings_sort(sl_finding *f, size_t n) {
  find_bad_indices(f, n);
  for (size_t k = 1; k < n; k++) {
    size_t to = k;
    while (to > 0 && compare_causes(&f[k], &f[to - 1]) < 0) to--;
    move_forward(f, k, to);
  }
  put_fences_first(f, n);
}
