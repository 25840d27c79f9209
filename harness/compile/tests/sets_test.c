// Which sets of stored headers are removed from a cache, and which never.
#include "compile/sets.h"
#include "base/unit.h"
#include "base/test_folder.h"

static void in_cache(char *path, size_t size, unsigned k) {
  snprintf(path, size, "%s/headers-%016x", dir, k);
}

static bool is_there(unsigned k) {
  char path[64];
  in_cache(path, sizeof path, k);
  return sl_is_dir(path);
}

static void make_file(unsigned k, const char *name) {
  char path[64], file[128];
  in_cache(path, sizeof path, k);
  snprintf(file, sizeof file, "%s/%s", path, name);
  assert_true(sl_write_file(file, "x", 1, NULL));
}

// A set that was last used at that second.
static void make_set(unsigned k, time_t used) {
  char path[64];
  in_cache(path, sizeof path, k);
  assert_int_equal(mkdir(path, 0755), 0);
  for (const char *const *file = sl__set_files; *file; file++) make_file(k, *file);
  const struct timespec times[2] = {{.tv_sec = used}, {.tv_sec = used}};
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(the_last_used_stay) {
  enum { N = SL_SETS_KEPT + 3 };
  for (unsigned k = 0; k < N; k++) make_set(k, 1000 + (time_t)(k * 5 % N));
  sl__sets_trim(dir);
  for (unsigned k = 0; k < N; k++) assert_int_equal(is_there(k), k * 5 % N >= 3);
}

TEST(a_set_of_today_makes_no_room) {
  char folder[64];
  snprintf(folder, sizeof folder, "%s/full", dir);
  assert_int_equal(mkdir(folder, 0755), 0);
  for (unsigned k = 0; k < SL_SETS_KEPT; k++) {
    SL_FREED char *set = sl_path("%s/headers-%016x", folder, k);
    assert_true(sl__sets_have_room(folder));
    assert_int_equal(mkdir(set, 0755), 0);
  }
  assert_false(sl__sets_have_room(folder));
  SL_FREED char *oldest = sl_path("%s/headers-%016x", folder, 0);
  const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
  assert_int_equal(utimensat(AT_FDCWD, oldest, long_ago, 0), 0);
  assert_true(sl__sets_have_room(folder));
}

TEST(a_set_that_is_used_again_stays) {
  char path[64];
  in_cache(path, sizeof path, 10);
  make_set(10, 1);
  close(sl__set_use(path));
  for (unsigned k = 11; k < 11 + SL_SETS_KEPT; k++) make_set(k, 2);
  sl__sets_trim(dir);
  assert_true(is_there(10));
}

TEST(a_set_in_use_stays_until_that_ends) {
  char path[64];
  in_cache(path, sizeof path, 20);
  make_set(20, 1);
  const int fd = sl__set_use(path), other = sl__set_use(path);
  assert_true(fd >= 0 && other >= 0);
  const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
  assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
  for (unsigned k = 21; k < 21 + SL_SETS_KEPT; k++) make_set(k, 3000000000);
  sl__sets_trim(dir);
  assert_true(is_there(20));
  close(fd);
  sl__sets_trim(dir);
  assert_true(is_there(20));
  close(other);
  sl__sets_trim(dir);
  assert_false(is_there(20));
}

TEST(what_was_not_made_here_stays) {
  char path[64], link_name[64], file[128];
  for (unsigned k = 31; k < 31 + SL_SETS_KEPT; k++) make_set(k, 3000000001);
  make_set(30, 1);
  make_file(30, "notes.txt"); // somebody's own, in a set
  in_cache(path, sizeof path, 30);
  snprintf(link_name, sizeof link_name, "%s/headers-00000000000000ff", dir);
  assert_int_equal(symlink("headers-000000000000001e", link_name), 0);
  snprintf(file, sizeof file, "%s/headers-of-mine", dir);
  assert_int_equal(mkdir(file, 0755), 0);
  sl__sets_trim(dir);
  assert_true(is_there(30));
  for (const char *const *name = sl__set_files; *name; name++) {
    snprintf(file, sizeof file, "%s/%s", path, *name);
    assert_true(sl_is_file(file));
  }
  snprintf(file, sizeof file, "%s/headers-of-mine", dir);
  assert_true(sl_is_dir(file));
  struct stat st;
  assert_int_equal(lstat(link_name, &st), 0);
}

TEST(no_cache_is_no_fault) {
  sl__sets_trim("/nonexistent");
  assert_int_equal(sl__set_use("/nonexistent"), -1);
}

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
