// The gradebook: what was handed in and how it was graded, over a whole term, in one SQLite file.
//
// An attempt is one kernel.cu of one student for one lab: the same bytes handed in again are the same
// attempt. It has the times at which it was handed in, and gradings: one for each time that it was graded
// with another outcome or by another version. Rows are added and never changed. Final scores are in no row:
// they follow from the rows and from the policy (policy.c, term.c).
#pragma once

#include <sqlite3.h>

#include "grade.h"

typedef struct sl_book {
  sqlite3 *db;
  const char *path;
  sl_arena *a;
  int64_t wait_ms; // how long it waits for another program
  int naps;        // how often it has waited for another program, since it last began to write
} sl_book;

// schema.c --------------------------------------------------------------------------------------------------

enum { SL_BOOK_ID = 0x736c626b, SL_BOOK_VERSION = 2 }; // application_id ("slbk") and user_version
extern const char sl__schema[];
extern const char *const sl__book_tables[]; // ended by NULL

// db.c: the file, statements, faults in words ---------------------------------------------------------------

// Opens the book. [make]: for an import: a missing or empty one becomes a book, an older form is renewed.
bool sl__book_open(sl_book *b, const char *path, bool make, sl_error *e);
void sl__book_close(sl_book *b);
// Prepares [sql] and binds its parameters; [kinds], a letter each: t text (may be NULL), i int64_t, f double.
sqlite3_stmt *sl__query(sl_book *b, sl_error *e, const char *sql, const char *kinds, ...);
// Steps to the next row. False: there is none, or it failed ([e]); [st] is gone then. [st] may be NULL.
bool sl__next(sl_book *b, sqlite3_stmt *st, sl_error *e);
bool sl__do(sl_book *b, sl_error *e, const char *sql, const char *kinds, ...); // a statement without rows
int64_t sl__value(sl_book *b, sl_error *e, const char *sql, const char *kinds, ...); // 0: no row
const char *sl__text(sl_book *b, sqlite3_stmt *st, int column); // copied; NULL stays NULL
bool sl__begin(sl_book *b, sl_error *e); // a change: all of it or nothing, one program at a time
bool sl__end(sl_book *b, bool keep, sl_error *e);

// time.c: UTC -----------------------------------------------------------------------------------------------

bool sl__read_utc(const char *s, time_t *t);      // "2026-11-22T22:20:00Z" and nothing else
const char *sl__now_utc(sl_book *b, sl_error *e); // warns if the clock is behind the last entry

// read.c: what a grading left -------------------------------------------------------------------------------

typedef struct sl_graded_class {
  json_t *manifest;   // NULL: there is none
  bool in_the_making; // a grading is still writing there
  size_t n;
  struct sl_graded_file {
    const char *path;
  } * files; // graded.json of each submission
} sl_graded_class;
bool sl__read_class(sl_book *b, const char *out, sl_graded_class *c, sl_error *e);
// The content of one graded.json, after a check of every field that the book keeps. NULL with [e].
json_t *sl__read_graded(const char *path, sl_error *e);

// import.c --------------------------------------------------------------------------------------------------

typedef struct sl_import_sum {
  int64_t students, attempts, gradings, known, problems;
} sl_import_sum;
// [handed_in]: UTC, of those whose time nothing tells; NULL: not known.
bool sl__import(sl_book *b, const char *out, const char *handed_in, sl_import_sum *sum, sl_error *e);

// policy.c --------------------------------------------------------------------------------------------------

typedef enum sl_pick { SL_PICK_BEST, SL_PICK_LAST, SL_PICK_FIRST } sl_pick;

typedef struct sl_due {      // a deadline or an extension
  const char *student, *lab; // NULL: all
  time_t at;
} sl_due;

typedef struct sl_policy {
  const char *path; // NULL: there is no file, and the policy is the default
  sl_pick attempt, regrade;
  double percent_a_day;
  int64_t grace_days, grace_days_a_lab, cut_off_days;
  bool missing_is_zero;
  size_t n_dues;
  sl_due *dues; // those of all labs, of labs, of students: later ones count more
} sl_policy;
// Reads [path]; NULL: BOOK.policy.json, which may be missing.
bool sl__policy_read(sl_book *b, const char *path, sl_policy *p, sl_error *e);
// Names of extensions to ids. [tell]: warns of unknown ones.
void sl__policy_name_people(sl_book *b, sl_policy *p, bool tell);
bool sl__policy_due(const sl_policy *p, const char *student, const char *lab, time_t *at); // false: none

// term.c: final scores --------------------------------------------------------------------------------------

typedef enum sl_standing {
  SL_STANDING_MISSING, // nothing handed in
  SL_STANDING_GRADED,
  SL_STANDING_ERROR, // what counts was not graded to its end: the grader's fault, no score
} sl_standing;

typedef struct sl_final {
  const char *lab;
  sl_standing standing;
  double raw, penalty, final,
      max;     // penalty and final follow from raw; final is the override where there is one
  bool counts; // has a final score
  int64_t attempts, grading, days_late, grace;
  bool cut_off;
  const char *handed_in;                      // NULL: not known
  const char *override_reason, *override_who; // NULL: none
} sl_final;

typedef struct sl_enrolled {
  const char *id, *name, *status, *reason; // name, status, reason: of the last class that named the student
  sl_final *labs;
  double total, max;
  int64_t grace_left;
} sl_enrolled;

typedef struct sl_term {
  sl_policy policy;
  size_t n_labs, n;
  const char **labs; // in the order of their names
  sl_enrolled *students;
} sl_term;
// [student]: only this one; NULL: all.
bool sl__term(sl_book *b, const sl_policy *p, const char *student, sl_term *t, sl_error *e);
bool sl__is_optional(const char *lab);                               // does it stand apart from the total?
const char *sl__find_lab(sl_book *b, const char *name, sl_error *e); // "03", "3", "03_blelloch", "blelloch"
// The id of the student who is called [who] in the book, or has that full name alone. NULL with [e].
const char *sl__find_student(sl_book *b, const char *who, sl_error *e);

// show.c, diff.c, override.c, stats.c -----------------------------------------------------------------------

void sl__warn(const char *who, const char *text); // on stderr; [who] it is about, NULL: nobody
void sl__show(sl_book *b, const sl_term *t, FILE *f);
void sl__show_student(sl_book *b, const sl_term *t, const sl_enrolled *s, FILE *f);
bool sl__history(sl_book *b, const char *student, const char *lab, FILE *f, sl_error *e);
// "0.1.0-b5230e6893": how people name a grader; [commit] may be NULL.
const char *sl__grader_name(sl_book *b, const char *version, const char *commit, const char *tools);
typedef struct sl_compared {
  const char *from, *to;     // names of graders; NULL: the last but one, the last
  const char *student, *lab; // NULL: all
} sl_compared;
bool sl__diff(sl_book *b, const sl_compared *c, FILE *f, sl_error *e);
bool sl__read_points(const char *text, double max, double *points, sl_error *e);
typedef struct sl_override {
  const char *student, *lab;
  const double *points;     // NULL: withdraws the one before
  const char *reason, *who; // [who] NULL: the user
} sl_override;
bool sl__override(sl_book *b, const sl_override *o, sl_error *e);
bool sl__stats(sl_book *b, const sl_term *t, FILE *f, sl_error *e);

// again.c, export.c, fill.c ---------------------------------------------------------------------------------

// The student's counting gradings as the grader has them after a grading; NULL with [e]. [told]: the student
// is, so hidden cases say nothing of their inputs. In b's arena, but for
// what sl__again_free frees.
sl_submission *sl__again(sl_book *b, const sl_term *t, const sl_enrolled *s, bool told, sl_grading *g,
                         sl_error *e);
void sl__again_free(sl_grading *g);

typedef struct sl_fill { // one column of a file that Canvas or Moodle exported
  const char *system, *from, *to;
  const char *column, *match; // title of the column; of the one that names students. NULL: the usual ones
  const char *lab;            // NULL: the total
  bool scale;
} sl_fill;
bool sl__is_system(const char *name);
// *[left] counts those whose scores did not get there; each is named.
bool sl__fill(sl_book *b, const sl_term *t, const sl_fill *o, int64_t *left, sl_error *e);

extern const char *const sl__export_names[]; // formats that are no system of sl__fill
bool sl__export_term(sl_book *b, const sl_term *t, const char *format, const char *to, bool force,
                     sl_error *e);
bool sl__may_write(const char *path, bool force, sl_error *e); // false: there is a file already
void sl__say_written(const char *to, const char *what);
