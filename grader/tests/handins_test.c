// When students handed in: tables of Moodle, Canvas and people, with and without zones. Each time that counts
// stands beside one that must not.
#include "intake/intake.h"
#include "util.h"

#define KERNEL "__global__ void k() {}\n"

static int class_number;

static void hand_in(const char *name) {
  SL_FREED char *path = sl_path("class%d/%s", class_number, name);
  test_write(path, KERNEL);
}

// The class with the table [times], in the place of what *g was; false with [e] if it is refused.
static bool take_times(sl_grading *g, const char *times, const char *zone, const char *roster, sl_error *e) {
  forget(g);
  *g = (sl_grading){.arena = sl__arena_new(), .course.zone = zone};
  test_write("times.csv", times);
  g->course.times = sl__str(g->arena, "%s/times.csv", test_dir);
  if (roster) {
    test_write("roster.csv", roster);
    g->course.roster = sl__str(g->arena, "%s/roster.csv", test_dir);
  }
  return sl__discover(g, sl__str(g->arena, "%s/class%d", test_dir, class_number), e);
}

static void assert_handed_in(const sl_grading *g, const char *name, const char *time) {
  SL_EACH_SUB(g, s)
    if (!strcmp(s->raw_name, name)) {
      const char *got = s->in.handed_in ? s->in.handed_in : "not known";
      if (strcmp(got, time) != 0) fail_msg("%s: handed in %s, expected %s", name, got, time);
      return;
    }
  fail_msg("%s is not there", name);
}

static const sl_submission *first_of(const sl_grading *g, const char *begin) {
  SL_EACH_SUB(g, s)
    if (!strncmp(s->raw_name, begin, strlen(begin))) return s;
  fail_msg("%s is not there", begin);
  return NULL;
}

TEST(zones_are_never_guessed) {
  static const struct {
    const char *text, *zone, *utc;
    bool lacks_zone;
  } rows[] = {
      {"2026-11-22 23:59 +0100", NULL, "2026-11-22T22:59:00Z", false},
      {"2026-11-22 23:59 +0100", "Asia/Tokyo", "2026-11-22T22:59:00Z", false},
      {"2026-11-22 23:59", NULL, NULL, true},
      {"2026-11-22 23:59", "Europe/Berlin", "2026-11-22T22:59:00Z", true},
      {"2026-07-22 23:59", "Europe/Berlin", "2026-07-22T21:59:00Z", true},
      {"2026-07-22 23:59:30", "-05:30", "2026-07-23T05:29:30Z", true},
      {"2026-10-25 02:30", "Europe/Berlin", "2026-10-25T00:30:00Z", true}, // twice: the earlier
      {"2026-10-25 03:30", "Europe/Berlin", "2026-10-25T02:30:00Z", true},
      {"Tuesday, 3 October 2023, 11:58 PM", "Europe/Berlin", "2023-10-03T21:58:00Z", true},
      {"Tuesday, 3 October 2023, 11:58 PM", NULL, NULL, true},
      {"Tuesday, 3 October 2023, 12:05 AM", "+00:00", "2023-10-03T00:05:00Z", true},
      {"3 October 2023, 23:58", "Z", "2023-10-03T23:58:00Z", true},
      {"Dienstag, 3. Oktober 2023, 23:58", "Z", NULL, false},
      {"03/10/2023 23:58", "Z", NULL, false},                              // which is the month?
      {"22.11.2026 23:59", "Europe/Berlin", "2026-11-22T22:59:00Z", true}, // Excel in German
      {"22.11.2026 23:59:30 +0100", NULL, "2026-11-22T22:59:30Z", false},
      {"22.11.26 23:59", "Z", NULL, false},
      {"31.11.2026 23:59", "Z", NULL, false},
      {"46348.99", "Z", NULL, false},
      {"", "Z", NULL, false},
  };
  static const char *const zones[] = {"Europe/Berlin", "UTC", "Z", "+01:00", "-0530"};
  static const char *const wrong[] = {"",   "Berlin/Europe", "/etc/passwd", "../zoneinfo/UTC", "Europe",
                                      "25", "+130",          "+01:00:99",   "+010000",         "+1::2"};
  ARENA a = sl__arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool lacks_zone;
    const char *utc = sl__parse_time_in(a, rows[i].text, rows[i].zone, &lacks_zone);
    if (strcmp(utc ? utc : "none", rows[i].utc ? rows[i].utc : "none") || lacks_zone != rows[i].lacks_zone)
      fail_msg("%s in %s: %s", rows[i].text, rows[i].zone, utc);
  }
  for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) assert_true(sl__is_zone(zones[i]));
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_false(sl__is_zone(wrong[i]));
}

// A participant's number is Moodle's own: it matches the worksheet, and no number of a roster.
TEST(moodle_tells_in_its_worksheet) {
  static const char worksheet[] =
      "\xEF\xBB\xBFIdentifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be "
      "changed\",\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\n"
      "\"Participant 4711\",\"Dora \xC3\x96'Neil\",d@x.edu,\"Submitted for grading\",,100.00,Yes,\"Friday, "
      "30 October 2026, 9:05 PM\",-,\n"
      "\"Participant 4712\",\"Emil E\",e@x.edu,\"Submitted for grading\",,100.00,Yes,\"Sunday, 1 November "
      "2026, 12:01 AM\",\"Monday, 2 November 2026, 8:00 AM\",\"line 1\nline 2\"\n"
      "\"Participant 4713\",\"Fritz F\",f@x.edu,\"No submission\",,100.00,Yes,-,-,\n";
  GRADING g = {0};
  sl_error e = {0};
  class_number++;
  hand_in("Dora \xC3\x96'Neil_4711_assignsubmission_file_/01_naive_scan/kernel.cu");
  hand_in("Emil E_4712_assignsubmission_file_lab1.cu");
  hand_in("Gabi G_4714_assignsubmission_file_/01_naive_scan/kernel.cu");
  if (!take_times(&g, worksheet, "Europe/Berlin", NULL, &e)) fail_msg("%s", e.text);
  assert_handed_in(&g, "Dora \xC3\x96'Neil_4711", "2026-10-30T20:05:00Z");
  assert_handed_in(&g, "Emil E_4712", "2026-10-31T23:01:00Z");
  assert_handed_in(&g, "Gabi G_4714", "not known");
  // with a roster, whose numbers mean other people
  if (!take_times(&g, worksheet, "Europe/Berlin", "id,name\n4712,Dora O'Neil\ne1,Emil E\n", &e))
    fail_msg("%s", e.text);
  assert_handed_in(&g, "4712", "2026-10-30T20:05:00Z");
  assert_handed_in(&g, "e1", "2026-10-31T23:01:00Z");
  assert_false(take_times(&g, worksheet, NULL, NULL, &e));
  assert_int_equal(e.code, SL_EXIT_INPUT);
  assert_non_null(strstr(e.text, "line 2: a time without a zone: Friday, 30 October 2026, 9:05 PM"));
}

TEST(canvas_tells_who_is_late) {
  static const char report[] = "Student Name,Student ID,Assignment Name,Due Date,Submitted Date\n"
                               "\"Doe, Anna\",77,Scan 1,2026-10-30,2026-10-31T08:00:00-07:00\n"
                               "\"Roe, Carl\",78,Scan 1,2026-10-30,2026-10-31T09:00:00-07:00\n"
                               "\"Roe, Carl\",78,Scan 2,2026-11-06,2026-11-08T09:00:00-07:00\n";
  GRADING g = {0};
  sl_error e = {0};
  class_number++;
  hand_in("doeanna_LATE_77_901_01_naive_scan.cu");
  hand_in("roecarl_LATE_78_902_01_naive_scan.cu");
  hand_in("poeida_79_903_01_naive_scan.cu");
  hand_in("poeida_LATE_79_904_02_double_buffer.cu");
  hand_in("zoezoe_80_905_01_naive_scan.cu");
  if (!take_times(&g, report, NULL, NULL, &e)) fail_msg("%s", e.text);
  assert_handed_in(&g, "doeanna_77", "2026-10-31T15:00:00Z");
  assert_null(first_of(&g, "doeanna")->in.reason);
  assert_handed_in(&g, "roecarl_78", "not known"); // two times: of which assignment is the file?
  assert_non_null(strstr(first_of(&g, "roecarl")->in.reason, "when is not known"));
  assert_non_null(strstr(first_of(&g, "poeida")->in.reason, "when is not known"));
  assert_handed_in(&g, "zoezoe_80", "not known");
  assert_null(first_of(&g, "zoezoe")->in.reason);
}

TEST(wrong_tables_are_refused) {
  static const struct {
    const char *text, *why;
  } rows[] = {{"id,name\nanna,A\n", "no column has the time"},
              {"handed in\n2026-11-22T22:20:00Z\n", "names no column of a table of times"},
              {"id,handed in\nanna,yesterday\n", "line 2: no time that can be read: yesterday"},
              {"id,handed in\nanna,03/10/2026 23:59\nbert,11/12/2026 23:59\n",
               "line 3: which is the day, and which the month? 11/12/2026 23:59"},
              {"id,handed in\nanna,22/10/2026 23:59\nbert,11/22/2026 23:59\n",
               "line 2: no time that can be read: 22/10/2026 23:59"},
              {"id,handed in\n\n\"b\nc\",-\nanna,2026-11-22 22:20\n", "line 5: a time without a zone"}};
  GRADING g = {0};
  class_number++;
  hand_in("anna/01_naive_scan/kernel.cu");
  hand_in("bert/01_naive_scan/kernel.cu");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sl_error e = {0};
    assert_false(take_times(&g, rows[i].text, NULL, NULL, &e));
    assert_int_equal(e.code, SL_EXIT_INPUT);
    if (!strstr(e.text, rows[i].why)) fail_msg("%s", e.text);
  }
  sl_error e = {0};
  // a spreadsheet wrote them: one row tells the order of all
  static const char *const slashes[][2] = {
      {"id,handed in\nanna,03/10/2026 11:59 PM\nbert,22/10/2026 11:59 PM\n", "2026-10-03T23:59:00Z"},
      {"id,handed in\nanna,03/10/2026 23:59:00\nbert,10/22/2026 23:59\n", "2026-03-10T23:59:00Z"}};
  for (size_t i = 0; i < 2; i++) {
    if (!take_times(&g, slashes[i][0], "Z", NULL, &e)) fail_msg("%s", e.text);
    assert_handed_in(&g, "anna", slashes[i][1]);
    assert_handed_in(&g, "bert", "2026-10-22T23:59:00Z");
  }
  if (!take_times(&g, "id;handed in\r\nanna;2026-11-22T22:20:00Z\r\nbert;\r\n", NULL, NULL, &e))
    fail_msg("%s", e.text);
  assert_handed_in(&g, "anna", "2026-11-22T22:20:00Z");
  assert_handed_in(&g, "bert", "not known");
  // the folder's name is known in the table also after the roster gave another one
  if (!take_times(&g, "id,handed in\nanna,2026-11-22T22:20:00Z\nb1,2026-11-22T22:21:00Z\n", NULL,
                  "id,login\na1,anna\nb1,bert\n", &e))
    fail_msg("%s", e.text);
  assert_handed_in(&g, "a1", "2026-11-22T22:20:00Z");
  assert_handed_in(&g, "b1", "2026-11-22T22:21:00Z");
}

// Neither the rows of a large roster nor its absent students are looked for one by one.
TEST(a_roster_of_200000_people) {
  enum { PEOPLE = 200000 };
  GRADING g = {.arena = sl__arena_new()};
  sl_error e = {0};
  const char *path = sl__str(g.arena, "%s/many.csv", test_dir);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs("id,name\n", f);
  for (int i = 0; i < PEOPLE; i++) fprintf(f, "s%d,\"Last%d, First\"\n", i, i);
  fputs("s7,again\n", f);
  assert_int_equal(fclose(f), 0);
  sl__add_submission(&g, &(sl_person){.name = "s5"}, (sl_handed_piece){SL_PIECE_FOLDER, "s5", "s5"});
  assert_true(sl__apply_roster(&g, path, &e)); // all pairs would take longer than a test may
  assert_int_equal(g.n, PEOPLE);
  assert_string_equal(g.subs[0].in.full, "First Last5");
  assert_string_equal(g.subs[PEOPLE - 1].raw_name, "s199999");
}

// "Ann Lee" and "Lee, Ann" are one name without a comma: nobody gets the work, both are named.
TEST(names_that_are_each_others_reverse_are_told) {
  static const char roster[] = "id,name\na1,Ann Lee\na2,Lee Ann\nb1,Bo Ek\n";
  static const char *const full[] = {"leeann", "Ann Lee", "ekbo"};
  GRADING g = {.arena = sl__arena_new()};
  sl_error e = {0};
  for (int i = 0; i < 3; i++)
    sl__add_submission(&g, &(sl_person){.name = sl__str(g.arena, "%s_%d", full[i], i), .full = full[i]},
                       (sl_handed_piece){SL_PIECE_FOLDER, "x", "x"});
  test_write("reverse.csv", roster);
  assert_true(sl__apply_roster(&g, sl__str(g.arena, "%s/reverse.csv", test_dir), &e));
  for (int i = 0; i < 2; i++) {
    assert_int_equal(g.subs[i].in.status, SL_TAKEN_UNKNOWN);
    assert_string_equal(g.subs[i].in.reason, "2 students of the roster could be meant: a1, a2");
  }
  assert_string_equal(g.subs[2].raw_name, "b1");
}

int main(void) { return RUN_TESTS(test_set_up, test_tear_down); }
