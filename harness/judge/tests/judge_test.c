// End-to-end tests of the judge on the simulated GPU: a right kernel passes, each kind of part is judged, and
// faults that are not the submission's are told as such. attacks_test.c has the wrong and hostile kernels.
#include "compile/build.h"
#include "judge/input.h"
#include "judge/tests/judged.h"

char *hostile, *exits_early, *answers_early, *hidden_work;

static char *build(const char *path) {
  char *runner, *log;
  sl_error e = {0};
  sl_build_config config = {0};
  if (!sl_build_runner("03", path, &config, &runner, &log, &e)) fail_msg("%s: %s\n%s", path, e.text, log);
  free(log);
  return runner;
}

static const struct {
  char **runner;
  const char *path;
} runners[] = {{&hostile, SL_HOSTILE},
               {&exits_early, SL_TEST_FOLDER "/exits_early.cu"},
               {&answers_early, SL_TEST_FOLDER "/answers_early.cu"},
               {&hidden_work, SL_TEST_FOLDER "/hidden_work.cu"}};
enum { N_RUNNERS = sizeof runners / sizeof *runners };

static int build_all(void **) {
  for (int k = 0; k < N_RUNNERS; k++) *runners[k].runner = build(runners[k].path);
  return 0;
}

static int free_all(void **) {
  for (int k = 0; k < N_RUNNERS; k++) free(*runners[k].runner);
  return 0;
}

sl_case a_case(uint64_t n) {
  sl_case c;
  sl_error e = {0};
  sl_case_init(&c, sl_lab_find("03", &e));
  c.n = n;
  c.timeout = 20;
  return c;
}

sl_verdict judged(const char *runner, const sl_case *c, sl_part_kind kind) {
  sl_error e = {0};
  sl_verdict v;
  sl_judge_job job = {
      .lab = sl_lab_find("03", &e), .c = c, .kind = kind, .runner = runner, .backend = SL_BACKEND_SIM};
  sl_judge(&job, &v);
  return v;
}

const sl_verdict *expect(const sl_verdict *v, sl_reason why, const char *phrase) {
  sl_status status = why <= SL_REASON_RIGHT_TIMED   ? SL_PASS
                     : why == SL_REASON_JUDGE_ERROR ? SL_ERROR
                                                    : SL_FAIL;
  if (v->status != status || v->reason != why || !strstr(v->message, phrase))
    fail_msg("expected %s with \"%s\", got %s, %s: %s\n%s", sl_reason_of(why)->id, phrase,
             sl_status_names[v->status], sl_reason_of(v->reason)->id, v->message, v->detail ? v->detail : "");
  return v;
}

void expect_detail(const sl_verdict *v, const char *phrase) {
  if (!v->detail || !strstr(v->detail, phrase))
    fail_msg("expected \"%s\" in: %s", phrase, v->detail ? v->detail : "");
}

void expect_judged(const char *runner, const sl_case *c, sl_part_kind kind, sl_reason why,
                   const char *phrase) {
  SL_VERDICT v = judged(runner, c, kind);
  expect(&v, why, phrase);
}

void expect_fail(const char *runner, uint64_t n, sl_reason why, const char *phrase) {
  sl_case c = a_case(n);
  SL_VERDICT v = judged(runner, &c, SL_PART_CORRECT);
  assert_int_equal(expect(&v, why, phrase)->exit_code, SL_EXIT_FAILED);
}

void expect_told(const sl_case *c, sl_reason why, const char *phrase, ...) {
  va_list ap;
  SL_VERDICT v = judged(hostile, c, SL_PART_CORRECT);
  expect(&v, why, phrase);
  va_start(ap, phrase);
  for (const char *detail; (detail = va_arg(ap, const char *));) expect_detail(&v, detail);
  va_end(ap);
}

void expect_soon(const sl_case *c, sl_reason why, const char *phrase) {
  SL_VERDICT v = judged(hostile, c, SL_PART_CORRECT);
  assert_true(expect(&v, why, phrase)->processor < 15);
}

void expect_counted(const char *runner, uint64_t n, sl_expect bound, sl_reason why, const char *phrase) {
  sl_case c = a_case(n);
  c.n_expect = 1, c.expect[0] = bound;
  expect_judged(runner, &c, SL_PART_COUNTERS, why, phrase);
}

// Right kernels ---------------------------------------------------------------------------------------------

TEST(right_kernel_passes) {
  static const uint64_t sizes[] = {0, 1, 2, 33, 1000, 2048};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    sl_case c = a_case(sizes[k]);
    c.calls = 2;
    c.n_also = 2;
    c.also[0] = 0;
    c.also[1] = 65;
    SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
    expect(&v, SL_REASON_RIGHT, "right");
    assert_int_equal(v.exit_code, 0);
    assert_int_equal(v.times.repeats, 2);
    assert_true(v.times.min > 0 && v.times.min <= v.times.median && v.times.median <= v.times.max);
    assert_int_equal(v.counters.launches, sizes[k] > 0);
  }
}

// The calls of cases that follow are made in the same process, and are judged as theirs.
TEST(following_cases_are_judged) {
  sl_case c = a_case(33), next = a_case(1018);
  c.n_then = 1, c.then_case[0] = &next;
  strcpy(c.then[0], "scan.n1018");
  next.check = SL_CHECK_ROUNDING;
  strcpy(next.dist, "uniform");
  expect_told(&c, SL_REASON_RESULT_WRONG, "call 2 (n = 1018, as in scan.n1018): ", NULL);
  next.n = 1000;
  SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_RIGHT, "right");
  assert_int_equal(v.times.repeats, 1);
}

TEST(rounding_is_checked) {
  sl_case c = a_case(1000);
  c.check = SL_CHECK_ROUNDING;
  strcpy(c.dist, "uniform");
  expect_told(&c, SL_REASON_RIGHT, "right", NULL);
  c.n = 1018;
  expect_told(&c, SL_REASON_RESULT_WRONG, "equals the inclusive result", NULL);
  c.check = SL_CHECK_EXACT; // this input has no exact sums: the case is at fault
  expect_told(&c, SL_REASON_JUDGE_ERROR, "exact float sums", NULL);
}

TEST(a_result_may_have_a_bound) {
  sl_case c = a_case(1000);
  c.n_expect = 1;
  c.expect[0] = (sl_expect){"launches", "", "0", "4"};
  SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
  assert_true(expect(&v, SL_REASON_COUNTER_EXACT, "launches: 1, expected exactly 0")->credit == 0.75);
  c.expect[0] = (sl_expect){"lone_warp", "", "0", ""};
  expect_told(&c, SL_REASON_RIGHT, "right", NULL);
}

TEST(counters_are_judged) {
  sl_case c = a_case(1000);
  c.n_expect = 2;
  c.expect[0] = (sl_expect){"launches", "1", "1", ""};
  c.expect[1] = (sl_expect){"adds", "4048", "4048", ""};
  expect_judged(hostile, &c, SL_PART_COUNTERS, SL_REASON_RIGHT, "right");
  // 8 additions have no data in them: those do not count against what is allowed
  c.expect[1] = (sl_expect){"adds", "0", "4040", ""};
  expect_judged(hostile, &c, SL_PART_COUNTERS, SL_REASON_RIGHT, "right");
  c.expect[1] = (sl_expect){"adds", "0", "4039", "4040"};
  SL_VERDICT above = judged(hostile, &c, SL_PART_COUNTERS);
  assert_true(expect(&above, SL_REASON_COUNTER_MOST, "adds: 4040, expected at most 4039")->credit == 0);
  c.expect[1] = (sl_expect){"adds", "0", "4000", "4160"}; // a quarter of the way down
  SL_VERDICT between = judged(hostile, &c, SL_PART_COUNTERS);
  assert_true(expect(&between, SL_REASON_COUNTER_MOST, "at most 4000: 75 % of the points")->credit == 0.75);
  c.n = 1006; // zeros need no additions: without the right result counters count for nothing
  expect_judged(hostile, &c, SL_PART_COUNTERS, SL_REASON_RESULT_WRONG, "zero");
}

// The scan of 1000 elements by one block: what its busiest warp takes in turn counts, and not its traffic.
TEST(speed_is_judged) {
  sl_case c = a_case(1000);
  c.host_bytes = 0;
  c.reference_launches = 5, c.reference_sectors = 2000;
  SL_VERDICT fast = judged(hostile, &c, SL_PART_SPEED);
  expect(&fast, SL_REASON_RIGHT_MODEL, "of the reference's speed");
  assert_true(fast.speed.basis == SL_BASIS_MODEL && fast.speed.credit == 1);
  c.reference_launches = 2; // slower than this: a share of the points
  SL_VERDICT v = judged(hostile, &c, SL_PART_SPEED);
  sl_record_head head = {"03.speed.n1000.sim", "03_blelloch", "speed", "n1000", "sim", "abcd", 6, 7};
  json_auto_t *record = sl_record(&v, &head);
  expect(&v, v.speed.ratio.hi < 0.9 ? SL_REASON_SPEED_MODEL : SL_REASON_RIGHT_MODEL, "not measured");
  assert_true(v.speed.ratio.hi < fast.speed.ratio.hi && v.speed.credit > 0);
  double points = json_real_value(json_object_get(record, "points"));
  assert_true(points == (v.status == SL_PASS ? 6 : 6 * v.speed.credit));
  c.n = 1006; // wrong, and fast
  SL_VERDICT wrong = judged(hostile, &c, SL_PART_SPEED);
  assert_true(expect(&wrong, SL_REASON_RESULT_WRONG, "zero")->speed.basis == SL_BASIS_NONE);
}

// Batches of calls, made and checked as on a real GPU; the times of a simulation say nothing, so a verdict
// about them may be withheld.
static sl_verdict contest(uint64_t n, const char *reference) {
  sl_error e = {0};
  sl_verdict v;
  sl_case c = a_case(n);
  sl_judge_job job = {.lab = sl_lab_find("03", &e),
                      .c = &c,
                      .kind = SL_PART_CORRECT,
                      .runner = hostile,
                      .reference = reference,
                      .contest = true,
                      .contest_seconds = 0.5,
                      .backend = SL_BACKEND_SIM};
  sl_judge(&job, &v);
  return v;
}

TEST(batches_are_timed) {
  const char *const references[] = {NULL, hostile};
  for (int k = 0; k < 2; k++) {
    SL_VERDICT v = contest(300, references[k]);
    if (v.status != SL_ERROR || !strstr(v.message, "no verdict")) expect(&v, SL_REASON_RIGHT, "right");
    if (v.status == SL_PASS) {
      const sl_speed *s = &v.speed;
      assert_true(s->basis == SL_BASIS_TIME && s->rounds > 0);
      assert_in_range(s->calls, references[k] ? 1 : 256, 256); // turns beside a reference are short
      assert_true(s->own.lo <= s->own.value && s->own.value <= s->own.hi && s->copy.value > 0 &&
                  s->handshake.value > 0);
      assert_true(!k || (s->ratio.lo <= s->ratio.value && s->ratio.value <= s->ratio.hi && s->credit > 0 &&
                         s->credit <= 1));
    }
  }
}

// The first call, checked by itself, is honest in all of these.
TEST(wrong_results_in_batches_fail) {
  static const uint64_t sizes[] = {1019, 1035}; // an earlier result, copied; an output that is not written
  for (size_t k = 0; k < 2; k++) {
    SL_VERDICT v = contest(sizes[k], NULL);
    expect(&v, SL_REASON_TIMED_WRONG, "256 of 256 timed calls of one batch");
  }
  SL_VERDICT v = contest(300, exits_early); // a reference that does not work is no fault of the submission's
  expect(&v, SL_REASON_JUDGE_ERROR, "the reference solution");
}

TEST(clean_is_judged) {
  sl_case c = a_case(1000);
  expect_judged(hostile, &c, SL_PART_CLEAN, SL_REASON_RIGHT, "right");
  c.n = 1006;
  expect_judged(hostile, &c, SL_PART_CLEAN, SL_REASON_RESULT_WRONG, "zero");
}

// Faults that are not the submission's ----------------------------------------------------------------------

TEST(faults_of_the_machine_are_errors) {
  sl_case c = a_case(1000);
  SL_VERDICT v = judged("/no/such/runner", &c, SL_PART_CORRECT);
  assert_int_equal(expect(&v, SL_REASON_JUDGE_ERROR, "/no/such/runner")->exit_code, SL_EXIT_INFRA);
  expect_judged(SL_TEST_FOLDER, &c, SL_PART_CORRECT, SL_REASON_JUDGE_ERROR, "not a program");
  strcpy(c.dataset, "no_such_set");
  SL_VERDICT no_set = judged(hostile, &c, SL_PART_CORRECT);
  assert_int_equal(expect(&no_set, SL_REASON_JUDGE_ERROR, "no_such_set")->exit_code, SL_EXIT_INPUT);
  strcpy(c.dataset, "two_arrays.npz");
  expect_told(&c, SL_REASON_JUDGE_ERROR, "holds several arrays", NULL);
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
  SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
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
}

int main(void) {
  prctl(PR_SET_DUMPABLE, 0); // as sl-judge does
  int failed = RUN_TESTS(build_all, free_all);
  prctl(PR_SET_DUMPABLE, 1); // for leak checkers
  return failed;
}
