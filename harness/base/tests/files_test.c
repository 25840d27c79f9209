// Unit tests of files that are written whole or not at all, and of child processes.

#include "base/unit.h"
#include "base/test_folder.h"
#include "base/usage.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static int count_files(const char *path) {
  SL_LISTED DIR *d = opendir(path);
  int n = 0;
  for (struct dirent *f; (f = readdir(d));) n += f->d_name[0] != '.';
  return n;
}

// Files -----------------------------------------------------------------------------------------------------

TEST(atomic_file) {
  sl_error e = {0};
  SL_FREED char *path = sl_path("%s/a/b/file", dir), *folder = sl_path("%s/a/b", dir);
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
}

TEST(through_a_link) {
  sl_error e = {0};
  SL_FREED char *target = sl_path("%s/target", dir), *link = sl_path("%s/link", dir);
  assert_true(sl_write_file(target, "1", 1, &e));
  assert_int_equal(symlink(target, link), 0);
  assert_true(sl_write_file(link, "22", 2, &e));
  struct stat st;
  assert_int_equal(lstat(link, &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  assert_int_equal(stat(target, &st), 0);
  assert_int_equal(st.st_size, 2);
}

TEST(bad_files) {
  SL_FREED char *fifo = sl_path("%s/fifo", dir), *big = sl_path("%s/big", dir);
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
}

TEST(what_may_not_be_written_is_a_wrong_path) {
  static const int wrong[] = {EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EEXIST},
                   machine[] = {ENOSPC, EDQUOT, EFBIG, EIO, ENOMEM};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    assert_int_equal(sl_write_fault(wrong[k]), SL_EXIT_INPUT);
  for (size_t k = 0; k < sizeof machine / sizeof *machine; k++)
    assert_int_equal(sl_write_fault(machine[k]), SL_EXIT_INFRA);
}

TEST(full_disk) {
  sl_error e = {0};
  assert_false(sl_write_file("/dev/full", "x", 1, &e));
  assert_int_equal(e.code, SL_EXIT_INFRA);
  assert_non_null(strstr(e.text, "/dev/full"));
  // A file size limit stops a write in its middle: an error, and nothing stays.
  SL_FREED char *folder = sl_path("%s/limited", dir), *path = sl_path("%s/f", folder);
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
  SL_FREED char *folder = sl_path("%s/interrupted", dir), *path = sl_path("%s/f", folder);
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
    sl_spawn(&c, &(sl_process){.argv = sleep_argv, .io = SL_STDIO_SAME}, &e);
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
}

// Processes -------------------------------------------------------------------------------------------------

static sl_exit_status shell(const char *script, double seconds, size_t cap, char **out) {
  sl_error e = {0};
  sl_exit_status s = sl_run(SL_ARGV("sh", "-c", script), dir, seconds, cap, out, &e);
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

#define WORKS "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; "

// Its processor time bounds it, and that in which it waits: a stopped one stands for a starved one.
TEST(run_is_bounded_by_work) {
  static const struct {
    const char *script;
    double seconds;
    bool timed_out, busy, idle;
  } rows[] = {{WORKS "(sleep 2; kill -CONT $$) & kill -STOP $$; exit 0", 1, false, false, false},
              {"while :; do :; done", 0.5, true, true, false},
              {WORKS "sleep 50", 0.8, true, false, true}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_error e = {0};
    const sl_exit_status s =
        sl_run_by_work(SL_ARGV("sh", "-c", rows[k].script), NULL, rows[k].seconds, 0, NULL, &e);
    assert_int_equal(e.code, 0);
    if (rows[k].busy && s.timed_out && s.cpu < rows[k].seconds)
      continue; // the machine gave it less than an eighth
    if (s.timed_out != rows[k].timed_out || s.busy != rows[k].busy || s.idle != rows[k].idle)
      fail_msg("%s: %d %d %d, code %d", rows[k].script, s.timed_out, s.busy, s.idle, s.code);
  }
}

// While a look at all processes goes on, the child of the one that was just looked at ends.
static pid_t looked_at, ends;
struct dirent *__real_readdir(DIR *d);
struct dirent *__wrap_readdir(DIR *d);
struct dirent *__wrap_readdir(DIR *d) {
  static bool now;
  if (now) {
    kill(ends, SIGKILL);
    while (kill(ends, 0) == 0) usleep(1000); // until its parent has taken its end
    ends = 0;
  }
  struct dirent *f = __real_readdir(d);
  now = f && ends && atoi(f->d_name) == looked_at;
  return f;
}

static _Noreturn void compute(void) {
  for (volatile unsigned n = 0;; n++) continue;
}

TEST(a_look_takes_time) {
  int told[2];
  pid_t its_child;
  assert_int_equal(pipe(told), 0);
  looked_at = fork();
  if (looked_at == 0) {
    setpgid(0, 0);
    pid_t child = fork();
    alarm(60);
    if (child == 0) compute();
    if (write(told[1], &child, sizeof child) == sizeof child) waitpid(child, NULL, 0);
    compute();
  }
  assert_int_equal(read(told[0], &its_child, sizeof its_child), sizeof its_child);
  while (!sl_waits(looked_at)) usleep(1000);
  ends = its_child;
  const sl_usage u = sl__usage_of(looked_at); // waits for its child, then computes itself
  kill(-looked_at, SIGKILL);
  waitpid(looked_at, NULL, 0);
  assert_int_equal(ends, 0);
  assert_false(u.waits);
  close(told[0]), close(told[1]);
}

TEST(spawn_fails) {
  char *argv[] = {"/nonexistent/program", NULL}, *ok[] = {"true", NULL};
  sl_child c;
  sl_error e = {0};
  assert_false(sl_spawn(&c, &(sl_process){.argv = argv, .io = SL_STDIO_SAME}, &e));
  assert_non_null(strstr(e.text, "/nonexistent/program"));
  assert_int_equal(e.code, SL_EXIT_INPUT);
  e = (sl_error){0};
  assert_false(sl_spawn(&c, &(sl_process){.argv = ok, .cwd = "/nonexistent", .io = SL_STDIO_SAME}, &e));
  assert_int_equal(sl_wait(&c, 1).code, -1);
}

TEST(descriptors) {
  int leak = open("/dev/null", O_RDONLY), kept = open("/dev/zero", O_RDONLY);
  char script[] = "ls -l /proc/self/fd";
  char *argv[] = {"sh", "-c", script, NULL}, *env[] = {"PATH=/usr/bin:/bin", "ONLY=1", NULL};
  const int keep[] = {kept, -1};
  sl_child c;
  sl_error e = {0};
  sl_process p = {argv, env, NULL, keep, SL_STDIO_CAPTURE};
  assert_true(sl_spawn(&c, &p, &e));
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
