// The results for a person at a terminal: a score table, the failing tests, the total.
//
// Interface: sl__print_summary. One submission: a row a lab with its parts, then up to five failing tests a
// lab. A class: a row a student. Every text in it is printable already (text.c).
#include "grade.h"

enum {
  SHOWN_FAILURES = 5,
  NAME_WIDTH = 20,
  MAX_NAME_WIDTH = 40,
  MIN_NAME_WIDTH = 10,
  SHORT_NAME = 6, // less than that of a full name is not worth its place
  SAID_COLUMNS = 400,
  SHOWN_PROBLEMS = 40,
  SHOWN_EDITED = 5 // names
};

// Ends a line with [text], of which a student decides how long it is.
static void print_said(const sl_grading *g, FILE *f, const char *text, int column, int indent) {
  sl__print_text(f, sl__cut(g->arena, text, SAID_COLUMNS), column, indent);
}

static double part_score(const sl_graded_lab *gl, const sl_part *part) {
  double sum = 0;
  SL_EACH_TEST(gl, t)
    if (t->c->part == part) sum += t->r.points;
  return sum;
}

static void print_points(const sl_grading *g, FILE *f, double score, double max) {
  fprintf(f, "%6s / %-4s", sl__points(g->arena, score), sl__points(g->arena, max));
}

static void print_lab(const sl_grading *g, FILE *f, const sl_graded_lab *gl) {
  enum { INDENT = 2 + NAME_WIDTH + 6 + 3 + 4 + 2 }; // the parts' column
  const int width = sl_columns(STDOUT_FILENO, SL_COLUMNS), indent = width < SL_COLUMNS ? 4 : INDENT;
  int column = INDENT;
  fprintf(f, "  %-*s", NAME_WIDTH, gl->lab->info->name);
  print_points(g, f, gl->score, gl->max);
  fputs("  ", f);
  for (size_t i = 0; i < gl->lab->n_parts; i++) {
    const sl_part *p = &gl->lab->parts[i];
    const char *said = sl__str(g->arena, "  %s %s/%s", p->id, sl__points(g->arena, part_score(gl, p)),
                               sl__points(g->arena, p->points));
    if (column + (int)strlen(said) > width) column = fprintf(f, "\n%*s", indent, "") - 1;
    column += fprintf(f, "%s", said);
  }
  fputc('\n', f);
}

// Is the test listed below the table?
static bool is_bad(const sl_test *t) { return t->r.status == SL_FAIL || t->r.status == SL_ERROR; }

// Counts the tests from [i] on that have test [i]'s status and message; 0 if an earlier test has them, too.
static size_t count_alike(const sl_graded_lab *gl, size_t i) {
  size_t n = 0;
  for (size_t k = 0; k < gl->n_tests; k++) {
    const sl_test *t = &gl->tests[k];
    if (t->r.status != gl->tests[i].r.status || strcmp(t->r.message, gl->tests[i].r.message) != 0) continue;
    if (k < i) return 0;
    n++;
  }
  return n;
}

static void print_failures(const sl_grading *g, FILE *f, const sl_graded_lab *gl) {
  size_t bad = 0;
  SL_EACH_TEST(gl, one) bad += is_bad(one);
  if (bad == 0) return;
  fprintf(f, "\n%s: %zu of %zu test%s did not pass\n", gl->lab->info->name, bad, gl->n_tests,
          sl_plural(gl->n_tests));
  if (gl->problem) {
    print_said(g, f, gl->problem, fprintf(f, "  %-5s  all  ", gl->infra ? "error" : "fail"), 9);
    return;
  }
  size_t shown = 0, told = 0;
  for (size_t i = 0; i < gl->n_tests && shown < SHOWN_FAILURES; i++) {
    const sl_test *t = &gl->tests[i];
    size_t alike = is_bad(t) ? count_alike(gl, i) : 0;
    if (alike == 0) continue;
    int column = fprintf(f, "  %-5s  %s", sl_status_names[t->r.status], t->name);
    if (alike > 1) column += fprintf(f, " and %zu more", alike - 1);
    column += fprintf(f, "  ");
    print_said(g, f, t->r.message, column, 9);
    shown++;
    told += alike;
  }
  if (bad > told) fprintf(f, "  (+%zu more, see the report)\n", bad - told);
}

// Says once for all labs that were graded alike what speed was measured by.
static void print_speed_basis(FILE *f, const sl_submission *s) {
  const char *told = NULL;
  SL_EACH_LAB(s, gl) {
    const char *basis = sl__speed_basis(gl);
    if (basis && basis != told) fprintf(f, "\nspeed is graded %s\n", told = basis);
  }
}

// Optional labs that were not handed in have no row.
static void print_labs(const sl_grading *g, FILE *f, const sl_submission *s) {
  bool told = false;
  SL_EACH_LAB(s, gl) {
    const bool apart = sl__apart(s, gl);
    if (apart && gl->absent) continue;
    if (apart && !told) fputs("  optional, apart from the total\n", f);
    told |= apart;
    print_lab(g, f, gl);
  }
}

// What became of what was handed in, in a line; NULL: there is nothing to be said.
static const char *remark_of(const sl_grading *g, const sl_submission *s) {
  static const char *const words[] = {[SL_TAKEN] = NULL,
                                      [SL_TAKEN_ABSENT] = "absent",
                                      [SL_TAKEN_UNREADABLE] = "cannot be read",
                                      [SL_TAKEN_UNKNOWN] = "unknown"};
  const char *reason = s->in.reason ? s->in.reason : "";
  const char *text = words[s->in.status] ? sl__str(g->arena, "%s: %s", words[s->in.status], reason) : reason;
  SL_EACH_LAB(s, gl)
    if (gl->misplaced)
      text = sl__str(g->arena, "%s%s%s: taken from %s", text, *text ? "; " : "", gl->lab->info->number,
                     sl__safe(g->arena, gl->misplaced));
  SL_EACH_LAB(s, gl)
    if (gl->twin)
      text = sl__str(g->arena, "%s%s%s: the same kernel as %s", text, *text ? "; " : "",
                     gl->lab->info->number, gl->twin);
  if (s->in.status == SL_TAKEN && s->in.n_refused)
    text = sl__str(g->arena, "%s%s%zu not taken: %s: %s", text, *text ? "; " : "", s->in.n_refused,
                   s->in.refused[0].path, s->in.refused[0].why);
  return *text ? text : NULL;
}

static void print_submission(const sl_grading *g, FILE *f, const sl_submission *s) {
  fprintf(f, "%s\n\n", s->name);
  print_labs(g, f, s);
  SL_EACH_LAB(s, gl) print_failures(g, f, gl);
  SL_EACH_LAB(s, gl)
    if (gl->edited)
      fprintf(f, "\n%s: changed outside of the TODO regions (no points taken): %s\n", gl->lab->info->name,
              gl->edited);
  const char *remark = s->in.status == SL_TAKEN_UNREADABLE ? NULL : remark_of(g, s); // else its labs tell
  if (remark) fputc('\n', f), print_said(g, f, remark, 0, 2);
  print_speed_basis(f, s);
  fprintf(f, "\ntotal %s / %s\n", sl__points(g->arena, s->score), sl__points(g->arena, s->max));
}

static int name_width(const sl_grading *g) {
  size_t w = 10;
  SL_EACH_SUB(g, s) {
    size_t own = sl__columns(s->name, SIZE_MAX, NULL);
    if (own > w) w = own;
  }
  return w < MAX_NAME_WIDTH ? (int)w : MAX_NAME_WIDTH;
}

// Prints [name] in exactly [width] columns: cut, or padded with blanks.
static void print_name(const sl_grading *g, FILE *f, const char *name, int width) {
  const char *shown = sl__cut(g->arena, name, (size_t)width);
  fprintf(f, "  %s%*s", shown, width - (int)sl__columns(shown, SIZE_MAX, NULL), "");
}

// Names before remarks: those leave them some room on a terminal.
static int remark_width(const sl_grading *g, FILE *f) {
  enum { ON_A_TERMINAL = 24 };
  int width = name_width(g);
  return sl_is_terminal(f) && width > ON_A_TERMINAL ? ON_A_TERMINAL : width;
}

// Why the lab has no score, or 0, though it was handed in; NULL: it was graded.
static const char *why_not_graded(const sl_grading *g, const sl_graded_lab *gl) {
  const size_t errors = sl__count_status(gl, SL_ERROR);
  if (gl->absent) return NULL;
  if (gl->problem || !errors) return gl->problem;
  return sl__str(g->arena, "%zu error%s of the grader: no score; grade again", errors, sl_plural(errors));
}

// The last of the labs from the [k]-th on that have its problem: a whole submission's problem is told once.
static size_t last_alike(const sl_submission *s, size_t k) {
  const char *why = s->labs[k].problem;
  while (why && k + 1 < s->n_labs && !s->labs[k + 1].absent && s->labs[k + 1].problem &&
         !strcmp(s->labs[k + 1].problem, why))
    k++;
  return k;
}

static void print_problem(const sl_grading *g, FILE *f, const sl_submission *s, size_t from, size_t to) {
  const int width = remark_width(g, f);
  print_name(g, f, s->name, width);
  int column = width + 2 + fprintf(f, "  %s", s->labs[from].lab->info->number);
  if (to > from) column += fprintf(f, " to %s", s->labs[to].lab->info->number);
  column += fprintf(f, ": ");
  print_said(g, f, why_not_graded(g, &s->labs[from]), column, width + 4);
}

// Lists the labs that were handed in and could not be graded; the instructor usually asks the student.
static void print_problems(const sl_grading *g, FILE *f) {
  size_t n = 0;
  bool misplaced = false;
  SL_EACH_SUB(g, s)
    for (size_t k = 0, last; k < s->n_labs; k = last + 1) {
      const sl_graded_lab *gl = &s->labs[k];
      last = last_alike(s, k);
      misplaced |= gl->problem && !gl->absent && gl->why == SL_REASON_HANDED_IN_NOTHING;
      bool told = s->in.status == SL_TAKEN_UNREADABLE; // in print_taken, once for all its labs
      if (!why_not_graded(g, gl) || told || n++ >= SHOWN_PROBLEMS) continue;
      if (n == 1) fputs("\n-: nothing handed in. Handed in, and not to be graded:\n", f);
      print_problem(g, f, s, k, last);
    }
  if (n > SHOWN_PROBLEMS) fprintf(f, "  (+%zu more, see the report)\n", n - SHOWN_PROBLEMS);
  if (misplaced && !g->course.accept_misplaced)
    fputs("(--accept-misplaced grades files that can be of one lab only)\n", f);
}

// One line about a person, under a heading before the first one.
static void print_remark(const sl_grading *g, FILE *f, size_t *n, const char *name, const char *what) {
  if (++*n > SHOWN_PROBLEMS) return;
  if (*n == 1) fputs("\nTaken in:\n", f);
  int width = remark_width(g, f);
  print_name(g, f, name, width);
  fputs("  ", f);
  print_said(g, f, what, width + 4, width + 4);
}

// Changes outside of the TODO regions cost nothing and are frequent: one line for all.
static void print_edited(const sl_grading *g, FILE *f) {
  size_t n = 0;
  const char *names = "";
  SL_EACH_SUB(g, s) {
    bool edited = false;
    SL_EACH_LAB(s, gl) edited |= gl->edited != NULL;
    if (edited && n++ < SHOWN_EDITED) names = sl__str(g->arena, "%s%s%s", names, *names ? ", " : "", s->name);
  }
  if (!n) return;
  if (n > SHOWN_EDITED) names = sl__str(g->arena, "%s and %zu more", names, n - SHOWN_EDITED);
  fputc('\n', f);
  sl__print_text(f,
                 sl__str(g->arena,
                         "Changed outside of the TODO regions (no points taken; lines in the report): %s",
                         names),
                 0, 2);
}

// What an instructor has to know of the hand-ins: who is absent or unknown, what was not taken and why.
static void print_taken(const sl_grading *g, FILE *f) {
  size_t n = 0;
  SL_EACH_SUB(g, s) {
    const char *remark = remark_of(g, s);
    if (remark) print_remark(g, f, &n, s->name, remark);
  }
  for (size_t i = 0; i < g->n_left_out; i++)
    print_remark(g, f, &n, g->left_out[i].path, sl__str(g->arena, "left out: %s", g->left_out[i].why));
  if (n > SHOWN_PROBLEMS) fprintf(f, "  (+%zu more, see manifest.json)\n", n - SHOWN_PROBLEMS);
}

// A column a lab: those of the total, or those apart from it.
static void print_heads(const sl_grading *g, FILE *f, bool apart) {
  for (size_t i = 0; g->n && i < g->course.n_labs; i++)
    if (sl__apart(g->subs, &g->subs->labs[i]) == apart)
      fprintf(f, "  %6s", g->course.labs[i].lab->info->number);
}

static void print_scores(const sl_grading *g, FILE *f, const sl_submission *s, bool apart) {
  SL_EACH_LAB(s, gl)
    if (sl__apart(s, gl) == apart) fprintf(f, "  %6s", sl__score_word(g->arena, gl, "-"));
}

// The columns that are left for names beside the scores: as many as one likes where no terminal cuts lines.
static int room_for_names(const sl_grading *g, FILE *f) {
  enum { OF_A_LAB = 8, OF_THE_TOTAL = 17, MARGIN = 2 };
  return sl_is_terminal(f) ? SL_COLUMNS - MARGIN - OF_A_LAB * (int)g->course.n_labs - OF_THE_TOTAL : INT_MAX;
}

static void print_class(const sl_grading *g, FILE *f) {
  int width = name_width(g), room = room_for_names(g, f);
  if (width > room) width = room > MIN_NAME_WIDTH ? room : MIN_NAME_WIDTH;
  room -= width;
  sl_heading(f);
  fprintf(f, "  %-*s", width, "student");
  print_heads(g, f, false);
  fprintf(f, "   total     ");
  print_heads(g, f, true);
  fputc('\n', f);
  SL_EACH_SUB(g, s) {
    print_name(g, f, s->name, width);
    print_scores(g, f, s, false);
    fputs("  ", f);
    print_points(g, f, s->score, s->max);
    print_scores(g, f, s, true);
    const char *full = sl__full_name(g->arena, s);
    if (full && room > SHORT_NAME) fprintf(f, "  %s", sl__cut(g->arena, full, (size_t)room - 2));
    fputc('\n', f);
  }
  print_problems(g, f);
  print_taken(g, f);
  print_edited(g, f);
}

void sl__print_summary(const sl_grading *g, FILE *f) {
  if (!g->is_class) print_submission(g, f, &g->subs[0]);
  else print_class(g, f);
}
