// From attempts to final scores.
//
// Interface: sl__term works out every student's scores. One attempt of each lab counts, by the policy: the
// one with the best final score, or the last or first handed in. One grading of that attempt counts: the
// newest without an error of the grader, or the best. raw is its score. An attempt is as late as the first
// time that its bytes were handed in. Whole days late count, from the first second on. Grace days are taken
// from the student's own in the order of the deadlines; each further day costs percent_a_day of raw. An
// attempt that is cut_off_days late, or later, has no points. penalty is what lateness took, final what is
// left; an override replaces final and leaves the two others. An attempt whose only grading has an error of
// the grader has no score at all.
#include "book.h"
#include "intake/intake.h"

typedef struct attempt {
  int64_t id, grading, last_handin;
  bool graded, open; // open: it has gradings, each with an error of the grader
  double raw, max, penalty;
  const char *first, *last; // when it was handed in, at first and at last; "": not known
  int64_t late, grace;
  bool cut_off;
} attempt;

// One attempt -----------------------------------------------------------------------------------------------

static bool load_grading(sl_book *b, const sl_policy *p, attempt *t, sl_error *e) {
  static const char *const order[] = {[SL_PICK_BEST] = "score DESC, id DESC", [SL_PICK_LAST] = "id DESC"};
  sqlite3_stmt *st = sl__query(
      b, e,
      sl__str(b->a,
              "SELECT id, score, max, errors FROM gradings WHERE attempt = ? ORDER BY errors > 0, %s LIMIT 1",
              order[p->regrade]),
      "i", t->id);
  if (!sl__next(b, st, e)) return !e->code;
  t->grading = sqlite3_column_int64(st, 0);
  t->raw = sqlite3_column_double(st, 1), t->max = sqlite3_column_double(st, 2);
  t->open = sqlite3_column_int64(st, 3) > 0, t->graded = !t->open;
  if (t->open) t->raw = t->max;
  sqlite3_finalize(st);
  return true;
}

static void measure_lateness(const sl_policy *p, const char *student, const char *lab, attempt *t) {
  time_t due, at;
  if (!sl__read_utc(t->first, &at) || !sl__policy_due(p, student, lab, &due) || at <= due) return;
  t->late = (at - due + 86399) / 86400;
  t->cut_off = t->late > p->cut_off_days;
}

static double penalty_of(const sl_policy *p, const attempt *t, int64_t days) {
  double percent = p->percent_a_day * (double)days;
  return t->cut_off || percent >= 100 ? t->raw : sl__rounded(t->raw * percent / 100);
}

// What lateness costs if [grace] days are left. They are kept where they would gain nothing.
static void charge(const sl_policy *p, attempt *t, int64_t grace) {
  int64_t most = grace < p->grace_days_a_lab ? grace : p->grace_days_a_lab;
  t->grace = t->late < most ? t->late : most;
  t->penalty = penalty_of(p, t, t->late - t->grace);
  if (t->penalty >= penalty_of(p, t, t->late)) t->grace = 0;
}

// Which attempt counts --------------------------------------------------------------------------------------

static int by_time(const char *x, const char *y) { return *x && *y ? strcmp(x, y) : 0; }

// Does [y] count rather than [x]? [x] is earlier in the book. An open attempt may be worth all its points, so
// it counts before others that have less: what it is worth must be known first.
static bool counts_rather(sl_pick pick, const attempt *x, const attempt *y) {
  double mine = x->raw - x->penalty, other = y->raw - y->penalty;
  int last = by_time(x->last, y->last), first = by_time(x->first, y->first);
  if (pick == SL_PICK_LAST) return last ? last < 0 : x->last_handin < y->last_handin;
  if (pick == SL_PICK_FIRST) return first > 0;
  if (other == mine && x->open != y->open) return x->open;
  return other != mine ? other > mine : y->grace < x->grace;
}

static const attempt *pick_attempt(sl_pick pick, const attempt *t, size_t n) {
  const attempt *best = NULL;
  for (size_t k = 0; k < n; k++)
    if ((t[k].graded || t[k].open) && (!best || counts_rather(pick, best, &t[k]))) best = &t[k];
  return best;
}

static void take_attempt(sl_final *f, const attempt *t) {
  f->grading = t->grading;
  f->max = t->max;
  f->days_late = t->late, f->cut_off = t->cut_off;
  f->handed_in = *t->first ? t->first : NULL;
  f->standing = t->open ? SL_STANDING_ERROR : SL_STANDING_GRADED;
  if (t->open) return;
  f->raw = t->raw, f->penalty = t->penalty, f->grace = t->grace;
  f->final = sl__rounded(f->raw - f->penalty);
  f->counts = true;
}

// A lab of a student ----------------------------------------------------------------------------------------

static attempt *load_attempts(sl_book *b, const sl_policy *p, const sl_enrolled *s, const char *lab,
                              size_t *n, sl_error *e) {
  int64_t most =
      sl__value(b, e, "SELECT count(*) FROM attempts WHERE student = ? AND lab = ?", "tt", s->id, lab);
  attempt *all = sl__alloc(b->a, (size_t)(most + 1) * sizeof *all);
  sqlite3_stmt *st = sl__query(
      b, e,
      "SELECT a.id, coalesce(min(nullif(h.at, '')), ''), max(h.at), max(h.id) FROM attempts a "
      "JOIN handins h ON h.attempt = a.id WHERE a.student = ? AND a.lab = ? GROUP BY a.id ORDER BY a.id",
      "tt", s->id, lab);
  for (*n = 0; *n < (size_t)most && sl__next(b, st, e); ++*n)
    all[*n] = (attempt){.id = sqlite3_column_int64(st, 0),
                        .first = sl__text(b, st, 1),
                        .last = sl__text(b, st, 2),
                        .last_handin = sqlite3_column_int64(st, 3)};
  if (*n == (size_t)most) sqlite3_finalize(st);
  for (size_t k = 0; k < *n && !e->code; k++) {
    load_grading(b, p, &all[k], e);
    measure_lateness(p, s->id, lab, &all[k]);
  }
  return all;
}

static bool take_override(sl_book *b, const sl_enrolled *s, sl_final *f, sl_error *e) {
  sqlite3_stmt *st = sl__query(
      b, e,
      "SELECT points, reason, who FROM overrides WHERE student = ? AND lab = ? ORDER BY id DESC LIMIT 1",
      "tt", s->id, f->lab);
  if (!sl__next(b, st, e)) return !e->code;
  if (sqlite3_column_type(st, 0) != SQLITE_NULL) {
    f->final = sqlite3_column_double(st, 0);
    f->override_reason = sl__text(b, st, 1), f->override_who = sl__text(b, st, 2);
    f->counts = true;
  }
  sqlite3_finalize(st);
  return true;
}

static bool work_out_lab(sl_book *b, const sl_policy *p, sl_enrolled *s, sl_final *f, sl_error *e) {
  size_t n;
  attempt *all = load_attempts(b, p, s, f->lab, &n, e);
  for (size_t k = 0; k < n; k++) charge(p, &all[k], s->grace_left);
  const attempt *t = pick_attempt(p->attempt, all, n);
  f->attempts = (int64_t)n;
  if (t) take_attempt(f, t);
  else if (p->missing_is_zero) f->counts = true;
  s->grace_left -= f->grace;
  return take_override(b, s, f, e);
}

// Students --------------------------------------------------------------------------------------------------

// The places of the labs of [t] in the order of the student's deadlines; labs without one come last.
static size_t *order_labs(sl_book *b, const sl_term *t, const char *student) {
  time_t *due = sl__alloc(b->a, (t->n_labs + 1) * sizeof *due);
  size_t *order = sl__alloc(b->a, (t->n_labs + 1) * sizeof *order);
  for (size_t k = 0; k < t->n_labs; k++) {
    if (!sl__policy_due(&t->policy, student, t->labs[k], &due[k])) due[k] = INT64_MAX;
    size_t at = k;
    for (; at > 0 && due[order[at - 1]] > due[k]; at--) order[at] = order[at - 1];
    order[at] = k;
  }
  return order;
}

// An optional lab stands in the book, takes no grace days and counts in no total.
bool sl__is_optional(const char *lab) {
  sl_error e = {0};
  const sl_lab_info *info = sl_lab_find(lab, &e); // a lab that the course has no more counts as it did
  return info && info->own;
}

static bool work_out_student(sl_book *b, sl_term *t, sl_enrolled *s, const double *max, sl_error *e) {
  const size_t *order = order_labs(b, t, s->id);
  s->labs = sl__alloc(b->a, (t->n_labs + 1) * sizeof *s->labs);
  s->grace_left = t->policy.grace_days;
  for (size_t k = 0; k < t->n_labs; k++) {
    sl_final *f = &s->labs[order[k]];
    const bool optional = sl__is_optional(t->labs[order[k]]);
    const int64_t left = s->grace_left;
    f->lab = t->labs[order[k]], f->max = max[order[k]];
    if (!work_out_lab(b, &t->policy, s, f, e)) return false;
    if (optional) s->grace_left = left;
    else s->total += f->counts ? f->final : 0, s->max += f->max;
  }
  s->total = sl__rounded(s->total);
  for (size_t k = 0; k < t->n_labs; k++) // absent from the last class alone
    if (s->labs[k].attempts && !strcmp(s->status, "absent")) s->status = "taken", s->reason = NULL;
  return true;
}

static bool load_students(sl_book *b, const char *student, sl_term *t, sl_error *e) {
  t->n = 0;
  int64_t most = sl__value(b, e, "SELECT count(DISTINCT student) FROM students", "");
  t->students = sl__alloc(b->a, (size_t)(most + 1) * sizeof *t->students);
  sqlite3_stmt *st = sl__query(
      b, e,
      "SELECT student, (SELECT name FROM students n WHERE n.student = s.student AND name IS NOT NULL "
      "ORDER BY id DESC LIMIT 1), status, reason, max(id) FROM students s "
      "WHERE ?1 IS NULL OR student = ?1 GROUP BY student ORDER BY student",
      "t", student);
  while (sl__next(b, st, e))
    t->students[t->n++] = (sl_enrolled){.id = sl__text(b, st, 0),
                                        .name = sl__text(b, st, 1),
                                        .status = sl__text(b, st, 2),
                                        .reason = sl__text(b, st, 3)};
  return !e->code;
}

// The labs of the book, and the points of each by its newest grading.
static bool load_labs(sl_book *b, sl_term *t, double **max, sl_error *e) {
  int64_t most = sl__value(b, e, "SELECT count(DISTINCT lab) FROM attempts", "");
  t->n_labs = 0;
  t->labs = sl__alloc(b->a, (size_t)(most + 1) * sizeof *t->labs);
  *max = sl__alloc(b->a, (size_t)(most + 1) * sizeof **max);
  sqlite3_stmt *st =
      sl__query(b, e,
                "SELECT lab, g.max, max(g.id) FROM attempts a JOIN gradings g ON g.attempt = a.id "
                "GROUP BY lab ORDER BY lab",
                "");
  while (sl__next(b, st, e)) {
    (*max)[t->n_labs] = sqlite3_column_double(st, 1);
    t->labs[t->n_labs++] = sl__text(b, st, 0);
  }
  return !e->code;
}

bool sl__term(sl_book *b, const sl_policy *p, const char *student, sl_term *t, sl_error *e) {
  double *max;
  *t = (sl_term){.policy = *p};
  bool ok = load_labs(b, t, &max, e) && load_students(b, student, t, e);
  for (size_t k = 0; ok && k < t->n; k++) ok = work_out_student(b, t, &t->students[k], max, e);
  return ok;
}

// Names -----------------------------------------------------------------------------------------------------

const char *sl__find_lab(sl_book *b, const char *name, sl_error *e) {
  sqlite3_stmt *st = sl__query(b, e, "SELECT lab FROM attempts WHERE lab = ?", "t", name);
  const char *own = NULL;
  if (sl__next(b, st, e)) own = sl__text(b, st, 0), sqlite3_finalize(st);
  if (own || e->code) return own; // a lab that the course has no more
  const sl_lab_info *info = sl_lab_find(name, e);
  return info ? info->name : NULL;
}

// The only student who ever had the full name [name], by whichever roster; NULL: none, or several.
static const char *id_of_old_name(sl_book *b, const char *name, sl_error *e) {
  sqlite3_stmt *st = sl__query(b, e, "SELECT DISTINCT student FROM students WHERE name = ?", "t", name);
  const char *id = NULL;
  size_t n = 0;
  while (sl__next(b, st, e)) id = sl__text(b, st, 0), n++;
  return n == 1 ? id : NULL;
}

// The only student with the full name [name]; NULL: there is none, or there are several.
static const char *id_of_name(const sl_term *t, const char *name) {
  const char *id = NULL;
  for (size_t k = 0; k < t->n; k++) {
    const sl_enrolled *s = &t->students[k];
    if (!s->name || strcmp(s->name, name) != 0) continue;
    if (id) return NULL;
    id = s->id;
  }
  return id;
}

// The students whose id or name is [who], maybe in other letters: capitals, marks, the order of names.
// Returns how many; *[list]: the ids of the first ones.
static size_t meant_by(sl_arena *a, const sl_term *t, const char *who, const sl_enrolled **first,
                       const char **list) {
  enum { MOST_LISTED = 8 };
  char wanted[SL_MAX_PLAIN], plain[SL_MAX_PLAIN];
  size_t n = 0;
  *list = "";
  sl__plain_key(sl__name_in_order(a, who), wanted, sizeof wanted);
  for (size_t k = 0; *wanted && k < t->n; k++) {
    const sl_enrolled *s = &t->students[k];
    const char *const names[] = {s->id, s->name};
    bool same = false;
    for (int i = 0; i < 2; i++) {
      sl__plain_key(names[i] ? sl__name_in_order(a, names[i]) : "", plain, sizeof plain);
      same = same || !strcmp(plain, wanted);
    }
    if (!same) continue;
    if (n < MOST_LISTED) *list = n ? sl__str(a, "%s, %s", *list, s->id) : s->id;
    if (n == MOST_LISTED) *list = sl__str(a, "%s, ..", *list);
    if (!n++) *first = s;
  }
  return n;
}

// Fails, and says who could be meant.
static const char *unknown_student(sl_book *b, const sl_term *t, const char *who, const char *const *ids,
                                   sl_error *e) {
  const sl_enrolled *meant = NULL;
  const char *list;
  const size_t n = meant_by(b->a, t, who, &meant, &list);
  if (!n) sl_name_find("student", who, ids, SL_EXIT_USAGE, e);
  else if (n > 1)
    sl_fail(e, SL_EXIT_USAGE, sl__str(b->a, "say by the id which one: %s", list),
            "%zu students are called \"%s\"", n, who);
  else
    sl_fail(e, SL_EXIT_USAGE,
            sl__str(b->a, "did you mean %s%s%s?", meant->id, meant->name ? ", " : "",
                    meant->name ? meant->name : ""),
            "unknown student \"%s\"", who);
  return NULL;
}

const char *sl__find_student(sl_book *b, const char *who, sl_error *e) {
  sl_term t = {0};
  if (!load_students(b, NULL, &t, e)) return NULL;
  const char **names = sl__alloc(b->a, (t.n + 1) * sizeof *names);
  if (!t.n)
    return sl_fail(e, SL_EXIT_INPUT, "import a graded class", "%s: it holds no students yet", b->path), NULL;
  for (size_t k = 0; k < t.n; k++) names[k] = t.students[k].id;
  if (sl_name_find("student", who, names, SL_EXIT_USAGE, NULL) >= 0) return who;
  const char *name = sl__name_in_order(b->a, who), *id = id_of_name(&t, name);
  if (!id) id = id_of_old_name(b, name, e);
  return id ? id : unknown_student(b, &t, who, names, e);
}
