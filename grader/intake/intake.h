// What was handed in: from folders, archives, exports of Canvas, Moodle and Gradescope, and repositories to
// one folder a student with the kernels in it.
//
// A class is a list of people. Each has pieces: a folder, archives, single files, or a repository. All that
// comes from archives and repositories is hostile: it is read by a process that can do nothing else
// (unpack.c), only .cu files are taken, into a folder of the grader's. What is not taken has a reason.
#pragma once

#include "grade.h"

enum { SL_MAX_KERNEL = 1 << 20 }; // a kernel.cu of more bytes is refused

// names.c: what names of files say --------------------------------------------------------------------------

typedef struct sl_person {
  const char *name;   // for people and for the rows of tables; unique in a class
  const char *user;   // Canvas's number of the student, NULL
  const char *number; // the university's number, NULL
  const char *email;  // NULL
  const char *full;   // first and last name as the system wrote them, NULL
  bool late;          // the system says so
  const char *file;   // the name of the student's file behind the system's own words, NULL
} sl_person;

// Fills [p] if [name] is one that Canvas or Moodle gives to files and folders of an export.
bool sl__export_name(sl_arena *a, const char *name, bool folder, sl_person *p);
bool sl__is_source(const char *name);      // something.cu
size_t sl__archive_name(const char *name); // length of the name before .zip, .tar.gz ..; 0: no archive
bool sl__is_archive(const char *path);     // by its name, or because it is no text
bool sl__is_rubbish(const char *name);     // what systems leave behind: .DS_Store, __MACOSX, Thumbs.db

// "John Smith Jr.": also of "Smith, Jr., John", "Smith, John Jr." and "John Smith, Jr.".
const char *sl__name_in_order(sl_arena *a, const char *name);
// Gives [take] all orders of a name, for keys: "Björn Müller", "Müller, Björn"; "Smith, John Jr." and
// "Smith, Jr., John". Without a comma each blank may stand before the surname, or behind it.
typedef void sl_take_name(void *of, const char *name);
void sl__each_order(sl_arena *a, const char *name, sl_take_name *take, void *of);

// plain.c: texts that mean the same -------------------------------------------------------------------------

// Letters (also of other alphabets) and digits without marks, in lower case; numbers without zeros in front.
void sl__plain(const char *s, char *out, size_t cap);
void sl__plain_key(const char *s, char *out, size_t cap);
enum { SL_MAX_PLAIN = 256 };

// submitters.c: Gradescope's submission_metadata.yml --------------------------------------------------------

typedef struct sl_submitter {
  const char *folder; // "submission_123"
  const char *name, *number, *email, *handed_in;
  const char *odd_time; // a time that cannot be read, NULL: none
} sl_submitter;
// Reads [path]; false with [e] if it is no such file.
bool sl__submitters(sl_arena *a, const char *path, sl_submitter **out, size_t *n, sl_error *e);

// class.c: who handed in what -------------------------------------------------------------------------------

// Tells of something in the class that is nobody's, or cannot be read as anybody's.
void sl__leave_out(sl_grading *g, const char *name, const char *why);
// Fills g->subs from the folder [dir] of a class.
bool sl__take_class(sl_grading *g, const char *dir, sl_error *e);
// Adds one person with one piece; returns the submission. sl__add_named: nobody else has that name.
sl_submission *sl__add_submission(sl_grading *g, const sl_person *p, sl_handed_piece piece);
sl_submission *sl__add_named(sl_grading *g, const sl_person *p, sl_handed_piece piece);

// layout.c: where in a folder the labs are ------------------------------------------------------------------

struct dirent;
int sl__list_folder(const char *dir, struct dirent ***list); // by name, without rubbish; as scandir
bool sl__has_labs(const char *dir);
bool sl__holds_source(const char *dir); // a .cu file, in it or below
// The place in [dir] of a file whose name only looks as if it were one; NULL: there is none.
const char *sl__nearly_source(sl_arena *a, const char *dir);
const char *sl__base_of(sl_arena *a, const char *dir);
// A folder without sources that holds archives stands for them: its pieces become those.
void sl__open_folder(sl_arena *a, sl_intake *in);

// archive.c, unpack.c: what an archive holds ----------------------------------------------------------------

typedef struct sl_file {
  const char *path; // in the archive; relative, without "." and ".."
  char *text;
  size_t len;
} sl_file;

typedef struct sl_haul {
  sl_file *files;
  size_t n;
  const char *problem; // why nothing could be read, in words; NULL: all was read
  sl_refused *refused; // entries that were not taken
  size_t n_refused;
} sl_haul;

// Reads zip, tar, tar.gz or tar.xz from the file [path].
void sl__read_archive(sl_arena *a, const char *path, sl_haul *h);
enum { SL_UNPACK_SECONDS = 10 };                    // of processor time
_Noreturn void sl__unpack(int archive, int answer); // the process that reads; it writes frames to [answer]

typedef enum sl_told_kind { SL_TOLD_FILE, SL_TOLD_REFUSED, SL_TOLD_PROBLEM, SL_TOLD_END } sl_told_kind;
// Followed by [path] bytes of a path and [data] bytes: a file, or why it was not taken.
typedef struct sl_told {
  uint32_t kind, path, data;
} sl_told;

// repository.c: a list of repositories ----------------------------------------------------------------------

bool sl__take_list(sl_grading *g, const char *path, sl_error *e);
// Writes the commit of [in]'s repository that counts as a tar file; its time goes to in->handed_in.
// Why it cannot be had, in words; NULL: it is there.
const char *sl__fetch_commit(sl_grading *g, sl_intake *in, const char *url, const char *tar);
enum { SL_MAX_REPOSITORY = 1 << 30 }; // bytes of a repository in a folder, and of a file that git writes

// local_copy.c: brings what git needs of the repository in the folder [path] into [clone], an empty one.
// Why it is not taken, in words; NULL: it is.
const char *sl__copy_repository(sl_arena *a, const char *path, const char *clone);

// csv.c: a table as people and systems export it ------------------------------------------------------------

typedef struct sl_csv_cell {
  const char *at; // in the text, quotes included
  size_t len;
  const char *now; // what a gradebook puts in its place; NULL: nothing
} sl_csv_cell;

typedef struct sl_csv_row {
  size_t line, n;
  sl_csv_cell *cells;
} sl_csv_row;

typedef struct sl_csv {
  sl_arena *a;
  const char *text;
  char separator;
  size_t n, above; // above: lines in front of the first row, which holds the titles
  sl_csv_row *rows;
} sl_csv;

bool sl__read_csv(sl_arena *a, const char *path, const char *what, sl_csv *t, sl_error *e);
bool sl__cut_csv(const char *path, sl_csv *t, sl_error *e);       // t->text
const char *sl__cell(const sl_csv *t, size_t row, size_t column); // "" where there is none
// How many cells a row may have: as many as there are titles, or as every row but [without] has.
size_t sl__most_cells(const sl_csv *t, size_t without);
const char *sl__behind_mark(const char *text);        // behind a mark of byte order, if there is one
const char *sl__one_line(sl_arena *a, const char *s); // blanks and line ends as one blank, none at the ends
// Fails: the file's bytes are no text.
bool sl__no_text(const char *path, const char *what, const void *raw, sl_error *e);
// The text of a file in UTF-8; [what]: "roster is a table as text (CSV)". NULL: with [e].
char *sl__read_text(sl_arena *a, const char *path, const char *what, sl_error *e);

// index.c: which entries have a text ------------------------------------------------------------------------

typedef struct sl_index { // {0} is an empty one
  size_t n, n_slots;
  struct sl_indexed *all;
  size_t *slots;
} sl_index;

void sl__index_add(sl_arena *a, sl_index *x, const char *key, size_t value); // [key] is not copied
bool sl__index_has(const sl_index *x, const char *key);
// The values of [key], in the order in which they were added. Returns how many.
size_t sl__index_find(sl_arena *a, const sl_index *x, const char *key, size_t **values);

// people.c: who stands in a table ---------------------------------------------------------------------------

typedef struct sl_key {
  const char *plain, *written; // written: as it stands in the table, NULL: it is a name
} sl_key;

enum { SL_MAX_KEYS = 68 };

typedef struct sl_listed {
  const char *id, *name;
  const char *time;         // as it stands there, NULL: none
  const char *role, *group; // NULL: none is told
  sl_key keys[SL_MAX_KEYS]; // texts that mean this person
  size_t n_keys;
  sl_submission *handed_in;
  size_t line;
} sl_listed;

typedef struct sl_people {
  sl_grading *g;
  const char *path, *what; // what: "roster"
  bool has_times;          // has it a column of them?
  size_t n;
  sl_listed *list;
  sl_index keys; // where each row is, made when the first is looked for
  int told;
} sl_people;

bool sl__read_people(sl_people *r, sl_error *e); // fills r->list, a row each
// The rows that can be meant by [s]: those of the strongest sign that fits any. Returns how many.
size_t sl__match_people(sl_people *r, const sl_submission *s, sl_listed ***found);
void sl__tell_rest(const sl_people *r); // how many lines sl__tell_people has not listed
void sl__tell_people(sl_people *r, size_t line, const char *what, const char *about);

// roster.c: the people of the course ------------------------------------------------------------------------

// Gives submissions their people; adds a row for who is absent.
bool sl__apply_roster(sl_grading *g, const char *path, sl_error *e);

// handins.c: when everybody handed in -----------------------------------------------------------------------

bool sl__apply_times(sl_grading *g, const char *path, const char *zone, sl_error *e); // zone NULL: not named
void sl__note_late(sl_grading *g);

// times.c ---------------------------------------------------------------------------------------------------

// "2026-11-22T22:20:00Z", or with blanks, fractions and +01:00, as UTC; NULL: it is no such time.
const char *sl__parse_time(sl_arena *a, const char *text);
// The same, and times without a zone, which are those of [zone] (NULL: not known, *lacks_zone).
const char *sl__parse_time_in(sl_arena *a, const char *text, const char *zone, bool *lacks_zone);
// "11/22/2026 10:20 PM", as spreadsheets write a time, in the other form; NULL: it is none in that order.
const char *sl__without_slashes(sl_arena *a, const char *text, bool day_first);
bool sl__is_zone(const char *zone); // "Europe/Berlin", "+01:00"

// similarity.c: the command `scanlab export` ----------------------------------------------------------------

int sl__export_command(int argc, char **argv);
