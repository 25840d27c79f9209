// A grading of the small course through CTest with a judge that behaves as each case's id says: what counts,
// what does not, what is kept for the next grading, and the JSON that comes out.
#include "util.h"

#include <sys/mman.h>

static void run(sl_grading *g) {
  sl_error e = {0};
  if (!sl__run_tests(g, &e)) fail_msg("%s", e.text);
  sl__total(&g->subs[0]);
}

// Without what is kept of earlier gradings.
static void run_anew(sl_grading *g) {
  sl_run(SL_ARGV("rm", "-rf", sl__str(g->arena, "%s/ctest", g->course.out)), NULL, 20, 0, NULL, NULL);
  run(g);
}

TEST(only_honest_records_score) {
  static const struct {
    const char *name;
    sl_status status;
    double points;
    const char *message;
  } rows[] = {
      {"01.scan.pass.sim", SL_PASS, 7, "all 1 right"},  {"01.scan.fails.sim", SL_FAIL, 0, "2 of 2 wrong"},
      {"01.scan.silent.sim", SL_FAIL, 0, "no record"},  {"01.scan.garbled.sim", SL_FAIL, 0, "cannot be read"},
      {"01.scan.forged.sim", SL_FAIL, 0, "secret"},     {"01.scan.crash.sim", SL_ERROR, 0, "signal 6"},
      {"01.scan.infra.sim", SL_ERROR, 0, "exit 4"},     {"01.scan.greedy.sim", SL_FAIL, 0, "claims 1000"},
      {"01.scan.stranger.sim", SL_FAIL, 0, "\"part\""}, {"01.work.pass.sim", SL_PASS, 30, "all 1 right"},
  };
  GRADING g = test_grading("sim");
  run(&g);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const sl_test *t = test_find(&g, rows[i].name);
    if (t->r.status != rows[i].status || t->r.points != rows[i].points ||
        !strstr(t->r.message, rows[i].message))
      fail_msg("%s: %s with %g points: %s", t->name, sl_status_names[t->r.status], t->r.points, t->r.message);
  }
  assert_true(g.subs[0].score == 37 && g.subs[0].max == 100);
}

// On a real GPU the tests of results run on both.
TEST(results_are_judged_on_both_gpus) {
  GRADING g = test_grading("gpu");
  run(&g);
  const sl_test *t = test_find(&g, "01.scan.pass.gpu");
  assert_true(t->r.status == SL_PASS && t->simulated->r.status == SL_PASS);
  assert_string_equal(t->simulated->name, "01.scan.pass.sim");
  assert_null(test_find(&g, "01.work.pass.sim")->simulated);
  assert_true(g.subs[0].score == 37 && g.subs[0].max == 100);
  sl__settle(g.arena, &g.subs[0]);
  assert_string_equal(test_find(&g, "01.scan.fails.gpu")->r.message, "on the simulated GPU: 2 of 2 wrong");
}

static bool was_tried(const sl_grading *g, const char *test) {
  const char *path = sl__str(g->arena, "%s/ctest/%s/raw/%s.json.tries", g->course.out, g->subs[0].id, test);
  return access(path, F_OK) == 0;
}

// What failed on the simulated GPU takes no time on a real one, nor does speed, which does not count then.
TEST(failures_spare_a_real_gpu) {
  static const struct {
    const char *test;
    bool tried;
  } rows[] = {{"01.scan.fails.sim", true},
              {"01.scan.fails.gpu", false},
              {"01.scan.pass.gpu", true},
              {"01.scan.crash.gpu", true},
              {"01.work.pass.sim", false}};
  GRADING g = test_grading("gpu");
  sl_test *timed = test_find(&g, "01.work.pass.sim");
  ((sl_part *)(uintptr_t)timed->c->part)->kind = SL_PART_SPEED;
  timed->backend = "gpu";
  run_anew(&g);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (was_tried(&g, rows[k].test) != rows[k].tried) fail_msg("%s", rows[k].test);
  assert_int_equal(test_find(&g, "01.scan.fails.gpu")->r.reason, SL_REASON_GRADE_SPARED);
  assert_string_equal(timed->r.message, "not run on the real GPU, because 01.scan.fails.sim failed");
  assert_true(timed->r.status == SL_FAIL && timed->r.points == 0);
}

// Three tests that do not end on the real GPU, each of which held it for all of its time, are the last there,
// one at a time: beside the third, others may have begun.
TEST(endless_kernels_leave_a_real_gpu) {
  GRADING g = test_grading("gpu");
  g.course.jobs = 1;
  int tried = 0, spared = 0;
  setenv("FAKE_JUDGE_HANGS", "1", 1);
  run_anew(&g);
  unsetenv("FAKE_JUDGE_HANGS");
  SL_EACH_TEST(&g.subs[0].labs[0], t) {
    if (strcmp(t->backend, "gpu") != 0) continue;
    tried += was_tried(&g, t->name);
    spared += strstr(t->r.message, "not run on the real GPU") != NULL;
    assert_true(t->r.status == SL_FAIL && t->r.points == 0);
  }
  assert_int_equal(tried, SL_ENDLESS_CASES);
  assert_true(spared > 2);
}

// What a real GPU has spoilt is judged once more, and then an error.
TEST(errors_on_a_gpu_are_judged_twice) {
  static const struct {
    const char *test, *tries;
  } rows[] = {{"01.scan.infra.gpu", "xx"},
              {"01.scan.infra.sim", "x"},
              {"01.scan.silent.gpu", "x"},
              {"01.scan.pass.gpu", "x"}};
  GRADING g = test_grading("gpu");
  run_anew(&g);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const char *path =
        sl__str(g.arena, "%s/ctest/%s/raw/%s.json.tries", g.course.out, g.subs[0].id, rows[k].test);
    SL_FREED char *tries = sl_read_file(path, 100, NULL, NULL);
    if (!tries || strcmp(tries, rows[k].tries) != 0) fail_msg("%s: %s", path, tries ? tries : "none");
  }
  assert_int_equal(test_find(&g, "01.scan.infra.gpu")->r.status, SL_ERROR);
}

// Processes of one program differ in speed: who has lost a few points by it is timed once more, and the
// better of both counts. Who has lost many is not.
TEST(little_lost_by_speed_is_timed_twice) {
  static const struct {
    const char *timed, *tries;
    double points;
  } rows[] = {{"9", "x", 30},   {"89", "xx", 30}, {"78", "xx", 27},
              {"87", "xx", 27}, {"69", "x", 21},  {"8x", "xx", 27}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    GRADING g = test_grading("gpu");
    sl_graded_lab *lab = &g.subs[0].labs[0];
    sl_test *timed = test_find(&g, "01.work.pass.sim");
    ((sl_part *)(uintptr_t)timed->c->part)->kind = SL_PART_SPEED;
    timed->backend = "gpu";
    strcpy(timed->name, "01.work.pass.gpu");
    lab->reference = "reference";
    SL_EACH_TEST(lab, t) t->simulated = NULL; // no failure there spares it
    setenv("FAKE_JUDGE_TIMED", rows[k].timed, 1);
    run_anew(&g);
    unsetenv("FAKE_JUDGE_TIMED");
    SL_FREED char *path = sl_path("%s/ctest/%s/raw/%s.json.tries", g.course.out, g.subs[0].id, timed->name);
    SL_FREED char *tries = sl_read_file(path, 100, NULL, NULL);
    if (!tries || strcmp(tries, rows[k].tries) != 0 || timed->r.points != rows[k].points)
      fail_msg("%s: tried %s, %g points: %s", rows[k].timed, tries ? tries : "never", timed->r.points,
               timed->r.message);
  }
}

// Another grading in the place of *g.
static size_t prepare_again(sl_grading *g, const char *tools) {
  forget(g);
  *g = test_grading("sim");
  strcpy(g->course.tools_hash, tools);
  return sl__reuse(g, &g->subs[0]);
}

TEST(unchanged_tests_are_not_run_again) {
  GRADING g = {0};
  assert_int_equal(prepare_again(&g, "first"), 0);
  run(&g);
  assert_int_equal(prepare_again(&g, "first"), 4); // the two that pass and the two honest failures
  assert_true(test_find(&g, "01.scan.pass.sim")->r.reused);
  assert_false(test_find(&g, "01.scan.forged.sim")->r.reused);
  run(&g);
  assert_true(g.subs[0].score == 37);
  assert_int_equal(prepare_again(&g, "second"), 0); // another judge or simulator: everything runs
}

TEST(edited_records_are_not_believed) {
  GRADING g = {0};
  assert_int_equal(prepare_again(&g, "first"), 4);
  SL_FREED char *path = sl_path("%s/out/records/01.scan.fails.sim.json", test_dir);
  SL_FREED char *text = sl_read_file(path, 1 << 20, NULL, NULL);
  assert_non_null(text);
  char *status = strstr(text, "\"fail\""), *points = strstr(text, "\"points\":0");
  assert_non_null(status);
  assert_non_null(points);
  memcpy(status, "\"pass\"", 6);
  memcpy(points, "\"points\":7", 10);
  test_write("out/records/01.scan.fails.sim.json", text);
  assert_int_equal(prepare_again(&g, "first"), 3);
  forget(&g);
  g = test_grading("sim");
  memset(g.course.store_key, 1, 32); // a grader with another key believes none
  strcpy(g.course.tools_hash, "first");
  assert_int_equal(sl__reuse(&g, &g.subs[0]), 0);
}

TEST(ctest_file_names_every_test_once) {
  GRADING g = test_grading("sim");
  const char *text = sl__ctest_text(&g, &g.subs[0], "/odd dir/$x;]=]\"");
  size_t n = 0;
  for (const char *p = text; (p = strstr(p, "add_test(")); p++) n++;
  assert_int_equal(n, g.subs[0].labs[0].n_tests);
  assert_non_null(strstr(text, "add_test(\"01.work.pass.sim\" "));
  assert_non_null(strstr(text, "LABELS \"01;work;counters;sim\" TIMEOUT "));
  // the largest judges the others, too
  assert_non_null(
      strstr(text, "LABELS \"01;scan;correct;sim\" TIMEOUT 990 COST 1 DEPENDS \"01.work.pass.sim\""));
}

static json_t *load_golden(void) {
  json_error_t at;
  json_t *v = json_load_file(TEST_DATA "/golden.json", 0, &at);
  if (!v) fail_msg("golden.json:%d: %s", at.line, at.text);
  return v;
}

static void strip_seconds(json_t *submission) {
  size_t i, k;
  json_t *lab, *test;
  json_array_foreach(json_object_get(submission, "labs"), i, lab) {
    json_array_foreach(json_object_get(lab, "tests"), k, test) {
      assert_true(json_is_number(json_object_get(test, "seconds")));
      json_object_set_new(test, "seconds", json_real(0));
    }
  }
}

TEST(results_are_the_golden_json) {
  GRADING g = test_grading("sim");
  run(&g);
  json_auto_t *got = sl__submission_json(&g, &g.subs[0]), *want = load_golden();
  strip_seconds(got);
  if (!json_equal(got, want)) {
    json_dumpf(got, stderr, JSON_INDENT(1));
    fail_msg("the results differ from golden.json");
  }
}

TEST(the_table_is_printable_and_short) {
  GRADING g = test_grading("sim");
  run(&g);
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  sl__print_summary(&g, f);
  fclose(f);
  for (size_t i = 0; i < len; i++) assert_true(text[i] == '\n' || (unsigned char)text[i] >= 0x20);
  assert_non_null(strstr(text, "scan 7/70  work 30/30\n"));
  assert_non_null(strstr(text, "01_naive_scan: 9 of 11 tests did not pass\n"));
  assert_non_null(strstr(text, "  fail   01.scan.fails.sim  2 of 2 wrong\n"));
  assert_non_null(strstr(text, "(+4 more, see the report)\n"));
  assert_non_null(strstr(text, "\ntotal 37 / 100\n"));
  free(text);
  SL_EACH_TEST(&g.subs[0].labs[0], t)
    sl__set_result(g.arena, t, SL_ERROR, SL_REASON_JUDGE_ERROR, json_pack("{s:s}", "text", "no GPU"));
  f = open_memstream(&text, &len);
  sl__print_summary(&g, f);
  fclose(f);
  assert_non_null(strstr(text, "  error  01.scan.pass.sim and 10 more  no GPU\n\ntotal"));
  free(text);
}

// What the grader could not finish has no number in the table, and a remark on the page of the class.
TEST(an_error_of_the_grader_is_no_score) {
  for (int broken = 0; broken < 2; broken++) {
    sl_error e = {0};
    GRADING g = test_grading("sim");
    g.course.root = COURSE_ROOT;
    run(&g);
    const sl_graded_lab *gl = &g.subs[0].labs[0];
    SL_EACH_TEST(gl, t)
      if (!broken && t->r.status == SL_ERROR) t->r.status = SL_FAIL;
    const sl_exports x = {.csv = sl__str(g.arena, "%s/grades.csv", test_dir)};
    if (!sl__export(&g, &x, &e) || !sl__write_class_report(&g, true, &e)) fail_msg("%s", e.text);
    char *table = sl_read_file(x.csv, 1 << 20, NULL, &e),
         *page = sl_read_file(sl__str(g.arena, "%s/report.html", g.course.out), 1 << 20, NULL, &e);
    assert_non_null(
        strstr(table, broken ? ",error,error,100,\"01: 2 errors of the grader\"," : ",37,37,100,\"\","));
    assert_int_equal(strstr(page, "2 errors of the grader: no score; grade again") != NULL, broken);
    free(table), free(page);
    SL_FREED char *text = NULL;
    FILE *f = sl_text_stream(&text);
    g.is_class = true;
    sl__print_summary(&g, f);
    fclose(f);
    assert_int_equal(strstr(text, "  error      37 / 100") != NULL, broken);
    assert_int_equal(strstr(text, "  01: 2 errors of the grader: no score; grade again\n") != NULL, broken);
  }
}

TEST(the_page_is_escaped_and_complete) {
  sl_error e = {0};
  GRADING g = test_grading("sim");
  g.course.root = COURSE_ROOT;
  run(&g);
  if (!sl__write_report(&g, &g.subs[0], true, &e)) fail_msg("%s", e.text);
  SL_FREED char *page = sl_read_file(sl__str(g.arena, "%s/report.html", g.subs[0].out), 1 << 20, NULL, &e);
  assert_non_null(page);
  assert_null(strstr(page, "<script"));
  assert_non_null(strstr(page, "&lt;script&gt;alert(1)&lt;/script&gt; \\x1B[31m red"));
  assert_non_null(strstr(page, "A lab for &lt;tests&gt; &amp; &quot;quotes&quot;"));
  assert_null(strstr(page, "http"));
  assert_non_null(strstr(page, "</html>"));
  const sl_graded_lab *gl = &g.subs[0].labs[0];
  SL_EACH_TEST(gl, t) assert_non_null(strstr(page, t->name));
}

// Grades anew, in *g. Its list of tests, to be freed; its records are in *[dir].
static char *grade_afresh(sl_grading *g, const char **dir) {
  sl_error e = {0};
  *g = test_grading("sim");
  g->course.fresh = true;
  g->course.jobs = 1;
  *dir = sl__str(g->arena, "%s/ctest/%s/raw", g->course.out, g->subs[0].id);
  run(g);
  char *jobs = sl_read_file(sl__str(g->arena, "%s/../jobs.01.json", *dir), 1 << 20, NULL, &e);
  if (!jobs) fail_msg("%s", e.text);
  return jobs;
}

// Runs one test of the grading whose records are in [dir], with [jobs] as its list of tests.
static int run_one(sl_grading *g, const char *dir, const char *jobs, const char *name) {
  sl_error e = {0};
  int secret = memfd_create("secret", 0);
  SL_EACH_TEST(&g->subs[0].labs[0], t) {
    sl_ticket ticket;
    sl__ticket(&g->course.secrets, t->name, &ticket);
    assert_int_equal(write(secret, &ticket, sizeof ticket), sizeof ticket);
  }
  json_auto_t *all = json_loads(jobs, 0, NULL);
  json_object_set_new(all, "secret_fd", json_integer(secret));
  SL_FREED char *text = json_dumps(all, 0);
  assert_true(sl_write_file(sl__str(g->arena, "%s/../jobs.01.json", dir), text, strlen(text), &e));
  int code = sl__one_test(sl__str(g->arena, "%s/..", dir), name);
  close(secret);
  return code;
}

// The same without its record, so that it is judged.
static int judge_one(sl_grading *g, const char *dir, const char *jobs, const char *name) {
  assert_int_equal(unlink(sl__str(g->arena, "%s/%s.json", dir, name)), 0);
  return run_one(g, dir, jobs, name);
}

// How a test ended that was judged with others is kept apart only where others ask for it.
TEST(records_of_tests_judged_together_say_enough) {
  static const struct {
    const char *test, *reason;
    int code;
    bool end;
  } rows[] = {{"01.scan.pass.sim", NULL, 0, false},
              {"01.scan.fails.sim", NULL, 1, false},
              {"01.scan.fails.sim", "program.idle", 1, true}};
  GRADING g;
  const char *dir;
  SL_FREED char *jobs = grade_afresh(&g, &dir);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const char *record = sl__str(g.arena, "%s/%s.json", dir, rows[k].test),
               *end = sl__str(g.arena, "%s/%s.end", dir, rows[k].test);
    json_auto_t *v = json_load_file(record, 0, NULL);
    if (rows[k].reason) json_object_set_new(v, "reason", json_string(rows[k].reason));
    assert_int_equal(json_dump_file(v, record, 0), 0);
    unlink(end);
    assert_int_equal(run_one(&g, dir, jobs, rows[k].test), rows[k].code);
    assert_int_equal(access(end, F_OK) == 0, rows[k].end);
  }
}

// How a judge ends that has one second, and waits before.
static char *end_of_waiting(const char *waits) {
  GRADING g;
  sl_error e = {0};
  const char *dir;
  SL_FREED char *jobs = grade_afresh(&g, &dir);
  sl_test *t = test_find(&g, "01.scan.pass.sim");
  json_auto_t *all = json_loads(jobs, 0, NULL);
  json_object_set_new(json_object_get(json_object_get(all, "tests"), t->name), "limit", json_real(1));
  SL_FREED char *text = json_dumps(all, 0);
  setenv("FAKE_JUDGE_WAITS", waits, 1);
  judge_one(&g, dir, text, t->name);
  unsetenv("FAKE_JUDGE_WAITS");
  return sl_read_file(sl__str(g.arena, "%s/%s.end", dir, t->name), 1000, NULL, &e);
}

// A judge that has one second may take three by the clock, if the machine gives it none of them. A machine so
// busy that nothing is told within eight ends it, too; that is no end of the judge's, which is asked again.
TEST(judges_are_limited_by_their_work) {
  static const struct {
    const char *waits, *end;
  } rows[] = {{"stopped", "\"code\": 0, \"signal\": 0, \"timed_out\": false"},
              {"asleep", "\"code\": -1, \"signal\": 9, \"timed_out\": true"}};
  enum { TRIES = 5 };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char *end = end_of_waiting(rows[k].waits);
    for (int tries = 1; tries < TRIES && end && strstr(end, "\"signal\": 9, \"timed_out\": false"); tries++)
      free(end), end = end_of_waiting(rows[k].waits);
    if (!end || !strstr(end, rows[k].end)) fail_msg("%s: %s", rows[k].waits, end ? end : "no end");
    free(end);
  }
}

// Three tests of the lab took long and failed, or their program did not end, or they were right and took very
// much processor time: the others get ten seconds each. Ends of another run do not count.
TEST(hanging_labs_get_little_time) {
  static const char *const slow[] = {"fails", "silent", "greedy"};
  static const struct {
    bool own;
    double seconds;
    const char *reason, *limit;
    int code;
    double processor;
  } turns[] = {{false, 26.5, "result.wrong", "", 1, 3}, {true, 26.5, "result.wrong", "10", 1, 3},
               {true, 3, "result.wrong", "", 1, 3},     {true, 3, "program.busy", "10", 1, 3},
               {true, 3, "program.idle", "10", 1, 3},   {true, 3, "late.exit", "10", 1, 3},
               {true, 70, "right", "10", 0, 31},        {true, 70, "right", "", 0, 29},
               {false, 70, "right", "", 0, 31}};
  for (size_t turn = 0; turn < sizeof turns / sizeof *turns; turn++) {
    GRADING g;
    char nonce[SL_HEX256];
    sl_error e = {0};
    const char *dir;
    SL_FREED char *jobs = grade_afresh(&g, &dir);
    assert_non_null(jobs);
    for (size_t k = 0; k < 3; k++) {
      const char *name = sl__str(g.arena, "01.scan.%s.sim", slow[k]);
      sl__nonce(g.course.secrets.run, turns[turn].own ? name : "other", nonce);
      const char *end = sl__str(
          g.arena, "{\"nonce\": \"%s\", \"code\": %d, \"signal\": 0, \"timed_out\": false, \"seconds\": %g}",
          nonce, turns[turn].code, turns[turn].seconds);
      const char *record = sl__str(g.arena, "{\"reason\": \"%s\", \"processor_seconds\": %g}",
                                   turns[turn].reason, turns[turn].processor);
      assert_true(sl_write_file(sl__str(g.arena, "%s/%s.json", dir, name), record, strlen(record), &e));
      assert_true(sl_write_file(sl__str(g.arena, "%s/%s.end", dir, name), end, strlen(end), &e));
    }
    sl_test *t = test_find(&g, "01.scan.pass.sim");
    assert_int_equal(judge_one(&g, dir, jobs, t->name), 0);
    SL_FREED char *told = sl_read_file(sl__str(g.arena, "%s/%s.json.timeout", dir, t->name), 100, NULL, &e);
    assert_string_equal(told, turns[turn].limit);
  }
}

int main(void) { return RUN_TESTS(test_set_up, test_tear_down); }
