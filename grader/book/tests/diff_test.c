// Two graders of the same kernels, compared.
#include "a_book.h"

static char *diff_text(sl_book *b, const char *from, const char *to) {
  sl_error e = {0};
  char *text = NULL;
  FILE *f = sl_text_stream(&text);
  if (!sl__diff(b, &(sl_compared){.from = from, .to = to}, f, &e)) fail_msg("%s", e.text);
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
  BOOK b;
  new_book(&b);
  import_class(&b, all, "");
  for (int k = 0; k < 3; k++) all[k].version = "2";
  all[1].tests = other, all[2].tests = worded;
  import_class(&b, all, "");
  SL_FREED char *text = diff_text(&b, "1", "2");
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
  BOOK b;
  new_book(&b);
  for (int k = 0; k < 3; k++) {
    one[0].version = (const char *[]){"1", "2", "3"}[k], one[0].tests = k ? full : half;
    import_class(&b, one, "");
  }
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_error e = {0};
    SL_FREED char *text = NULL;
    FILE *f = sl_text_stream(&text);
    sl__diff(&b, &(sl_compared){.from = rows[k].from, .to = rows[k].to}, f, &e);
    fclose(f);
    if (e.code != rows[k].code || !strstr(e.code ? e.text : text, rows[k].said))
      fail_msg("row %zu: exit %d, '%s' instead of '%s'", k, e.code, e.code ? e.text : text, rows[k].said);
  }
}

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
