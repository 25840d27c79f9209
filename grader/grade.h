// The grader's data and the functions of its parts, in the order in which a grading passes through them.
//
// A grading has submissions, a submission has labs, a lab has tests. Each test is one case of lab.json on one
// backend, with its name, its points and, after the run, its result. Everything lives in one arena (text.c).
#pragma once

#include <time.h>
#include "base/json.h"
#include "judge/cases.h"
#include "judge/reason.h"
#include "judge/settle.h"

enum { SL_LAB_DIGITS = 2 /* a lab's number, with which the name of a test begins */ };
enum { SL_TEST_NAME = 160 };
enum { SL_HEX256 = 65, SL_KEY_ID = 17 }; // hex digits of a hash, of the name of a key, with the NUL

// The result of one test. Texts are printable (text.c) and belong to the arena.
typedef struct sl_result {
  sl_status status;
  double points, seconds;
  sl_reason reason;
  json_t *fields;               // the reason's fields; NULL: none
  const char *message, *detail; // message: the two in words, or the judge's own
  json_t *record;               // the judge's record, NULL if there is none that counts
  bool reused;                  // taken from an earlier grading with the same inputs
  bool run;                     // started in this grading
} sl_result;

typedef struct sl_test {
  char name[SL_TEST_NAME]; // "03.scan.n1024.sim"
  const sl_case *c;        // its case; c->part is its part
  const char *backend;
  double max;          // points of the case, from lab.json
  char key[SL_HEX256]; // hash of everything the result depends on
  sl_result r;
  const char *picture;       // the page that plays it, beside the report; NULL: none
  struct sl_test *simulated; // the same case on the simulated GPU, beside results of a real one; NULL: none
} sl_test;

// One lab of a submission: its kernel, the program built from it, its tests.
typedef struct sl_graded_lab {
  const sl_lab *lab; // from lab.json
  const char *json;  // path of lab.json
  char json_hash[SL_HEX256];
  const char *kernel;   // path of kernel.cu
  char hash[SL_HEX256]; // hash of kernel.cu, "" if there is none
  const char *problem;  // why this kernel cannot be graded, in words; NULL if it can
  sl_reason why;        // the same as a reason, with [said] as its field "text"
  const char *said;
  bool absent;           // nothing was handed in for it
  bool shared;           // its tests are another's, who handed in nothing either: their results are made once
  const char *twin;      // names of others with the same kernel, printable; NULL: none (twins.c)
  const char *misplaced; // kernel.cu was taken from this path in the submission; NULL: it was in its place
  const char *edited;    // what was changed outside of the TODO regions, in words; NULL: nothing (discover.c)
  bool infra;            // the problem is the machine's or the course's, not the student's
  const char *runner;    // the program built from it
  char runner_hash[SL_HEX256];
  const char *reference; // the solution's program, which speed is compared with on a real GPU; NULL: none
  char reference_hash[SL_HEX256];
  const char *log;       // what the compiler said
  size_t n_tests, n_run; // behind the tests, up to n_run: what is [simulated] beside those on a real GPU
  sl_test *tests;
  double score, max; // the score may differ from the points of the tests: the title of [lab] says why then
  bool by_person;    // a person has set the score: an error of the grader takes none away
  bool unscored;     // the gradebook has no score of it: nothing was handed in
} sl_graded_lab;

// What was handed in by one person (intake/).
typedef enum sl_handed_kind {
  SL_PIECE_FOLDER,
  SL_PIECE_ARCHIVE,
  SL_PIECE_FILE, // one file of an export
  SL_PIECE_REPOSITORY
} sl_handed_kind;
typedef struct sl_handed_piece {
  sl_handed_kind kind;
  const char *path, *name; // where it is, and its name as the student gave it
} sl_handed_piece;
typedef struct sl_refused { // something that was handed in and not taken
  const char *path, *why;
} sl_refused;
typedef enum sl_taken_status {
  SL_TAKEN,
  SL_TAKEN_ABSENT,
  SL_TAKEN_UNREADABLE,
  SL_TAKEN_UNKNOWN
} sl_taken_status;
typedef struct sl_intake {
  const char *source; // path or URL as given, NULL: nothing
  const char *user, *number, *email,
      *full;             // the person's name, as the export or the roster tells; NULL: not known
  const char *own;       // the submission's name before the roster gave another
  const char *handed_in; // UTC; NULL: not known
  bool late;             // the export says so (Canvas), and does not say by how much
  const char *commit;    // the repository's, if it is one
  sl_taken_status status;
  const char *reason; // why the status is so, in words; NULL: none
  sl_handed_piece *pieces;
  size_t n_pieces;
  sl_refused *refused;
  size_t n_refused;
} sl_intake;

typedef struct sl_submission {
  const char *name;     // for people: printable
  const char *raw_name; // the same as it came
  const char *id;       // for names of files and folders: letters, digits, "._-" and %XX
  const char *root;     // the folder that was handed in, or that was made of it
  const char *dir;      // in it, or itself: holds NN_name/kernel.cu
  sl_intake in;
  const char *out; // records, CTest files, report
  bool has_folder; // is there one? Who is absent gets none
  size_t n_labs;
  sl_graded_lab *labs;
  double score, max;
} sl_submission;

// Secrets from all submissions. Nonces of this run are derived from [run]; the seeds of inputs from [inputs],
// which is the same in every run of this build folder.
typedef struct sl_secrets {
  unsigned char run[32], inputs[32];
} sl_secrets;

typedef struct sl_course_lab {
  sl_lab *lab;
  const char *json;
  char hash[SL_HEX256];
  // the kernel that speed is compared with on a real GPU; NULL: the simulated GPU judges speed
  const char *solution;
  const char *reference; // its program
  char reference_hash[SL_HEX256];
  const sl_graded_lab *absent; // whose tests all share who handed in nothing; NULL: nobody yet
} sl_course_lab;

// The course: where things are, and what is the same for every submission.
typedef struct sl_course {
  const char *root, *build, *out, *data;
  const char *only;                             // the one submission of a class to grade; NULL: all
  int64_t part, parts;                          // which part of a class, from 1 on; 0 of 0: all of it
  const char *roster, *times, *zone, *deadline; // files and times that were asked for; NULL: none
  bool one, accept_misplaced;
  const char *judge, *test;   // programs: sl-judge, sl-test
  const char *backend;        // "sim" or "gpu"
  char tools_hash[SL_HEX256]; // hash of the programs and libraries that a result depends on
  sl_secrets secrets;
  unsigned char store_key[32]; // authenticates the records kept for later gradings
  // The instructor's additions to lab.json, NULL: none; when the labs are due, 0: not said. What is hidden is
  // told if [reveal], and after the due date if somebody else withholds it until then (Gradescope).
  json_t *overlay;
  const char *overlay_path;
  time_t due;
  bool reveal, withheld;
  bool pictures; // pages that play failed tests are made
  bool fresh, terminal;
  int jobs;
  time_t started;
  const char *made_by; // provenance in one line, for pages and tables; NULL: not known yet
  size_t n_labs;
  sl_course_lab labs[100]; // numbers have two digits
} sl_course;

typedef struct sl_grading {
  sl_arena *arena;
  sl_course course;
  bool is_class;         // a folder of submissions, also if it holds one; not if --only chose it
  const char *class_dir; // the folder of the class, NULL: there is none
  size_t n, n_left_out;
  sl_submission *subs;
  sl_refused *left_out; // entries of the class that are nobody's
} sl_grading;

// Each submission [s] of a grading, each lab [gl] of a submission, each test [t] of a lab; RUN: also what is
// simulated beside tests on a real GPU.
#define SL_EACH_SUB(grading, s)                                                                              \
  for (sl_submission *s = (grading)->subs; s < (grading)->subs + (grading)->n; s++)
#define SL_EACH_LAB(of, gl) for (sl_graded_lab *gl = (of)->labs; gl < (of)->labs + (of)->n_labs; gl++)
#define SL_EACH_TEST(of, t) for (sl_test *t = (of)->tests; t < (of)->tests + (of)->n_tests; t++)
#define SL_EACH_RUN(of, t) for (sl_test *t = (of)->tests; t < (of)->tests + (of)->n_run; t++)

// text.c: memory, and texts that are safe to print ----------------------------------------------------------

sl_arena *sl__arena_new(void);
void *sl__alloc(sl_arena *a, size_t bytes) __attribute__((returns_nonnull)); // zeroed
char *sl__str(sl_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3), returns_nonnull));
char *sl__safe(sl_arena *a, const char *s)
    __attribute__((returns_nonnull));             // one printable line (sl_printable)
char *sl__safe_lines(sl_arena *a, const char *s); // the same, but newlines stay
char *sl__safe_name(sl_arena *a, const char *s); // a file name of letters, digits, "._-" and %XX; never empty
// Returns how many columns of a terminal the longest beginning of [s] takes that fits into [most]. [bytes],
// if not NULL, gets that beginning's length.
size_t sl__columns(const char *s, size_t most, size_t *bytes);
const char *sl__cut(sl_arena *a, const char *s,
                    size_t columns); // [s], or its beginning and "..", in so many columns
// Ends a line of [column] columns with [text]: on a terminal in lines of at most SL_COLUMNS, the further ones
// behind [indent] blanks; elsewhere in one line, which programs can search.
void sl__print_text(FILE *f, const char *text, int column, int indent);
void sl__html(FILE *f, const char *s);   // text, attribute values included
char *sl__points(sl_arena *a, double v); // "2.5", "100", at most two decimals
// The person's name, printable, where the submission has another one (a number of the roster); else NULL.
const char *sl__full_name(sl_arena *a, const sl_submission *s);
// A growing array in an arena: the array [at] with room for one more of [size] bytes behind [n] of them.
void *sl__more(sl_arena *a, void *at, size_t n, size_t size);
// [s] as one argument of a CMake list file, whatever characters it has.
char *sl__cmake_arg(sl_arena *a, const char *s);

// keys.c: hashes, nonces, authentication --------------------------------------------------------------------

void sl__hash(const void *data, size_t len, char out[SL_HEX256]);
bool sl__hash_file(const char *path, char out[SL_HEX256], sl_error *e);
void sl__hmac(const unsigned char key[32], const char *text, char out[SL_HEX256]);
bool sl__random(void *out, size_t len, sl_error *e);
bool sl__store_key(const char *path, unsigned char key[32], sl_error *e); // read, or made where there is none
void sl__key_id(const unsigned char key[32], char out[SL_KEY_ID]); // names the key and tells nothing of it

// discover.c: what DIR holds --------------------------------------------------------------------------------

// Fills g->subs from [dir] ("solutions" and "labs" name the course's own): who handed in what.
bool sl__discover(sl_grading *g, const char *dir, sl_error *e);
// Looks at one kernel.cu: sets kernel, hash, problem.
void sl__inspect_kernel(sl_arena *a, const char *sub_dir, const char *lab_name, sl_graded_lab *gl);
void sl__inspect_file(sl_arena *a, const char *path, sl_graded_lab *gl); // the same for a file anywhere
void sl__find_edits(
    sl_grading *g); // says what each kernel changes outside of its TODO regions; it costs no points

// misplaced.c: .cu files elsewhere in the submission that may be meant for the lab --------------------------

// Says of [gl], which has no kernel.cu, which file in [dir] may be meant.
void sl__name_misplaced(sl_arena *a, const char *dir, sl_graded_lab *gl, const char *lab_name);
void sl__name_unplaced(sl_arena *a,
                       sl_submission *s); // no lab was found: says which files are there all the same
// Says which other NN_name/kernel.cu are in [s], of other contents than the graded one and the handout's.
void sl__name_others(const sl_grading *g, sl_submission *s, const sl_graded_lab *gl);
// A lab of [s] without a kernel.cu: says why, or takes a file that can mean nothing else if that is wanted.
void sl__place_kernel(const sl_grading *g, const sl_submission *s, sl_graded_lab *gl);

// intake/: from archives, exports and repositories to folders -----------------------------------------------

void sl__remark(sl_arena *a, sl_intake *in, const char *said); // adds to its reason
bool sl__take_in(sl_grading *g, sl_error *e);                  // sets root and dir of every submission
bool sl__write_manifest(sl_grading *g, sl_error *e);           // OUT/manifest.json

// overlay.c: cases and points that students do not have -----------------------------------------------------

bool sl__overlay_load(sl_course *c, const char *path, sl_error *e);
// The description of a lab with what the overlay says of it: a path; [json] if nothing, NULL with [e].
const char *sl__overlay_lab(sl_grading *g, const sl_lab_info *info, const char *json, sl_error *e);
bool sl__is_concealed(const sl_course *c, const sl_case *k); // must its result tell nothing of its input?

// twins.c: the same kernel in several submissions -----------------------------------------------------------

void sl__find_twins(sl_grading *g);

// plan.c: the tests that are expected -----------------------------------------------------------------------

bool sl__load_labs(sl_grading *g, const sl_strings *chosen, sl_error *e);
void sl__plan(sl_grading *g, sl_submission *s);
bool sl__is_on_gpu(const sl_test *t); // a real one
void sl__test_key(const sl_course *c, const sl_graded_lab *gl, sl_test *t);

// build_all.c: kernels to runners, in parallel --------------------------------------------------------------

bool sl__build_all(sl_grading *g, sl_error *e);

// record.c: from the judge's record to a result -------------------------------------------------------------

// What the grader itself saw of the judge's process.
typedef struct sl_seen {
  bool known, timed_out;
  int code, signal;
  double seconds;
} sl_seen;

// Fills t->r from the text of a record ([text] NULL: there is none), after checking all of it.
void sl__judge_result(sl_arena *a, sl_test *t, const char *lab_name, const char *text, const char *nonce,
                      const sl_seen *seen);
// 0 points. [fields] is taken over; NULL: none.
void sl__set_result(sl_arena *a, sl_test *t, sl_status status, sl_reason why, json_t *fields);
void sl__set_problem(sl_arena *a, sl_graded_lab *gl, sl_reason why, const char *said);
void sl__drop_result(sl_test *t); // its JSON values
// Leaves of a result what tells nothing of the input: its status, points and reason.
void sl__conceal(sl_arena *a, sl_test *t);
// Says which case of the overlay a test is: before the message of one that is not public.
void sl__reveal(sl_arena *a, sl_test *t);
// Takes points back that depend on other tests: speed counts only where all results of the lab are right, and
// tests on a real GPU only where no result passed through the host on the simulated one.
void sl__settle(sl_arena *a, sl_submission *s);
// What the speed of a lab was measured by; NULL: the lab has no speed part, or none of its results counts.
const char *sl__speed_basis(const sl_graded_lab *gl);
double sl__rounded(double points); // without the error of adding thirds and sevenths: 100 points stay 100
void sl__total(sl_submission *s);  // sums points into labs and submission
// Has the lab points apart from the total? So have optional labs beside others; alone they are the total.
bool sl__apart(const sl_submission *s, const sl_graded_lab *gl);

// store.c: records of earlier gradings ----------------------------------------------------------------------

size_t sl__reuse(sl_grading *g, sl_submission *s); // fills results, returns how many
bool sl__keep(sl_grading *g, const sl_submission *s, const sl_test *t, sl_error *e);

// ctest.c: the CTest folder of a submission -----------------------------------------------------------------

// What a test needs of the secrets; its nonce goes into its record, its salt into the seeds of its inputs.
typedef struct sl_ticket {
  char test[SL_TEST_NAME], nonce[SL_HEX256], salt[SL_SALT_DIGITS + 1];
} sl_ticket;
void sl__nonce(const unsigned char secret[32], const char *test, char out[SL_HEX256]);
void sl__ticket(const sl_secrets *secrets, const char *test, sl_ticket *out);
// Calls [fn] for each test of [s] that has to run.
void sl__each_due(const sl_submission *s, void (*fn)(void *, const sl_graded_lab *, sl_test *), void *arg);
double sl__work_due(const sl_submission *s); // an estimate, in elements; 0: no test is due
char *sl__ctest_text(sl_grading *g, const sl_submission *s, const char *dir); // text of CTestTestfile.cmake
// Writes the folder [dir]. The tickets are in [secret_fd], which the tests inherit.
bool sl__write_ctest(sl_grading *g, const sl_submission *s, const char *dir, int secret_fd, sl_error *e);
// harvest.c: runs the tests of all submissions.
bool sl__run_tests(sl_grading *g, sl_error *e);
// one_test.c
// The body of one CTest test: `sl-test DIR NAME`. Returns its exit code.
int sl__one_test(const char *dir, const char *name);
enum { SL_TOGETHER_SECONDS = 60 }; // for the cases of a lab that are judged together
// gpus.c: the real GPUs that this process may use
enum { SL_GPU_SLOTS = 3 }; // tests of one GPU at a time: contexts of some are made while others compute
int sl__gpus(void);        // how many there are; at least 1
// Writes CTest's list of resources: [n] GPUs from the [first] on.
bool sl__write_gpus(const char *path, int first, int n, sl_error *e);
void sl__use_gpu(void); // shows this process the GPU that CTest has given its test, and no other

// progress.c ------------------------------------------------------------------------------------------------

typedef struct sl_progress {
  const char *what;
  bool terminal, shown;
  size_t done, total;
  double start, last;
} sl_progress;
bool sl__progress_terminal(void); // can stderr show a line that updates itself?
void sl__progress_start(sl_progress *p, const char *what, size_t total, bool terminal);
void sl__progress_step(sl_progress *p, const char *name);
void sl__progress_end(sl_progress *p);

// Output: results.c, terminal.c, html.c, plots.c ------------------------------------------------------------

json_t *sl__submission_json(const sl_grading *g, const sl_submission *s);
bool sl__write_json(sl_grading *g, const char *path, sl_error *e);
// graded.c: what the gradebook imports. sl__provenance: version, commit, key, .. of all that is graded.
json_t *sl__provenance(sl_grading *g);
const char *sl__provenance_line(sl_grading *g, const json_t *provenance); // with the times
bool sl__write_graded(sl_grading *g, const sl_submission *s, const json_t *provenance, sl_error *e);
char *sl__utc(sl_arena *a, time_t t); // "2026-11-22T22:20:00Z"
// whole_file.c: a file that is there whole or not at all.
typedef struct sl_whole_file {
  FILE *f;
  sl_out *o;
  sl_error fault;
} sl_whole_file;
bool sl__is_same_file(const char *path, const char *other); // either may be NULL, or not there
bool sl__whole_open(sl_whole_file *s, const char *path, sl_error *e);
bool sl__whole_close(sl_whole_file *s, bool ok, sl_error *e); // ok: false leaves no file
// exports.c: files for other programs; NULL: not wanted. Checked before grading, written after it.
enum { SL_PLATFORMS = 4 }; // Gradescope first
extern const char *const sl__platform_names[];
typedef struct sl_exports {
  const char *csv, *junit, *platform[SL_PLATFORMS];
} sl_exports;
size_t sl__count_status(const sl_graded_lab *gl, sl_status status); // its tests with [status]
// The lab's points, [absent] if it was not handed in, or "error" if the grader could not finish it.
const char *sl__score_word(sl_arena *a, const sl_graded_lab *gl, const char *absent);
bool sl__export_check(const sl_grading *g, const sl_exports *x, const char *json, sl_error *e);
bool sl__export(const sl_grading *g, const sl_exports *x, sl_error *e);
void sl__junit_begin(FILE *f);
void sl__junit_add(const sl_grading *g, FILE *f, const sl_submission *s);
void sl__junit_end(FILE *f);
// What stands in front of a table in which somebody has this name: without it Excel takes UTF-8 for
// Windows-1252. Nothing where ASCII says it all: many readers take it for a part of the first column's name.
const char *sl__csv_mark(const char *name);
void sl__csv_cell(FILE *f, const char *s); // quoted, and no spreadsheet computes it
bool sl__write_platforms(const sl_grading *g, const sl_exports *x, sl_error *e); // platforms.c
void sl__print_summary(const sl_grading *g, FILE *f);
// Plots are measured and drawn unless [no_plots].
bool sl__write_report(sl_grading *g, sl_submission *s, bool no_plots, sl_error *e);
bool sl__write_class_report(sl_grading *g, bool no_plots, sl_error *e);

// One plot of the report. [svg] is the drawing; NULL if it could not be made, and [missing] says why.
typedef struct sl_report_plot {
  const char *id, *title, *caption;
  char *svg;
  const char *missing;
} sl_report_plot;
enum { SL_PLOTS = 4 };
// Draws [plot] with grader/plots/SCRIPT and [settings] of gnuplot; the drawing stays in [dir], too.
void sl__draw(sl_grading *g, sl_report_plot *plot, const char *script, const char *dir, const char *settings);
char *sl__gnuplot_text(sl_arena *a, const char *s); // [s] as a string of gnuplot
bool sl__make_plots(sl_grading *g, sl_submission *s, sl_report_plot plots[SL_PLOTS], sl_error *e);
