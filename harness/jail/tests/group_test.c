// Unit tests of control groups: where they are made, in folders that look like some; and, where this machine
// has delegated some, that their limits hold for all processes together.

#include "base/unit.h"
#include "base/test_folder.h"
#include "jail/group.h"
#include "jail/sandbox.h"

#include <sys/xattr.h>

// A folder below the test's, as a group that has the controllers [has] and gives [gives] to its groups.
static void make_group(const char *path, const char *has, const char *gives) {
  const char *files[][2] = {
      {"cgroup.procs", ""}, {"cgroup.controllers", has}, {"cgroup.subtree_control", gives}};
  SL_FREED char *folder = sl_path("%s%s", dir, path);
  assert_true(sl_mkdirs(folder, NULL));
  for (int k = 0; k < 3; k++) {
    SL_FREED char *file = sl_path("%s/%s", folder, files[k][0]);
    assert_true(sl_write_file(file, files[k][1], strlen(files[k][1]), NULL));
  }
}

static bool mark(const char *path) {
  SL_FREED char *folder = sl_path("%s%s", dir, path);
  return setxattr(folder, "user.delegate", "1", 1, 0) == 0;
}

static void expect_parent(const char *own, const char *wanted) {
  char found[PATH_MAX];
  bool ok = sl__group_parent(dir, own, found);
  assert_int_equal(ok, wanted != NULL);
  if (ok) assert_string_equal(found + strlen(dir), wanted);
}

TEST(beside_the_own_group) {
  make_group("/a", "cpu memory pids", "memory pids");
  make_group("/a/user", "memory pids", "memory pids");
  make_group("/a/user/app", "memory pids", "memory pids");
  make_group("/a/user/app/own", "memory pids", "");
  make_group("/a/user/bare/own", "memory", "");
  if (!mark("/a/user")) skip();
  expect_parent("/a/user/app/own", "/a/user/app");
  expect_parent("/a/user/app", "/a/user");
}

TEST(root_takes_delegated_ones_alone) {
  make_group("/b/app", "memory pids", "memory pids");
  make_group("/b/app/own", "memory pids", "");
  expect_parent("/b/app/own", geteuid() == 0 ? NULL : "/b/app");
}

TEST(an_own_group_is_split) {
  char *control = NULL;
  make_group("/c", "memory pids", "memory pids");
  make_group("/c/own", "cpu memory pids", "");
  make_group("/c/less", "memory", "");
  if (!mark("/c/own") || !mark("/c/less")) skip();
  expect_parent("/c/own", "/c/own");
  SL_FREED char *file = sl_path("%s/c/own/cgroup.subtree_control", dir),
                *rest = sl_path("%s/c/own/rest", dir);
  control = sl_read_file(file, 100, NULL, NULL);
  assert_string_equal(control, "+memory +pids");
  assert_int_equal(access(rest, F_OK), 0);
  free(control);
  expect_parent("/c/less", NULL);
}

// Runs a shell's [script] in a group with 64 MiB. Returns its exit code; the group is gone afterwards.
static int run_in_group(const char *script, bool *exceeded) {
  sl_group g;
  sl_command c;
  sl_group_open(&g, 64);
  assert_non_null(g.path);
  SL_FREED char *path = strdup(g.path);
  c = (sl_command){0};
  sl_command_words(&c, SL_WORDS("sh", "-c", script));
  sl_group_wrap(&c, &g);
  sl_exit_status s = sl_run(c.argv, NULL, 200, 0, NULL, NULL);
  *exceeded = sl_group_exceeded(&g);
  sl_command_end(&c);
  sl_group_close(&g);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_false(s.timed_out);
  return s.code;
}

TEST(memory_of_all_processes_together) {
  bool exceeded;
  if (!sl_group_works()) skip();
  assert_int_equal(run_in_group("exit 3", &exceeded), 3);
  assert_false(exceeded);
  static const char many[] = "for k in 1 2 3 4 5 6 7 8 9 10; do (x=$(head -c 12000000 /dev/zero | tr '\\0' "
                             "x); sleep 30) & done; wait";
  assert_int_not_equal(run_in_group(many, &exceeded), 0);
  assert_true(exceeded);
}

TEST(number_of_processes) {
  bool exceeded;
  if (!sl_group_works()) skip();
  SL_FREED char *bomb = sl_path(
      "mkfifo %s/fifo; k=0; while [ $k -lt 1100 ]; do (read x < %s/fifo) & k=$((k + 1)); done; exit 0", dir,
      dir);
  assert_int_not_equal(run_in_group(bomb, &exceeded), 0);
}

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
