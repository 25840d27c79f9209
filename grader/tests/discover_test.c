// Which submissions a folder holds, and what is said about a kernel.cu that is none.
#include "util.h"

static char *in_dir(sl_arena *a, const char *name) { return sl__str(a, "%s/%s", test_dir, name); }

TEST(one_submission_or_a_class) {
  GRADING g = {.arena = sl__arena_new()};
  sl_error e = {0};
  test_write("class/bob/01_naive_scan/kernel.cu", "x");
  test_write("class/al\x1b[1mice/02_double_buffer/kernel.cu", "x");
  test_write("class/empty/readme.txt", "x");
  test_write("class/.git/01_naive_scan/kernel.cu", "x");
  test_write("class/grades.csv", "x");
  assert_true(sl__discover(&g, in_dir(g.arena, "class"), &e));
  assert_int_equal(g.n, 3);
  assert_string_equal(g.subs[0].name, "al\\x1B[1mice");
  assert_string_equal(g.subs[1].name, "bob");
  assert_string_equal(g.subs[2].name, "empty");
  g.n = 0;
  assert_true(sl__discover(&g, in_dir(g.arena, "class/bob"), &e));
  assert_int_equal(g.n, 1);
  assert_string_equal(g.subs[0].name, "bob");
}

// A folder called as a submission's makes no submission of the class; with one other it is one.
TEST(a_name_takes_no_class_over) {
  static const char *const names[] = {"labs", "01_naive_scan"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    GRADING g = {.arena = sl__arena_new()};
    sl_error e = {0};
    const char *class = sl__str(g.arena, "named_%zu", i);
    test_write(sl__str(g.arena, "%s/%s/01_naive_scan/kernel.cu", class, names[i]), "x");
    test_write(sl__str(g.arena, "%s/anna/01_naive_scan/kernel.cu", class), "x");
    assert_true(sl__discover(&g, in_dir(g.arena, class), &e));
    assert_int_equal(g.n, 1);
    assert_string_equal(g.subs[0].name, class);
    g.n = 0;
    test_write(sl__str(g.arena, "%s/bob/labs/01_naive_scan/kernel.cu", class), "x");
    assert_true(sl__discover(&g, in_dir(g.arena, class), &e));
    assert_int_equal(g.n, 3);
    assert_string_equal(g.subs[i ? 0 : 2].name, names[i]);
  }
}

// Two names that are shown alike would be one in every table.
TEST(names_are_shown_apart) {
  GRADING g = {.arena = sl__arena_new()};
  sl_error e = {0};
  test_write("alike/a\nb/01_naive_scan/kernel.cu", "x");
  test_write("alike/a\\x0Ab/01_naive_scan/kernel.cu", "x");
  assert_true(sl__discover(&g, in_dir(g.arena, "alike"), &e));
  assert_int_equal(g.n, 2);
  assert_string_not_equal(g.subs[0].name, g.subs[1].name);
}

TEST(wrong_folders_are_refused) {
  static const char *const bad[] = {"missing", "bad/file.txt", "bad/nothing", "bad"};
  test_write("bad/file.txt", "x");
  test_write("bad/nothing/x.txt", "x");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    GRADING g = {.arena = sl__arena_new()};
    sl_error e = {0};
    assert_false(sl__discover(&g, in_dir(g.arena, bad[i]), &e));
    assert_int_equal(e.code, SL_EXIT_INPUT);
    assert_non_null(strstr(e.text, bad[i]));
  }
}

// What students hand in instead of 03_blelloch/kernel.cu, and what is said: where it is, where it belongs.
TEST(misplaced_kernels_are_named) {
  static const char *const rows[] = {
      "03_blelloch.cu",        "hw1/03_blelloch/kernel.cu", "Lab3.cu",
      "03-Blelloch/Kernel.cu", "03_blelloch/scan.cu",       "solution/blelloch_scan.CU",
      "a/b/lab03/kernel.cu"};
  static const char *const others[] = {"04_bank_conflicts/kernel.cu", "kernel.cu", "13.cu",
                                       "03_blelloch/notes.txt", "a/b/c/d/e/03.cu"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows + sizeof others / sizeof *others; i++) {
    bool meant = i < sizeof rows / sizeof *rows;
    const char *name = meant ? rows[i] : others[i - sizeof rows / sizeof *rows];
    ARENA a = sl__arena_new();
    sl_graded_lab gl = {0};
    char *dir = sl__str(a, "misplaced%zu", i);
    test_write(sl__str(a, "%s/%s", dir, name), "x");
    sl__inspect_kernel(a, in_dir(a, dir), "03_blelloch", &gl);
    assert_int_equal(gl.absent, !meant);
    assert_string_equal(
        gl.problem,
        meant ? sl__str(a, "no kernel.cu in its place: there is %s, which belongs into 03_blelloch/kernel.cu",
                        name)
              : "no kernel.cu");
  }
}

TEST(unusual_kernels_have_a_reason) {
  ARENA a = sl__arena_new();
  test_write("odd/01_naive_scan/kernel.cu/file", "x");
  test_write("odd/02_double_buffer/kernel.cu", "");
  test_write("odd/03_blelloch/other.cu", "x");
  test_write("odd/secret", "x");
  test_write("odd/04_bank_conflicts", "a file");
  test_write("odd/good/kernel.cu", "int x;\n");
  assert_int_equal(symlink("../secret", in_dir(a, "odd/03_blelloch/kernel.cu")), 0);
  assert_int_equal(symlink("03_blelloch", in_dir(a, "odd/05_arbitrary_size")), 0);
  assert_int_equal(mkdir(in_dir(a, "odd/06_radix_sort"), 0755), 0);
  assert_int_equal(mkfifo(in_dir(a, "odd/06_radix_sort/kernel.cu"), 0644), 0);
  assert_int_equal(mkdir(in_dir(a, "odd/bin"), 0755), 0);
  sl_error e = {0};
  assert_true(sl_write_file(in_dir(a, "odd/bin/kernel.cu"),
                            "\x7f"
                            "ELF\0\0",
                            6, &e));
  assert_int_equal(mkdir(in_dir(a, "odd/utf16le"), 0755), 0);
  assert_int_equal(mkdir(in_dir(a, "odd/utf16be"), 0755), 0);
  assert_true(sl_write_file(in_dir(a, "odd/utf16le/kernel.cu"), "\xff\xfei\0n\0t\0", 8, &e));
  assert_true(sl_write_file(in_dir(a, "odd/utf16be/kernel.cu"), "\xfe\xff\0i\0n\0t", 8, &e));
  const struct {
    const char *lab, *why;
  } rows[] = {
      {"01_naive_scan", "is a directory"},
      {"02_double_buffer", "is empty"},
      {"03_blelloch", "symbolic link"},
      {"04_bank_conflicts", "must be a folder"},
      {"05_arbitrary_size", "symbolic link"},
      {"06_radix_sort", "named pipe"},
      {"bin", "binary"},
      {"utf16le", "UTF-16: save it as UTF-8"},
      {"utf16be", "UTF-16: save it as UTF-8"},
      {"missing", "no kernel.cu"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sl_graded_lab gl = {0};
    sl__inspect_kernel(a, in_dir(a, "odd"), rows[i].lab, &gl);
    assert_non_null(gl.problem);
    if (!strstr(gl.problem, rows[i].why)) fail_msg("%s: %s", rows[i].lab, gl.problem);
    assert_int_equal(gl.why, gl.absent ? SL_REASON_HANDED_IN_NOTHING : SL_REASON_HANDED_IN_WRONG);
    assert_string_equal(gl.hash, "");
  }
  // A whole submission that leads elsewhere, to the solutions for one.
  assert_int_equal(symlink("odd", in_dir(a, "alias")), 0);
  sl_graded_lab alias = {0};
  sl__inspect_kernel(a, in_dir(a, "alias"), "good", &alias);
  assert_true(alias.problem && strstr(alias.problem, "the submission is a symbolic link"));
  sl_graded_lab good = {0};
  sl__inspect_kernel(a, in_dir(a, "odd"), "good", &good);
  assert_null(good.problem);
  assert_int_equal(strlen(good.hash), 64);
}

int main(void) { return RUN_TESTS(test_set_up, test_tear_down); }
