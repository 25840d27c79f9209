// The results for other people's programs: a table for spreadsheets and gradebooks (CSV), JUnit's XML, and
// what submission systems take (platforms.c).
//
// Interface: sl__export writes those that were asked for, each whole or not at all. Names and
// messages are a student's text. In the table, a cell that a spreadsheet would compute (=, +, -, @ in front)
// gets an apostrophe; in XML everything is escaped.
#include "grade.h"

size_t sl__count_status(const sl_graded_lab *gl, sl_status status) {
  size_t n = 0;
  SL_EACH_TEST(gl, t) n += t->r.status == status;
  return n;
}

// CSV (RFC 4180) --------------------------------------------------------------------------------------------

const char *sl__csv_mark(const char *name) {
  while (*name && !(*name & 0x80)) name++;
  return *name ? "\xEF\xBB\xBF" : "";
}

void sl__csv_cell(FILE *f, const char *s) {
  fputc('"', f);
  if (*s && strchr("=+-@\t\r", *s)) fputc('\'', f);
  for (; *s; s++) fputs(*s == '"' ? "\"\"" : (char[]){*s, 0}, f);
  fputc('"', f);
}

const char *sl__score_word(sl_arena *a, const sl_graded_lab *gl, const char *absent) {
  return gl->absent ? absent : sl__count_status(gl, SL_ERROR) ? "error" : sl__points(a, gl->score);
}

// The note for the instructor: a kernel that could not be graded, an error of the grader.
static const char *csv_note(sl_arena *a, const sl_submission *s) {
  const char *note = "";
  SL_EACH_LAB(s, gl) {
    size_t errors = sl__count_status(gl, SL_ERROR);
    const char *why = gl->problem && !gl->absent ? gl->problem
                      : errors ? sl__str(a, "%zu error%s of the grader", errors, sl_plural(errors))
                               : NULL;
    if (why) note = sl__str(a, "%s%s%s: %s", note, *note ? "; " : "", gl->lab->info->number, why);
  }
  return note;
}

static void csv_heads(const sl_grading *g, FILE *f, bool apart) {
  for (size_t k = 0; k < g->course.n_labs; k++)
    if ((g->n && sl__apart(g->subs, &g->subs->labs[k])) == apart)
      fprintf(f, ",%s", g->course.labs[k].lab->info->name);
}

static void csv_scores(const sl_grading *g, FILE *f, const sl_submission *s, bool apart) {
  SL_EACH_LAB(s, gl)
    if (sl__apart(s, gl) == apart) fprintf(f, ",%s", sl__score_word(g->arena, gl, ""));
}

static const char *csv_total(sl_arena *a, const sl_submission *s) {
  SL_EACH_LAB(s, gl)
    if (!sl__apart(s, gl) && sl__count_status(gl, SL_ERROR)) return "error";
  return sl__points(a, s->score);
}

// One row a submission; optional labs are the last columns.
static bool write_csv(const sl_grading *g, const char *path, sl_error *e) {
  sl_whole_file t;
  if (!sl__whole_open(&t, path, e)) return false;
  const char *mark = "";
  for (size_t i = 0; i < g->n && !*mark; i++) mark = sl__csv_mark(g->subs[i].name);
  fprintf(t.f, "%ssubmission", mark);
  csv_heads(g, t.f, false);
  fputs(",score,max,note,made_by", t.f);
  csv_heads(g, t.f, true);
  fputs("\r\n", t.f);
  SL_EACH_SUB(g, s) {
    sl__csv_cell(t.f, s->name);
    csv_scores(g, t.f, s, false);
    fprintf(t.f, ",%s,%s,", csv_total(g->arena, s), sl__points(g->arena, s->max));
    sl__csv_cell(t.f, csv_note(g->arena, s));
    fputc(',', t.f);
    sl__csv_cell(t.f, g->course.made_by ? g->course.made_by : "");
    csv_scores(g, t.f, s, true);
    fputs("\r\n", t.f);
  }
  return sl__whole_close(&t, true, e);
}

// JUnit -----------------------------------------------------------------------------------------------------
//
// The narrowest readers decide: Jenkins' schema lets no test have properties, so the suite has the points of
// each; GitLab keeps one test of each class and name, so the class tells whose it is.

// Text of XML, which has no U+FFFE and U+FFFF. sl__safe has escaped control characters.
static void xml_text(FILE *f, const char *s) {
  SL_FREED char *copy = sl_path("%s", s);
  for (char *p = copy; *p; p++)
    if (!strncmp(p, "\xEF\xBF\xBE", 3) || !strncmp(p, "\xEF\xBF\xBF", 3)) memcpy(p, "???", 3);
  sl__html(f, copy);
}

// What people need to know of a test that did not pass: its message, first wrong elements, findings.
static void junit_detail(sl_arena *a, FILE *f, const sl_test *t) {
  const json_t *finding;
  size_t k;
  xml_text(f, t->r.message);
  if (*t->r.detail) fputc('\n', f);
  xml_text(f, t->r.detail);
  json_array_foreach(json_object_get(t->r.record, "findings"), k, finding) {
    const char *said = json_string_value(json_object_get(finding, "text"));
    fputc('\n', f);
    xml_text(f, sl__safe_lines(a, said ? said : ""));
  }
}

// "anna/01_naive_scan": names of all students differ.
static void junit_suite_name(FILE *f, const sl_submission *s, const sl_graded_lab *gl) {
  sl__html(f, s->name);
  fprintf(f, "/%s", gl->lab->info->name);
}

static void junit_test(sl_arena *a, FILE *f, const sl_submission *s, const sl_graded_lab *gl,
                       const sl_test *t) {
  static const char *const element[] = {
      [SL_FAIL] = "failure", [SL_ERROR] = "error", [SL_SKIP] = "skipped", [SL_UNTRIED] = "skipped"};
  fprintf(f, "    <testcase name=\"%s\" classname=\"", t->name);
  junit_suite_name(f, s, gl);
  fprintf(f, ".%s\" time=\"%.3f\">", t->c->part->id, t->r.seconds);
  if (t->r.status != SL_PASS) {
    fprintf(f, "<%s message=\"", element[t->r.status]);
    xml_text(f, t->r.message);
    fputs("\">", f);
    junit_detail(a, f, t);
    fprintf(f, "</%s>", element[t->r.status]);
  }
  fputs("</testcase>\n", f);
}

static void junit_suite(const sl_grading *g, FILE *f, const sl_submission *s, const sl_graded_lab *gl) {
  double seconds = 0;
  SL_EACH_TEST(gl, t) seconds += t->r.seconds;
  fputs("  <testsuite name=\"", f);
  junit_suite_name(f, s, gl);
  fprintf(f, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", gl->n_tests,
          sl__count_status(gl, SL_FAIL), sl__count_status(gl, SL_ERROR),
          sl__count_status(gl, SL_SKIP) + sl__count_status(gl, SL_UNTRIED), seconds);
  fprintf(f,
          "    <properties><property name=\"score\" value=\"%s\"/><property name=\"max\" "
          "value=\"%s\"/><property name=\"made_by\" value=\"",
          sl__points(g->arena, gl->score), sl__points(g->arena, gl->max));
  xml_text(f, g->course.made_by ? g->course.made_by : "");
  fputs("\"/>\n", f);
  SL_EACH_TEST(gl, t)
    fprintf(f, "      <property name=\"points %s\" value=\"%s / %s\"/>\n", t->name,
            sl__points(g->arena, t->r.points), sl__points(g->arena, t->max));
  fputs("    </properties>\n", f);
  SL_EACH_TEST(gl, t) junit_test(g->arena, f, s, gl, t);
  fputs("  </testsuite>\n", f);
}

void sl__junit_begin(FILE *f) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"scanlab\">\n", f);
}

void sl__junit_add(const sl_grading *g, FILE *f, const sl_submission *s) {
  SL_EACH_LAB(s, gl) junit_suite(g, f, s, gl);
}

void sl__junit_end(FILE *f) { fputs("</testsuites>\n", f); }

static bool write_junit(const sl_grading *g, const char *path, sl_error *e) {
  sl_whole_file t;
  if (!sl__whole_open(&t, path, e)) return false;
  sl__junit_begin(t.f);
  SL_EACH_SUB(g, s) sl__junit_add(g, t.f, s);
  sl__junit_end(t.f);
  return sl__whole_close(&t, true, e);
}

// Checks before the grading that [path] can be written after it: a missing folder shows now, not after hours.
static bool check_folder(const char *path, sl_error *e) {
  if (!path || strcmp(path, "-") == 0) return true;
  SL_FREED char *folder = sl_folder_of(path);
  bool ok = access(folder, W_OK) == 0 || sl_fail(e, SL_EXIT_INPUT, "make the folder, or name another file",
                                                 "%s: cannot be written: %s", path, strerror(errno));
  return ok && (!sl_is_dir(path) || sl_fail(e, SL_EXIT_INPUT, "name a file", "%s: is a folder", path));
}

bool sl__export_check(const sl_grading *g, const sl_exports *x, const char *json, sl_error *e) {
  const char *const files[] = {json, x->csv, x->junit};
  for (size_t k = 0; k < sizeof files / sizeof *files; k++)
    if (!check_folder(files[k], e)) return false;
  for (int k = 0; k < SL_PLATFORMS; k++) {
    if (!check_folder(x->platform[k], e)) return false;
    if (x->platform[k] && g->is_class)
      return sl_fail(e, SL_EXIT_USAGE,
                     "grade each one by itself (--one if this is one), or take --csv for a class",
                     "option --%s: its file is of one submission, and here is a class of %zu",
                     sl__platform_names[k], g->n);
  }
  return true;
}

bool sl__export(const sl_grading *g, const sl_exports *x, sl_error *e) {
  return (!x->csv || write_csv(g, x->csv, e)) && (!x->junit || write_junit(g, x->junit, e)) &&
         sl__write_platforms(g, x, e);
}
