// From attempts to final scores: the rules of the policy as a table, regrades, overrides.
#include "a_book.h"

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
  SL_FREED char *path = sl_path("%s/policy.json", dir);
  if (!sl_write_file(path, policy, strlen(policy), &e) || !sl__policy_read(b, path, &p, &e) ||
      !sl__term(b, &p, "anna", t, &e))
    fail_msg("%s: %s", policy, e.text);
  return &t->students[0].labs[0];
}

TEST(scores_follow_the_policy) {
  for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
    const rule *r = &rules[k];
    sl_term t;
    BOOK b;
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
  }
}

// Grace days are one purse for all labs, spent in the order of the deadlines.
TEST(grace_days_are_spent_once) {
  sl_term t;
  const a_lab all[] = {{"anna", "01_naive_scan", "k1", TWO_DAYS, "1", full},
                       {"anna", "02_double_buffer", "k2", TWO_DAYS, "1", full},
                       {0}};
  BOOK b;
  new_book(&b);
  import_class(&b, all, "");
  const sl_final *f = final_by(&b,
                               "{\"deadlines\": {\"01\": \"2026-11-20T12:00:00Z\", \"02\": "
                               "\"2026-11-20T06:00:00Z\"}, \"percent_a_day\": 10, \"grace_days\": 3}",
                               &t);
  assert_int_equal(f[1].grace, 2), assert_int_equal(f[0].grace, 1);
  assert_float_equal(f[0].final, 90, 1e-9), assert_float_equal(t.students[0].total, 190, 1e-9);
  assert_int_equal(t.students[0].grace_left, 0);
}

// An optional lab has its row, spends no grace day and counts in no total; its column is behind that.
TEST(optional_labs_stand_apart) {
  sl_term t;
  SL_FREED char *text = NULL;
  const a_lab all[] = {{"anna", "01_naive_scan", "k1", TWO_DAYS, "1", full},
                       {"anna", "11_compaction", "k2", TWO_DAYS, "1", full},
                       {0}};
  BOOK b;
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
  FILE *out = sl_text_stream(&text);
  sl__show(&b, &t, out);
  fclose(out);
  if (!strstr(text, " total      11\n") || !strstr(text, "   100       100 / 100     100"))
    fail_msg("%s", text);
}

TEST(what_is_missing_is_empty_or_zero) {
  sl_term t;
  const a_lab all[] = {{"anna", "01_naive_scan", NULL, TWO_DAYS, "1", none},
                       {"bert", "01_naive_scan", "k2", TWO_DAYS, "1", full},
                       {0}};
  BOOK b;
  new_book(&b);
  import_class(&b, all, "");
  assert_false(final_by(&b, "{}", &t)->counts);
  const sl_final *f = final_by(&b, "{\"missing\": \"zero\"}", &t);
  assert_true(f->counts), assert_float_equal(f->final, 0, 0), assert_float_equal(f->max, 100, 0);
}

// The newest grading of an attempt counts, or the best; one with an error never does.
TEST(regrades_count) {
  sl_term t;
  a_lab one[] = {{"anna", "01_naive_scan", "k1", IN_TIME, "1", full}, {0}};
  BOOK b;
  new_book(&b);
  import_class(&b, one, "");
  one[0].version = "2", one[0].tests = half;
  import_class(&b, one, "");
  assert_float_equal(final_by(&b, "{}", &t)->final, 60, 0);
  assert_float_equal(final_by(&b, "{\"regrade\": \"best\"}", &t)->final, 100, 0);
  one[0].version = "3", one[0].tests = broken;
  import_class(&b, one, "");
  assert_float_equal(final_by(&b, "{}", &t)->final, 60, 0);
}

TEST(overrides_replace_the_final_score_alone) {
  sl_term t;
  sl_error e = {0};
  double points = 77;
  const a_lab one[] = {{"anna", "01_naive_scan", "k1", A_DAY, "1", full}, {0}};
  static const char policy[] = "{" DUE ", \"percent_a_day\": 10}";
  BOOK b;
  new_book(&b);
  import_class(&b, one, "");
  assert_true(
      sl__override(&b, &(sl_override){"anna", "01_naive_scan", &points, "shown in person", "B. Miller"}, &e));
  const sl_final *f = final_by(&b, policy, &t);
  assert_float_equal(f->raw, 100, 0), assert_float_equal(f->penalty, 10, 0),
      assert_float_equal(f->final, 77, 0);
  assert_string_equal(f->override_who, "B. Miller");
  assert_true(sl__override(&b, &(sl_override){"anna", "01_naive_scan", NULL, "a mistake", "B. Miller"}, &e));
  assert_float_equal(final_by(&b, policy, &t)->final, 90, 0);
  assert_int_equal(count(&b, "overrides"), 2);
  assert_false(sl__override(&b, &(sl_override){"anna", "01_naive_scan", &points, " ", "B. Miller"}, &e));
  assert_non_null(strstr(e.text, "reason"));
  SL_FREED char *much = sl_path("%01001d", 0);
  e = (sl_error){0};
  assert_false(sl__override(&b, &(sl_override){"anna", "01_naive_scan", &points, much, "B. Miller"}, &e));
  assert_string_equal(e.text, "the reason has more than 1000 bytes");
}

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
