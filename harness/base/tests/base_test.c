// Unit tests of harness/base: errors, command lines, parallel loops. files_test.c has files and processes.

#include "base/unit.h"
#include "base/test_folder.h"
#include <sched.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

// Errors ----------------------------------------------------------------------------------------------------

TEST(first_error_wins) {
  sl_error e = {0};
  assert_false(sl_fail(&e, SL_EXIT_INPUT, "look", "n is %d", 5));
  assert_false(sl_fail(&e, SL_EXIT_INFRA, NULL, "later"));
  assert_int_equal(e.code, SL_EXIT_INPUT);
  assert_string_equal(e.text, "n is 5");
  assert_string_equal(e.hint, "look");
  assert_false(sl_fail(NULL, 1, NULL, "nobody listens"));
}

TEST(source_line_of_error) {
  char text[64];
  sl_error e = {0};
  sl_error_at(NULL, "kernel.cu", 3);
  sl_error_at(&e, "kernel.cu", 3);
  sl_fail(&e, SL_EXIT_INPUT, NULL, "wrong");
  sl_error_at(&e, "later.cu", 4);
  assert_string_equal(e.text, "wrong");
  assert_string_equal(e.file, "kernel.cu");
  assert_int_equal(e.line, 3);
  assert_string_equal(sl_error_text(&e, text, sizeof text), "wrong (from kernel.cu:3)");
  e = (sl_error){.text = "wrong"};
  assert_string_equal(sl_error_text(&e, text, sizeof text), "wrong");
}

TEST(printable_escapes) {
  static const char *const table[][2] = {
      {"plain", "plain"},
      {"a\nb", "a\\x0Ab"},
      {"\x1b[2J", "\\x1B[2J"},
      {"caf\xc3\xa9", "caf\xc3\xa9"},
      {"\xc3", "\\xC3"},
      {"\xff\xfe", "\\xFF\\xFE"},
      {"\xc0\xaf", "\\xC0\\xAF"},
      {"\xed\xa0\x80", "\\xED\\xA0\\x80"},
      {"\xc2\x9b", "\\xC2\\x9B"},
      {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
      {"\xf5\x80\x80\x80", "\\xF5\\x80\\x80\\x80"},
      {"\x7f", "\\x7F"},
      {"a\xe2\x80\xae"
       "b",
       "a\\xE2\\x80\\xAE"
       "b"}, // the text runs the other way from here
      {"a\xe2\x80\x8b", "a\\xE2\\x80\\x8B"},
      {"\xe2\x80\x8d\xe2\x80\x93", "\xe2\x80\x8d\xe2\x80\x93"}, // joins letters; a dash
  };
  char out[64];
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    assert_string_equal(sl_printable(table[i][0], out, sizeof out), table[i][1]);
  assert_string_equal(sl_printable("ab\x01", out, 5), "ab"); // an escape is never cut
  assert_string_equal(sl_printable("abc", out, 1), "");
}

// Numbers and names -----------------------------------------------------------------------------------------

TEST(integers) {
  static const char *const right[] = {"0", "1000", "-5", "2^20", "64k", "3M", "1G", "2^0"};
  static const int64_t value[] = {0, 1000, -5, 1 << 20, 65536, 3 << 20, 1 << 30, 1};
  static const char *const wrong[] = {"",    "-",   "+1",   " 1",   "1 ",  "1x",  "0x10",
                                      "1.5", "1e3", "2^",   "2^63", "3^2", "1kk", "99999999999G",
                                      "--1", "nan", "2^20k"};
  int64_t v = 77;
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    if (sl_parse_int(wrong[k], INT64_MIN, INT64_MAX, &v) || v != 77)
      fail_msg("'%s' is taken for %ld", wrong[k], (long)v);
  for (size_t k = 0; k < sizeof right / sizeof *right; k++)
    if (!sl_parse_int(right[k], INT64_MIN, INT64_MAX, &v) || v != value[k])
      fail_msg("%s is %ld", right[k], (long)v);
  assert_true(sl_parse_int("9223372036854775807", INT64_MIN, INT64_MAX, &v) && v == INT64_MAX);
  assert_false(sl_parse_int("9223372036854775808", INT64_MIN, INT64_MAX, &v));
  assert_false(sl_parse_int("11", 0, 10, &v));
  assert_false(sl_parse_int("-1", 0, 10, &v));
}

TEST(decimals_are_what_people_write) {
  static const char *const right[] = {"0", "87.5", "+3", "-1.25", ".5", "7."};
  static const double value[] = {0, 87.5, 3, -1.25, .5, 7};
  static const char *const wrong[] = {"",   "-",   ".",     "0x10", "1e3", "inf", "nan", " 5",
                                      "5 ", "1,5", "1.2.3", "--1",  "1_0", "0b1", "\t1"};
  double v;
  for (size_t k = 0; k < sizeof right / sizeof *right; k++)
    if (!sl_parse_decimal(right[k], &v) || v != value[k]) fail_msg("%s is %g", right[k], v);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    if (sl_parse_decimal(wrong[k], &v)) fail_msg("'%s' is taken for %g", wrong[k], v);
}

TEST(source_text) {
  static const struct {
    const char *text;
    size_t comment, quoted;
    const char *blanked;
  } rows[] = {{"// one\nx", 6, 0, "      \nx"},       {"/*/ a\n */b", 9, 0, "     \n   b"},
              {"/* no end", 9, 0, "         "},       {"a / b /**/", 0, 0, "a / b     "},
              {"\"a\\\"b\" c", 0, 6, "\"a\\\"b\" c"}, {"'\\'' c", 0, 4, "'\\'' c"},
              {"\"no end\nb", 0, 7, "\"no end\nb"},   {"", 0, 0, ""}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    SL_FREED char *text = sl_blank_comments(sl_path("%s", rows[k].text));
    assert_string_equal(text, rows[k].blanked);
    assert_int_equal(sl_comment_length(rows[k].text), rows[k].comment);
    assert_int_equal(sl_quoted_length(rows[k].text), rows[k].quoted);
  }
  assert_string_equal(sl_line_at("a\n\nb", 1), "a\n\nb");
  assert_string_equal(sl_line_at("a\n\nb", 3), "b");
  assert_string_equal(sl_line_at("a\n\nb", 4), "");
}

TEST(nearest) {
  static const char *const names[] = {"uniform", "uniform_int", "ramp", "sorted", "reversed", NULL};
  assert_string_equal(sl_nearest("unifrom", names), "uniform");
  assert_string_equal(sl_nearest("Sorted", names), "sorted");
  assert_string_equal(sl_nearest("rev", names), "reversed");
  assert_string_equal(sl_nearest("rmap", names), "ramp");
  assert_null(sl_nearest("zzzzzz", names));
  assert_null(sl_nearest("", names));
  char longer[300];
  memset(longer, 'a', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  assert_null(sl_nearest(longer, names));
}

// Command lines ---------------------------------------------------------------------------------------------

typedef struct parsed {
  bool force;
  const char *out;
  int64_t n, jobs;
  sl_strings names;
  int operands;
} parsed;

static const char *operands = "FILE [FILE]";

static void parse(char **argv, parsed *p) {
  int argc = 0;
  while (argv[argc]) argc++;
  const sl_opt opts[] = {SL_OPT_FLAG("--force", &p->force, "overwrite"),
                         SL_OPT_TEXT("--out", &p->out, "DIR", "folder"),
                         SL_OPT_NUMBER("--n", &p->n, "N", 0, 1000, "elements"),
                         SL_OPT_NUMBER("-j", &p->jobs, "N", 1, 64, "jobs"),
                         SL_OPT_LIST("--name", &p->names, "X", "a name"),
                         SL_OPT_END};
  const sl_cli cli = {"tool", "Does things.", "tool --n 3 x", operands, opts};
  sl_cli_parse(&cli, argc, argv, &p->operands);
}

TEST(cli_accepts) {
  char *argv[] = {"tool",   "a", "--force",  "--out=/tmp", "--n", "-0", "-j4",
                  "--name", "p", "--name=q", "--",         "--b", NULL};
  parsed p = {0};
  parse(argv, &p);
  assert_true(p.force);
  assert_string_equal(p.out, "/tmp");
  assert_int_equal(p.jobs, 4);
  assert_int_equal(p.names.n, 2);
  assert_string_equal(p.names.at[1], "q");
  assert_int_equal(p.operands, 2);
  assert_string_equal(argv[1], "a");
  assert_string_equal(argv[2], "--b");
  free(p.names.at);
}

// Runs parse() in a child; returns its exit code and what it wrote.
static int parse_in_child(char **argv, char *text, size_t cap) {
  int fds[2];
  assert_int_equal(pipe(fds), 0);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    dup2(fds[1], 1);
    dup2(fds[1], 2);
    parsed p = {0};
    parse(argv, &p);
    _exit(0);
  }
  close(fds[1]);
  size_t used = 0;
  for (ssize_t got; used < cap - 1 && (got = read(fds[0], text + used, cap - 1 - used)) > 0;)
    used += (size_t)got;
  text[used] = 0;
  close(fds[0]);
  int status;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(cli_refuses) {
  static struct {
    char *argv[6];
    int code;
    const char *says;
  } table[] = {
      {{"tool", "--help"}, 0, "usage: tool [OPTION...] FILE [FILE]"},
      {{"tool", "-h"}, 0, "--out DIR"},
      {{"tool", "--forc", "a"}, 2, "did you mean --force?"},
      {{"tool", "--forec=1", "a"}, 2, "unknown option '--forec'"},
      {{"tool", "-x", "a"}, 2, "unknown option '-x'"},
      {{"tool", "--force=1", "a"}, 2, "takes no argument"},
      {{"tool", "a", "--out"}, 2, "--out needs an argument: --out DIR"},
      {{"tool", "a", "--out", "--force"}, 2, "--out needs an argument"},
      {{"tool", "a", "--n", "1001"}, 2, "from 0 to 1000"},
      {{"tool", "a", "--n=abc"}, 2, "found 'abc'"},
      {{"tool", "a", "-j0"}, 2, "found '0'"},
      {{"tool", "a", "b", "c"}, 2, "unexpected argument 'c'"},
      {{"tool", "--n\x1b", "a"}, 2, "'--n\\x1B'"},
      {{"tool", NULL}, 2, "expected FILE [FILE]"},
  };
  char text[4096];
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    int code = parse_in_child(table[i].argv, text, sizeof text);
    if (code != table[i].code || !strstr(text, table[i].says))
      fail_msg("row %zu: exit %d, expected %d and \"%s\" in:\n%s", i, code, table[i].code, table[i].says,
               text);
  }
}

// The usage text says how many operands there may be. [fewest], [most]: -1 stands for any number.
TEST(cli_counts_operands) {
  static const struct {
    const char *usage;
    int fewest, most;
  } table[] = {{NULL, 0, 0},
               {"", 0, 0},
               {"LAB[.K]", 1, 1},
               {"sim|cpu|LAB|all", 1, 1},
               {"LAB A.cu B.cu|LAB LAB", 2, 3},
               {"LAB|--all", 0, 1},
               {"[[FROM] TO]", 0, 2},
               {"STUDENT LAB [POINTS]", 2, 3},
               {"[NAME...]", 0, -1},
               {"FILE...", 1, -1},
               {"-- PROGRAM [ARGUMENT...]", 0, -1}};
  char text[4096];
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    for (int n = 0; n <= 4; n++) {
      char *argv[6] = {"tool", "a", "a", "a", "a"};
      argv[1 + n] = NULL;
      operands = table[i].usage;
      const int code = parse_in_child(argv, text, sizeof text),
                right = n < table[i].fewest || (table[i].most >= 0 && n > table[i].most) ? 2 : 0;
      if (code != right) fail_msg("\"%s\", %d operands: exit %d, expected %d", operands, n, code, right);
    }
}

// Parallel loops --------------------------------------------------------------------------------------------

static void add_one(void *context, size_t from, size_t to) {
  unsigned char *seen = context;
  for (size_t i = from; i < to; i++) seen[i]++;
}

TEST(every_element_once) {
  for (size_t n = 0; n < 100; n += n < 10 ? 1 : 13)
    for (size_t grain = 1; grain < 200; grain *= 3) {
      unsigned char seen[101] = {0};
      sl_parallel(n, grain, add_one, seen);
      for (size_t i = 0; i <= 100; i++) assert_int_equal(seen[i], i < n);
    }
}

// One core of several: no more threads, no more programs beside each other.
TEST(cores_that_may_be_used) {
  cpu_set_t all, one;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  assert_int_equal(sl_cores(), CPU_COUNT(&all) > 256 ? 256 : CPU_COUNT(&all));
  assert_in_range(sl_jobs(), 1, sl_cores());
  CPU_ZERO(&one);
  for (int k = 0; CPU_COUNT(&one) == 0; k++)
    if (CPU_ISSET(k, &all)) CPU_SET(k, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_int_equal(sl_cores(), 1);
  assert_int_equal(sl_jobs(), 1);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

TEST(staying_keeps_one_of_the_cores) {
  cpu_set_t all, one;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  sl_stay();
  const int here = sched_getcpu();
  assert_int_equal(sched_getaffinity(0, sizeof one, &one), 0);
  assert_true(CPU_COUNT(&one) == 1 && CPU_ISSET((size_t)here, &one) && CPU_ISSET((size_t)here, &all));
  assert_int_equal(sl_cores(), 1);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

// The file system that sl_disk_left is told of, in this test's own call.
static struct statvfs told;

int statvfs(const char *folder, struct statvfs *s) {
  *s = told;
  return strcmp(folder, "absent") ? 0 : -1;
}

static uint64_t left_of(uint64_t blocks) {
  told = (struct statvfs){.f_bavail = blocks, .f_frsize = 4096};
  return sl_disk_left(".");
}

// More bytes than 64 bits hold, or as many as no disk has, are no answer; they are no full disk either.
TEST(room_on_disks) {
  assert_int_equal(left_of(0), 0);
  assert_int_equal(left_of(5), 5 * 4096);
  assert_int_equal(left_of(1ull << 40), 1ull << 52);
  assert_true(left_of((1ull << 51) - 1) == UINT64_MAX);
  assert_true(left_of(1ull << 52) == UINT64_MAX);
  assert_true(sl_disk_left("absent") == UINT64_MAX);
}

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
