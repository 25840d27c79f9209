// The gradebook from a class to final scores: what an import adds and what it does not, the policy's rules as a
// table, what nobody can change, what is refused.
#include <math.h>

#include "base/unit.h"
#include "a_class.h"
#include "base/test_folder.h"

static const a_test full[] = {
    {"01.scan.a.sim", "pass", 60, 60, "right", NULL}, {"01.scan.b.sim", "pass", 40, 40, "right", NULL}, {0}};
static const a_test half[] = {{"01.scan.a.sim", "pass", 60, 60, "right", NULL},
                              {"01.scan.b.sim", "fail", 0, 40, "wrong", "race.shared"},
                              {0}};
static const a_test none[] = {
    {"01.scan.a.sim", "fail", 0, 60, "wrong", NULL}, {"01.scan.b.sim", "fail", 0, 40, "wrong", NULL}, {0}};
static const a_test broken[] = {{"01.scan.a.sim", "pass", 60, 60, "right", NULL},
                                {"01.scan.b.sim", "error", 0, 40, "no compiler", NULL},
                                {0}};

// Opens the test's book anew, empty.
static void new_book(sl_book *b) {
  sl_error e = {0};
  char *path = sl_path("%s/book.db", dir);
  remove(path);
  if (!sl__book_open(b, path, true, &e)) fail_msg("%s", e.text);
}

static void close_book(sl_book *b) {
  char *path = (char *)b->path;
  sl__book_close(b);
  free(path);
}

static sl_import_sum import_class(sl_book *b, const a_lab *labs, const char *manifest) {
  sl_error e = {0};
  sl_import_sum sum = {0};
  char *out = sl_path("%s/out", dir), *argv[] = {"rm", "-rf", "--", out, NULL};
  sl_run(argv, NULL, 10, 0, NULL, NULL);
  a_class_write(out, labs, manifest);
  if (!sl__import(b, out, NULL, &sum, &e)) fail_msg("%s", e.text);
  free(out);
  return sum;
}

static int64_t count(sl_book *b, const char *table) {
  sl_error e = {0};
  int64_t n = sl__value(b, &e, sl__str(b->a, "SELECT count(*) FROM %s", table), "");
  assert_int_equal(e.code, 0);
  return n;
}

// Import ----------------------------------------------------------------------------------------------------

TEST(import_adds_what_is_new) {
  sl_book b;
  a_lab one[] = {{"anna", "01_naive_scan", "k1", NULL, "1", half},
                 {"bert", "01_naive_scan", NULL, NULL, "1", none},
                 {0}};
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
  close_book(&b);
}

TEST(import_names_what_is_missing) {
  sl_book b;
  const a_lab one[] = {{"anna", "01_naive_scan", "k1", NULL, "1", half}, {0}};
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
  close_book(&b);
}

// Graded into the same folder without the roster and then with it: each student is in the book once.
TEST(results_of_an_earlier_grading_are_left_out) {
  sl_book b;
  sl_error e = {0};
  sl_import_sum s = {0};
  const a_lab without[] = {{"Anna A_12", "01_naive_scan", "k1", NULL, "1", half}, {0}},
              with[] = {{"anna", "01_naive_scan", "k1", NULL, "1", half}, {0}};
  SL_FREED char *out = sl_path("%s/twice", dir);
  a_class_write(out, without, "");
  a_class_write(out, with, "");
  new_book(&b);
  assert_true(sl__import(&b, out, NULL, &s, &e));
  assert_int_equal(s.problems, 1), assert_int_equal(s.students, 1), assert_int_equal(s.gradings, 1);
  assert_int_equal(count(&b, "students"), 1);
  close_book(&b);
}

// A roster with names in another order renames everybody: extensions by full name are found all the same.
TEST(students_are_found_by_names_that_they_had) {
  static const struct {
    const char *name, *id; // id: NULL: nobody
  } rows[] = {
      {"Anna Lee", "anna"}, {"Lee Anna", "anna"}, {"Lee, Anna", "anna"}, {"Bo Ek", NULL}, {"anna", "anna"}};
  static const char *const names[] = {"Anna Lee", "Lee Anna"};
  const a_lab one[] = {{"anna", "01_naive_scan", "k1", NULL, "1", half}, {0}};
  sl_book b;
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
  }
  close_book(&b);
}

// `grade DIR` of one submission leaves graded.json beside the manifest.
TEST(one_submission_and_its_manifest) {
  sl_book b;
  sl_error e = {0};
  sl_import_sum s = {0};
  const a_lab one[] = {{"anna", "01_naive_scan", "k1", NULL, "1", half}, {0}};
  SL_FREED char *out = sl_path("%s/single", dir), *from = sl_path("%s/students/anna/graded.json", out),
                *to = sl_path("%s/graded.json", out);
  a_class_write(out, one, "");
  assert_int_equal(rename(from, to), 0);
  new_book(&b);
  assert_true(sl__import(&b, out, NULL, &s, &e));
  assert_int_equal(s.problems, 0), assert_int_equal(s.students, 1), assert_int_equal(s.gradings, 1);
  close_book(&b);
}

// A kernel handed in again with others of the same archive is as early as it was at first.
TEST(same_kernel_is_the_same_attempt) {
  sl_book b;
  sl_error e = {0};
  sl_policy p;
  sl_term t;
  a_lab one[] = {{"anna", "01_naive_scan", "k1", "2026-11-20T10:00:00Z", "1", full}, {0}};
  new_book(&b);
  import_class(&b, one, "");
  one[0].handed_in = "2026-12-20T10:00:00Z";
  import_class(&b, one, "");
  assert_int_equal(count(&b, "attempts"), 1), assert_int_equal(count(&b, "handins"), 2),
      assert_int_equal(count(&b, "gradings"), 1);
  char *path = sl_path("%s/policy.json", dir);
  static const char policy[] =
      "{\"attempt\": \"last\", \"deadline\": \"2026-11-20T10:00:00Z\", \"percent_a_day\": 10}";
  assert_true(sl_write_file(path, policy, strlen(policy), &e));
  assert_true(sl__policy_read(&b, path, &p, &e) && sl__term(&b, &p, NULL, &t, &e));
  assert_int_equal(t.students[0].labs[0].days_late, 0);
  assert_float_equal(t.students[0].total, 100, 0);
  free(path);
  close_book(&b);
}

// The policy ------------------------------------------------------------------------------------------------

typedef struct rule {
  const char *policy;
  struct {
    const char *at; // NULL: no more attempts
    const a_test *tests;
  } attempts[3];
  sl_standing standing;
  double raw, penalty, final;
  int64_t late, grace;
} rule;

#define DUE "\"deadline\": \"2026-11-20T12:00:00Z\""
#define IN_TIME "2026-11-20T12:00:00Z"
#define A_SECOND "2026-11-20T12:00:01Z" // late
#define A_DAY "2026-11-21T12:00:00Z"
#define TWO_DAYS "2026-11-22T00:00:00Z" // a day and a half
// More time for a student: a part of a policy.
#define UNTIL(WHO, TIME)                                                                                     \
  "\"extensions\": [{\"student\": \"" WHO "\", \"until\": \"" TIME "\", \"reason\": \"ill\"}]"

static const rule rules[] = {
#define SL_RULE(...) {__VA_ARGS__},
#include "rules.def"
};

static const sl_final *final_by(sl_book *b, const char *policy, sl_term *t) {
  sl_error e = {0};
  sl_policy p;
  char *path = sl_path("%s/policy.json", dir);
  if (!sl_write_file(path, policy, strlen(policy), &e) || !sl__policy_read(b, path, &p, &e) ||
      !sl__term(b, &p, "anna", t, &e))
    fail_msg("%s: %s", policy, e.text);
  free(path);
  return &t->students[0].labs[0];
}

TEST(scores_follow_the_policy) {
  for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
    const rule *r = &rules[k];
    sl_book b;
    sl_term t;
    new_book(&b);
    for (int i = 0; r->attempts[i].at; i++) {
      const a_lab one[] = {{"anna", "01_naive_scan", (const char *[]){"k1", "k2", "k3"}[i], r->attempts[i].at,
                            "1", r->attempts[i].tests},
                           {0}};
      import_class(&b, one, "");
    }
    const sl_final *f = final_by(&b, r->policy, &t);
    if (f->standing != r->standing || f->raw != r->raw || f->penalty != r->penalty || f->final != r->final ||
        f->days_late != r->late || f->grace != r->grace)
      fail_msg("row %zu, %s: standing %d, %g - %g = %g, %lld days late, %lld of grace", k, r->policy,
               f->standing, f->raw, f->penalty, f->final, (long long)f->days_late, (long long)f->grace);
    assert_int_equal(f->counts, r->standing == SL_STANDING_GRADED);
    close_book(&b);
  }
}

// Grace days are one purse for all labs, spent in the order of the deadlines.
TEST(grace_days_are_spent_once) {
  sl_book b;
  sl_term t;
  const a_lab all[] = {{"anna", "01_naive_scan", "k1", TWO_DAYS, "1", full},
                       {"anna", "02_double_buffer", "k2", TWO_DAYS, "1", full},
                       {0}};
  new_book(&b);
  import_class(&b, all, "");
  const sl_final *f = final_by(&b,
                               "{\"deadlines\": {\"01\": \"2026-11-20T12:00:00Z\", \"02\": "
                               "\"2026-11-20T06:00:00Z\"}, \"percent_a_day\": 10, \"grace_days\": 3}",
                               &t);
  assert_int_equal(f[1].grace, 2), assert_int_equal(f[0].grace, 1);
  assert_float_equal(f[0].final, 90, 1e-9), assert_float_equal(t.students[0].total, 190, 1e-9);
  assert_int_equal(t.students[0].grace_left, 0);
  close_book(&b);
}

// An optional lab has its row, spends no grace day and counts in no total.
TEST(optional_labs_stand_apart) {
  sl_book b;
  sl_term t;
  const a_lab all[] = {{"anna", "01_naive_scan", "k1", TWO_DAYS, "1", full},
                       {"anna", "11_compaction", "k2", TWO_DAYS, "1", full},
                       {0}};
  new_book(&b);
  import_class(&b, all, "");
  const sl_final *f = final_by(&b,
                               "{\"deadlines\": {\"01\": \"2026-11-20T12:00:00Z\", \"11\": "
                               "\"2026-11-20T06:00:00Z\"}, \"percent_a_day\": 10, \"grace_days\": 3}",
                               &t);
  assert_int_equal(f[0].grace, 2), assert_int_equal(f[1].grace, 2);
  assert_float_equal(f[0].final, 100, 1e-9), assert_float_equal(f[1].final, 100, 1e-9);
  assert_float_equal(t.students[0].total, 100, 1e-9), assert_float_equal(t.students[0].max, 100, 1e-9);
  assert_int_equal(t.students[0].grace_left, 1);
  close_book(&b);
}

TEST(what_is_missing_is_empty_or_zero) {
  sl_book b;
  sl_term t;
  const a_lab all[] = {{"anna", "01_naive_scan", NULL, TWO_DAYS, "1", none},
                       {"bert", "01_naive_scan", "k2", TWO_DAYS, "1", full},
                       {0}};
  new_book(&b);
  import_class(&b, all, "");
  assert_false(final_by(&b, "{}", &t)->counts);
  const sl_final *f = final_by(&b, "{\"missing\": \"zero\"}", &t);
  assert_true(f->counts), assert_float_equal(f->final, 0, 0), assert_float_equal(f->max, 100, 0);
  close_book(&b);
}

// Of the gradings of an attempt the newest counts, or the best; one with an error never does.
TEST(regrades_count) {
  sl_book b;
  sl_term t;
  a_lab one[] = {{"anna", "01_naive_scan", "k1", IN_TIME, "1", full}, {0}};
  new_book(&b);
  import_class(&b, one, "");
  one[0].version = "2", one[0].tests = half;
  import_class(&b, one, "");
  assert_float_equal(final_by(&b, "{}", &t)->final, 60, 0);
  assert_float_equal(final_by(&b, "{\"regrade\": \"best\"}", &t)->final, 100, 0);
  one[0].version = "3", one[0].tests = broken;
  import_class(&b, one, "");
  assert_float_equal(final_by(&b, "{}", &t)->final, 60, 0);
  close_book(&b);
}

TEST(overrides_replace_the_final_score_alone) {
  sl_book b;
  sl_term t;
  sl_error e = {0};
  double points = 77;
  const a_lab one[] = {{"anna", "01_naive_scan", "k1", A_DAY, "1", full}, {0}};
  static const char policy[] = "{" DUE ", \"percent_a_day\": 10}";
  new_book(&b);
  import_class(&b, one, "");
  assert_true(sl__override(&b, "anna", "01_naive_scan", &points, "shown in person", "B. Miller", &e));
  const sl_final *f = final_by(&b, policy, &t);
  assert_float_equal(f->raw, 100, 0), assert_float_equal(f->penalty, 10, 0),
      assert_float_equal(f->final, 77, 0);
  assert_string_equal(f->override_who, "B. Miller");
  assert_true(sl__override(&b, "anna", "01_naive_scan", NULL, "a mistake", "B. Miller", &e));
  assert_float_equal(final_by(&b, policy, &t)->final, 90, 0);
  assert_int_equal(count(&b, "overrides"), 2);
  assert_false(sl__override(&b, "anna", "01_naive_scan", &points, " ", "B. Miller", &e));
  assert_non_null(strstr(e.text, "reason"));
  close_book(&b);
}

// What is refused -------------------------------------------------------------------------------------------

TEST(nothing_is_changed_or_removed) {
  static const char *const changes[] = {"UPDATE %s SET rowid = rowid + 1", "DELETE FROM %s",
                                        "INSERT OR REPLACE INTO %s SELECT * FROM %s"};
  sl_book b;
  sl_error e = {0};
  double points = 1;
  const a_lab one[] = {{"anna", "01_naive_scan", "k1", IN_TIME, "1", half}, {0}};
  new_book(&b);
  import_class(&b, one, "");
  assert_true(sl__override(&b, "anna", "01_naive_scan", &points, "r", "w", &e));
  for (size_t k = 0; sl__book_tables[k]; k++)
    for (size_t c = 0; c < 3; c++) {
      int64_t before = count(&b, sl__book_tables[k]);
      assert_true(before > 0);
      char *sql = sl_path(changes[c], sl__book_tables[k], sl__book_tables[k]), *said = NULL;
      sqlite3_exec(b.db, sql, NULL, NULL, &said);
      if (!said || !strstr(said, "a gradebook only grows")) fail_msg("%s: %s", sql, said ? said : "done");
      assert_int_equal(count(&b, sl__book_tables[k]), before);
      sqlite3_free(said);
      free(sql);
    }
  assert_int_equal(count(&b, "sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"),
                   8); // those of the list
  close_book(&b);
}

TEST(wrong_policies_are_refused) {
  static const struct {
    const char *policy, *said;
  } wrong[] = {
      {"{\"atempt\": \"best\"}", "unknown key \"atempt\""},
      {"{\"attempt\": \"worst\"}", "attempt: expected \"best\" or \"last\" or \"first\""},
      {"{\"deadline\": \"2026-11-31T10:00:00Z\"}", "deadline: expected a time in UTC"},
      {"{\"deadline\": \"2026-11-20T10:00:00+01:00\"}", "a time in UTC"},
      {"{\"deadline\": 5}", "a time in UTC"},
      {"{\"deadlines\": {\"97\": \"2026-11-20T10:00:00Z\"}}", "97"},
      {"{\"percent_a_day\": 101}", "percent_a_day: expected a number from 0 to 100"},
      {"{\"percent_a_day\": \"10\"}", "percent_a_day"},
      {"{\"grace_days\": -1}", "grace_days: expected a whole number"},
      {"{\"grace_days\": 1.5}", "grace_days"},
      {"{\"extensions\": [{\"student\": \"anna\", \"until\": \"2026-11-20T10:00:00Z\"}]}", "extensions[0]"},
      {"{\"extensions\": {}}", "a list"},
      {"{\"missing\": true}", "missing: expected \"empty\" or \"zero\""},
      {"[]", "an object"},
      {"{", "line 1"},
      {"{\"deadline\": null, \"deadline\": null}", "line 1"},
  };
  sl_book b;
  new_book(&b);
  char *path = sl_path("%s/policy.json", dir);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    sl_error e = {0}, w = {0};
    sl_policy p;
    assert_true(sl_write_file(path, wrong[k].policy, strlen(wrong[k].policy), &w));
    if (sl__policy_read(&b, path, &p, &e) || !strstr(e.text, wrong[k].said))
      fail_msg("%s: %s", wrong[k].policy, e.text);
  }
  free(path);
  close_book(&b);
}

// A graded.json that is not what a grading writes adds nothing of the whole class.
TEST(wrong_results_are_refused) {
  static const struct {
    const char *sed, *said;
  } wrong[] = {
      {"s/\"points\": 60.0/\"points\": 59.0/", "do not add up"},
      {"s/\"points\": 60.0/\"points\": 61.0/", "between 0 and its most"},
      {"s/\"points\": 60.0/\"points\": \"60\"/", "Expected real"},
      {"s/\"status\": \"pass\"/\"status\": \"good\"/", "status"},
      {"s/\"format\": 1/\"format\": 2/", "another version"},
      {"s/\"version\": \"1\"/\"version\": 1/", "Expected string"},
      {"s/\"started\": \"2026/\"started\": \"x/", "times"},
      {"s/\"absent\": false//", "line"},
      {"s/\"sha256\": \"../\"sha256\": \"zz/", "hash"},
      {"$d", "line"},
  };
  const a_lab all[] = {{"anna", "01_naive_scan", "k1", IN_TIME, "1", half},
                       {"bert", "01_naive_scan", "k1", IN_TIME, "1", half},
                       {0}};
  sl_book b;
  new_book(&b);
  char *out = sl_path("%s/out", dir), *bad = sl_path("%s/students/bert/graded.json", out);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    sl_error e = {0};
    sl_import_sum sum = {0};
    char *argv[] = {"sed", "-i", (char *)wrong[k].sed, bad, NULL};
    a_class_write(out, all, "");
    assert_int_equal(sl_run(argv, NULL, 10, 0, NULL, &e).code, 0);
    if (sl__import(&b, out, NULL, &sum, &e) || !strstr(e.text, wrong[k].said) || !strstr(e.text, "bert"))
      fail_msg("%s: %s", wrong[k].sed, e.text);
    assert_int_equal(count(&b, "students"), 0);
  }
  free(bad);
  free(out);
  close_book(&b);
}

TEST(times_are_utc) {
  time_t t;
  assert_true(sl__read_utc("2026-11-22T22:20:00Z", &t) && t == 1795386000);
  static const char *const wrong[] = {"",
                                      "2026-11-22",
                                      "2026-11-22T22:20:00",
                                      "2026-11-22 22:20:00Z",
                                      "2026-02-30T00:00:00Z",
                                      "2026-11-22T22:20:00ZZ",
                                      "2026-1-2T22:20:00Z"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) assert_false(sl__read_utc(wrong[k], &t));
}

// Diff ------------------------------------------------------------------------------------------------------

static char *diff_text(sl_book *b, const char *from, const char *to) {
  sl_error e = {0};
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  if (!sl__diff(b, from, to, NULL, NULL, f, &e)) fail_msg("%s", e.text);
  fclose(f);
  return text;
}

TEST(diff_shows_every_difference) {
  static const a_test other[] = {{"01.scan.a.sim", "pass", 50, 50, "right", NULL},
                                 {"01.scan.c.sim", "pass", 50, 50, "right", NULL},
                                 {0}};
  static const a_test worded[] = {{"01.scan.a.sim", "pass", 60, 60, "right", NULL},
                                  {"01.scan.b.sim", "fail", 0, 40, "very wrong", "race.global"},
                                  {0}};
  a_lab all[] = {{"anna", "01_naive_scan", "k1", IN_TIME, "1", half},
                 {"bert", "01_naive_scan", "k2", IN_TIME, "1", full},
                 {"carl", "01_naive_scan", "k3", IN_TIME, "1", half},
                 {0}};
  sl_book b;
  new_book(&b);
  import_class(&b, all, "");
  for (int k = 0; k < 3; k++) all[k].version = "2";
  all[1].tests = other, all[2].tests = worded;
  import_class(&b, all, "");
  char *text = diff_text(&b, "1", "2");
  static const char *const lines[] = {"bert  01_naive_scan",
                                      "  01.scan.a.sim\n    points: 60.0 -> 50.0\n    of: 60.0 -> 50.0\n",
                                      "01.scan.b.sim: only 1",
                                      "01.scan.c.sim: only 2",
                                      "message: wrong -> very wrong",
                                      "findings: race.shared kernel.cu:9 -> race.global kernel.cu:9",
                                      "3 attempts graded by both, 2 differ, in 4 tests; +0 points"};
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
    if (!strstr(text, lines[k])) fail_msg("no '%s' in\n%s", lines[k], text);
  assert_null(strstr(text, "anna"));
  free(text);
  close_book(&b);
}

// Graders are named by their version or by the beginning of their tools' hash; either way round.
TEST(diff_takes_names_of_graders) {
  static const struct {
    const char *from, *to, *said; // said: part of the text, or of the error
    int code;
  } rows[] = {
      {"1", "2", "1 differs, in 1 test; +40 points", 0},
      {"2", "1", "1 differs, in 1 test; -40 points", 0},
      {"2", "3", "0 differ, in 0 tests; +0 points", 0},
      {NULL, "1", "1 differs, in 1 test; -40 points", 0}, // the last but one grader is 2
      {NULL, NULL, "0 differ, in 0 tests; +0 points", 0},
      {"6b86b273", "d4735e3a", "1 differs, in 1 test; +40 points", 0}, // SHA-256 of "1" and of "2"
      {"1", "4", "grader '4': none of the book is called so", SL_EXIT_USAGE},
      {"6b8", "2", "grader '6b8': none of the book is called so", SL_EXIT_USAGE}, // too short
  };
  a_lab one[] = {{"anna", "01_naive_scan", "k1", IN_TIME, "1", half}, {0}};
  sl_book b;
  new_book(&b);
  for (int k = 0; k < 3; k++) {
    one[0].version = (const char *[]){"1", "2", "3"}[k], one[0].tests = k ? full : half;
    import_class(&b, one, "");
  }
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_error e = {0};
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    sl__diff(&b, rows[k].from, rows[k].to, NULL, NULL, f, &e);
    fclose(f);
    if (e.code != rows[k].code || !strstr(e.code ? e.text : text, rows[k].said))
      fail_msg("row %zu: exit %d, '%s' instead of '%s'", k, e.code, e.code ? e.text : text, rows[k].said);
    free(text);
  }
  close_book(&b);
}

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
