// What students hand in, and what of it is taken: archives of every kind, hostile ones among them, exports of three
// systems, rosters in odd encodings, repositories with a deadline. Each wrong thing stands beside its right twin.
#include "intake/intake.h"
#include "util.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KERNEL "__global__ void k() {}\n"

// A class in a folder of its own for each test ---------------------------------------------------------------------

static int class_number;
static const char *in_class(sl_arena *a, const char *name) {
  return sl__str(a, "%s/class%d/%s", test_dir, class_number, name);
}

static void hand_in(const char *name, const char *text) {
  char *path = sl_path("class%d/%s", class_number, name);
  test_write(path, text);
  free(path);
}

typedef struct entry { // a file of an archive
  const char *path, *text;
  int type;         // AE_IFREG if 0
  const char *link; // target
  size_t zeros;     // text: so many zeros
} entry;

static void write_entry(struct archive *w, const entry *e) {
  static char zeros[1 << 16];
  struct archive_entry *h = archive_entry_new();
  size_t len = e->zeros ? e->zeros : e->text ? strlen(e->text) : 0;
  archive_entry_copy_pathname(h, e->path);
  archive_entry_set_filetype(h, e->type ? (unsigned)e->type : AE_IFREG);
  archive_entry_set_perm(h, 0644);
  archive_entry_set_size(h, (int64_t)len);
  if (e->link && e->type == AE_IFLNK) archive_entry_copy_symlink(h, e->link);
  else if (e->link) archive_entry_copy_hardlink(h, e->link);
  assert_true(archive_write_header(w, h) >= ARCHIVE_WARN);
  for (size_t left = e->zeros, part; left; left -= part)
    assert_true(archive_write_data(w, zeros, part = left < sizeof zeros ? left : sizeof zeros) >= 0);
  if (e->text) assert_int_equal(archive_write_data(w, e->text, len), (ssize_t)len);
  archive_entry_free(h);
}

// Writes an archive of the kind that its name says, into the class.
static void make_archive(const char *name, const entry *entries, size_t n) {
  struct archive *w = archive_write_new();
  char *path = sl_path("%s/class%d/%s", test_dir, class_number, name);
  hand_in(".made", "");
  if (strstr(name, ".zip")) archive_write_set_format_zip(w);
  else archive_write_set_format_pax_restricted(w);
  if (strstr(name, "gz")) archive_write_add_filter_gzip(w);
  if (strstr(name, "xz")) archive_write_add_filter_xz(w);
  archive_write_set_options(w, "compression-level=1");
  assert_int_equal(archive_write_open_filename(w, path), ARCHIVE_OK);
  for (size_t i = 0; i < n; i++) write_entry(w, &entries[i]);
  assert_int_equal(archive_write_close(w), ARCHIVE_OK);
  archive_write_free(w);
  free(path);
}
#define FILE_(p, t) ((entry){.path = (p), .text = (t)})
#define ODD(p, t, l) ((entry){.path = (p), .type = (t), .link = (l)})
#define ZEROS(p, n) ((entry){.path = (p), .zeros = (n)})
#define MAKE(name, ...)                                                                                      \
  make_archive(name, (const entry[]){__VA_ARGS__}, sizeof((const entry[]){__VA_ARGS__}) / sizeof(entry))

// A grading of all labs, as far as what each submission's kernels are.
static sl_grading taken(const char *dir, const sl_course *options) {
  sl_grading g = {.arena = sl__arena_new(), .course = options ? *options : (sl_course){0}};
  sl_error e = {0};
  const sl_strings one = {(const char *[]){"01"}, 1}, all = {NULL, 0};
  g.course.root = COURSE_ROOT;
  g.course.backend = "sim";
  g.course.build = test_dir;
  g.course.out = sl__str(g.arena, "%s/out%d", test_dir, class_number);
  assert_true(sl__load_labs(&g, g.course.fresh ? &one : &all, &e)); // fresh: lab 01 alone
  if (!sl__discover(&g, dir, &e)) fail_msg("%s", e.text);
  for (size_t i = 0; i < g.n; i++)
    g.subs[i].out = sl__str(g.arena, "%s/students/%s", g.course.out, g.subs[i].id);
  if (!sl__take_in(&g, &e)) fail_msg("%s", e.text);
  for (size_t i = 0; i < g.n; i++) sl__plan(&g, &g.subs[i]);
  return g;
}

static sl_grading taken_class(const sl_course *options) {
  char *dir = sl_path("%s/class%d", test_dir, class_number);
  sl_grading g = taken(dir, options);
  free(dir);
  return g;
}

static void forget(sl_grading *g) {
  for (size_t s = 0; s < g->n; s++)
    for (size_t i = 0; i < g->subs[s].n_labs; i++)
      for (size_t k = 0; k < g->subs[s].labs[i].n_tests; k++) sl__drop_result(&g->subs[s].labs[i].tests[k]);
  for (size_t i = 0; i < g->course.n_labs; i++) sl_lab_free(g->course.labs[i].lab);
  sl__arena_free(g->arena);
  class_number++;
}

static sl_submission *who(sl_grading *g, const char *name) {
  for (size_t i = 0; i < g->n; i++)
    if (!strcmp(g->subs[i].name, name)) return &g->subs[i];
  for (size_t i = 0; i < g->n; i++) print_message("there is: %s\n", g->subs[i].name);
  fail_msg("no submission %s", name);
  return NULL;
}

// [labs]: digits of the labs whose kernels were taken.
static void assert_taken(sl_grading *g, const char *name, const char *labs) {
  const sl_submission *s = who(g, name);
  for (size_t i = 0; i < s->n_labs; i++) {
    bool want = strchr(labs, s->labs[i].lab->info->number[1]) != NULL, got = *s->labs[i].hash != 0;
    if (want != got)
      fail_msg("%s, lab %s: %s", name, s->labs[i].lab->info->number, got ? "taken" : s->labs[i].problem);
  }
}

static void assert_reason(sl_grading *g, const char *name, int lab, const char *why) {
  const sl_graded_lab *gl = &who(g, name)->labs[lab - 1];
  assert_false(gl->absent);
  if (!gl->problem || !strstr(gl->problem, why)) fail_msg("%s: \"%s\", not \"%s\"", name, gl->problem, why);
}

static void assert_unreadable(sl_grading *g, const char *name, const char *why) {
  const sl_submission *s = who(g, name);
  assert_int_equal(s->in.status, SL_TAKEN_UNREADABLE);
  assert_taken(g, name, "");
  assert_reason(g, name, 1, why);
}

// Archives ----------------------------------------------------------------------------------------------------------

TEST(archives_of_every_kind) {
  static const char *const kinds[] = {"anna.zip", "ben.tar",     "cleo.tar.gz",
                                      "dora.tgz", "emil.tar.xz", "it's b b.zip"};
  for (size_t i = 0; i < 6; i++)
    MAKE(kinds[i], FILE_("01_naive_scan/kernel.cu", KERNEL), FILE_("03_blelloch/kernel.cu", KERNEL),
         FILE_("notes.txt", "x"));
  hand_in("folder/02_double_buffer/kernel.cu", KERNEL);
  hand_in("grades.ods", "x");
  sl_grading g = taken_class(NULL);
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
  forget(&g);
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
    char *in_folder[2] = {sl_path("folder/%s", rows[i].path), sl_path("folder/%s", rows[i].other)};
    MAKE("archive.zip", FILE_(rows[i].path, KERNEL), FILE_(rows[i].other, KERNEL));
    for (int k = 0; k < 2; k++) {
      hand_in(in_folder[k], KERNEL);
      free(in_folder[k]);
    }
    sl_grading g = taken_class(NULL);
    assert_taken(&g, "archive", rows[i].labs);
    assert_taken(&g, "folder", rows[i].labs);
    for (size_t k = 0; k < g.course.n_labs; k++)
      assert_int_equal(who(&g, "archive")->labs[k].absent, who(&g, "folder")->labs[k].absent);
    forget(&g);
  }
}

// A path of 9009 bytes fills no screen: both ends of it are told, and no character is cut.
TEST(long_paths_are_told_shortened) {
  char path[9010] = "";
  for (size_t at = 0; at < 9000; at += 3) memcpy(path + at, "\xC3\xBC/", 3);
  strcpy(path + 9000, "kernel.cu");
  MAKE("deep.tar", FILE_(path, KERNEL));
  sl_grading g = taken_class(NULL);
  assert_unreadable(&g, "deep", "\xC3\xBC/ .. \xC3\xBC/");
  assert_unreadable(&g, "deep", "/kernel.cu: it lies more than 16 folders deep");
  assert_true(strlen(who(&g, "deep")->labs[0].problem) < 250);
  forget(&g);
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
  sl_arena *a = sl__arena_new();
  assert_int_equal(symlink("secret", in_class(a, "alias.zip")), 0);
  assert_int_equal(mkfifo(in_class(a, "pipe.zip"), 0600), 0);
  double start = sl_now();
  sl_grading g = taken_class(NULL);
  assert_true(sl_now() - start < 60);
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
  sl__arena_free(a);
  forget(&g);
}

// Cut at every place, and with bytes changed: each time a reason or the right kernel, never another text.
TEST(damaged_archives_have_a_reason) {
  static const char *const kinds[] = {"a.zip", "a.tar", "a.tar.gz", "a.tar.xz"};
  unsigned long seed = 7;
  for (size_t k = 0; k < 4; k++) {
    MAKE(kinds[k], FILE_("01_naive_scan/kernel.cu", KERNEL), FILE_("x/2.cu", KERNEL "// 2\n"));
    sl_arena *a = sl__arena_new();
    size_t len;
    char *whole = sl_read_file(in_class(a, kinds[k]), 1 << 20, &len, NULL);
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
    free(whole);
    sl__arena_free(a);
  }
  class_number++;
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
    sl_arena *a = sl__arena_new();
    size_t len;
    char *whole = sl_read_file(in_class(a, kinds[k].name), 1 << 20, &len, NULL);
    assert_true(whole && len > 40);
    for (size_t cut = kinds[k].from; cut <= 20; cut++) {
      const char *said = said_of_first(a, whole, cut);
      if (!strstr(said, "cut short")) fail_msg("%zu bytes of %s: %s", cut, kinds[k].name, said);
    }
    assert_non_null(strstr(said_of_first(a, whole, 0), "the file is empty"));
    assert_non_null(strstr(said_of_first(a, whole, 1), "no archive of a kind"));
    assert_non_null(strstr(said_of_first(a, "no archive\n", 11), "no archive of a kind"));
    free(whole);
    sl__arena_free(a);
  }
  class_number++;
}

// Exports -----------------------------------------------------------------------------------------------------------

TEST(exports_of_three_systems) {
  MAKE("mullerbjorn_12345_678_lab work.zip", FILE_("w/01_naive_scan/kernel.cu", KERNEL));
  hand_in("doeanna_LATE_77_901_01_naive_scan.cu", KERNEL);
  hand_in("doeanna_LATE_77_902_Lab3-2.cu", KERNEL);
  hand_in("roecarl_78_903_essay.docx", "x");
  hand_in("Dora Ö'Neil_4711_assignsubmission_file_/02_double_buffer/kernel.cu", KERNEL);
  MAKE("Emil E_4712_assignsubmission_file_work.tar.gz", FILE_("02_double_buffer/kernel.cu", KERNEL));
  hand_in("Fritz F_4713_assignsubmission_onlinetext.html", "<p>sorry</p>");
  MAKE("Gabi G_4714_assignsubmission_file_.made.zip", FILE_("04_bank_conflicts/kernel.cu", KERNEL));
  hand_in("submission_9/05_arbitrary_size/kernel.cu", KERNEL);
  hand_in("submission_10/labs/06_radix_sort/kernel.cu", KERNEL);
  hand_in(
      "submission_metadata.yml",
      "---\nsubmission_9:\n  :submitters:\n  - :name: Hugo H\n    :sid: '4242'\n    :email: hugo@x.edu\n"
      "  - :name: Ida I\n    :sid: ''\n    :email: ida@x.edu\n  :created_at: 2026-11-01 12:00:00.5 +01:00\n"
      "  :score: 3.0\n  :results:\n    :tests:\n    - :output: \"submission_10:\"\n");
  sl_grading g = taken_class(&(sl_course){.accept_misplaced = true});
  assert_int_equal(g.n, 10);
  assert_taken(&g, "mullerbjorn_12345", "1");
  assert_taken(&g, "doeanna_77", "13");
  assert_string_equal(who(&g, "doeanna_77")->labs[2].misplaced, "Lab3-2.cu");
  assert_unreadable(&g, "roecarl_78", "no archive and no .cu file");
  assert_taken(&g, "Dora Ö'Neil_4711", "2");
  assert_taken(&g, "Emil E_4712", "2");
  assert_unreadable(&g, "Fritz F_4713", "no archive and no .cu file");
  assert_taken(&g, "Gabi G_4714", "4");
  assert_taken(&g, "hugo@x.edu", "5");
  assert_string_equal(who(&g, "hugo@x.edu")->in.handed_in, "2026-11-01T11:00:00Z");
  assert_string_equal(who(&g, "hugo@x.edu")->in.number, "4242");
  assert_taken(&g, "ida@x.edu", "5");
  assert_taken(&g, "submission_10", "6");
  forget(&g);
}

// Misplaced: taken when it can be one lab's alone and that is wanted.
TEST(misplaced_kernels_are_taken_on_request) {
  for (int wanted = 0; wanted < 2; wanted++) {
    hand_in("anna/01_naive_scan/kernel.cu", KERNEL);
    hand_in("anna/Lab3.cu", KERNEL);
    hand_in("anna/02_double_buffer/old.cu", KERNEL);
    hand_in("anna/02_double_buffer/new.cu", KERNEL);
    hand_in("ben/kernel.cu", KERNEL);
    sl_grading g = taken_class(&(sl_course){.accept_misplaced = wanted});
    assert_taken(&g, "anna", wanted ? "13" : "1");
    assert_taken(&g, "ben", "");
    assert_reason(&g, "anna", 2, "there are 2 files that could be meant");
    assert_null(who(&g, "anna")->in.reason);
    assert_string_equal(who(&g, "ben")->in.reason, "nothing says which lab it is of: kernel.cu");
    assert_true(who(&g, "ben")->labs[0].absent);
    if (wanted) assert_string_equal(who(&g, "anna")->labs[2].misplaced, "Lab3.cu");
    else assert_reason(&g, "anna", 3, "there is Lab3.cu");
    forget(&g);
  }
  hand_in("anna/kernel.cu", KERNEL); // one lab is graded, one file is there
  hand_in("ben/scan.cu", KERNEL);
  hand_in("ben/scan2.cu", KERNEL);
  hand_in("cleo/Lab3.cu", KERNEL);
  hand_in("dora/notes.txt", KERNEL);
  for (int wanted = 1; wanted >= 0; wanted--) {
    sl_grading g = taken_class(&(sl_course){.accept_misplaced = wanted, .fresh = true});
    assert_taken(&g, "anna", wanted ? "1" : "");
    if (!wanted)
      assert_reason(&g, "anna", 1, "there is kernel.cu, which belongs into 01_naive_scan/kernel.cu");
    assert_taken(&g, "ben", "");
    assert_reason(&g, "ben", 1, "there are 2 files that could be meant, as scan.cu");
    assert_taken(&g, "cleo", "");
    assert_true(who(&g, "cleo")->labs[0].absent);
    assert_true(who(&g, "dora")->labs[0].absent);
    forget(&g), class_number--;
  }
  class_number++;
}

// The roster --------------------------------------------------------------------------------------------------------

static void class_of_four(void) {
  hand_in("anna/01_naive_scan/kernel.cu", KERNEL);
  MAKE("anna.zip", FILE_("02_double_buffer/kernel.cu", KERNEL));
  MAKE("mullerbjo\xCC\x88rn_12345_678_a.zip", FILE_("01_naive_scan/kernel.cu", KERNEL));
  hand_in("stranger/01_naive_scan/kernel.cu", KERNEL);
}

TEST(rosters_in_every_encoding) {
  static const char *const rosters[] = {
      "id,name\nanna,Anna A\nbm,\"M\xC3\xBCller, Bj\xC3\xB6rn\"\ncarl,Carl C\n",
      "\xEF\xBB\xBFname;id\r\nAnna A;anna\r\n\"M\xC3\xBCller, Bj\xC3\xB6rn\";bm\r\nCarl "
      "C;carl\r\ncarl;carl\r\n",
      "First name\tSurname\tUsername\nAnna\tA\tanna\nBj\xF6rn\tM\xFCller\tbm\nCarl\tC\tcarl", // Latin-1
      "Student,ID,SIS Login ID,Section\n    Points Possible,,,\n\"M\xC3\xBCller, Bj\xC3\xB6rn\",12345,bm,A\n"
      "\"A, Anna\",5,anna,A\n\"C, Carl\",6,carl,A\n",
  };
  static const char *const name[] = {"bm", "bm", "bm", "12345"};
  for (size_t i = 0; i < sizeof rosters / sizeof *rosters; i++) {
    class_of_four();
    char *file = sl_path("roster%zu.csv", i), *path = sl_path("%s/%s", test_dir, file);
    test_write(file, rosters[i]);
    sl_grading g = taken_class(&(sl_course){.roster = path});
    const char *anna = i == 3 ? "5" : "anna", *carl = i == 3 ? "6" : "carl";
    assert_taken(&g, anna, "1");
    assert_int_equal(who(&g, anna)->in.status, SL_TAKEN);
    assert_taken(&g, name[i], "1");
    assert_int_equal(who(&g, carl)->in.status, SL_TAKEN_ABSENT);
    assert_int_equal(who(&g, "stranger")->in.status, SL_TAKEN_UNKNOWN);
    assert_taken(&g, "stranger", "1");
    assert_string_equal(who(&g, "stranger")->in.reason, "not in the roster");
    assert_int_equal(who(&g, "anna.zip")->in.status, SL_TAKEN_UNKNOWN);
    assert_taken(&g, "anna.zip", "2");
    assert_int_equal(g.n, 5);
    free(file);
    free(path);
    forget(&g);
  }
}

typedef struct encoded {
  const char *bytes;
  size_t len;
  const char *name; // of the only student, in UTF-8; NULL: refused
} encoded;

#define ENCODED(bytes, name)                                                                                 \
  { bytes, sizeof(bytes) - 1, name }
static const encoded encodings[] = {
    ENCODED("id,name\na,M\xC3\xBCller \xF0\xA0\xAE\xB7\n", "M\xC3\xBCller \xF0\xA0\xAE\xB7"),
    ENCODED("id,name\na,O\x92Neill \x8Aimon M\xFCller\n", // as Excel on Windows saves a table
            "O\xE2\x80\x99Neill \xC5\xA0imon M\xC3\xBCller"),
    // UTF-16, with a character of two halves, both ways round
    ENCODED("\xFF\xFEi\0d\0,\0n\0a\0m\0e\0\n\0a\0,\0M\0\xFC\0\x42\xD8\xB7\xDF\r\0\n\0",
            "M\xC3\xBC\xF0\xA0\xAE\xB7"),
    ENCODED("\xFE\xFF\0i\0d\0,\0n\0a\0m\0e\0\n\0a\0,\0M\0\xFC\xD8\x42\xDF\xB7", "M\xC3\xBC\xF0\xA0\xAE\xB7"),
    ENCODED("\xFF\xFEi\0d\0,\0n\0a\0m\0e\0\n\0a\0,\0\x42\xD8x\0\n\0", "\xEF\xBF\xBDx"),
    ENCODED("\xFF\xFEi\0d\0\n\0a\0\0\0b\0\n\0", NULL),
    ENCODED("i\0d\0\n\0a\0\n\0", NULL), // UTF-16 without a mark
};

// A name as a roster, Canvas and Moodle write it: all mean the same person, and people read it in its usual order.
TEST(names_with_suffixes_in_every_order) {
  static const struct {
    const char *written, *read;
  } names[] = {
      {"John Smith", "John Smith"},
      {"Smith, John", "John Smith"},
      {" Smith ,  John ", "John Smith"},
      {"Smith, Jr., John", "John Smith Jr."},
      {"Smith, John Jr.", "John Smith Jr."},
      {"Smith, John, Jr.", "John Smith Jr."},
      {"John Smith, Jr.", "John Smith Jr."},
      {"John Smith III", "John Smith III"},
      {"Smith, Jr.", "Smith Jr."},
      {"Garc\xC3\xAD"
       "a M\xC3\xA1rquez L\xC3\xB3pez, Gabriel",
       "Gabriel Garc\xC3\xAD"
       "a M\xC3\xA1rquez L\xC3\xB3pez"},
      {"O'Brien, Se\xC3\xA1n", "Se\xC3\xA1n O'Brien"},
      {"Iv, Ann", "Ann Iv"},
      {"Jr", "Jr"},
      {"", ""},
      {",", ""},
  };
  sl_arena *a = sl__arena_new();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_string_equal(sl__name_in_order(a, names[i].written), names[i].read);
  sl__arena_free(a);
}

TEST(a_roster_finds_people_with_suffixes) {
  static const char *const rosters[] = {
      "id,name\njs,\"Smith, Jr., John\"\n", "id,name\njs,\"Smith, John Jr.\"\n",
      "id,name\njs,\"John Smith, Jr.\"\n", "id,first name,last name\njs,John,\"Smith, Jr.\"\n"};
  static const char *const handed_in[] = {"smithjrjohn_14_803_kernel.cu", "smithjohnjr_14_803_kernel.cu",
                                          "John Smith, Jr._4713_assignsubmission_file_kernel.cu",
                                          "Smith, Jr., John.tar.xz"};
  for (size_t i = 0; i < 16; i++) {
    SL_FREED char *path = sl_path("%s/suffix%zu.csv", test_dir, i);
    sl_error e = {0};
    assert_true(sl_write_file(path, rosters[i / 4], strlen(rosters[i / 4]), &e));
    hand_in(handed_in[i % 4], KERNEL);
    sl_grading g = taken_class(&(sl_course){.roster = path});
    if (g.n != 1 || strcmp(g.subs[0].name, "js"))
      fail_msg("%s is not found as %s", rosters[i / 4], handed_in[i % 4]);
    assert_string_equal(g.subs[0].in.full, "John Smith Jr.");
    forget(&g);
  }
}

TEST(names_keep_their_letters_in_every_encoding) {
  for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
    const encoded *x = &encodings[i];
    sl_grading g = {.arena = sl__arena_new()};
    sl_error e = {0};
    sl_people r = {.g = &g, .path = sl__str(g.arena, "%s/encoded.csv", test_dir), .what = "roster"};
    assert_true(sl_write_file(r.path, x->bytes, x->len, &e));
    bool ok = sl__read_people(&r, &e);
    if (ok != !!x->name) fail_msg("row %zu: %s", i, e.text);
    if (x->name) {
      assert_int_equal(r.n, 1);
      assert_string_equal(r.list[0].name, x->name);
    } else {
      assert_int_equal(e.code, SL_EXIT_INPUT);
      assert_non_null(strstr(e.text, "is no text"));
    }
    sl__arena_free(g.arena);
  }
}

TEST(wrong_rosters_are_refused) {
  static const struct {
    const char *text, *why;
  } rows[] = {{"a,b\n1,2\n", "names no column"},
              {"id\n", "nobody"},
              {"id\n\n \n", "nobody"},
              {"id,name\nanna,A\nbert,\"B\ncarl,C\n", "line 3: a quoted cell has no end"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sl_grading g = {.arena = sl__arena_new()};
    sl_error e = {0};
    test_write("wrong.csv", rows[i].text);
    assert_false(sl__apply_roster(&g, sl__str(g.arena, "%s/wrong.csv", test_dir), &e));
    assert_int_equal(e.code, SL_EXIT_INPUT);
    assert_non_null(strstr(e.text, rows[i].why));
    sl__arena_free(g.arena);
  }
}

// Repositories ------------------------------------------------------------------------------------------------------

static void git(const char *where, const char *script) {
  char *argv[] = {"sh", "-ec", (char *)script, NULL}, *out = NULL;
  sl_error e = {0};
  sl_exit_status end = sl_run(argv, where, 60, 4000, &out, &e);
  if (end.code != 0) fail_msg("%s: %s%s", script, out, e.text);
  free(out);
}

static bool has_git(void) {
  char *argv[] = {"git", "--version", NULL}, *out = NULL;
  sl_error e = {0};
  sl_exit_status end = sl_run(argv, NULL, 60, 4000, &out, &e);
  free(out);
  return !e.code && end.code == 0;
}

TEST(repositories_before_the_deadline) {
  if (!has_git()) {
    print_message("skipped: git is not installed\n");
    skip();
  }
  static const char make[] =
      "export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@x GIT_COMMITTER_NAME=a "
      "GIT_COMMITTER_EMAIL=a@x\n"
      "at() { export GIT_COMMITTER_DATE=\"$1\" GIT_AUTHOR_DATE=\"$1\"; }\n"
      "new() { git init -q \"$1\"; cd \"$1\"; mkdir -p labs/01_naive_scan labs/02_double_buffer; }\n"
      "(new 'anna b'; at 2026-11-01T10:00:00Z; echo '// early' > labs/01_naive_scan/kernel.cu; git add .; "
      "git commit -qm 1\n"
      " at 2026-11-03T10:00:00Z; echo '// late' > labs/01_naive_scan/kernel.cu; cp "
      "labs/01_naive_scan/kernel.cu labs/02_double_buffer;\n"
      " git add .; git commit -qm 2)\n"
      "(new late; at 2026-11-05T10:00:00Z; echo x > labs/01_naive_scan/kernel.cu; git add .; git commit -qm "
      "1)\n"
      "(new link; at 2026-11-01T10:00:00Z; ln -s /etc/passwd labs/01_naive_scan/kernel.cu; git add .; git "
      "commit -qm 1\n"
      " printf '#!/bin/sh\\ntouch ../hooked\\n' > .git/hooks/post-checkout; chmod +x "
      ".git/hooks/post-checkout)\n"
      "git init -q empty\n";
  test_write("git/list.txt", "\xEF\xBB\xBF# the course\r\nanna b\r\nberta, anna b  # "
                             "twice\r\n\"Smith, Jr.\", anna b\r\nlate\r\nlink/\nempty\nno/where.git\n");
  char *dir = sl_path("%s/git", test_dir), *list = sl_path("%s/list.txt", dir);
  git(dir, make);
  for (int timed = 0; timed < 2; timed++) {
    sl_grading g = taken(list, &(sl_course){.deadline = timed ? "2026-11-02T00:00:00Z" : NULL});
    assert_int_equal(g.n, 7);
    assert_taken(&g, "Smith, Jr.", timed ? "1" : "12");
    assert_taken(&g, "anna b", timed ? "1" : "12");
    assert_taken(&g, "berta", timed ? "1" : "12");
    assert_string_equal(who(&g, "anna b")->in.handed_in,
                        timed ? "2026-11-01T10:00:00Z" : "2026-11-03T10:00:00Z");
    assert_int_equal(strlen(who(&g, "anna b")->in.commit), 40);
    if (timed) assert_unreadable(&g, "late", "no commit before the deadline");
    else assert_taken(&g, "late", "1");
    assert_unreadable(&g, "link", "symbolic link");
    assert_int_equal(who(&g, "empty")->in.status, SL_TAKEN_UNREADABLE);
    assert_unreadable(&g, "where", "no such folder");
    char *hooked = sl_path("%s/hooked", dir);
    assert_int_equal(access(hooked, F_OK), -1);
    free(hooked);
    forget(&g);
  }
  free(dir);
  free(list);
}

TEST(times_have_a_zone) {
  static const struct {
    const char *text, *utc;
  } rows[] = {{"2026-11-22T22:20:00Z", "2026-11-22T22:20:00Z"},
              {"2026-11-22 23:59 +0100", "2026-11-22T22:59:00Z"},
              {"2026-11-22 10:00:00.25 -05:30", "2026-11-22T15:30:00Z"},
              {"2026-11-22 10:00 UTC", "2026-11-22T10:00:00Z"},
              {"2026-11-22 10:00", NULL},
              {"tomorrow", NULL},
              {"2026-11-22", NULL},
              {"2026-11-22T10:00:00Zx", NULL}};
  sl_arena *a = sl__arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *utc = sl__parse_time(a, rows[i].text);
    assert_string_equal(utc ? utc : "none", rows[i].utc ? rows[i].utc : "none");
  }
  sl__arena_free(a);
}

int main(void) { return RUN_TESTS(test_set_up, test_tear_down); }
