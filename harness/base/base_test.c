// Unit tests of harness/base: errors, command lines, atomic files, child processes.

#include "base/unit.h"
#include "base/test_folder.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int count_files(const char *path) {
  DIR *d = opendir(path);
  int n = 0;
  for (struct dirent *f; (f = readdir(d));) n += f->d_name[0] != '.';
  closedir(d);
  return n;
}

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
  static const struct {
    const char *s;
    bool ok;
    int64_t value;
  } table[] = {
      {"0", true, 0},
      {"1000", true, 1000},
      {"-5", true, -5},
      {"2^20", true, 1 << 20},
      {"64k", true, 65536},
      {"3M", true, 3 << 20},
      {"1G", true, 1 << 30},
      {"2^0", true, 1},
      {"", false, 0},
      {"-", false, 0},
      {"+1", false, 0},
      {" 1", false, 0},
      {"1 ", false, 0},
      {"1x", false, 0},
      {"0x10", false, 0},
      {"1.5", false, 0},
      {"1e3", false, 0},
      {"2^", false, 0},
      {"2^63", false, 0},
      {"3^2", false, 0},
      {"1kk", false, 0},
      {"9223372036854775807", true, INT64_MAX},
      {"9223372036854775808", false, 0},
      {"99999999999G", false, 0},
      {"--1", false, 0},
      {"nan", false, 0},
      {"2^20k", false, 0},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    int64_t v = 77;
    bool ok = sl_parse_int(table[i].s, INT64_MIN, INT64_MAX, &v);
    if (ok != table[i].ok) fail_msg("sl_parse_int(\"%s\") is %d", table[i].s, ok);
    assert_int_equal(v, ok ? table[i].value : 77);
  }
  int64_t v;
  assert_false(sl_parse_int("11", 0, 10, &v));
  assert_false(sl_parse_int("-1", 0, 10, &v));
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

static void parse(char **argv, parsed *p) {
  int argc = 0;
  while (argv[argc]) argc++;
  const sl_opt opts[] = {SL_OPT_FLAG("--force", &p->force, "overwrite"),
                         SL_OPT_TEXT("--out", &p->out, "DIR", "folder"),
                         SL_OPT_NUMBER("--n", &p->n, "N", 0, 1000, "elements"),
                         SL_OPT_NUMBER("-j", &p->jobs, "N", 1, 64, "jobs"),
                         SL_OPT_LIST("--name", &p->names, "X", "a name"),
                         SL_OPT_END};
  const sl_cli cli = {"tool", "Does things.", "tool --n 3 x", "FILE...", opts, 1, 2};
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
      {{"tool", "--help"}, 0, "usage: tool [OPTION...] FILE..."},
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
      {{"tool", NULL}, 2, "expected FILE..."},
  };
  char text[4096];
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    int code = parse_in_child(table[i].argv, text, sizeof text);
    if (code != table[i].code || !strstr(text, table[i].says))
      fail_msg("row %zu: exit %d, expected %d and \"%s\" in:\n%s", i, code, table[i].code, table[i].says,
               text);
  }
}

// Files -----------------------------------------------------------------------------------------------------

TEST(atomic_file) {
  sl_error e = {0};
  char *path = sl_path("%s/a/b/file", dir), *folder = sl_path("%s/a/b", dir);
  assert_true(sl_mkdirs(folder, &e));
  assert_true(sl_mkdirs(folder, &e));
  assert_true(sl_write_file(path, "old", 3, &e));
  sl_out *o = sl_open_atomic(path, &e);
  assert_non_null(o);
  assert_true(sl_printf(o, &e, "%s %d", "new", 1));
  char big[200000];
  memset(big, 'x', sizeof big);
  assert_true(sl_write(o, big, sizeof big, &e));
  size_t len;
  char *text = sl_read_file(path, 100, &len, &e);
  assert_string_equal(text, "old"); // not before the commit
  free(text);
  assert_true(sl_commit(o, &e));
  text = sl_read_file(path, 1 << 20, &len, &e);
  assert_int_equal(len, 5 + sizeof big);
  assert_memory_equal(text, "new 1xxx", 8);
  free(text);
  sl_abandon(sl_open_atomic(path, &e));
  sl_abandon(NULL);
  assert_int_equal(count_files(folder), 1);
  assert_int_equal(e.code, 0);
  free(path);
  free(folder);
}

TEST(through_a_link) {
  sl_error e = {0};
  char *target = sl_path("%s/target", dir), *link = sl_path("%s/link", dir);
  assert_true(sl_write_file(target, "1", 1, &e));
  assert_int_equal(symlink(target, link), 0);
  assert_true(sl_write_file(link, "22", 2, &e));
  struct stat st;
  assert_int_equal(lstat(link, &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  assert_int_equal(stat(target, &st), 0);
  assert_int_equal(st.st_size, 2);
  free(target);
  free(link);
}

TEST(bad_files) {
  char *fifo = sl_path("%s/fifo", dir), *big = sl_path("%s/big", dir);
  assert_int_equal(mkfifo(fifo, 0600), 0);
  sl_error e = {0};
  assert_true(sl_write_file(big, "0123456789", 10, &e));
  const struct {
    const char *path, *says;
  } table[] = {{dir, "found a directory"},
               {fifo, "found a device, pipe"},
               {big, "at most 5 bytes, found 10"},
               {"/nonexistent/x", "No such file"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    e = (sl_error){0};
    assert_null(sl_read_file(table[i].path, 5, NULL, &e));
    assert_int_equal(e.code, SL_EXIT_INPUT);
    assert_non_null(strstr(e.text, table[i].says));
    assert_non_null(strstr(e.text, table[i].path));
  }
  e = (sl_error){0};
  assert_null(sl_open_atomic(dir, &e));
  assert_int_equal(e.code, SL_EXIT_INPUT);
  e = (sl_error){0};
  assert_null(sl_open_atomic("/nonexistent/x", &e));
  assert_int_equal(e.code, SL_EXIT_INPUT);
  e = (sl_error){0};
  SL_FREED char *below = sl_path("%s/x", big);
  assert_false(sl_mkdirs(below, &e));
  assert_int_equal(e.code, SL_EXIT_INPUT);
  free(fifo);
  free(big);
}

TEST(full_disk) {
  sl_error e = {0};
  assert_false(sl_write_file("/dev/full", "x", 1, &e));
  assert_int_equal(e.code, SL_EXIT_INFRA);
  assert_non_null(strstr(e.text, "/dev/full"));
  // A file size limit stops a write in its middle: an error, and nothing stays.
  char *folder = sl_path("%s/limited", dir), *path = sl_path("%s/f", folder);
  e = (sl_error){0};
  assert_true(sl_mkdirs(folder, &e));
  pid_t pid = fork();
  if (pid == 0) {
    struct rlimit limit = {100000, 100000};
    setrlimit(RLIMIT_FSIZE, &limit);
    char *data = calloc(1, 300000);
    bool ok = sl_write_file(path, data, 300000, &e);
    _exit(ok ? 0 : e.code);
  }
  int status;
  waitpid(pid, &status, 0);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), SL_EXIT_INFRA);
  assert_int_equal(count_files(folder), 0);
  free(path);
  free(folder);
}

// Whether the process ends (or is a zombie that init has not reaped) within two seconds.
static bool is_gone(pid_t pid) {
  SL_FREED char *path = sl_path("/proc/%d/stat", pid);
  bool gone = false;
  for (int i = 0; i < 200 && !gone; i++) {
    SL_FREED char *stat = sl_read_file(path, 4096, NULL, NULL);
    gone = !stat || strstr(stat, ") Z");
    if (!gone) usleep(10000);
  }
  return gone;
}

TEST(interrupted) {
  char *folder = sl_path("%s/interrupted", dir), *path = sl_path("%s/f", folder);
  sl_error e = {0};
  assert_true(sl_mkdirs(folder, &e));
  int ready[2];
  assert_int_equal(pipe(ready), 0);
  pid_t pid = fork();
  if (pid == 0) {
    sl_child c;
    char *sleep_argv[] = {"sleep", "100", NULL};
    sl_out *o = sl_open_atomic(path, &e);
    sl_write(o, "half", 4, &e);
    // a folder goes after what is in it
    char *inner = sl_path("%s/inner", folder), *file = sl_path("%s/file", inner);
    sl_mkdirs(inner, &e);
    sl_remove_on_signal(inner);
    sl_remove_on_signal(file);
    sl_write_file(file, "x", 1, &e);
    sl_spawn(&c, sleep_argv, NULL, NULL, NULL, SL_STDIO_SAME, &e);
    if (write(ready[1], &c.pid, sizeof c.pid) != sizeof c.pid) _exit(9);
    for (;;) pause();
  }
  pid_t grandchild;
  assert_int_equal(read(ready[0], &grandchild, sizeof grandchild), sizeof grandchild);
  assert_int_equal(count_files(folder), 2);
  kill(pid, SIGTERM);
  int status;
  waitpid(pid, &status, 0);
  assert_int_equal(WEXITSTATUS(status), SL_EXIT_INTERRUPTED);
  assert_int_equal(count_files(folder), 0);
  assert_true(is_gone(grandchild));
  close(ready[0]);
  close(ready[1]);
  free(path);
  free(folder);
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

// Processes -------------------------------------------------------------------------------------------------

static sl_exit_status shell(const char *script, double seconds, size_t cap, char **out) {
  sl_error e = {0};
  char *argv[] = {"sh", "-c", (char *)script, NULL};
  sl_exit_status s = sl_run(argv, dir, seconds, cap, out, &e);
  assert_int_equal(e.code, 0);
  return s;
}

TEST(run_collects) {
  char *out;
  sl_exit_status s = shell("echo out; echo err >&2; pwd; cat; exit 7", 10, 1000, &out);
  assert_int_equal(s.code, 7);
  assert_false(s.timed_out);
  SL_FREED char *expected = sl_path("out\nerr\n%s\n", dir);
  assert_string_equal(out, expected);
  free(out);
  s = shell("yes | head -c 500000; kill -9 $$", 10, 100, &out);
  assert_int_equal(s.code, -1);
  assert_int_equal(s.signal, 9);
  assert_int_equal(strlen(out), 100);
  free(out);
}

TEST(run_times_out) {
  double start = sl_now();
  char *out;
  sl_exit_status s = shell("echo begun; sleep 50 & sleep 60", 0.3, 100, &out);
  assert_true(s.timed_out);
  assert_int_equal(s.signal, SIGKILL);
  assert_string_equal(out, "begun\n");
  free(out);
  s = shell("yes", 0.2, 10, NULL);
  assert_true(s.timed_out);
  s = shell("sleep 50 & exit 3", 20, 10, NULL); // what it leaves behind ends with it
  assert_int_equal(s.code, 3);
  assert_true(sl_now() - start < 15);
}

TEST(spawn_fails) {
  char *argv[] = {"/nonexistent/program", NULL}, *ok[] = {"true", NULL};
  sl_child c;
  sl_error e = {0};
  assert_false(sl_spawn(&c, argv, NULL, NULL, NULL, SL_STDIO_SAME, &e));
  assert_non_null(strstr(e.text, "/nonexistent/program"));
  assert_int_equal(e.code, SL_EXIT_INPUT);
  e = (sl_error){0};
  assert_false(sl_spawn(&c, ok, NULL, "/nonexistent", NULL, SL_STDIO_SAME, &e));
  assert_int_equal(sl_wait(&c, 1).code, -1);
}

TEST(descriptors) {
  int leak = open("/dev/null", O_RDONLY), kept = open("/dev/zero", O_RDONLY);
  char script[] = "ls -l /proc/self/fd";
  char *argv[] = {"sh", "-c", script, NULL}, *env[] = {"PATH=/usr/bin:/bin", "ONLY=1", NULL};
  const int keep[] = {kept, -1};
  sl_child c;
  sl_error e = {0};
  assert_true(sl_spawn(&c, argv, env, NULL, keep, SL_STDIO_CAPTURE, &e));
  char text[4096] = "";
  size_t used = 0;
  for (ssize_t got; (got = read(c.out, text + used, sizeof text - 1 - used)) > 0;) used += (size_t)got;
  assert_int_equal(sl_wait(&c, 10).code, 0);
  assert_non_null(strstr(text, "/dev/zero"));
  SL_FREED char *leaked = sl_path(" %d -> /dev/null", leak);
  assert_null(strstr(text, leaked));
  close(c.out);
  close(leak);
  close(kept);
}

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
