// What the book refuses: changes of what it holds, wrong policies, results and times.
#include "a_book.h"

TEST(nothing_is_changed_or_removed) {
  static const char *const changes[] = {"UPDATE %s SET rowid = rowid + 1", "DELETE FROM %s",
                                        "INSERT OR REPLACE INTO %s SELECT * FROM %s"};
  sl_error e = {0};
  double points = 1;
  const a_lab one[] = {{"anna", "01_naive_scan", "k1", IN_TIME, "1", half}, {0}};
  BOOK b;
  new_book(&b);
  import_class(&b, one, "");
  assert_true(sl__override(&b, &(sl_override){"anna", "01_naive_scan", &points, "r", "w"}, &e));
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
      {"{\"deadlines\": {\"97\": \"2026-11-20T10:00:00Z\"}}", "there is no lab \"97\""},
      {"{\"extensions\": [{\"student\": \"a\", \"lab\": \"x\", \"until\": \"2026-11-20T10:00:00Z\", "
       "\"reason\": \"r\"}]}",
       "there is no lab \"x\""},
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
  BOOK b;
  new_book(&b);
  SL_FREED char *path = sl_path("%s/policy.json", dir);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    sl_error e = {0}, w = {0};
    sl_policy p;
    assert_true(sl_write_file(path, wrong[k].policy, strlen(wrong[k].policy), &w));
    if (sl__policy_read(&b, path, &p, &e) || !strstr(e.text, wrong[k].said) ||
        !strstr(e.text, "policy.json: ") || e.code != SL_EXIT_INPUT)
      fail_msg("%s: %d: %s", wrong[k].policy, e.code, e.text);
  }
  sl_policy p; // the mark that some editors put before UTF-8 is no fault
  assert_true(sl_write_file(path, "\xef\xbb\xbf{\"attempt\": \"last\"}", 22, NULL));
  assert_true(sl__policy_read(&b, path, &p, NULL) && p.attempt == SL_PICK_LAST);
}

// A graded.json that is not what a grading writes adds nothing of the whole class.
TEST(wrong_results_are_refused) {
  static const struct {
    const char *sed, *said;
  } wrong[] = {
      {"s/\"points\": 60.0/\"points\": 59.0/", "do not add up"},
      {"/naive_scan/,/absent/s/\"max\": [0-9.]*/\"max\": 1000.0/", "the most points of a lab's tests"},
      {"s/\"points\": 60.0/\"points\": 61.0/", "between 0 and its most"},
      {"s/\"points\": 60.0/\"points\": \"60\"/", "Expected real"},
      {"s/\"status\": \"pass\"/\"status\": \"good\"/", "status"},
      {"s/\"format\": 1/\"format\": 2/", "another version"},
      {"s/\"version\": \"1\"/\"version\": 1/", "Expected string"},
      {"s/\"started\": \"2026/\"started\": \"x/", "times"},
      {"s/\"absent\": false//", "expected"},
      {"s/\"sha256\": \"../\"sha256\": \"zz/", "hash"},
      {"s/01_naive_scan/..\\/x/", "the name of a lab"},
      {"$d", "expected"},
  };
  const a_lab all[] = {{"anna", "01_naive_scan", "k1", IN_TIME, "1", half},
                       {"bert", "01_naive_scan", "k1", IN_TIME, "1", half},
                       {0}};
  BOOK b;
  new_book(&b);
  SL_FREED char *out = sl_path("%s/out", dir), *bad = sl_path("%s/students/bert/graded.json", out);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    sl_error e = {0};
    sl_import_sum sum = {0};
    a_class_write(out, all, "");
    assert_int_equal(sl_run(SL_ARGV("sed", "-i", wrong[k].sed, bad), NULL, 10, 0, NULL, &e).code, 0);
    if (sl__import(&b, out, NULL, &sum, &e) || !strstr(e.text, wrong[k].said) || !strstr(e.text, "bert"))
      fail_msg("%s: %s", wrong[k].sed, e.text);
    assert_int_equal(count(&b, "students"), 0);
  }
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

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
