// Mutants of a small kernel: which there are, where they lie, what they change.
#include "base/unit.h"
#include "mutants.h"

#include <unistd.h>

static const char kernel[] = "#include <x>\n"
                             "enum { N = 3 };\n"
                             "__global__ void k(int *a, int n) {\n"
                             "  int i = 1; // TODO(lab09.2, two lines): s < t\n"
                             "  if (i < n) a[i] = f(i, n); /* < */\n"
                             "  __syncthreads();\n"
                             "  // END TODO(lab09.2)\n"
                             "}\n"
                             "void host() {\n"
                             "  // TODO(lab09.3): launch\n"
                             "  k<<<N, 32>>>(nullptr, 5);\n"
                             "  // END TODO(lab09.3)\n"
                             "}\n";

typedef struct fixture {
  char path[32];
  source s;
  mutants all;
} fixture;

static int make_fixture(void **state) {
  fixture *x = calloc(1, sizeof *x);
  strcpy(x->path, "/tmp/mutants.XXXXXX");
  int fd = mkstemp(x->path);
  assert_int_equal(write(fd, kernel, sizeof kernel - 1), sizeof kernel - 1);
  close(fd);
  sl_error e = {0};
  assert_true(source_read(&x->s, x->path, &e));
  x->all = mutants_of(&x->s, "09");
  *state = x;
  return 0;
}

static int free_fixture(void **state) {
  SL_FREED fixture *x = *state;
  remove(x->path);
  mutants_free(&x->all);
  source_free(&x->s);
  return 0;
}

static const mutant *mutant_named(const fixture *x, const char *id) {
  for (size_t i = 0; i < x->all.n; i++)
    if (!strcmp(x->all.at[i].id, id)) return &x->all.at[i];
  fail_msg("there is no mutant %s", id);
  return NULL;
}

// The mutant [id] lies on [line] and makes [change]; its text differs from the kernel's nowhere else.
static void expect_mutant(const fixture *x, const char *id, unsigned line, const char *change) {
  const mutant *m = mutant_named(x, id);
  SL_FREED char *says = mutant_change(&x->s, m), *text = mutant_text(&x->s, m);
  assert_int_equal(m->line, line);
  assert_string_equal(says, change);
  assert_memory_equal(text, kernel, m->from);
  assert_string_equal(text + m->from + strlen(m->put), kernel + m->to);
  assert_memory_equal(text + m->from, m->put, strlen(m->put));
}

TEST(operators_fit_where_they_should) {
  const fixture *x = *state;
  expect_mutant(x, "09.2-bound-wider-1", 5, "< -> <=");
  expect_mutant(x, "09.2-always-1", 5, "i < n -> true");
  expect_mutant(x, "09.2-index-more-1", 5, "i -> (i) + 1");
  expect_mutant(x, "09.2-operands-1", 5, "i, n -> n, i");
  expect_mutant(x, "09.2-gone-1", 5, "a[i] = f(i, n) -> nothing");
  expect_mutant(x, "09.2-barrier-gone-1", 6, "__syncthreads() -> nothing");
  expect_mutant(x, "09.2-barrier-of-warp-1", 6, "__syncthreads() -> __syncwarp()");
  expect_mutant(x, "09.3-grid-less-1", 11, "N -> (N) - 1");
  expect_mutant(x, "09.3-block-half-1", 11, "32 -> (32) / 2");
  expect_mutant(x, "09.3-number-more-2", 11, "5 -> 6");
}

TEST(only_regions_are_touched) {
  const fixture *x = *state;
  for (size_t i = 0; i < x->all.n; i++) {
    unsigned line = x->all.at[i].line;
    assert_true((line > 4 && line < 7) || line == 11); // not 4: the region begins behind its mark
    assert_int_equal(x->all.at[i].device, line < 8);
  }
}

TEST(no_two_are_the_same) {
  const fixture *x = *state;
  assert_true(x->all.n > 20);
  for (size_t i = 0; i < x->all.n; i++)
    for (size_t k = 0; k < i; k++) {
      SL_FREED char *a = mutant_text(&x->s, &x->all.at[i]), *b = mutant_text(&x->s, &x->all.at[k]);
      assert_string_not_equal(x->all.at[i].id, x->all.at[k].id);
      assert_string_not_equal(a, b);
      assert_string_not_equal(a, kernel);
    }
}

TEST(reviews_are_read_and_bad_ones_refused) {
  fixture *x = *state;
  sl_error e = {0};
  reviews r;
  assert_true(sl_write_file(x->path, "# none\nA-1\told -> new\twhy\n", 27, &e));
  assert_true(reviews_read(&r, x->path, &e));
  assert_int_equal(r.n, 1);
  assert_string_equal(reviews_find(&r, "A-1")->change, "old -> new");
  assert_string_equal(reviews_find(&r, "A-1")->reason, "why");
  assert_null(reviews_find(&r, "A-2"));
  reviews_free(&r);
  assert_true(sl_write_file(x->path, "A-1\tno reason\n", 14, &e));
  assert_false(reviews_read(&r, x->path, &e));
  assert_int_equal(e.code, SL_EXIT_INPUT);
  assert_non_null(strstr(e.text, ":1: "));
  reviews_free(&r);
}

int main(void) { return RUN_TESTS(make_fixture, free_fixture); }
