// End-to-end tests of the judge on the simulated GPU: a right kernel passes, and every hostile one fails for
// the reason that is its own. None may end as an error of the judge's, none may harm the judge.

#include <sys/prctl.h>
#include <unistd.h>
#include "base/unit.h"
#include "compile/build.h"
#include "judge/input.h"
#include "judge/judge.h"

static char *hostile, *exits_early, *answers_early, *hidden_work;

static char *build(const char *name) {
  char *path = sl_path("%s/%s", SL_TEST_FOLDER, name), *runner, *log;
  sl_error e = {0};
  sl_build_config config = {0};
  if (!sl_build_runner("03", path, &config, &runner, &log, &e)) fail_msg("%s: %s\n%s", name, e.text, log);
  free(path);
  free(log);
  return runner;
}

static const struct {
  char **runner;
  const char *name;
} runners[] = {{&hostile, "hostile.cu"},
               {&exits_early, "exits_early.cu"},
               {&answers_early, "answers_early.cu"},
               {&hidden_work, "hidden_work.cu"}};
enum { N_RUNNERS = sizeof runners / sizeof *runners };

static int build_all(void **state) {
  (void)state;
  for (int k = 0; k < N_RUNNERS; k++) *runners[k].runner = build(runners[k].name);
  return 0;
}

static int free_all(void **state) {
  (void)state;
  for (int k = 0; k < N_RUNNERS; k++) free(*runners[k].runner);
  return 0;
}

static sl_case a_case(uint64_t n) {
  sl_case c;
  sl_error e = {0};
  sl_case_init(&c, sl_lab_find("03", &e));
  c.n = n;
  c.timeout = 20;
  return c;
}

static void judge_as(sl_verdict *v, const char *runner, const sl_case *c, sl_part_kind kind) {
  sl_error e = {0};
  sl_judge_job job = {
      .lab = sl_lab_find("03", &e), .c = c, .kind = kind, .runner = runner, .backend = SL_BACKEND_SIM};
  sl_judge(&job, v);
}

static void expect(const sl_verdict *v, sl_reason why, const char *phrase) {
  sl_status status = why <= SL_REASON_RIGHT_TIMED   ? SL_PASS
                     : why == SL_REASON_JUDGE_ERROR ? SL_ERROR
                                                    : SL_FAIL;
  if (v->status != status || v->reason != why || !strstr(v->message, phrase))
    fail_msg("expected %s with \"%s\", got %s, %s: %s\n%s", sl_reason_of(why)->id, phrase,
             sl_status_names[v->status], sl_reason_of(v->reason)->id, v->message, v->detail ? v->detail : "");
}

static void expect_detail(const sl_verdict *v, const char *phrase) {
  if (!v->detail || !strstr(v->detail, phrase))
    fail_msg("expected \"%s\" in: %s", phrase, v->detail ? v->detail : "");
}

static void expect_judged(const char *runner, const sl_case *c, sl_part_kind kind, sl_reason why,
                          const char *phrase) {
  sl_verdict v;
  judge_as(&v, runner, c, kind);
  expect(&v, why, phrase);
  sl_verdict_free(&v);
}

static void expect_fail(const char *runner, uint64_t n, sl_reason why, const char *phrase) {
  sl_case c = a_case(n);
  sl_verdict v;
  judge_as(&v, runner, &c, SL_PART_CORRECT);
  expect(&v, why, phrase);
  assert_int_equal(v.exit_code, SL_EXIT_FAILED);
  sl_verdict_free(&v);
}

// Right kernels ---------------------------------------------------------------------------------------------

TEST(right_kernel_passes) {
  static const uint64_t sizes[] = {0, 1, 2, 33, 1000, 2048};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    sl_case c = a_case(sizes[k]);
    sl_verdict v;
    c.calls = 2;
    c.n_also = 2;
    c.also[0] = 0;
    c.also[1] = 65;
    judge_as(&v, hostile, &c, SL_PART_CORRECT);
    expect(&v, SL_REASON_RIGHT, "right");
    assert_int_equal(v.exit_code, 0);
    assert_int_equal(v.times.repeats, 2);
    assert_true(v.times.min > 0 && v.times.min <= v.times.median && v.times.median <= v.times.max);
    assert_int_equal(v.counters.launches, sizes[k] > 0);
    sl_verdict_free(&v);
  }
}

TEST(rounding_is_checked) {
  sl_case c = a_case(1000);
  c.check = SL_CHECK_ROUNDING;
  strcpy(c.dist, "uniform");
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_RIGHT, "right");
  c.n = 1018;
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_RESULT_WRONG, "equals the inclusive result");
  c.check = SL_CHECK_EXACT; // this input has no exact sums: the case is at fault
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_JUDGE_ERROR, "exact float sums");
}

TEST(counters_are_judged) {
  sl_case c = a_case(1000);
  sl_verdict v;
  c.n_expect = 2;
  c.expect[0] = (sl_expect){"launches", 1, 1, 0};
  c.expect[1] = (sl_expect){"adds", 1000, 1000, 0};
  expect_judged(hostile, &c, SL_PART_COUNTERS, SL_REASON_RIGHT, "right");
  c.expect[1] = (sl_expect){"adds", 0, 999, 0};
  judge_as(&v, hostile, &c, SL_PART_COUNTERS);
  expect(&v, SL_REASON_COUNTER_MOST, "adds: 1000, expected at most 999");
  assert_true(v.credit == 0);
  sl_verdict_free(&v);
  c.expect[1] = (sl_expect){"adds", 0, 900, 1300}; // a quarter of the way down
  judge_as(&v, hostile, &c, SL_PART_COUNTERS);
  expect(&v, SL_REASON_COUNTER_MOST, "at most 900: 75 % of the points");
  assert_true(v.credit == 0.75);
  sl_verdict_free(&v);
  c.n = 1006; // zeros need no additions: without the right result counters count for nothing
  expect_judged(hostile, &c, SL_PART_COUNTERS, SL_REASON_RESULT_WRONG, "zero");
}

// The scan of 1000 elements by one thread, element by element: what that takes in turn counts, and not its
// traffic.
TEST(speed_is_judged) {
  sl_case c = a_case(1000);
  sl_verdict v;
  c.host_bytes = 0;
  c.reference_launches = 5, c.reference_sectors = 2000;
  judge_as(&v, hostile, &c, SL_PART_SPEED);
  expect(&v, SL_REASON_RIGHT_MODEL, "of the reference's speed");
  assert_true(v.speed.basis == SL_BASIS_MODEL && v.speed.credit == 1);
  sl_interval ratio = v.speed.ratio;
  sl_verdict_free(&v);
  c.reference_launches = 2; // slower than this: a share of the points
  judge_as(&v, hostile, &c, SL_PART_SPEED);
  sl_record_head head = {"03.speed.n1000.sim", "03_blelloch", "speed", "n1000", "sim", "abcd", 6, 7};
  json_auto_t *record = sl_record(&v, &head);
  expect(&v, v.speed.ratio.hi < 0.9 ? SL_REASON_SPEED_MODEL : SL_REASON_RIGHT_MODEL, "not measured");
  assert_true(v.speed.ratio.hi < ratio.hi && v.speed.credit > 0);
  double points = json_real_value(json_object_get(record, "points"));
  assert_true(points == (v.status == SL_PASS ? 6 : 6 * v.speed.credit));
  sl_verdict_free(&v);
  c.n = 1006; // wrong, and fast
  judge_as(&v, hostile, &c, SL_PART_SPEED);
  expect(&v, SL_REASON_RESULT_WRONG, "zero");
  assert_true(v.speed.basis == SL_BASIS_NONE);
  sl_verdict_free(&v);
}

// Batches of calls, made and checked as on a real GPU; the times of a simulation say nothing, so a verdict
// about them may be withheld.
static void contest(sl_verdict *v, uint64_t n, const char *reference) {
  sl_error e = {0};
  sl_case c = a_case(n);
  sl_judge_job job = {.lab = sl_lab_find("03", &e),
                      .c = &c,
                      .kind = SL_PART_CORRECT,
                      .runner = hostile,
                      .reference = reference,
                      .contest = true,
                      .contest_seconds = 0.5,
                      .backend = SL_BACKEND_SIM};
  sl_judge(&job, v);
}

TEST(batches_are_timed) {
  sl_verdict v;
  const char *const references[] = {NULL, hostile};
  for (int k = 0; k < 2; k++) {
    contest(&v, 300, references[k]);
    if (v.status != SL_ERROR || !strstr(v.message, "no verdict")) expect(&v, SL_REASON_RIGHT, "right");
    if (v.status == SL_PASS) {
      const sl_speed *s = &v.speed;
      assert_true(s->basis == SL_BASIS_TIME && s->rounds > 0 && s->calls == 256);
      assert_true(s->own.lo <= s->own.value && s->own.value <= s->own.hi && s->copy.value > 0 &&
                  s->handshake.value > 0);
      assert_true(!k || (s->ratio.lo <= s->ratio.value && s->ratio.value <= s->ratio.hi && s->credit > 0 &&
                         s->credit <= 1));
    }
    sl_verdict_free(&v);
  }
}

// The first call, checked by itself, is honest in all of these.
TEST(wrong_results_in_batches_fail) {
  sl_verdict v;
  static const uint64_t sizes[] = {1019, 1035}; // an earlier result, copied; an output that is not written
  for (size_t k = 0; k < 2; k++) {
    contest(&v, sizes[k], NULL);
    expect(&v, SL_REASON_TIMED_WRONG, "256 of 256 timed calls of one batch");
    sl_verdict_free(&v);
  }
  contest(&v, 300, exits_early); // a reference that does not work is no fault of the submission's
  expect(&v, SL_REASON_JUDGE_ERROR, "the reference solution");
  sl_verdict_free(&v);
}

TEST(clean_is_judged) {
  sl_case c = a_case(1000);
  expect_judged(hostile, &c, SL_PART_CLEAN, SL_REASON_RIGHT, "right");
  c.n = 1006;
  expect_judged(hostile, &c, SL_PART_CLEAN, SL_REASON_RESULT_WRONG, "zero");
}

// Wrong and hostile kernels ---------------------------------------------------------------------------------

TEST(wrong_results_fail) {
  expect_fail(hostile, 1005, SL_REASON_RESULT_WRONG, "NaN");
  expect_fail(hostile, 1006, SL_REASON_RESULT_WRONG, "all wrong elements are zero");
  expect_fail(hostile, 1018, SL_REASON_RESULT_WRONG, "off by one: equals the inclusive result");
  expect_fail(hostile, 1021, SL_REASON_RESULT_UNWRITTEN, "never written");
}

TEST(results_without_kernels_fail) {
  expect_fail(hostile, 1001, SL_REASON_COMPUTED_NOWHERE, "no kernel was launched");
  expect_fail(hostile, 1002, SL_REASON_COMPUTED_LESS, "stored less");
  expect_fail(hostile, 1025, SL_REASON_COMPUTED_COPIED, "copied from the host: 4100 bytes");
  expect_fail(hostile, 1026, SL_REASON_COMPUTED_COPIED, "4104 small fills");
}

TEST(results_through_the_host_fail) {
  static const struct {
    uint64_t n;
    const char *phrase;
  } rows[] = {{1031, "copied 4124 bytes from the device"},
              {1032, "copied 4128 bytes from the device"},
              {1043, "copied 4172 bytes from the device"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_case c = a_case(rows[k].n);
    sl_verdict v;
    // without a bound it is let pass
    expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_RIGHT, "right");
    c.host_bytes = 128;
    judge_as(&v, hostile, &c, SL_PART_CORRECT);
    expect(&v, SL_REASON_COMPUTED_READ, rows[k].phrase);
    assert_true(v.from_host);
    sl_verdict_free(&v);
  }
}

// Managed memory that the host only writes, before kernels use it, costs nothing.
TEST(managed_memory_is_fair) {
  sl_case c = a_case(1044);
  c.host_bytes = 0;
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_RIGHT, "right");
}

// What kernels print goes to the judge, and never to the program: a printf that was left in costs nothing,
// and tells nothing.
TEST(prints_do_not_reach_the_program) {
  sl_case c = a_case(1034);
  sl_verdict v;
  c.host_bytes = 0;
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_RIGHT, "right");
  expect_detail(&v, "read back: -1");
  expect_detail(&v, "x[1033] is ");
  sl_verdict_free(&v);
}

TEST(refused_launches_are_explained) {
  sl_case c = a_case(1016);
  sl_verdict v;
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_CUDA_UNREPORTED, "did not report cudaErrorInvalid");
  expect_detail(&v, "<<<(1,1,1), (4096,1,1), 0>>> was refused: threads of a block, at most 1024");
  sl_verdict_free(&v);
}

// The case's seed is public; the one that grading uses is not.
TEST(results_from_the_seed_fail) {
  sl_case c = a_case(1033);
  c.host_bytes = 0;
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_RIGHT, "right");
  assert_true(sl_case_salt(&c, "0123456789abcdef") && !sl_case_salt(&c, "0123456789abcdeg") &&
              !sl_case_salt(&c, "1"));
  assert_int_not_equal(c.seed, 1);
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_RESULT_WRONG, "wrong");
}

static void expect_counted_of(const char *runner, uint64_t n, sl_expect bound, sl_reason why,
                              const char *phrase) {
  sl_case c = a_case(n);
  c.n_expect = 1, c.expect[0] = bound;
  expect_judged(runner, &c, SL_PART_COUNTERS, why, phrase);
}

static void expect_counted(uint64_t n, sl_expect bound, sl_reason why, const char *phrase) {
  expect_counted_of(hostile, n, bound, why, phrase);
}

// What kernels take is a message to their program, and one thread is no parallel scan, whatever decorates it.
TEST(work_must_be_spread) {
  sl_case c = a_case(90);
  c.host_bytes = 0;
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_COMPUTED_LAUNCHES,
                "launched 991 kernels, and 29 are allowed");
  expect_counted(1039, (sl_expect){"adds", 1038, 2046, 0}, SL_REASON_RIGHT, "right");
  expect_counted(1039, (sl_expect){"barriers", 20, 21, 0}, SL_REASON_RIGHT, "right");
  expect_counted(1039, (sl_expect){"longest_warp", 0, 2000, 0}, SL_REASON_COUNTER_MOST, "longest_warp: ");
  expect_counted(1039, (sl_expect){"longest_warp", 0, 20000, 0}, SL_REASON_RIGHT, "right");
}

TEST(fused_additions_are_additions) {
  expect_counted(900, (sl_expect){"adds", 0, 1798, 0}, SL_REASON_COUNTER_MOST, "adds: 10240");
  expect_counted(900, (sl_expect){"adds", 5000, 10240, 0}, SL_REASON_RIGHT, "right");
  expect_counted(900, (sl_expect){"adds", 10241, 20000, 0}, SL_REASON_COUNTER_LEAST,
                 "expected at least 10241");
  expect_counted(900, (sl_expect){"launches", 9, 9, 0}, SL_REASON_COUNTER_EXACT, "expected exactly 9");
}

// n log n additions as integers, as logic, behind calls, in tables, in other memory: they are done to the
// data.
TEST(hidden_additions_are_found) {
  static const uint64_t sizes[] = {1023, 1022, 1021, 1020, 1019, 1018, 1015, 60, 0};
  for (int k = 0; sizes[k]; k++)
    expect_counted_of(hidden_work, sizes[k], (sl_expect){"adds", 1, 2046, 0}, SL_REASON_COUNTER_OPERATIONS,
                      "data_ops: ");
  expect_counted_of(hidden_work, 1024, (sl_expect){"adds", 1022, 2046, 0}, SL_REASON_RIGHT, "right");
}

// In every case of a lab that one block can do, a thread in 128 elements at least does the work.
TEST(one_warp_does_not_do_all) {
  sl_case c = a_case(128);
  sl_verdict v;
  c.host_bytes = 0;
  // by one thread, but few elements
  expect_judged(hidden_work, &c, SL_PART_CORRECT, SL_REASON_RIGHT, "right");
  c.n = 2048;
  judge_as(&v, hidden_work, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_COMPUTED_ONE_WARP, "one warp does the work of many");
  expect(&v, SL_REASON_COMPUTED_ONE_WARP, "for 2048 elements, and");
  sl_verdict_free(&v);
  c.host_bytes = SL_ANY; // sl-run, where nothing is graded
  expect_judged(hidden_work, &c, SL_PART_CORRECT, SL_REASON_RIGHT, "right");
}

TEST(every_kind_of_barrier_counts) {
  expect_counted_of(hidden_work, 1017, (sl_expect){"barriers", 10, 11, 0}, SL_REASON_COUNTER_MOST,
                    "barriers: 21, expected at most 11");
}

// Traffic that kernels' loads and stores do not show: 1016 words are copied (read and written) and cleared,
// and stored by atomics.
TEST(all_traffic_counts) {
  sl_case c = a_case(1016);
  sl_verdict v;
  judge_as(&v, hidden_work, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_RIGHT, "right");
  const sl_counters *total = &v.counters.total;
  assert_int_equal(v.counters.moved, 3 * 1016 * 4);
  assert_int_equal(total->global_st_sectors, 0);
  assert_int_equal(total->global_atomic_sectors, 1016 / 8);
  assert_int_equal(sl_counted_sectors(&v.counters), total->global_ld_sectors + 1016 / 8 + 3 * 1016 / 8);
  sl_verdict_free(&v);
}

TEST(work_after_the_answer_does_not_count) {
  expect_fail(hostile, 1036, SL_REASON_RESULT_NO_LAUNCH, "never written");
  expect_fail(hostile, 1037, SL_REASON_RESULT_NO_LAUNCH, "never written");
}

TEST(copies_within_the_device_are_fair) {
  sl_case c = a_case(1027);
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_RIGHT, "right");
}

TEST(writes_elsewhere_fail) {
  expect_fail(hostile, 1003, SL_REASON_BUFFER_INPUT, "the input was written: in[7]");
  expect_fail(hostile, 1004, SL_REASON_CUDA_FINDING, "hostile.cu:"); // the simulator says in which line
  expect_fail(hostile, 1004, SL_REASON_CUDA_FINDING, "memory.bounds");
}

TEST(endless_programs_fail) {
  sl_case c = a_case(1007);
  sl_verdict v;
  c.timeout = 2;
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_LATE, "stopped after 2 s: ");
  assert_true(v.seconds < 15);
  sl_verdict_free(&v);
  c.n = 1008;
  c.timeout = 4;
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_CUDA_FINDING, "progress.");
  assert_true(v.seconds < 15);
  sl_verdict_free(&v);
  c.n = 1029;
  c.timeout = 60; // not the time ends it
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_CUDA_FINDING, "starts kernels again and again");
  c.timeout = 4;
  c.n = 1028; // makes what looks like progress
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_CUDA_FINDING, "hostile.cu:");
  assert_true(v.seconds < 15);
  sl_verdict_free(&v);
}

TEST(ended_programs_fail) {
  expect_fail(hostile, 1009, SL_REASON_PROGRAM_CRASHED, "SIGSEGV");
  sl_case c = a_case(1009);
  sl_verdict v;
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect_detail(&v, "addresses of the device");
  sl_verdict_free(&v);
  expect_fail(hostile, 1010, SL_REASON_PROGRAM_EXITED, "exit code 0");
  expect_fail(hostile, 1017, SL_REASON_EXIT_CRASHED, "SIGABRT");
  expect_fail(exits_early, 1000, SL_REASON_PROGRAM_EXITED, "exit code 0");
}

TEST(forged_answers_fail) {
  expect_fail(hostile, 1011, SL_REASON_PROGRAM_GARBAGE, "wrote to the judge's connection");
  expect_fail(answers_early, 1000, SL_REASON_PROGRAM_GARBAGE, "wrote to the judge's connection");
}

TEST(attacks_on_the_judge_are_refused) {
  static const char *const lines[] = {"kill refused",    "ptrace refused",
                                      "memory refused",  "memory of the GPU refused",
                                      "network refused", "environment is bare"};
  sl_case c = a_case(1012);
  sl_verdict v;
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_RESULT_NO_LAUNCH, "never written");
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) expect_detail(&v, lines[k]);
  if (strstr(v.sandbox, "namespaces")) expect_detail(&v, "number 2\n"); // the second of a namespace
  sl_verdict_free(&v);
}

TEST(processes_are_refused_and_threads_are_not) {
  sl_case c = a_case(1013);
  sl_verdict v;
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_RIGHT, "right");
  expect_detail(&v, "fork refused, shell refused");
  sl_verdict_free(&v);
  c.n = 1024;
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_RIGHT, "right");
}

TEST(machines_are_not_exhausted) {
  sl_case c = a_case(1042);
  sl_verdict v;
  expect_fail(hostile, 1041, SL_REASON_PROGRAM_CROWDED, "more than 512 threads");
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_RIGHT, "right");
  expect_detail(&v, "goes first: 1000");
  expect_detail(&v, "and cannot change it");
  sl_verdict_free(&v);
}

TEST(output_is_capped) {
  sl_case c = a_case(1014);
  sl_verdict v;
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_RIGHT, "right");
  expect_detail(&v, "more bytes)");
  assert_true(strlen(v.detail) < 200 << 10);
  sl_verdict_free(&v);
}

TEST(cuda_errors_fail) {
  expect_fail(hostile, 1015, SL_REASON_CUDA_RETURNED, "lab03_blelloch_scan returned cudaErrorInvalidValue");
  expect_fail(hostile, 1016, SL_REASON_CUDA_UNREPORTED, "did not report cudaErrorInvalid");
  expect_fail(hostile, 1020, SL_REASON_PROGRAM_EXITED, "");
  expect_fail(hostile, 1022, SL_REASON_RESULT_NO_LAUNCH, "");
  expect_fail(hostile, 1023, SL_REASON_RESULT_NO_LAUNCH, "");
}

TEST(remembered_results_fail) {
  sl_case c = a_case(1019);
  c.calls = 2;
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_RESULT_WRONG, "call 2 (n = 1019): ");
  c.n = 1035;
  expect_judged(hostile, &c, SL_PART_CORRECT, SL_REASON_RESULT_UNWRITTEN, "never written");
}

// Faults that are not the submission's ----------------------------------------------------------------------

TEST(faults_of_the_machine_are_errors) {
  sl_case c = a_case(1000);
  sl_verdict v;
  judge_as(&v, "/no/such/runner", &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_JUDGE_ERROR, "/no/such/runner");
  assert_int_equal(v.exit_code, SL_EXIT_INFRA);
  sl_verdict_free(&v);
  expect_judged(SL_TEST_FOLDER, &c, SL_PART_CORRECT, SL_REASON_JUDGE_ERROR, "not a program");
  strcpy(c.dataset, "no_such_set");
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_JUDGE_ERROR, "no_such_set");
  assert_int_equal(v.exit_code, SL_EXIT_INPUT);
  sl_verdict_free(&v);
  strcpy(c.dataset, "two_arrays.npz");
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_JUDGE_ERROR, "holds several arrays");
  sl_verdict_free(&v);
}

// A dataset of a graded case begins where the seed says, that of a student's own run at its beginning.
TEST(graded_datasets_are_rotated) {
  sl_case c = {.type = SL_F32, .dataset = "block_f32", .n = 1000};
  float first[2][2];
  for (int rotated = 0; rotated < 2; rotated++)
    for (int seed = 0; seed < 2; seed++) {
      sl_source s;
      sl_input in;
      sl_error e = {0};
      c.rotated = rotated, c.seed = 100 + (uint64_t)seed;
      assert_true(sl_source_open(&s, &c, NULL, &e));
      assert_true(sl_source_take(&s, c.n, 0, &in, &e));
      assert_int_equal(in.n, 1000);
      first[rotated][seed] = ((float *)in.data)[0];
      sl_input_free(&in);
      sl_source_close(&s);
    }
  assert_true(first[0][0] == first[0][1]);
  assert_true(first[1][0] != first[1][1]);
  assert_true(first[1][0] != first[0][0]);
}

TEST(records_say_it_all) {
  sl_case c = a_case(1004);
  sl_verdict v;
  judge_as(&v, hostile, &c, SL_PART_CORRECT);
  sl_record_head head = {"03.scan.n1004.sim", "03_blelloch", "scan", "n1004", "sim", "abcd", 2.5, 7};
  json_auto_t *record = sl_record(&v, &head);
  assert_string_equal(json_string_value(json_object_get(record, "status")), "fail");
  assert_string_equal(json_string_value(json_object_get(record, "nonce")), "abcd");
  assert_true(json_real_value(json_object_get(record, "points")) == 0);
  assert_true(json_real_value(json_object_get(record, "max")) == 2.5);
  json_t *finding = json_array_get(json_object_get(record, "findings"), 0);
  assert_string_equal(json_string_value(json_object_get(finding, "id")), "memory.bounds");
  assert_true(json_integer_value(json_object_get(finding, "line")) > 0);
  assert_string_equal(json_string_value(json_object_get(finding, "file")), "hostile.cu");
  assert_null(strstr(v.message, "/")); // no folder of the grader's
  sl_verdict_free(&v);
}

int main(void) {
  prctl(PR_SET_DUMPABLE, 0); // as sl-judge does
  int failed = RUN_TESTS(build_all, free_all);
  prctl(PR_SET_DUMPABLE, 1); // for leak checkers
  return failed;
}
