// The book in figures: how each lab went, which tests are hardest, which mistakes are commonest.
//
// Interface: sl__stats prints them of the gradings that count. They are collected in a temporary table. A
// kernel that could not be read has 0 points, as in the book, and says nothing of the tests.
#include "book.h"

static bool mark_counting(sl_book *b, const sl_term *t, sl_error *e) {
  bool ok = sl__do(b, e, "CREATE TEMP TABLE counting(grading INTEGER PRIMARY KEY, student TEXT)", "");
  for (size_t i = 0; i < t->n; i++)
    for (size_t k = 0; k < t->n_labs; k++)
      if (t->students[i].labs[k].standing == SL_STANDING_GRADED)
        ok = ok && sl__do(b, e, "INSERT INTO counting VALUES (?, ?)", "it", t->students[i].labs[k].grading,
                          t->students[i].id);
  return ok;
}

static int by_size(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

typedef struct lab_figures {
  size_t n, missing, late, errors;
  double mean, *scores; // sorted
} lab_figures;

static lab_figures figures_of(sl_book *b, const sl_term *t, size_t k) {
  lab_figures x = {.scores = sl__alloc(b->a, (t->n + 1) * sizeof(double))};
  for (size_t i = 0; i < t->n; i++) {
    const sl_final *f = &t->students[i].labs[k];
    x.missing += f->standing == SL_STANDING_MISSING;
    x.errors += f->standing == SL_STANDING_ERROR;
    x.late += f->days_late > 0;
    if (f->counts && f->standing != SL_STANDING_MISSING) x.scores[x.n++] = f->final, x.mean += f->final;
  }
  qsort(x.scores, x.n, sizeof(double), by_size);
  if (x.n) x.mean /= (double)x.n;
  return x;
}

// The value below which the share [q] of the sorted scores lies.
static double quantile(const lab_figures *x, double q) {
  double at = q * (double)(x->n - 1);
  size_t k = (size_t)at;
  return k + 1 < x->n ? x->scores[k] + (at - (double)k) * (x->scores[k + 1] - x->scores[k])
                      : x->scores[x->n - 1];
}

static void print_lab(sl_book *b, const char *lab, const lab_figures *x, FILE *f) {
  static const double shares[] = {0, 0.25, 0.5, 0.75, 1};
  fprintf(f, "%-17s%7zu%8zu%5zu%7zu", lab, x->n, x->missing, x->late, x->errors);
  if (x->n) fprintf(f, "%6s", sl__points(b->a, x->mean));
  for (int k = 0; x->n && k < 5; k++) fprintf(f, "%6s", sl__points(b->a, quantile(x, shares[k])));
  fprintf(f, "\n");
}

#define OF_KERNELS                                                                                           \
  " JOIN gradings g ON g.id = counting.grading JOIN attempts a ON a.id = g.attempt AND a.kernel "

// Says how many 0s of the lab are no work on its tests.
static void print_unread(sl_book *b, const char *lab, FILE *f, sl_error *e) {
  const int64_t n =
      sl__value(b, e, "SELECT count(*) FROM counting" OF_KERNELS "= '' WHERE a.lab = ?", "t", lab);
  if (n)
    fprintf(f, "%s: %lld could not be read: 0 points above, not in the tests below\n", lab, (long long)n);
}

// A title, and a line a row of the query: a name and two numbers, with [between] between them.
static bool print_top(sl_book *b, const char *title, const char *query, const char *between, FILE *f,
                      sl_error *e) {
  sqlite3_stmt *st = sl__query(b, e, query, "");
  fprintf(f, "\n%s\n", title);
  while (sl__next(b, st, e))
    fprintf(f, "  %-40s %lld%s%lld\n", sl__safe(b->a, sl__text(b, st, 0)),
            (long long)sqlite3_column_int64(st, 1), between, (long long)sqlite3_column_int64(st, 2));
  return !e->code;
}

bool sl__stats(sl_book *b, const sl_term *t, FILE *f, sl_error *e) {
  if (!mark_counting(b, t, e)) return false;
  fprintf(f, "%-17s%7s%8s%5s%7s%6s%6s%6s%6s%6s%6s\n", "lab", "graded", "missing", "late", "errors", "mean",
          "min", "25 %", "50 %", "75 %", "max");
  for (size_t k = 0; k < t->n_labs; k++) {
    lab_figures x = figures_of(b, t, k);
    print_lab(b, t->labs[k], &x, f);
  }
  for (size_t k = 0; k < t->n_labs; k++) print_unread(b, t->labs[k], f, e);
  return print_top(b, "hardest tests (passed by)",
                   "SELECT name, sum(status = 'pass') AS passed, count(*) AS n FROM tests JOIN counting "
                   "USING (grading)" OF_KERNELS
                   "<> '' GROUP BY name HAVING passed < n ORDER BY 1.0 * passed / n, name LIMIT 10",
                   " of ", f, e) &&
         print_top(b, "commonest findings (students, times)",
                   "SELECT kind, count(DISTINCT student) AS n, count(*) FROM findings JOIN counting "
                   "USING (grading) GROUP BY kind ORDER BY n DESC, kind LIMIT 10",
                   ", ", f, e);
}
