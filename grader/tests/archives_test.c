// What is taken of archives of every kind, hostile and damaged ones, too. Each wrong thing has a right twin.
#include "handed_in.h"

#include <archive_entry.h>
#include <sys/resource.h>

TEST(archives_of_every_kind) {
  static const char *const kinds[] = {"anna.zip", "ben.tar",     "cleo.tar.gz",
                                      "dora.tgz", "emil.tar.xz", "it's b b.zip"};
  for (size_t i = 0; i < 6; i++)
    MAKE(kinds[i], FILE_("01_naive_scan/kernel.cu", KERNEL), FILE_("03_blelloch/kernel.cu", KERNEL),
         FILE_("notes.txt", "x"));
  hand_in("folder/02_double_buffer/kernel.cu", KERNEL);
  hand_in("grades.ods", "x");
  GRADING g = taken_class(NULL);
  assert_int_equal(g.n, 7);
  assert_taken(&g, "anna", "13");
  assert_taken(&g, "ben", "13");
  assert_taken(&g, "cleo", "13");
  assert_taken(&g, "dora", "13");
  assert_taken(&g, "emil", "13");
  assert_taken(&g, "it's b b", "13");
  assert_taken(&g, "folder", "2");
  assert_int_equal(g.n_left_out, 1);
  assert_string_equal(g.left_out[0].path, "grades.ods");
}

// The same files are found in a folder and in an archive, wherever they are.
TEST(one_rule_for_folders_and_archives) {
  static const struct {
    const char *path, *other, *labs;
  } rows[] = {
      {"01_naive_scan/kernel.cu", "README", "1"},
      {"anna/01_naive_scan/kernel.cu", "README", "1"},
      {"a/b/c/labs/01_naive_scan/kernel.cu", "docs/x.txt", "1"},
      {"labs/01_naive_scan/kernel.cu", "solutions_of_mine/x.cu", "1"},
      {"01_naive_scan/kernel.cu", "labs/02_double_buffer/kernel.cu", "1"},
      {"hw1/01_naive_scan/kernel.cu", "hw2/01_naive_scan/kernel.cu", ""},
      {"hw1/01_naive_scan/kernel.cu", "old.cu", ""},
      {"__MACOSX/01_naive_scan/._kernel.cu", "01_naive_scan/kernel.cu", "1"},
      {".DS_Store", "x/01_naive_scan/kernel.cu", "1"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    new_class(NULL);
    char *in_folder[2] = {sl_path("folder/%s", rows[i].path), sl_path("folder/%s", rows[i].other)};
    MAKE("archive.zip", FILE_(rows[i].path, KERNEL), FILE_(rows[i].other, KERNEL));
    for (int k = 0; k < 2; k++) {
      hand_in(in_folder[k], KERNEL);
      free(in_folder[k]);
    }
    GRADING g = taken_class(NULL);
    assert_taken(&g, "archive", rows[i].labs);
    assert_taken(&g, "folder", rows[i].labs);
    for (size_t k = 0; k < g.course.n_labs; k++)
      assert_int_equal(who(&g, "archive")->labs[k].absent, who(&g, "folder")->labs[k].absent);
  }
}

// A path of 9009 bytes fills no screen: both ends of it are told, and no character is cut.
TEST(long_paths_are_told_shortened) {
  char path[9010] = "";
  for (size_t at = 0; at < 9000; at += 3) memcpy(path + at, "\xC3\xBC/", 3);
  strcpy(path + 9000, "kernel.cu");
  MAKE("deep.tar", FILE_(path, KERNEL));
  GRADING g = taken_class(NULL);
  assert_unreadable(&g, "deep", "\xC3\xBC/ .. \xC3\xBC/");
  assert_unreadable(&g, "deep", "/kernel.cu: it lies more than 16 folders deep");
  assert_true(strlen(who(&g, "deep")->labs[0].problem) < 250);
}

TEST(hostile_archives_touch_nothing) {
  MAKE("absolute.tar", FILE_("/tmp/sl-intake-absolute/01_naive_scan/kernel.cu", KERNEL));
  MAKE("dots.tar", FILE_("../../03_blelloch/kernel.cu", KERNEL), FILE_("01_naive_scan/kernel.cu", KERNEL));
  MAKE("link.tar", ODD("01_naive_scan/kernel.cu", AE_IFLNK, "/etc/passwd"));
  MAKE("linked.tar", ODD("01_naive_scan", AE_IFLNK, "/tmp"), FILE_("01_naive_scan/kernel.cu", KERNEL));
  MAKE("hard.tar", ODD("01_naive_scan/kernel.cu", 0, "/etc/passwd"));
  MAKE("device.tar", ODD("01_naive_scan/kernel.cu", AE_IFCHR, NULL),
       ODD("02_double_buffer/kernel.cu", AE_IFIFO, NULL));
  MAKE("bomb.tar.xz", ZEROS("01_naive_scan/kernel.cu", 260 << 20));
  MAKE("padding.tar.gz", ZEROS("x.bin", 257 << 20), FILE_("01_naive_scan/kernel.cu", KERNEL));
  MAKE("large.zip", ZEROS("01_naive_scan/kernel.cu", 2 << 20), FILE_("02_double_buffer/kernel.cu", KERNEL));
  MAKE("twice.zip", FILE_("01_naive_scan/kernel.cu", KERNEL), FILE_("01_naive_scan/kernel.cu", KERNEL "//"),
       FILE_("02_double_buffer/kernel.cu", KERNEL), FILE_("02_double_buffer/kernel.cu", KERNEL));
  MAKE("below.tar", FILE_("01_naive_scan/kernel.cu", KERNEL),
       FILE_("01_naive_scan/kernel.cu/kernel.cu", KERNEL));
  MAKE("latin.tar", FILE_("M\xFCller/01_naive_scan/kernel.cu", KERNEL));
  MAKE("escape.tar", FILE_("\033[2J/01_naive_scan/kernel.cu", KERNEL));
  MAKE("windows.tar", FILE_("anna\\01_naive_scan\\kernel.cu", KERNEL));
  MAKE("pdf.zip", FILE_("report.pdf", "x"));
  MAKE("empty.tar", ODD("a/", AE_IFDIR, NULL));
  hand_in("rar.rar", "Rar!\x1A\x07 is none that is read");
  hand_in("nothing.zip", "");
  hand_in("page.zip", "<html>log in first</html>");
  hand_in("secret", "x");
  ARENA a = sl__arena_new();
  assert_int_equal(symlink("secret", in_class(a, "alias.zip")), 0);
  assert_int_equal(mkfifo(in_class(a, "pipe.zip"), 0600), 0);
  GRADING g = taken_class(NULL);
  struct rusage readers;
  getrusage(RUSAGE_CHILDREN, &readers);
  assert_true(sl_used_seconds(&readers) < 60);
  assert_int_equal(g.n, 21);
  assert_unreadable(&g, "absolute", "its path is absolute");
  assert_taken(&g, "dots", "1");
  assert_reason(&g, "dots", 3, "leads outside");
  assert_unreadable(&g, "link", "symbolic link");
  assert_taken(&g, "linked", "1"); // the link was not taken, and nothing was written through it
  assert_unreadable(&g, "hard", "hard link");
  assert_unreadable(&g, "device", "device");
  assert_unreadable(&g, "bomb", "larger than 256 MiB");
  assert_unreadable(&g, "padding", "larger than 256 MiB");
  assert_taken(&g, "large", "2");
  assert_reason(&g, "large", 1, "larger than 1048576 bytes");
  assert_taken(&g, "twice", "2");
  assert_reason(&g, "twice", 1, "stands there twice");
  assert_unreadable(&g, "below", "stands there twice");
  assert_taken(&g, "latin", "1");
  assert_taken(&g, "escape", "1");
  assert_taken(&g, "windows", "1");
  assert_unreadable(&g, "pdf", "no .cu file");
  assert_unreadable(&g, "empty", "no .cu file");
  assert_unreadable(&g, "rar", "zip, tar, tar.gz, tar.xz");
  assert_unreadable(&g, "nothing", "empty");
  assert_unreadable(&g, "page", "zip, tar, tar.gz, tar.xz");
  assert_unreadable(&g, "alias", "symbolic link");
  assert_unreadable(&g, "pipe", "no regular file");
  assert_int_equal(access("/tmp/sl-intake-absolute", F_OK), -1);
  assert_int_equal(access("/tmp/kernel.cu", F_OK), -1);
}

// A program has cut an archive into files: none of them is read, and each is told.
TEST(parts_of_archives_are_told) {
  MAKE("anna.zip", FILE_("02_double_buffer/kernel.cu", KERNEL));
  hand_in("work.z01", "PK");
  hand_in("work.zip.001", "PK");
  GRADING g = taken_class(NULL);
  assert_int_equal(g.n, 1);
  assert_int_equal(g.n_left_out, 2);
  for (size_t i = 0; i < 2; i++)
    assert_string_equal(g.left_out[i].why, "a part of an archive: ask for it in one piece");
}

// Archives in an archive are not opened; each is named, and so is the lab of which it speaks.
TEST(archives_in_archives_are_named) {
  MAKE("zips.zip", FILE_("hw/lab01.zip", "PK"), FILE_("hw/lab03.tar.gz", "x"));
  MAKE("both.tar", FILE_("02_double_buffer/kernel.cu", KERNEL), FILE_("lab03.zip", "PK"));
  MAKE("fonts.zip", FILE_("02_double_buffer/kernel.cu", KERNEL), FILE_("report.pdf", "x"));
  GRADING g = taken_class(NULL);
  assert_unreadable(&g, "zips", "hw/lab01.zip: archives inside an archive stay closed");
  assert_unreadable(&g, "zips", "and 1 more");
  assert_taken(&g, "both", "2");
  assert_reason(&g, "both", 3, "lab03.zip: archives inside an archive stay closed");
  assert_taken(&g, "fonts", "2");
  assert_int_equal(who(&g, "fonts")->in.n_refused, 0);
}

// Cut at every place, and with bytes changed: each time a reason or the right kernel, never another text.
TEST(damaged_archives_have_a_reason) {
  static const char *const kinds[] = {"a.zip", "a.tar", "a.tar.gz", "a.tar.xz"};
  unsigned long seed = 7;
  for (size_t k = 0; k < 4; k++) {
    MAKE(kinds[k], FILE_("01_naive_scan/kernel.cu", KERNEL), FILE_("x/2.cu", KERNEL "// 2\n"));
    ARENA a = sl__arena_new();
    size_t len;
    SL_FREED char *whole = sl_read_file(in_class(a, kinds[k]), 1 << 20, &len, NULL);
    const char *path = in_class(a, "hurt");
    for (int i = 0; i < 40; i++) {
      char *copy = memcpy(sl__alloc(a, len), whole, len);
      size_t cut = i < 20 ? len * (size_t)i / 20 : len;
      for (int n = 0; i >= 20 && n < 8; n++) {
        seed = seed * 6364136223846793005UL + 1442695040888963407UL;
        copy[(seed >> 33) % len] ^= (char)(seed >> 20 | 1);
      }
      sl_haul h;
      assert_true(sl_write_file(path, copy, cut, NULL));
      sl__read_archive(a, path, &h);
      assert_true(h.n == 0 || !h.problem);
      assert_true(h.n || h.problem || h.n_refused);
      if (i < 20 && k != 1 && !h.problem) assert_true(cut + 1024 > len); // a tar may end where an entry does
    }
  }
}

// What is said of the first [len] bytes of the archive [whole].
static const char *said_of_first(sl_arena *a, const char *whole, size_t len) {
  sl_haul h;
  assert_true(sl_write_file(in_class(a, "cut"), whole, len, NULL));
  sl__read_archive(a, in_class(a, "cut"), &h);
  return h.problem ? h.problem : "";
}

// What is cut after its first bytes, however few show its kind, is told from what is empty or no archive.
TEST(archives_cut_short_are_told) {
  static const struct {
    const char *name;
    size_t from; // bytes that show the kind
  } kinds[] = {{"a.zip", 4}, {"a.tar.gz", 2}, {"a.tar.xz", 6}};
  for (size_t k = 0; k < 3; k++) {
    MAKE(kinds[k].name, FILE_("01_naive_scan/kernel.cu", KERNEL));
    ARENA a = sl__arena_new();
    size_t len;
    SL_FREED char *whole = sl_read_file(in_class(a, kinds[k].name), 1 << 20, &len, NULL);
    assert_true(whole && len > 40);
    for (size_t cut = kinds[k].from; cut <= 20; cut++) {
      const char *said = said_of_first(a, whole, cut);
      if (!strstr(said, "cut short")) fail_msg("%zu bytes of %s: %s", cut, kinds[k].name, said);
    }
    assert_non_null(strstr(said_of_first(a, whole, 0), "the file is empty"));
    assert_non_null(strstr(said_of_first(a, whole, 1), "expected an archive of a kind"));
    assert_non_null(strstr(said_of_first(a, "no archive\n", 11), "expected an archive of a kind"));
  }
}

// A hole that a tar leaves out is zeros, also at the end; a file compressed alone is no archive that was cut.
TEST(holes_and_files_compressed_alone) {
  MAKE("a.tar", HOLE("01_naive_scan/kernel.cu", 9000), HOLE("big.cu", SL_MAX_KERNEL + 1));
  ARENA a = sl__arena_new();
  sl_haul h;
  sl__read_archive(a, in_class(a, "a.tar"), &h);
  assert_true(h.n == 1 && h.files[0].len == 9000 && h.n_refused == 1);
  assert_string_equal(h.refused[0].path, "big.cu");
  assert_non_null(strstr(h.refused[0].why, "larger than"));
  MAKE("b.cu.gz", FILE_("kernel.cu", KERNEL));
  sl__read_archive(a, in_class(a, "b.cu.gz"), &h);
  assert_non_null(h.problem);
  assert_non_null(strstr(h.problem, "hand in the .cu file itself"));
}

int main(void) {
  begin_each_with(new_class);
  return RUN_TESTS(test_set_up, test_tear_down);
}
