// What is taken of exports of three systems, of misplaced kernels, and of repositories with a deadline.
#include "handed_in.h"

// Exports ---------------------------------------------------------------------------------------------------

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
      "  :score: 3.0\n  :results:\n    :tests:\n    - :output: \"submission_10:\"\n"
      "submission_11:\n  :submitters:\n  - :name: Jan J\n");
  GRADING g = taken_class(&(sl_course){.accept_misplaced = true});
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
  assert_int_equal(g.n_left_out, 1);
  assert_string_equal(g.left_out[0].path, "submission_11");
  assert_string_equal(g.left_out[0].why,
                      "it is not here, and submission_metadata.yml says that Jan J handed it in");
}

// Texts that are none and unreadable times are told or passed over; a file that is no YAML, with its line.
TEST(odd_lists_of_gradescope) {
  static const char *const folders[] = {"submission_1", "submission_2", "submission_3"};
  for (size_t i = 0; i < 3; i++) {
    SL_FREED char *kernel = sl_path("%s/01_naive_scan/kernel.cu", folders[i]);
    hand_in(kernel, KERNEL);
  }
  char large[1200] = "";
  memset(large, 'x', sizeof large - 1);
  SL_FREED char *list =
      sl_path("---\nsubmission_1:\n  :submitters:\n  - :name: \"Anna\\nA\"\n    :sid: \"\\0\"\n"
              "  :created_at: '2026-13-45 12:00:00 Z'\nsubmission_2:\n  :submitters:\n  - :name: %s\n    "
              ":email: ' '\n"
              "submission_3:\n  :submitters:\n  - :name: \"\\e[2J\"\n",
              large);
  hand_in("submission_metadata.yml", list);
  GRADING g = taken_class(NULL);
  assert_int_equal(g.n, 3);
  assert_taken(&g, "Anna A", "1");
  assert_null(who(&g, "Anna A")->in.handed_in);
  assert_string_equal(who(&g, "Anna A")->in.reason,
                      "submission_metadata.yml has no time that can be read: 2026-13-45 12:00:00 Z");
  assert_taken(&g, "submission_2", "1");
  assert_taken(&g, "\\x1B[2J", "1");

  ARENA a = sl__arena_new();
  sl_submitter *all;
  size_t n;
  sl_error e = {0};
  hand_in("submission_metadata.yml", "---\na: 1\nb: [\n");
  assert_false(sl__submitters(a, in_class(a, "submission_metadata.yml"), &all, &n, &e));
  assert_non_null(strstr(e.text, "is no list of submissions from Gradescope: line 4 cannot be read"));
}

// Another file that could be the lab's is told beside the graded one; copies, notes, other labs' are not.
TEST(others_beside_the_graded_kernel_are_told) {
  static const struct {
    const char *other, *text;
    bool alone, always; // told where the lab is the only one, and where it is one of several
  } rows[] = {
      {"Lab1.cu", KERNEL "//", true, true},   {"old/01_naive_scan/kernel.cu", KERNEL "//", true, true},
      {"kernel.cu", KERNEL "//", true, true}, {"backup/Kernel.cu", KERNEL "//", true, true},
      {"kernel.cu", KERNEL, false, false},    {"01_naive_scan/notes.cu", KERNEL "//", false, false},
      {"Lab2.cu", KERNEL "//", false, false}, {"02_double_buffer/kernel.cu", KERNEL "//", false, false}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    new_class(NULL);
    SL_FREED char *other = sl_path("anna/%s", rows[i / 2].other);
    hand_in("anna/01_naive_scan/kernel.cu", KERNEL);
    hand_in(other, rows[i / 2].text);
    GRADING g = taken_class(&(sl_course){.fresh = i % 2 == 0});
    const bool loose = i % 2 && !strchr(rows[i / 2].other, '1'); // of another lab, maybe
    SL_FREED char *said = sl_path(loose ? "nothing says which lab it is of: %s"
                                        : "01_naive_scan/kernel.cu is graded, %s is not",
                                  rows[i / 2].other);
    const char *reason = g.subs[0].in.reason;
    const bool told = i % 2 ? rows[i / 2].always : rows[i / 2].alone;
    if (told ? !reason || strcmp(reason, said) : !!reason) fail_msg("row %zu: %s", i, reason);
  }
}

// Moodle writes a text typed into the page beside the files of the same student.
TEST(texts_beside_files_are_told) {
  hand_in("Anna A_1_assignsubmission_file_/01_naive_scan/kernel.cu", KERNEL);
  hand_in("Anna A_1_assignsubmission_onlinetext_/onlinetext.html", "x");
  hand_in("Bert B_2_assignsubmission_file_/01_naive_scan/kernel.cu", KERNEL);
  hand_in("Bert B_2_assignsubmission_onlinetext.html", "x");
  hand_in("Cleo C_3_assignsubmission_onlinetext_/onlinetext.html", "x");
  GRADING g = taken_class(NULL);
  assert_int_equal(g.n, 3);
  assert_taken(&g, "Anna A_1", "1");
  assert_taken(&g, "Bert B_2", "1");
  assert_non_null(strstr(who(&g, "Cleo C_3")->in.reason, "no .cu file"));
  assert_int_equal(g.n_left_out, 1);
  assert_string_equal(g.left_out[0].path, "Anna A_1_assignsubmission_onlinetext_");
  assert_int_equal(who(&g, "Bert B_2")->in.n_refused, 1);
  assert_string_equal(who(&g, "Bert B_2")->in.refused[0].path, "Bert B_2_assignsubmission_onlinetext.html");
}

// Misplaced: taken when it can be one lab's alone and that is wanted.
TEST(misplaced_kernels_are_taken_on_request) {
  for (int wanted = 0; wanted < 2; wanted++) {
    new_class(NULL);
    hand_in("anna/01_naive_scan/kernel.cu", KERNEL);
    hand_in("anna/Lab3.cu", KERNEL);
    hand_in("anna/02_double_buffer/old.cu", KERNEL);
    hand_in("anna/02_double_buffer/new.cu", KERNEL);
    hand_in("ben/kernel.cu", KERNEL);
    hand_in("carl/01_naive_scan/kernel.cu", KERNEL);
    hand_in("carl/kernel.cu", KERNEL "//"); // of one of the others, maybe
    hand_in("carl/11_compaction/kernel.cu", KERNEL);
    GRADING g = taken_class(&(sl_course){.accept_misplaced = wanted});
    assert_taken(&g, "anna", wanted ? "13" : "1");
    assert_taken(&g, "ben", "");
    assert_reason(&g, "anna", 2, "there are 2 files that could be meant");
    assert_null(who(&g, "anna")->in.reason);
    assert_string_equal(who(&g, "ben")->in.reason, "nothing says which lab it is of: kernel.cu");
    assert_true(who(&g, "ben")->labs[0].absent);
    assert_string_equal(who(&g, "carl")->in.reason, "nothing says which lab it is of: kernel.cu");
    if (wanted) assert_string_equal(who(&g, "anna")->labs[2].misplaced, "Lab3.cu");
    else assert_reason(&g, "anna", 3, "there is Lab3.cu");
  }
  new_class(NULL);
  hand_in("anna/kernel.cu", KERNEL); // one lab is graded, one file is there
  hand_in("ben/scan.cu", KERNEL);
  hand_in("ben/scan2.cu", KERNEL);
  hand_in("cleo/Lab3.cu", KERNEL);
  hand_in("dora/notes.txt", KERNEL);
  for (int wanted = 1; wanted >= 0; wanted--) {
    GRADING g = taken_class(&(sl_course){.accept_misplaced = wanted, .fresh = true});
    assert_taken(&g, "anna", wanted ? "1" : "");
    if (!wanted)
      assert_reason(&g, "anna", 1, "there is kernel.cu, which belongs into 01_naive_scan/kernel.cu");
    assert_taken(&g, "ben", "");
    assert_reason(&g, "ben", 1, "there are 2 files that could be meant, one of them scan.cu");
    assert_taken(&g, "cleo", "");
    assert_true(who(&g, "cleo")->labs[0].absent);
    assert_true(who(&g, "dora")->labs[0].absent);
  }
}

// Repositories ----------------------------------------------------------------------------------------------

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
  test_write("git/list.txt", "\xEF\xBB\xBF# the course\r\nanna b\r\nberta, anna b  # twice\r\n\"Smith, "
                             "Jr.\", anna b\r\nlate\r\nlink/\nempty\nno/where.git\n");
  SL_FREED char *dir = sl_path("%s/git", test_dir), *list = sl_path("%s/list.txt", dir);
  git(dir, make);
  git(dir, "{ printf ', late\\n'; head -c 3000 /dev/zero | tr '\\0' x; } >> list.txt");
  for (int timed = 0; timed < 2; timed++) {
    new_class(NULL);
    GRADING g = taken(list, &(sl_course){.deadline = timed ? "2026-11-02T00:00:00Z" : NULL});
    assert_int_equal(g.n, 8);
    assert_taken(&g, "Smith, Jr.", timed ? "1" : "12");
    assert_taken(&g, "anna b", timed ? "1" : "12");
    assert_taken(&g, "berta", timed ? "1" : "12");
    assert_string_equal(who(&g, "anna b")->in.handed_in,
                        timed ? "2026-11-01T10:00:00Z" : "2026-11-03T10:00:00Z");
    assert_int_equal(strlen(who(&g, "anna b")->in.commit), 40);
    assert_int_equal(g.n_left_out, 1); // the line that is too long
    assert_string_equal(g.left_out[0].path, "line 10");
    assert_non_null(who(&g, "late (2)")); // the line without a name
    if (timed) assert_unreadable(&g, "late", "no commit before the deadline");
    else assert_taken(&g, "late", "1");
    assert_unreadable(&g, "link", "symbolic link");
    assert_unreadable(&g, "empty", "it has no commit");
    assert_unreadable(&g, "where", "no such folder");
    SL_FREED char *hooked = sl_path("%s/hooked", dir);
    assert_int_equal(access(hooked, F_OK), -1);
  }
}

// Nothing in a repository is obeyed, nothing of others is taken for its own, and nothing waits.
TEST(hostile_repositories) {
  static const struct {
    const char *name, *why; // why NULL: its own kernel is taken
  } rows[] = {{"other", NULL},
              {"alternates", "takes its content from another repository"},
              {"commondir", "takes its content from another repository"},
              {"git_file", ".git in the repository: it must be a folder"},
              {"git_link", ".git in the repository: it must be a folder"},
              {"objects_link", "objects in the repository: it must be a regular file or a folder"},
              {"ref_link", "it must be a regular file or a folder"},
              {"head_link", "HEAD in the repository: it must be"},
              {"packed_link", "packed-refs in the repository: it must be"},
              {"config_link", NULL},
              {"replaced", NULL},
              {"head_pipe", "HEAD in the repository: it must be"},
              {"config_pipe", NULL},
              {"object_pipe", "it must be a regular file or a folder"},
              {"hooks", NULL},
              {"filters", NULL},
              {"promised_ext", "bad object HEAD"},
              {"promised_ssh", "bad object HEAD"},
              {"promised_proxy", "bad object HEAD"},
              {"promised_upload", "bad object HEAD"},
              {"promised_helper", "bad object HEAD"},
              {"option_branch", NULL},
              {"left_out", "the archive is empty"},
              {"submodule", NULL},
              {"dots", "invalid path"},
              {"bare", "link in the repository: it must be"}};
  if (!has_git()) skip();
  ARENA a = sl__arena_new();
  const char *list = "", *dir = sl__str(a, "%s/hostile", test_dir);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) list = sl__str(a, "%s%s\n", list, rows[i].name);
  list = sl__str(a,
                 "%sext, ext::%s/run\noption, --upload-pack=%s/run\nssh, "
                 "ssh://-oProxyCommand=%s/run/x\nfile, file://%s/other\n",
                 list, dir, dir, dir, dir);
  test_write("hostile/list.txt", list);
  git(dir, "exec sh '" COURSE_ROOT "/grader/tests/repositories.sh'");
  GRADING g = taken(sl__str(a, "%s/list.txt", dir), NULL);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].why) assert_unreadable(&g, rows[i].name, rows[i].why);
    else assert_taken(&g, rows[i].name, "1");
  assert_unreadable(&g, "ext", "no such folder");
  assert_unreadable(&g, "option", "no such folder");
  assert_unreadable(&g, "ssh", "strange hostname");
  assert_taken(&g, "file", "1");
  assert_string_equal(who(&g, "file")->labs[0].hash, who(&g, "other")->labs[0].hash);
  for (size_t i = 1; i < sizeof rows / sizeof *rows; i++)
    assert_string_not_equal(who(&g, rows[i].name)->labs[0].hash, who(&g, "other")->labs[0].hash);
  assert_int_equal(access(sl__str(a, "%s/ran", dir), F_OK), -1);
}

// A list in UTF-16 is one; nothing behind a byte of zero is left out without a word.
TEST(lists_of_repositories_are_texts) {
  static const struct {
    const char *bytes;
    size_t len, n; // n: students; 0: refused
  } rows[] = {{"\xFF\xFEr\0\n\0s\0\n\0", 10, 2}, {"r\ns\n", 4, 2}, {"r\n\0s\n", 5, 0}, {"PK\3\4r\n", 6, 0}};
  hand_in("r/x", "x");
  hand_in("s/x", "x");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    GRADING g = {.arena = sl__arena_new()};
    sl_error e = {0};
    const char *list = in_class(g.arena, "list.txt");
    assert_true(sl_write_file(list, rows[i].bytes, rows[i].len, &e));
    if (sl__take_list(&g, list, &e) != !!rows[i].n || g.n != rows[i].n)
      fail_msg("row %zu: %zu, %s", i, g.n, e.text);
    if (!rows[i].n)
      assert_non_null(strstr(e.text, "a class is a folder, or a list of repositories as text, and this"));
  }
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
              {"2026-02-30 10:00Z", NULL},
              {"2024-02-29 10:00Z", "2024-02-29T10:00:00Z"},
              {"2026-11-22", NULL},
              {"2026-11-22T10:00:00Zx", NULL}};
  ARENA a = sl__arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *utc = sl__parse_time(a, rows[i].text);
    assert_string_equal(utc ? utc : "none", rows[i].utc ? rows[i].utc : "none");
  }
}

int main(void) {
  begin_each_with(new_class);
  return RUN_TESTS(test_set_up, test_tear_down);
}
