// What a person reads: final scores of all, of one student, and everything that happened to one.
//
// Interface: sl__show prints a row a student, or the labs of one student with raw, penalty and final apart;
// sl__history prints what a student handed in, each grading and each override, in the order of the book.
#include "book.h"

void sl__warn(const char *who, const char *text) {
  SL_FREED char *all = sl_path("%s%s%s", who ? who : "", who ? ": " : "", text);
  const size_t cap = 4 * strlen(all) + 5;
  SL_FREED char *safe = sl_path("%*s", (int)cap, "");
  fflush(stdout);
  const int column = fprintf(stderr, "scanlab gradebook: warning: ");
  sl__print_text(stderr, sl_printable(all, safe, cap), column, 2);
}

// Prints [s], which has at most [width] columns, on so many and two blanks.
static void print_cell(FILE *f, const char *s, size_t width, bool right) {
  size_t used = sl__columns(s, SIZE_MAX, NULL);
  int blanks = used < width ? (int)(width - used) : 0;
  fprintf(f, right ? "%2$*3$s%1$s  " : "%1$s%2$*3$s  ", s, "", blanks);
}

static const char *points_or_dash(sl_book *b, bool known, double v) {
  return known ? sl__points(b->a, v) : "-";
}

static const char *final_cell(sl_book *b, const sl_final *f) {
  if (f->standing == SL_STANDING_ERROR && !f->counts) return "error";
  return sl__str(b->a, "%s%s", points_or_dash(b, f->counts, f->final), f->override_reason ? "*" : "");
}

enum { TOTAL_COLUMNS = 14 };

// All students ----------------------------------------------------------------------------------------------

static const char *note_of(sl_book *b, const sl_enrolled *s) {
  bool plain = !s->status || !strcmp(s->status, "taken");
  const char *who = s->name && strcmp(s->name, s->id) ? sl__safe(b->a, s->name) : "",
             *reason = s->reason ? sl__safe(b->a, s->reason) : "",
             *said = sl__str(b->a, "%s%s%s", plain ? "" : s->status, plain || !*reason ? "" : ": ", reason);
  return sl__str(b->a, "%s%s%s", who, *who && *said ? "; " : "", said);
}

// The columns of names: as many as the longest has, and on a terminal no more than the scores leave.
static size_t name_width(sl_book *b, const sl_term *t, FILE *f) {
  enum { MOST = 30, LEAST = 10 };
  size_t width = strlen("student"), scores = 2 + 8 * t->n_labs + TOTAL_COLUMNS;
  size_t room = !sl_is_terminal(f) ? MOST : scores + LEAST < SL_COLUMNS ? SL_COLUMNS - scores : LEAST;
  for (size_t k = 0; k < t->n; k++) {
    size_t used = sl__columns(sl__safe(b->a, t->students[k].id), MOST, NULL);
    if (used > width) width = used;
  }
  return width < room ? width : room;
}

// Behind the scores, or below them where a terminal leaves too little room.
static void print_note(FILE *f, const char *note, int column) {
  enum { ROOM = 24, INDENT = 4 };
  const bool below = *note && sl_is_terminal(f) && column > SL_COLUMNS - ROOM;
  if (below) column = fprintf(f, "\n%*s", INDENT, "") - 1;
  else if (*note) column += fprintf(f, "  ");
  sl__print_text(f, note, column, column);
}

// The cells of the labs that count in the total, or, behind it, of the optional ones. [s] NULL: the heading.
static void print_labs(sl_book *b, const sl_term *t, const sl_enrolled *s, bool optional, FILE *f) {
  for (size_t k = 0; k < t->n_labs; k++)
    if (sl__is_optional(t->labs[k]) == optional)
      fprintf(f, optional ? "  %6s" : "%6s  ",
              s ? final_cell(b, &s->labs[k]) : sl__str(b->a, "%.2s", t->labs[k]));
}

void sl__show(sl_book *b, const sl_term *t, FILE *f) {
  const size_t width = name_width(b, t, f);
  sl_heading(f);
  print_cell(f, "student", width, false);
  print_labs(b, t, NULL, false, f);
  fprintf(f, "%*s", TOTAL_COLUMNS, "total");
  print_labs(b, t, NULL, true, f);
  fprintf(f, "\n");
  for (size_t i = 0; i < t->n; i++) {
    const sl_enrolled *s = &t->students[i];
    const char *id = sl__safe(b->a, s->id);
    print_cell(f, sl_is_terminal(f) ? sl__cut(b->a, id, width) : id, width, false);
    print_labs(b, t, s, false, f);
    fprintf(f, "%*s", TOTAL_COLUMNS,
            sl__str(b->a, "%s / %s", sl__points(b->a, s->total), sl__points(b->a, s->max)));
    print_labs(b, t, s, true, f);
    print_note(f, note_of(b, s), (int)(width + 2 + 8 * t->n_labs + TOTAL_COLUMNS));
  }
}

// One student -----------------------------------------------------------------------------------------------

enum { LAB_COLUMNS = 18 + 2 + 3 * (7 + 2) };

static const char *lateness(sl_book *b, const sl_final *f) {
  if (f->standing == SL_STANDING_MISSING) return "not handed in";
  if (!f->handed_in) return "time not known";
  const char *late =
      f->days_late ? sl__str(b->a, ", %lld day%s late", (long long)f->days_late, sl_plural(f->days_late))
                   : "";
  const char *grace = f->grace ? sl__str(b->a, ", %lld of grace", (long long)f->grace) : "";
  return sl__str(b->a, "%s%s%s%s", f->handed_in, late, grace, f->cut_off ? ", too late" : "");
}

static void show_lab(sl_book *b, const sl_final *f, FILE *out) {
  bool graded = f->standing == SL_STANDING_GRADED;
  print_cell(out, f->lab, 18, false);
  print_cell(out, points_or_dash(b, graded, f->raw), 7, true);
  print_cell(out, points_or_dash(b, graded, f->penalty), 7, true);
  print_cell(out, final_cell(b, f), 7, true);
  const char *said = sl__str(b->a, "/ %s  %lld attempt%s  %s", sl__points(b->a, f->max),
                             (long long)f->attempts, sl_plural(f->attempts), lateness(b, f));
  sl__print_text(out, said, LAB_COLUMNS, LAB_COLUMNS);
  if (f->override_reason)
    sl__print_text(
        out,
        sl__str(b->a, "* by %s: %s", sl__safe(b->a, f->override_who), sl__safe(b->a, f->override_reason)),
        fprintf(out, "  "), 4);
  if (f->standing == SL_STANDING_ERROR)
    fprintf(out, "  the grader failed in grading %lld: grade it again and import it\n",
            (long long)f->grading);
}

void sl__show_student(sl_book *b, const sl_term *t, const sl_enrolled *s, FILE *f) {
  const char *note = note_of(b, s);
  sl__print_text(f, sl__str(b->a, "%s%s%s", sl__safe(b->a, s->id), *note ? "  " : "", note), 0, 2);
  sl_heading(f);
  print_cell(f, "lab", 18, false);
  print_cell(f, "raw", 7, true), print_cell(f, "penalty", 7, true), print_cell(f, "final", 7, true);
  fprintf(f, "\n");
  for (size_t k = 0; k < t->n_labs; k++) show_lab(b, &s->labs[k], f);
  fprintf(f, "total %s / %s", sl__points(b->a, s->total), sl__points(b->a, s->max));
  if (t->policy.grace_days)
    fprintf(f, ", %lld of %lld grace day%s left", (long long)s->grace_left, (long long)t->policy.grace_days,
            sl_plural(t->policy.grace_days));
  fprintf(f, "\n");
}

// History ---------------------------------------------------------------------------------------------------

const char *sl__grader_name(sl_book *b, const char *version, const char *commit, const char *tools) {
  const char *dirty = commit && strstr(commit, "-dirty") ? "-dirty" : "";
  return commit ? sl__str(b->a, "%s-%.10s%s", version, commit, dirty)
                : sl__str(b->a, "%s-%.10s", version, tools);
}

static void print_grading(sl_book *b, sqlite3_stmt *st, FILE *f) {
  int64_t errors = sqlite3_column_int64(st, 5);
  const char *problem = sl__text(b, st, 6), *key = sl__text(b, st, 10), *sandbox = sl__text(b, st, 11),
             *edited = sl__text(b, st, 14),
             *score = errors ? sl__str(b->a, "%lld error%s of the grader: no score", (long long)errors,
                                       sl_plural(errors))
                             : sl__str(b->a, "%s / %s", sl__points(b->a, sqlite3_column_double(st, 3)),
                                       sl__points(b->a, sqlite3_column_double(st, 4)));
  const char *all = sl__str(b->a, "grading %lld  %s  kernel %.8s  %s  %s  by %s, key %s, %s, %s",
                            (long long)sqlite3_column_int64(st, 0), sl__text(b, st, 1), sl__text(b, st, 2),
                            sl__text(b, st, 12), score,
                            sl__grader_name(b, sl__text(b, st, 7), sl__text(b, st, 8), sl__text(b, st, 9)),
                            key ? key : "-", sl__text(b, st, 13), sandbox ? sandbox : "-");
  sl__print_text(f, all, 0, 2);
  if (problem) sl__print_text(f, problem, fprintf(f, "  "), 4);
  if (edited)
    sl__print_text(
        f, sl__str(b->a, "changed outside of the TODO regions (no points taken): %s", sl__safe(b->a, edited)),
        fprintf(f, "  "), 4);
}

static bool print_gradings(sl_book *b, const char *student, const char *lab, FILE *f, sl_error *e) {
  sqlite3_stmt *st =
      sl__query(b, e,
                "SELECT g.id, a.lab, CASE kernel WHEN '' THEN 'unread' ELSE kernel END, score, max, "
                "errors, problem, version, course_commit, tools, key, sandbox, g.ended, backend || "
                "coalesce(', schedule ' || schedule, ''), edited FROM gradings g JOIN attempts a ON a.id = "
                "g.attempt WHERE a.student = ? AND (?2 IS NULL OR a.lab = ?2) ORDER BY g.id",
                "tt", student, lab);
  while (sl__next(b, st, e)) print_grading(b, st, f);
  return !e->code;
}

static bool print_handins(sl_book *b, const char *student, const char *lab, FILE *f, sl_error *e) {
  sqlite3_stmt *st = sl__query(b, e,
                               "SELECT a.lab, kernel, h.at, i.source, h.misplaced FROM handins h JOIN "
                               "attempts a ON a.id = h.attempt JOIN imports i ON i.id = h.import "
                               "WHERE a.student = ? AND (?2 IS NULL OR a.lab = ?2) ORDER BY h.id",
                               "tt", student, lab);
  while (sl__next(b, st, e)) {
    const char *kernel = sl__text(b, st, 1), *at = sl__text(b, st, 2), *misplaced = sl__text(b, st, 4);
    const char *all =
        sl__str(b->a, "handed in  %s  kernel %.8s  %s  (%s)%s%s", sl__text(b, st, 0),
                *kernel ? kernel : "unread", *at ? at : "time not known", sl__safe(b->a, sl__text(b, st, 3)),
                misplaced ? ", as " : "", misplaced ? sl__safe(b->a, misplaced) : "");
    sl__print_text(f, all, 0, 2);
  }
  return !e->code;
}

static bool print_overrides(sl_book *b, const char *student, const char *lab, FILE *f, sl_error *e) {
  sqlite3_stmt *st = sl__query(b, e,
                               "SELECT at, lab, points, who, reason FROM overrides WHERE student = ? AND (?2 "
                               "IS NULL OR lab = ?2) ORDER BY id",
                               "tt", student, lab);
  while (sl__next(b, st, e)) {
    bool withdrawn = sqlite3_column_type(st, 2) == SQLITE_NULL;
    const char *all = sl__str(b->a, "override  %s  %s  %s  by %s: %s", sl__text(b, st, 1), sl__text(b, st, 0),
                              withdrawn ? "withdrawn" : sl__points(b->a, sqlite3_column_double(st, 2)),
                              sl__safe(b->a, sl__text(b, st, 3)), sl__safe(b->a, sl__text(b, st, 4)));
    sl__print_text(f, all, 0, 2);
  }
  return !e->code;
}

static bool print_intake(sl_book *b, const char *student, FILE *f, sl_error *e) {
  sqlite3_stmt *st = sl__query(b, e,
                               "SELECT i.at, s.status, s.reason, i.source, i.id FROM students s JOIN imports "
                               "i ON i.id = s.import WHERE s.student = ? ORDER BY s.id",
                               "t", student);
  while (sl__next(b, st, e)) {
    const char *reason = sl__text(b, st, 2);
    const char *all = sl__str(b->a, "import %lld  %s  %s%s%s  (%s)", (long long)sqlite3_column_int64(st, 4),
                              sl__text(b, st, 0), sl__text(b, st, 1), reason ? ": " : "",
                              reason ? sl__safe(b->a, reason) : "", sl__safe(b->a, sl__text(b, st, 3)));
    sl__print_text(f, all, 0, 2);
  }
  return !e->code;
}

bool sl__history(sl_book *b, const char *student, const char *lab, FILE *f, sl_error *e) {
  return print_intake(b, student, f, e) && print_handins(b, student, lab, f, e) &&
         print_gradings(b, student, lab, f, e) && print_overrides(b, student, lab, f, e);
}
