// What an import adds to the book, and what it does not.
#include "a_book.h"

TEST(import_adds_what_is_new) {
  a_lab one[] = {{"anna", "01_naive_scan", "k1", NULL, "1", half},
                 {"bert", "01_naive_scan", NULL, NULL, "1", none},
                 {0}};
  BOOK b;
  new_book(&b);
  sl_import_sum s = import_class(&b, one, "");
  assert_int_equal(s.attempts, 1), assert_int_equal(s.gradings, 1), assert_int_equal(s.problems, 0);
  int64_t imports = count(&b, "imports");
  s = import_class(&b, one, "");
  assert_int_equal(s.attempts + s.gradings, 0), assert_int_equal(s.known, 1);
  assert_int_equal(count(&b, "imports"), imports);
  one[0].version = "2"; // the same kernel by another grader
  s = import_class(&b, one, "");
  assert_int_equal(s.attempts, 0), assert_int_equal(s.gradings, 1);
  one[0].tests = full; // the same grader with another outcome
  s = import_class(&b, one, "");
  assert_int_equal(s.attempts, 0), assert_int_equal(s.gradings, 1);
  one[0].kernel = "k2";
  s = import_class(&b, one, "");
  assert_int_equal(s.attempts, 1), assert_int_equal(s.gradings, 1);
  assert_int_equal(count(&b, "attempts"), 2), assert_int_equal(count(&b, "gradings"), 4),
      assert_int_equal(count(&b, "tests"), 8);
  assert_int_equal(count(&b, "findings"), 2);
}

TEST(import_names_what_is_missing) {
  const a_lab one[] = {{"anna", "01_naive_scan", "k1", NULL, "1", half}, {0}};
  BOOK b;
  new_book(&b);
  sl_import_sum s = import_class(
      &b, one,
      "{\"student\": \"carl\", \"status\": \"absent\", \"handed_in\": null},"
      "{\"student\": \"dora\", \"status\": \"unreadable\", \"reason\": \"no archive\", \"handed_in\": null},"
      "{\"student\": \"emil\", \"status\": \"taken\", \"handed_in\": \"2026-11-20T10:00:00Z\"},");
  assert_int_equal(s.problems, 2); // dora and emil
  assert_int_equal(s.students, 2); // anna, and carl who is absent
  assert_int_equal(count(&b, "(SELECT DISTINCT student FROM students)"), 4);
  s = import_class(&b, one, NULL); // and without a manifest
  assert_int_equal(s.problems, 0), assert_int_equal(s.known, 1);
}

// Graded into the same folder without the roster and then with it: each student is in the book once.
TEST(results_of_an_earlier_grading_are_left_out) {
  sl_error e = {0};
  sl_import_sum s = {0};
  const a_lab without[] = {{"Anna A_12", "01_naive_scan", "k1", NULL, "1", half}, {0}},
              with[] = {{"anna", "01_naive_scan", "k1", NULL, "1", half}, {0}};
  SL_FREED char *out = sl_path("%s/twice", dir);
  a_class_write(out, without, "");
  a_class_write(out, with, "");
  BOOK b;
  new_book(&b);
  assert_true(sl__import(&b, out, NULL, &s, &e));
  assert_int_equal(s.problems, 1), assert_int_equal(s.students, 1), assert_int_equal(s.gradings, 1);
  assert_int_equal(count(&b, "students"), 1);
}

// A roster with names in another order renames everybody: extensions by full name are found all the same.
TEST(students_are_found_by_names_that_they_had) {
  static const struct {
    const char *name, *id, *hint; // id: NULL: nobody
  } rows[] = {{"Anna Lee", "anna", ""},
              {"Lee Anna", "anna", ""},
              {"Lee, Anna", "anna", ""},
              {"Bo Ek", NULL, "say by the id which one: b0, b1"},
              {"anna", "anna", ""},
              {"ANNA", NULL, "did you mean anna, Lee Anna?"},
              {"l\u00E9e  anna", NULL, "did you mean anna, Lee Anna?"},
              {"", NULL, "one of: anna b0 b1"}};
  static const char *const names[] = {"Anna Lee", "Lee Anna"};
  const a_lab one[] = {{"anna", "01_naive_scan", "k1", NULL, "1", half}, {0}};
  BOOK b;
  new_book(&b);
  for (int k = 0; k < 2; k++) {
    SL_FREED char *entries = sl_path("{\"student\": \"anna\", \"name\": \"%s\", \"status\": \"taken\"},"
                                     "{\"student\": \"b%d\", \"name\": \"Bo Ek\", \"status\": \"absent\"},",
                                     names[k], k);
    import_class(&b, one, entries);
  }
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_error e = {0};
    const char *id = sl__find_student(&b, rows[k].name, &e);
    if (strcmp(id ? id : "", rows[k].id ? rows[k].id : "") != 0) fail_msg("%s: %s", rows[k].name, id);
    assert_string_equal(e.hint, rows[k].hint);
  }
}

// `grade DIR` of one submission leaves graded.json beside the manifest.
TEST(one_submission_and_its_manifest) {
  sl_error e = {0};
  sl_import_sum s = {0};
  const a_lab one[] = {{"anna", "01_naive_scan", "k1", NULL, "1", half}, {0}};
  SL_FREED char *out = sl_path("%s/single", dir), *from = sl_path("%s/students/anna/graded.json", out),
                *to = sl_path("%s/graded.json", out);
  a_class_write(out, one, "");
  assert_int_equal(rename(from, to), 0);
  BOOK b;
  new_book(&b);
  assert_true(sl__import(&b, out, NULL, &s, &e));
  assert_int_equal(s.problems, 0), assert_int_equal(s.students, 1), assert_int_equal(s.gradings, 1);
}

// A kernel handed in again with others of the same archive is as early as it was at first.
TEST(same_kernel_is_the_same_attempt) {
  sl_error e = {0};
  sl_policy p;
  sl_term t;
  a_lab one[] = {{"anna", "01_naive_scan", "k1", "2026-11-20T10:00:00Z", "1", full}, {0}};
  BOOK b;
  new_book(&b);
  import_class(&b, one, "");
  one[0].handed_in = "2026-12-20T10:00:00Z";
  import_class(&b, one, "");
  assert_int_equal(count(&b, "attempts"), 1), assert_int_equal(count(&b, "handins"), 2),
      assert_int_equal(count(&b, "gradings"), 1);
  SL_FREED char *path = sl_path("%s/policy.json", dir);
  static const char policy[] =
      "{\"attempt\": \"last\", \"deadline\": \"2026-11-20T10:00:00Z\", \"percent_a_day\": 10}";
  assert_true(sl_write_file(path, policy, strlen(policy), &e));
  assert_true(sl__policy_read(&b, path, &p, &e) && sl__term(&b, &p, NULL, &t, &e));
  assert_int_equal(t.students[0].labs[0].days_late, 0);
  assert_float_equal(t.students[0].total, 100, 0);
}

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
