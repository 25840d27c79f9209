// What a record must say to count: a table of records for one test, and what becomes of each.
#include "util.h"

#define NONCE "0123456789abcdef"
#define OF(test, lab, name, backend)                                                                         \
  "{'test': '" test "', 'lab': '" lab "', 'part': 'scan', 'case': '" name "', 'backend': '" backend "', "
#define HEAD OF("01.scan.pass.sim", "01_naive_scan", "pass", "sim")
#define TAIL ", 'message': 'm', 'seconds': 1.5, 'nonce': '" NONCE "'}"
#define GETS(status, points) "'status': '" status "', 'points': " points TAIL
#define PASS HEAD GETS("pass", "7")

typedef struct row {
  const char *record; // NULL: none
  sl_seen seen;
  sl_status status;
  double points;
  const char *message; // a part of it
} row;

#define ENDED(n)                                                                                             \
  { .known = true, .code = (n), .seconds = 2 }

static const row rows[] = {
    {PASS, ENDED(0), SL_PASS, 7, "m"},
    {HEAD GETS("fail", "0"), ENDED(1), SL_FAIL, 0, "m"},
    {HEAD GETS("error", "0"), ENDED(4), SL_ERROR, 0, "m"},
    // Forged or foreign.
    {HEAD "'status': 'pass', 'points': 7, 'message': 'm', 'seconds': 1, 'nonce': '0123456789abcdeF'}",
     ENDED(0), SL_FAIL, 0, "secret"},
    {HEAD "'status': 'pass', 'points': 7, 'message': 'm', 'seconds': 1, 'nonce': ''}", ENDED(0), SL_FAIL, 0,
     "secret"},
    {HEAD "'status': 'pass', 'points': 7, 'message': 'm', 'seconds': 1, 'nonce': '" NONCE "\\u0000'}",
     ENDED(0), SL_FAIL, 0, "cannot be read"},
    {HEAD "'status': 'pass', 'points': 7, 'message': 'm', 'seconds': 1}", ENDED(0), SL_FAIL, 0, "secret"},
    {OF("02.scan.pass.sim", "01_naive_scan", "pass", "sim") GETS("pass", "7"), ENDED(0), SL_FAIL, 0,
     "\"test\""},
    {OF("01.scan.pass.sim", "02_double_buffer", "pass", "sim") GETS("pass", "7"), ENDED(0), SL_FAIL, 0,
     "\"lab\""},
    {OF("01.scan.pass.sim", "01_naive_scan", "n1", "sim") GETS("pass", "7"), ENDED(0), SL_FAIL, 0,
     "\"case\""},
    {OF("01.scan.pass.sim", "01_naive_scan", "pass", "gpu") GETS("pass", "7"), ENDED(0), SL_FAIL, 0,
     "\"backend\""},
    // Values that do not fit lab.json.
    {HEAD GETS("pass", "7.5"), ENDED(0), SL_FAIL, 0, "claims 7.5 points"},
    {HEAD GETS("pass", "1e300"), ENDED(0), SL_FAIL, 0, "claims"},
    {HEAD GETS("pass", "6"), ENDED(0), SL_FAIL, 0, "claims 6 points"},
    {HEAD GETS("fail", "7"), ENDED(1), SL_FAIL, 0, "claims 7 points"},
    {HEAD "'status': 'fail', 'reason': 'memory.kept', 'fields': {'bytes': 4}, 'points': 7" TAIL, ENDED(1),
     SL_FAIL, 0, "claims 7 points"},
    {HEAD "'status': 'fail', 'reason': 'memory.kept', 'fields': {'bytes': 4}, 'points': 3.5" TAIL, ENDED(1),
     SL_FAIL, 3.5, "m"},
    {HEAD "'status': 'fail', 'reason': 'handles.kept', 'fields': {'handles': 1}, 'points': 3.5" TAIL,
     ENDED(1), SL_FAIL, 3.5, "m"},
    {HEAD GETS("pass", "-7"), ENDED(0), SL_FAIL, 0, "claims"},
    {HEAD GETS("pass", "'7'"), ENDED(0), SL_FAIL, 0, "claims"},
    {HEAD "'status': 'pass'" TAIL, ENDED(0), SL_FAIL, 0, "claims"},
    {HEAD GETS("skip", "7"), ENDED(0), SL_FAIL, 0, "none of pass"},
    {HEAD "'points': 7" TAIL, ENDED(0), SL_FAIL, 0, "none of pass"},
    {HEAD "'status': 'pass', 'points': 7, 'seconds': 1, 'nonce': '" NONCE "'}", ENDED(0), SL_FAIL, 0,
     "no message"},
    {HEAD "'status': 'pass', 'points': 7, 'seconds': -1, 'message': '', 'nonce': '" NONCE "'}", ENDED(0),
     SL_FAIL, 0, "no time"},
    // Not a record.
    {HEAD "'status': 'pass', 'points': 7, 'points': 7" TAIL, ENDED(0), SL_FAIL, 0, "cannot be read"},
    {PASS " x", ENDED(0), SL_FAIL, 0, "cannot be read"},
    {HEAD "'status': 'pass', 'poin", ENDED(0), SL_FAIL, 0, "cannot be read"},
    {HEAD GETS("pass", "NaN"), ENDED(0), SL_FAIL, 0, "cannot be read"},
    {"", ENDED(0), SL_FAIL, 0, "cannot be read"},
    {"[1]", ENDED(0), SL_FAIL, 0, "not an object"},
    {"null", ENDED(0), SL_FAIL, 0, "cannot be read"},
    // No record at all: whose fault depends on how the judge ended.
    {NULL, ENDED(0), SL_FAIL, 0, "no record"},
    {NULL, ENDED(1), SL_FAIL, 0, "no record"},
    {NULL,
     {.known = true, .timed_out = true, .code = -1, .signal = 9, .seconds = 60},
     SL_FAIL,
     0,
     "stopped after 60 s"},
    {NULL, ENDED(4), SL_ERROR, 0, "exit 4"},
    {NULL, ENDED(2), SL_ERROR, 0, "exit 2"},
    {NULL, {.known = true, .code = -1, .signal = 11, .seconds = 1}, SL_ERROR, 0, "signal 11"},
    {NULL, {.known = false}, SL_ERROR, 0, "no record"},
    {"{", ENDED(4), SL_ERROR, 0, "cannot be read"},
};

// The reasons of the rows without a record.
static const sl_reason missing[] = {
    SL_REASON_GRADE_NO_RECORD, SL_REASON_GRADE_NO_RECORD, SL_REASON_GRADE_LATE, SL_REASON_GRADE_EXIT,
    SL_REASON_GRADE_EXIT,      SL_REASON_GRADE_SIGNAL,    SL_REASON_GRADE_ENDED};

TEST(records_count_only_when_right) {
  GRADING g = test_grading("sim");
  sl_test *t = test_find(&g, "01.scan.pass.sim");
  size_t n_missing = 0;
  assert_int_equal(t->r.reason, SL_REASON_NOT_RUN);
  assert_float_equal(t->max, 7, 1e-9);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const row *r = &rows[i];
    SL_FREED char *record = r->record ? json_text(r->record) : NULL;
    sl__judge_result(g.arena, t, "01_naive_scan", record, NONCE, &r->seen);
    if (t->r.status != r->status || t->r.points != r->points || !strstr(t->r.message, r->message))
      fail_msg("row %zu: %s with %g points: %s\n  record: %s", i, sl_status_names[t->r.status], t->r.points,
               t->r.message, r->record ? r->record : "none");
    if (!r->record) assert_int_equal(t->r.reason, missing[n_missing++]);
  }
}

// Tests of a lab with three parts, by hand: what one test takes from others.
TEST(points_are_taken) {
  static const struct {
    sl_status right;
    bool host;
    double speed, gpu; // points left, of 6 and 4
  } cases[] = {
      {SL_PASS, false, 5, 4}, {SL_FAIL, false, 0, 4}, {SL_ERROR, false, 5, 4}, {SL_PASS, true, 0, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    sl_part parts[] = {{.id = "a", .kind = SL_PART_CORRECT}, {.id = "s", .kind = SL_PART_SPEED}};
    sl_case of[] = {{.part = &parts[0]}, {.part = &parts[1]}};
    sl_test tests[] = {{.name = "05.a.n1.gpu", .c = &of[0], .backend = "gpu", .max = 4},
                       {.name = "05.s.n9.gpu", .c = &of[1], .backend = "gpu", .max = 6},
                       {.name = "05.a.n2.sim", .c = &of[0], .backend = "sim", .max = 1},
                       {.name = "05.a.n3.sim", .c = &of[0], .backend = "sim", .max = 1}};
    sl_graded_lab lab = {.tests = tests, .n_tests = 4};
    sl_submission s = {.labs = &lab, .n_labs = 1};
    ARENA a = sl__arena_new();
    for (int t = 0; t < 4; t++)
      tests[t].r = (sl_result){.status = SL_PASS, .points = tests[t].max, .message = "right"};
    tests[1].r.status = SL_FAIL, tests[1].r.points = 5;
    tests[2].r.status = cases[k].right, tests[2].r.points = 0;
    tests[3].r.record = json_pack("{s:b}", "from_host", cases[k].host);
    sl__settle(a, &s);
    if (tests[1].r.points != cases[k].speed || tests[0].r.points != cases[k].gpu)
      fail_msg("row %zu: %g and %g points", k, tests[1].r.points, tests[0].r.points);
    if (cases[k].speed == 0)
      assert_int_equal(tests[1].r.reason, cases[k].host ? SL_REASON_GRADE_FROM_HOST : SL_REASON_GRADE_WRONG);
    if (cases[k].speed == 0)
      assert_non_null(strstr(tests[1].r.message, cases[k].host ? "05.a.n3.sim" : "05.a.n2.sim"));
    for (int t = 0; t < 4; t++) sl__drop_result(&tests[t]);
  }
}

// On a real GPU nothing is counted: a kernel that lets one warp work, as the simulated GPU has seen at some
// size, has no points there from that size on.
TEST(one_warp_takes_points_on_a_gpu) {
  sl_part parts[] = {{.id = "a", .kind = SL_PART_CORRECT}, {.id = "w", .kind = SL_PART_COUNTERS}};
  sl_case of[] = {
      {.part = &parts[0], .n = 100}, {.part = &parts[0], .n = 129}, {.part = &parts[1], .n = 129}};
  for (int sim = 0; sim < 2; sim++) {
    const char *backend = sim ? "sim" : "gpu";
    sl_test tests[] = {{.name = "a.small", .c = &of[0], .backend = backend, .max = 4},
                       {.name = "a.large", .c = &of[1], .backend = backend, .max = 4},
                       {.name = "w", .c = &of[2], .backend = "sim", .max = 1}};
    sl_graded_lab lab = {.tests = tests, .n_tests = 3};
    sl_submission s = {.labs = &lab, .n_labs = 1};
    ARENA a = sl__arena_new();
    for (int t = 0; t < 3; t++)
      tests[t].r = (sl_result){.status = SL_PASS, .points = tests[t].max, .message = "right"};
    tests[2].r = (sl_result){.status = SL_FAIL,
                             .reason = SL_REASON_COMPUTED_ONE_WARP,
                             .message = "one warp",
                             .fields = json_pack("{s:i}", "n", 129)};
    sl__settle(a, &s);
    assert_true(tests[0].r.points == 4);
    assert_true(tests[1].r.points == (sim ? 4 : 0));
    if (!sim) assert_int_equal(tests[1].r.reason, SL_REASON_GRADE_ONE_WARP);
    for (int t = 0; t < 3; t++) sl__drop_result(&tests[t]);
  }
}

// A test of results on a real GPU has no more points than the same case on the simulated one, and its words.
TEST(the_worse_of_both_gpus_counts) {
  static const struct {
    sl_status real, sim;
    double on_real, on_sim; // points of 4
    sl_status status;
    double left;
    bool told; // the simulated one's words
  } cases[] = {{SL_PASS, SL_PASS, 4, 4, SL_PASS, 4, false},  {SL_PASS, SL_FAIL, 4, 0, SL_FAIL, 0, true},
               {SL_FAIL, SL_PASS, 0, 4, SL_FAIL, 0, false},  {SL_FAIL, SL_FAIL, 0, 0, SL_FAIL, 0, true},
               {SL_FAIL, SL_FAIL, 1, 2, SL_FAIL, 1, false},  {SL_PASS, SL_ERROR, 4, 0, SL_ERROR, 0, true},
               {SL_ERROR, SL_FAIL, 0, 0, SL_ERROR, 0, false}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    sl_part part = {.id = "a", .kind = SL_PART_CORRECT};
    sl_case of = {.part = &part};
    sl_test tests[] = {{.name = "05.a.n1.gpu", .c = &of, .backend = "gpu", .max = 4},
                       {.name = "05.a.n1.sim", .c = &of, .backend = "sim", .max = 4}};
    sl_graded_lab lab = {.tests = tests, .n_tests = 1, .n_run = 2};
    sl_submission s = {.labs = &lab, .n_labs = 1};
    ARENA a = sl__arena_new();
    tests[0].simulated = &tests[1];
    tests[0].r = (sl_result){.status = cases[k].real, .points = cases[k].on_real, .message = "one"};
    tests[1].r = (sl_result){.status = cases[k].sim, .points = cases[k].on_sim, .message = "two"};
    sl__settle(a, &s);
    assert_int_equal(tests[0].r.status, cases[k].status);
    assert_true(tests[0].r.points == cases[k].left);
    assert_string_equal(tests[0].r.message, cases[k].told ? "on the simulated GPU: two" : "one");
  }
}

// What the failure of one test takes from others, as it was judged: nothing follows from what is taken.
TEST(failures_take_points_of_others) {
  sl_part parts[] = {
      {.id = "clean", .kind = SL_PART_CLEAN},
      {.id = "split", .kind = SL_PART_CORRECT, .n_needs = 2, .needs = {"passes.b1", "speed.a"}},
      {.id = "passes", .kind = SL_PART_COUNTERS},
      {.id = "speed", .kind = SL_PART_SPEED},
      {.id = "chain", .kind = SL_PART_CLEAN, .whole = true, .n_needs = 1, .needs = {"passes.b8"}}};
  sl_case of[] = {{.part = &parts[0], .id = "a"},  {.part = &parts[0], .id = "b"},
                  {.part = &parts[1], .id = "a"},  {.part = &parts[2], .id = "b1"},
                  {.part = &parts[2], .id = "b8"}, {.part = &parts[3], .id = "a"},
                  {.part = &parts[4], .id = "a"},  {.part = &parts[4], .id = "b"}};
  enum { N = sizeof of / sizeof *of };
  static const struct {
    int fails;
    sl_reason why;
    const char *left; // a + for each test that has its points
    sl_reason taken;  // the reason of the first test that lost them
    double kept;      // points of the test that fails
    const char *schedule;
  } settled[] = {{0, SL_REASON_FINDINGS, "--++++++", SL_REASON_GRADE_FOUND, 0, NULL},
                 {0, SL_REASON_LATE_FINDING, "--++++++", SL_REASON_GRADE_FOUND, 0, NULL},
                 {0, SL_REASON_UNSEEN, "--++++++", SL_REASON_GRADE_FOUND, 0, NULL},
                 {0, SL_REASON_RESULT_WRONG, "-+++++++", 0, 0, NULL},
                 {0, SL_REASON_RESULT_WRONG, "-+++++++", 0, 0, "order=in"},
                 {0, SL_REASON_RESULT_WRONG, "--++++++", SL_REASON_GRADE_ORDER, 0, "order=reverse"},
                 {2, SL_REASON_RESULT_WRONG, "++-++-++", SL_REASON_GRADE_WRONG, 0, NULL},
                 {2, SL_REASON_RESULT_WRONG, "++-++-++", SL_REASON_GRADE_WRONG, 0, "order=reverse"},
                 {3, SL_REASON_COUNTER_LEAST, "++--++++", SL_REASON_GRADE_OPEN, 0, NULL},
                 {3, SL_REASON_COUNTER_LEAST, "++++++++", 0, 0.1, NULL},
                 {2, SL_REASON_COMPUTED_ONE_WARP, "++-+++++", 0, 0, NULL},
                 {3, SL_REASON_COMPUTED_ONE_WARP, "+++-++++", 0, 0, NULL},
                 {4, SL_REASON_COMPUTED_ONE_WARP, "++++-+--", SL_REASON_GRADE_OPEN, 0, NULL},
                 {3, SL_REASON_RESULT_WRONG, "+++-++++", 0, 0, NULL},
                 {4, SL_REASON_COUNTER_MOST, "++++-+--", SL_REASON_GRADE_OPEN, 0, NULL},
                 {5, SL_REASON_RESULT_WRONG, "++-++-++", SL_REASON_GRADE_SIZE, 0, NULL},
                 {5, SL_REASON_SPEED_MODEL, "+++++-++", 0, 0, NULL},
                 {6, SL_REASON_RESULT_WRONG, "++++++--", SL_REASON_GRADE_WHOLE, 0, NULL},
                 {2, SL_REASON_MEMORY_KEPT, "++-+++++", 0, 0, NULL},
                 {5, SL_REASON_HANDLES_KEPT, "+++++-++", 0, 0, NULL},
                 {6, SL_REASON_MEMORY_KEPT, "++++++-+", 0, 0, NULL},
                 {7, SL_REASON_FINDINGS, "++++++--", SL_REASON_GRADE_FOUND, 0, NULL}};
  for (size_t k = 0; k < sizeof settled / sizeof *settled; k++) {
    sl_test tests[N];
    sl_graded_lab lab = {.tests = tests, .n_tests = N};
    sl_submission s = {.labs = &lab, .n_labs = 1};
    ARENA a = sl__arena_new();
    for (int t = 0; t < N; t++)
      tests[t] =
          (sl_test){.name = "t", .c = &of[t], .backend = "sim", .max = 1, .r = {.points = 1, .message = "m"}};
    tests[settled[k].fails].r.status = SL_FAIL;
    tests[settled[k].fails].r.reason = settled[k].why, tests[settled[k].fails].r.points = settled[k].kept;
    if (settled[k].schedule)
      tests[settled[k].fails].r.fields = json_pack("{s:s}", "schedule", settled[k].schedule);
    sl__settle(a, &s);
    bool seen = !settled[k].taken;
    for (int t = 0; t < N; t++) {
      if ((tests[t].r.points > 0) != (settled[k].left[t] == '+')) fail_msg("row %zu: test %d", k, t);
      seen |= tests[t].r.reason == settled[k].taken;
    }
    assert_true(seen);
    for (int t = 0; t < N; t++) sl__drop_result(&tests[t]);
  }
}

// Which tests of lab 05 run on the GPU, without solutions and with the kernel of lab 05.
TEST(speed_is_timed_against_a_solution) {
  char root[] = "/tmp/record_test_XXXXXX";
  const char *number = "05";
  const sl_strings chosen = {&number, 1};
  assert_non_null(mkdtemp(root));
  SL_FREED char *labs = sl_path("%s/labs", root), *folder = sl_path("%s/solutions/05_arbitrary_size", root);
  SL_FREED char *kernel = sl_path("%s/kernel.cu", folder);
  assert_int_equal(symlink(COURSE_ROOT "/labs", labs), 0);
  for (int with = 0; with < 2; with++) {
    sl_error e = {0};
    GRADING g = {.arena = sl__arena_new(), .course = {.root = root, .backend = "gpu"}};
    sl_submission s = {.name = "s", .id = "s", .dir = COURSE_ROOT "/labs"};
    if (with) assert_true(sl_mkdirs(folder, &e) && sl_write_file(kernel, "//", 2, &e));
    assert_true(sl__load_labs(&g, &chosen, &e));
    sl__plan(&g, &s);
    size_t speeds = 0, results = 0;
    SL_EACH_TEST(&s.labs[0], t) {
      sl_part_kind kind = t->c->part->kind;
      bool gpu = kind == SL_PART_CORRECT || (kind == SL_PART_SPEED && with);
      speeds += kind == SL_PART_SPEED;
      results += kind == SL_PART_CORRECT;
      assert_string_equal(t->backend, gpu ? "gpu" : "sim");
      assert_int_equal(t->simulated != NULL, kind == SL_PART_CORRECT);
      if (t->simulated) assert_true(t->simulated->c == t->c && !strcmp(t->simulated->backend, "sim"));
    }
    assert_int_equal(speeds, 1);
    assert_int_equal(s.labs[0].n_run, s.labs[0].n_tests + results);
  }
  sl_run(SL_ARGV("rm", "-rf", root), NULL, 20, 0, NULL, NULL);
}

TEST(messages_are_made_printable) {
  GRADING g = test_grading("sim");
  sl_test *t = test_find(&g, "01.scan.pass.sim");
  const sl_seen seen = ENDED(1);
  SL_FREED char *record = json_text(HEAD "'status': 'fail', 'points': 0, 'message': 'a\\u001b[2Jb\\nc', "
                                         "'detail': '1\\n2\\u0007', 'seconds': 1, 'nonce': '" NONCE "'}");
  sl__judge_result(g.arena, t, "01_naive_scan", record, NONCE, &seen);
  assert_string_equal(t->r.message, "a\\x1B[2Jb\\x0Ac");
  assert_string_equal(t->r.detail, "1\n2\\x07");
}

TEST(totals_are_exact) {
  GRADING g = test_grading("sim");
  sl_graded_lab *gl = &g.subs[0].labs[0];
  SL_EACH_TEST(gl, t) t->r.points = t->max = 100.0 / (double)gl->n_tests;
  sl__total(&g.subs[0]);
  assert_true(g.subs[0].score == 100 && g.subs[0].max == 100);
  gl->tests[0].r.points = 0;
  sl__total(&g.subs[0]);
  assert_true(g.subs[0].score < 100);
}

int main(void) { return RUN_TESTS(test_set_up, test_tear_down); }
