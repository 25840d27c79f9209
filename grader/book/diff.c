// What another grader says of the same attempts, test by test.
//
// Interface: sl__diff compares two graders. A grader is a version with its commit and its tools; people name
// it by its version, by the beginning of its commit or of its tools' hash, or by both as `history` prints
// them. It compares the newest gradings by both of each attempt that both graded. It names every test that
// one has and the other has not, and every test with another status, other points, another most, another
// reason, message, detail or finding. Times do not count. A grader is compared with itself where its
// lab.json, the overlay over it, or the key has changed: the gradings by the newest with those by the last.
#include "book.h"

#include <math.h>

// Graders ---------------------------------------------------------------------------------------------------

typedef struct grader {
  const char *version, *commit, *tools, *name;
} grader;

typedef struct graders {
  size_t n;
  grader *at; // the newest first
} graders;

// Graders of one commit are told apart by their tools: another schedule, backend or sandbox.
static void name_apart(sl_book *b, graders *all) {
  for (size_t k = 0; k < all->n; k++) {
    grader *g = &all->at[k];
    bool twice = false;
    for (size_t i = 0; i < all->n; i++)
      twice |= i != k && !strcmp(sl__grader_name(b, all->at[i].version, all->at[i].commit, all->at[i].tools),
                                 sl__grader_name(b, g->version, g->commit, g->tools));
    if (twice) g->name = sl__str(b->a, "%s+%.8s", g->name, g->tools);
  }
}

static bool load_graders(sl_book *b, graders *all, sl_error *e) {
  int64_t most = sl__value(
      b, e, "SELECT count(*) FROM (SELECT DISTINCT version, course_commit, tools FROM gradings)", "");
  all->at = sl__alloc(b->a, (size_t)(most + 1) * sizeof *all->at);
  all->n = 0;
  sqlite3_stmt *st = sl__query(b, e,
                               "SELECT version, course_commit, tools, max(id) FROM gradings GROUP BY "
                               "version, course_commit, tools ORDER BY 4 DESC",
                               "");
  while (sl__next(b, st, e)) {
    grader g = {sl__text(b, st, 0), sl__text(b, st, 1), sl__text(b, st, 2), NULL};
    g.name = sl__grader_name(b, g.version, g.commit, g.tools);
    all->at[all->n++] = g;
  }
  name_apart(b, all);
  return !e->code;
}

static bool begins(const char *s, const char *with) {
  return s && strlen(with) >= 4 && !strncmp(s, with, strlen(with));
}

static const grader *find_grader(sl_book *b, const graders *all, const char *name, sl_error *e) {
  const grader *found = NULL;
  const char *list = "";
  size_t hits = 0;
  for (size_t k = 0; k < all->n; k++) {
    const grader *g = &all->at[k];
    bool is = !strcmp(g->name, name) || !strcmp(g->version, name) || begins(g->commit, name) ||
              begins(g->tools, name);
    hits += is;
    if (is) found = g;
    list = sl__str(b->a, "%s%s%s", list, k ? ", " : "", g->name);
  }
  if (hits == 1) return found;
  sl_fail(e, SL_EXIT_USAGE, sl__str(b->a, "name one of: %s", list),
          hits ? "grader '%s': %zu graders of the book are called so"
               : "grader '%s': none of the book is called so",
          name, hits);
  return NULL;
}

// One test --------------------------------------------------------------------------------------------------

typedef struct two {
  sl_book *b;
  FILE *f;
  sl_error *e;
  const grader *old, *new;
  int64_t attempts, changed, tests; // compared; with a difference; tests that differ
  double rise;
} two;

// Findings of a test in one text.
#define FINDINGS(g)                                                                                          \
  "(SELECT group_concat(kind || ' ' || coalesce(file, '') || ':' || coalesce(line, ''), '; ') FROM (SELECT " \
  "* FROM findings WHERE grading = " g ".grading AND place = " g ".place ORDER BY nr))"
#define COLUMNS(g)                                                                                           \
  g ".status, " g ".points, " g ".max, " g ".reason, " g ".message, " g ".detail, " FINDINGS(g)

#define OLD_COLUMNS COLUMNS("o")
#define NEW_COLUMNS COLUMNS("n")

// Tests that both have, that only the old one has, that only the new one has, in this order.
static const char all_tests[] =
    "SELECT o.name, " OLD_COLUMNS ", n.name, " NEW_COLUMNS
    " FROM tests o LEFT JOIN tests n ON n.grading = ?2 AND n.name = o.name WHERE o.grading = ?1 "
    "UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, n.name, " NEW_COLUMNS
    " FROM tests n WHERE n.grading = ?2 AND n.name NOT IN (SELECT name FROM tests WHERE grading = ?1)";
enum { FIELDS = 8 }; // one side: name, then COLUMNS

static const char *const field_names[FIELDS] = {"test",   "status",  "points", "of",
                                                "reason", "message", "detail", "findings"};

static bool same_field(sqlite3_stmt *st, int k) {
  const char *x = (const char *)sqlite3_column_text(st, k),
             *y = (const char *)sqlite3_column_text(st, k + FIELDS);
  return x == y || !strcmp(x ? x : "", y ? y : "");
}

static bool has_difference(sqlite3_stmt *st) {
  for (int k = 0; k < FIELDS; k++)
    if (!same_field(st, k)) return true;
  return false;
}

static void print_field(two *t, sqlite3_stmt *st, int k) {
  const char *x = sl__text(t->b, st, k), *y = sl__text(t->b, st, k + FIELDS);
  if (!same_field(st, k))
    sl__print_text(t->f,
                   sl__str(t->b->a, "    %s: %s -> %s", field_names[k],
                           x && *x ? sl__safe(t->b->a, x) : "none", y && *y ? sl__safe(t->b->a, y) : "none"),
                   0, 6);
}

static void print_test(two *t, sqlite3_stmt *st) {
  const char *x = sl__text(t->b, st, 0), *y = sl__text(t->b, st, FIELDS);
  t->tests++;
  if (!x || !y) {
    int side = x ? 0 : FIELDS;
    const char *said = sl__str(t->b->a, "  %s: only %s has this test: %s, %s of %s points", x ? x : y,
                               x ? t->old->name : t->new->name, sl__text(t->b, st, side + 1),
                               sl__points(t->b->a, sqlite3_column_double(st, side + 2)),
                               sl__points(t->b->a, sqlite3_column_double(st, side + 3)));
    sl__print_text(t->f, said, 0, 6);
    return;
  }
  fprintf(t->f, "  %s\n", x);
  for (int k = 1; k < FIELDS; k++) print_field(t, st, k);
}

// One attempt -----------------------------------------------------------------------------------------------

typedef struct graded {
  const char *student, *lab, *kernel, *old_key, *new_key;
  int64_t old, new;
  double old_score, new_score;
} graded;

static void print_head(two *t, const graded *g) {
  fprintf(t->f, "%s  %s  kernel %.8s  %s -> %s\n", sl__safe(t->b->a, g->student), g->lab,
          *g->kernel ? g->kernel : "unread", sl__points(t->b->a, g->old_score),
          sl__points(t->b->a, g->new_score));
  if (g->old_key && g->new_key && strcmp(g->old_key, g->new_key))
    fprintf(t->f, "  other inputs: key %s -> %s\n", g->old_key, g->new_key);
}

static void compare_attempt(two *t, const graded *g) {
  sqlite3_stmt *st = sl__query(t->b, t->e, all_tests, "ii", g->old, g->new);
  int64_t before = t->tests;
  t->attempts++;
  t->rise += g->new_score - g->old_score;
  while (sl__next(t->b, st, t->e)) {
    if (!has_difference(st)) continue;
    if (before == t->tests) print_head(t, g);
    print_test(t, st);
  }
  t->changed += t->tests > before;
}

#define NEWEST(version, commit, tools)                                                                       \
  "(SELECT max(id) FROM gradings WHERE attempt = a.id AND version = " version                                \
  " AND course_commit IS " commit " AND tools = " tools
#define NEWEST_OLD NEWEST("?1", "?2", "?3") " AND (NOT ?9 OR lab_json IS NOT n.lab_json OR key IS NOT n.key))"
#define NEWEST_NEW NEWEST("?4", "?5", "?6") ")"

static const char all_attempts[] =
    "SELECT a.student, a.lab, a.kernel, o.id, o.score, n.id, n.score, o.key, n.key FROM attempts a "
    "JOIN gradings n ON n.id = " NEWEST_NEW " JOIN gradings o ON o.id = " NEWEST_OLD
    " WHERE (?7 IS NULL OR a.student = ?7) AND (?8 IS NULL OR a.lab = ?8) ORDER BY a.student, a.lab, a.id";

static bool compare_all(two *t, const sl_compared *c) {
  sqlite3_stmt *st = sl__query(t->b, t->e, all_attempts, "tttttttti", t->old->version, t->old->commit,
                               t->old->tools, t->new->version, t->new->commit, t->new->tools, c->student,
                               c->lab, (int64_t)(t->old == t->new));
  while (sl__next(t->b, st, t->e)) {
    const graded g = {.student = sl__text(t->b, st, 0),
                      .lab = sl__text(t->b, st, 1),
                      .kernel = sl__text(t->b, st, 2),
                      .old = sqlite3_column_int64(st, 3),
                      .old_score = sqlite3_column_double(st, 4),
                      .new = sqlite3_column_int64(st, 5),
                      .new_score = sqlite3_column_double(st, 6),
                      .old_key = sl__text(t->b, st, 7),
                      .new_key = sl__text(t->b, st, 8)};
    compare_attempt(t, &g);
  }
  return !t->e->code;
}

bool sl__diff(sl_book *b, const sl_compared *c, FILE *f, sl_error *e) {
  graders all;
  if (!load_graders(b, &all, e)) return false;
  const char *changed = "SELECT count(*) > 0 FROM (SELECT 1 FROM gradings GROUP BY attempt HAVING "
                        "count(DISTINCT lab_json) > 1 OR count(DISTINCT key) > 1)";
  if (all.n < 2 && !(c->from && c->to) && !sl__value(b, e, changed, ""))
    return sl_fail(e, SL_EXIT_INPUT, "grade the class again with the other version, and import it",
                   "%s: one grader has graded all of it: there is nothing to compare", b->path);
  two t = {.b = b, .f = f, .e = e};
  t.old = c->from ? find_grader(b, &all, c->from, e) : &all.at[all.n > 1];
  t.new = t.old ? c->to ? find_grader(b, &all, c->to, e) : &all.at[0] : NULL;
  if (!t.new || !compare_all(&t, c)) return false;
  if (t.old == t.new) fprintf(f, "one grader, by another lab.json, overlay or key than before:\n");
  if (!t.attempts)
    sl__warn(NULL, sl__str(b->a, "%s and %s graded no kernel of the same student: was the roster the same?",
                           t.old->name, t.new->name));
  const char *sum = sl__str(
      b->a, "%s -> %s: %lld attempt%s graded by both, %lld differ%s, in %lld test%s; %+g point%s in all",
      t.old->name, t.new->name, (long long)t.attempts, sl_plural(t.attempts), (long long)t.changed,
      t.changed == 1 ? "s" : "", (long long)t.tests, sl_plural(t.tests), t.rise,
      fabs(t.rise) == 1 ? "" : "s");
  sl__print_text(f, sum, 0, 2);
  return true;
}
