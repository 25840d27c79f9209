// Which cases `check` leaves out after one that failed: those behind a case that does not end, and no others,
// however long the clock says that it took.
#include "base/unit.h"
#include "tools/student/student.h"

enum { CASES = 4 };
static sl_case the_cases[CASES];
static sl_part the_part = {.id = "scan", .cases = the_cases, .n_cases = CASES};
static sl_lab_info the_info;
static sl_lab the_lab = {.info = &the_info, .parts = &the_part, .n_parts = 1};
static const char *the_record; // of every case
static unsigned judged;

// What climb.c asks of other files: each case is judged alone, by one thread, and has that record.
bool sl__is_shared(const sl_trial *) { return false; }
void sl__judge_together(const sl_ladder *, sl_trial *const *, size_t, double) {}
void sl__ladder_add(sl_ladder *, const sl_skeleton *) {}
void sl__ladder_settle(sl_ladder *) {}
bool sl__judge_trial(const sl_ladder *, sl_trial *t, sl_error *) {
  t->record = json_loads(the_record, 0, NULL);
  t->status = SL_FAIL;
  return ++judged, t->record != NULL;
}
void sl__ladder_prepare(sl_ladder *l) {
  l->steps = calloc(1, sizeof *l->steps);
  l->steps->part = &the_part;
  l->steps->trials = calloc(CASES, sizeof *l->steps->trials);
  for (unsigned k = 0; k < CASES; k++) l->steps->trials[k] = (sl_trial){&the_cases[k], SL_UNTRIED, NULL};
}

static unsigned judged_with(const char *record) {
  sl_ladder l = {.lab = &the_lab, .kernel = "/dev/null", .jobs = 1};
  sl_error e = {0};
  the_record = record, judged = 0;
  assert_true(sl__climb(&l, NULL, NULL, &e));
  for (unsigned k = 0; k < CASES; k++) json_decref(l.steps->trials[k].record);
  free(l.steps->trials);
  free(l.steps);
  return judged;
}

TEST(a_busy_machine_leaves_nothing_out) {
  assert_int_equal(
      judged_with("{\"reason\": \"result.wrong\", \"seconds\": 60.0, \"processor_seconds\": 0.4}"), CASES);
}

TEST(a_case_that_computes_for_long_is_the_last) {
  assert_int_equal(
      judged_with("{\"reason\": \"result.wrong\", \"seconds\": 6.0, \"processor_seconds\": 11.5}"), 1);
}

// A program that waits computes nothing, and one that is stopped on a busy machine has computed little.
TEST(a_case_that_is_stopped_is_the_last) {
  assert_int_equal(judged_with("{\"reason\": \"late\", \"processor_seconds\": 0.4}"), 1);
  assert_int_equal(judged_with("{\"reason\": \"program.idle\", \"processor_seconds\": 0.4}"), 1);
  assert_int_equal(
      judged_with("{\"reason\": \"cuda.finding\", \"fields\": {\"finding\": \"progress.timeout\"}}"), 1);
  assert_int_equal(
      judged_with("{\"reason\": \"cuda.finding\", \"fields\": {\"finding\": \"progress.deadlock\"}}"), CASES);
}
