#include "util.h"

char test_dir[256];

void test_make_dir(void) {
  const char *tmp = getenv("TMPDIR");
  snprintf(test_dir, sizeof test_dir, "%s/sl-grade-test-XXXXXX", tmp ? tmp : "/tmp");
  assert_non_null(mkdtemp(test_dir));
}

void test_clean(void) {
  sl_error e = {0};
  assert_int_equal(sl_run(SL_ARGV("rm", "-rf", "--", test_dir), NULL, 30, 1000, NULL, &e).code, 0);
}

int test_set_up(void **) {
  test_make_dir();
  return 0;
}

int test_tear_down(void **) {
  test_clean();
  return 0;
}

void test_write(const char *name, const char *text) {
  sl_error e = {0};
  SL_FREED char *path = sl_path("%s/%s", test_dir, name);
  *strrchr(path, '/') = 0;
  assert_true(sl_mkdirs(path, &e));
  path[strlen(path)] = '/';
  assert_true(sl_write_file(path, text, strlen(text), &e));
}

sl_grading test_grading(const char *backend) {
  sl_error e = {0};
  sl_grading g = {.arena = sl__arena_new()};
  const char *name = "01";
  const sl_strings chosen = {&name, 1};
  sl_course *c = &g.course;
  c->root = TEST_DATA "/course";
  c->build = c->out = sl__str(g.arena, "%s/out", test_dir);
  c->judge = FAKE_JUDGE;
  c->test = SL_TEST;
  c->backend = backend;
  c->jobs = 2;
  memset(&c->secrets, 7, sizeof c->secrets);
  memset(c->store_key, 9, sizeof c->store_key);
  assert_true(sl__load_labs(&g, &chosen, &e));
  test_write("one/01_naive_scan/kernel.cu", "// a kernel\n");
  assert_true(sl__discover(&g, sl__str(g.arena, "%s/one", test_dir), &e));
  g.subs[0].out = c->out;
  assert_true(sl__take_in(&g, &e));
  sl__plan(&g, &g.subs[0]);
  g.subs[0].labs[0].runner = SL_GRADE;
  assert_true(sl_mkdirs(sl__str(g.arena, "%s/records", c->out), &e));
  return g;
}

void forget(sl_grading *g) {
  SL_EACH_SUB(g, s)
    SL_EACH_LAB(s, gl)
      SL_EACH_RUN(gl, t) sl__drop_result(t);
  for (size_t i = 0; i < g->course.n_labs; i++) sl_lab_free(g->course.labs[i].lab);
  sl_arena_free(g->arena);
}

void free_arena(sl_arena **a) { sl_arena_free(*a); }

sl_test *test_find(sl_grading *g, const char *name) {
  SL_EACH_LAB(&g->subs[0], gl)
    SL_EACH_TEST(gl, t)
      if (strcmp(t->name, name) == 0) return t;
  fail_msg("no test %s", name);
  return NULL;
}
