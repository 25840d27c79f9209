// Was the result of a call computed as a scan or a sort on a GPU is: by kernels, and by many threads?
//
// Interface: sl__check_computed (run.h), after the result was found right. The simulated GPU counts launches,
// stores, the instructions of the busiest warp, and every byte that passes between the host and the device; a
// real one counts nothing, and nothing is judged there. What each check stops stands in grader/README.md.
#include "judge/run.h"

#include <stdlib.h>

// Words that the stores of the launches since [from] can have written, at most.
static uint64_t words_stored(const sl_launch_record *at, size_t from, size_t n) {
  uint64_t words = 0;
  for (size_t k = from; k < n; k++)
    words += (at[k].counters.global_st_sectors + at[k].counters.global_atomic_sectors) * 8;
  return words;
}

// A right result must have been computed on the device: by launches of this call that stored that much.
// One element is left out: there a copy is a fair way to write the result.
static bool check_launches(sl_judging *j, const sl_case_call *c, const sl_launch_record *at, size_t n) {
  if (c->in.n <= 1) return true;
  if (n <= j->launches) return sl__verdict_fail(j, c, SL_REASON_COMPUTED_NOWHERE, NULL, NULL);
  if (words_stored(at, j->launches, n) < c->in.n)
    return sl__verdict_fail(j, c, SL_REASON_COMPUTED_LESS, NULL, NULL);
  return true;
}

// The result must not have been written by the host: neither at once, nor spelled out byte by byte. One
// element may, the first of an exclusive scan; clearing a buffer is fair too.
static bool check_written(sl_judging *j, const sl_case_call *c, unsigned long long bytes,
                          unsigned long long fills) {
  enum { FAIR_FILLS = 64 };
  if (c->in.n <= 1 || (bytes <= sl_elem_size(j->job->c->type) && fills <= FAIR_FILLS)) return true;
  return sl__verdict_fail(j, c, SL_REASON_COMPUTED_COPIED,
                          json_pack("{s:I, s:I}", "bytes", SL_INT(bytes), "fills", SL_INT(fills)), NULL);
}

// Nor must it have been computed there: who cannot see the input cannot do that, by whatever way the result
// comes back.
static bool check_read(sl_judging *j, const sl_case_call *c, unsigned long long bytes) {
  unsigned allowed = j->job->c->host_bytes;
  if (allowed == SL_ANY || c->in.n <= 1 || bytes <= allowed) return true;
  return sl__verdict_fail(j, c, SL_REASON_COMPUTED_READ,
                          json_pack("{s:I, s:I}", "bytes", SL_INT(bytes), "most", SL_INT(allowed)), NULL);
}

// A result that thousands of launches have put together may have come back as what they took: a program that
// measures each learns a few bits of the input from every one. A scan whose every step is a launch of its
// own, both ways, needs two for each bit of n. And thousands of threads are not one.
enum {
  LAUNCHES = 8,
  LAUNCHES_A_BIT = 3 /* of n */,
  SORT_LAUNCHES = 2048,
  FREE_INSTRUCTIONS = 16384,
  ELEMENTS_AN_INSTRUCTION = 4
};

static bool check_number(sl_judging *j, const sl_case_call *c, size_t n) {
  size_t allowed = LAUNCHES;
  for (size_t k = c->in.n; k; k /= 2) allowed += LAUNCHES_A_BIT;
  if (j->job->c->entry == SL_ENTRY_SORT) allowed = SORT_LAUNCHES;
  if (j->job->c->host_bytes == SL_ANY || n <= allowed) return true;
  return sl__verdict_fail(j, c, SL_REASON_COMPUTED_LAUNCHES,
                          json_pack("{s:I, s:I}", "launches", SL_INT(n), "most", SL_INT(allowed)), NULL);
}

// Only in the standard schedule: in others a warp may wait for another for long.
static bool check_spread(sl_judging *j, const sl_case_call *c, const sl_launch_record *at, size_t from,
                         size_t n) {
  uint64_t most = FREE_INSTRUCTIONS + c->in.n / ELEMENTS_AN_INSTRUCTION, longest = 0;
  for (size_t k = from; k < n; k++)
    if (longest < at[k].counters.longest_warp) longest = at[k].counters.longest_warp;
  if (j->job->schedule || j->job->c->host_bytes == SL_ANY || longest <= most) return true;
  return sl__verdict_fail(j, c, SL_REASON_COMPUTED_ONE_WARP,
                          json_pack("{s:I, s:I, s:I}", "instructions", SL_INT(longest), "n", SL_INT(c->in.n),
                                    "most", SL_INT(most)),
                          NULL);
}

static bool check_host(sl_judging *j, const sl_case_call *c) {
  sl_host_traffic now, before = j->traffic;
  sl_error e = {0};
  sl_control *control = sl_device_control(j->device);
  if (!control) return true;
  if (!sl_control_host_traffic(control, &now, &e)) return sl__verdict_error(j, &e);
  j->traffic = now;
  if (c->number == 0) j->v->counters.moved = now.moved - before.moved;
  bool ok = check_written(j, c, now.written - before.written, now.small_fills - before.small_fills) &&
            check_read(j, c, now.read - before.read);
  j->v->from_host |= !ok;
  return ok;
}

static bool take_launches(sl_judging *j, const sl_case_call *c) {
  sl_launch_record *at = NULL;
  size_t n = 0;
  sl_error e = {0};
  sl_control *control = sl_device_control(j->device);
  if (!control) return true;
  if (!sl_control_launches(control, &at, &n, &e)) return sl__verdict_error(j, &e);
  for (size_t k = 0; c->number == 0 && k < n; k++) sl_counter_add(&j->v->counters, &at[k].counters);
  bool ok = check_launches(j, c, at, n) && check_number(j, c, n - j->launches) &&
            check_spread(j, c, at, j->launches, n);
  j->launches = n;
  free(at);
  return ok;
}

// Kernels' texts never pass through the program, which could learn its input from them.
void sl__take_printed(sl_judging *j, bool keep) {
  sl_control *control = j->device ? sl_device_control(j->device) : NULL;
  sl_error e = {0};
  char *text = NULL;
  size_t len = 0;
  if (!control || !j->student.text || !sl_control_printed(control, &text, &len, &e)) return;
  if (keep && len) sl_student_add_text(&j->student, text, len);
  else j->student.text_dropped += len;
  free(text);
}

bool sl__check_computed(sl_judging *j, const sl_case_call *c) {
  bool ok = take_launches(j, c) && check_host(j, c);
  if (ok) sl__take_printed(j, c->number == 0 || !c->timed); // repeated calls say the same again
  return ok;
}
