// The student's commands (program sl-student): what its files share, in reading order.
//
// They need only the judge, so they stand here and not in the grader: they run cases in processes of
// sl-judge, and keep the last score. They know no class, no CTest and no secrets.
#pragma once

#include "jail/sandbox.h"
#include "base/json.h"
#include "judge/cases.h"
#include "judge/reason.h"
#include "judge/skeleton.h"

static inline sl_reason sl__reason_of(const json_t *record) {
  return sl_reason_find(sl_json_text(record, "reason"));
}
static inline const char *sl__pattern_of(const json_t *record) { // what is wrong in a result; "": none
  return sl_json_text(json_object_get(record, "fields"), "pattern");
}

// place.c: where things are, how texts are shown ------------------------------------------------------------

// Is there a kernel.cu of the lab? An optional lab may be left out.
bool sl__has_kernel(const sl_lab_info *lab);
sl_lab *sl__load_lab(const char *name, sl_error *e); // [name]: as a person types it
void sl__tell_width(void); // to the programs that write text for this one's terminal
int sl__width(void);       // columns of the terminal on stdout, 40 to 160; SL_COLUMNS without a terminal
enum { SL_TITLE = 42 };    // columns of a part's title, in a row of SL_COLUMNS
int sl__title_width(void); // those that are left for it; 0: too few
char *sl__short_title(const char *title, char out[static SL_TITLE + 1]); // cut to that, after a whole word
// Writes [text] within the width, or 80 columns.
void sl__wrap(FILE *f, const char *first, const char *indent, const char *text);
char *sl__points(double v, char out[16]);             // "2.5", "100"
int sl__stop(const char *command, const sl_error *e); // prints [e]; its exit code

// scratch.c: files of one command ---------------------------------------------------------------------------

// "BUILD/student/PID.what", malloc'ed; NULL with [e]. Its folder exists
char *sl__scratch(const char *what, sl_error *e);

// section.c: the parts A, B, .. of a handout ----------------------------------------------------------------

// Is [id] a section of the lab, or a part? False with [e] (nearest match).
bool sl__section_check(const sl_lab *lab, const char *id, sl_error *e);
// Does the case belong to the section or part [id]? NULL: all do.
bool sl__section_chosen(const sl_lab *lab, const char *id, const sl_case *c);
// The title of a part, malloc'ed. One that is of several sections bears the letter of [id], if that is one.
char *sl__section_title(const sl_lab *lab, const char *id, const char *title);
bool sl__section_has(const sl_lab *lab, const sl_case *c, unsigned region); // may the case need it?
// The first region that is still open, of those that the case judges; 0: none. Without sections, and
// for no case (NULL), of all.
unsigned sl__section_open(const sl_lab *lab, const sl_skeleton *s, const sl_case *c);

// last.c: the score of the last check, kept in BUILD/student/NN.json ----------------------------------------

typedef struct sl_last {
  bool known;
  double score, max, left_out; // left_out: points of cases that only --all runs
  int64_t time;                // seconds since 1970
} sl_last;
void sl__last_save(const sl_lab_info *lab, const sl_last *last); // as of now
sl_last sl__last_load(const sl_lab_info *lab);

// ladder.c: the cases of a lab, judged part by part ---------------------------------------------------------

typedef struct sl_trial {
  const sl_case *c;
  sl_status status;
  json_t *record; // the judge's, NULL if there is none
} sl_trial;

// endless.c: what does not end, the same on a busy machine as on a quiet one --------------------------------

// Has the failed case taken long: much processor time, or all of the time that a case has?
bool sl__took_long(const json_t *record);

typedef struct sl_ladder_step { // one part
  const sl_part *part;
  sl_trial *trials;
  size_t n_chosen; // cases of the section that was asked for; count[] is about them
  size_t count[SL_STATUS_COUNT];
  double points, max;    // max: of the chosen cases
  const sl_trial *taken; // a later part's trial that took points of this one; NULL: none did
} sl_ladder_step;

typedef struct sl_ladder {
  const sl_lab *lab;
  const char *kernel, *backend;
  const char *only;         // the section or part that is judged; NULL: all
  size_t total;             // cases to run, of all parts
  size_t ran;               // those that have been judged
  char *runner;             // the built kernel
  char *log;                // the compiler's messages
  bool all;                 // cases of more than 2^20 elements, too
  int jobs, timeout;        // timeout: seconds for one case, at most
  bool colour;              // in the texts of findings
  double building, running; // seconds that the two took
  bool stopped;             // a case failed after a long time: the rest was left out
  sl_ladder_step *steps;
  size_t n_added;               // how many of them count by now
  double points, max, left_out; // points of all parts; what there is; points of cases that were too large
  const sl_trial *failed;       // the first case that did not pass
} sl_ladder;

// Each trial [t] of the ladder, as far as there are some.
#define SL_EACH_TRIAL(l, t)                                                                                  \
  for (size_t k_ = 0; (l)->steps && k_ < (l)->lab->n_parts; k_++)                                            \
    for (const sl_trial *t = (l)->steps[k_].trials, *end_ = t ? t + (l)->lab->parts[k_].n_cases : t;         \
         t < end_; t++)

void sl__ladder_prepare(sl_ladder *l); // makes the steps
// Judges a case in a process of its own. False with [e]: it could not be judged.
bool sl__judge_trial(const sl_ladder *l, sl_trial *t, sl_error *e);
// As in grading (grader/ctest.c): small cases about results only are judged together.
bool sl__is_shared(const sl_trial *t);
// Has the next step count, whose cases are judged.
void sl__ladder_add(sl_ladder *l, const sl_skeleton *skeleton);
void sl__ladder_settle(sl_ladder *l); // the points of all steps, when they count
void sl__ladder_free(sl_ladder *l);

// climb.c: judges all cases; calls [show] for each part in order and [progress] (or NULL) after each case.
typedef void sl_show_step(const sl_ladder *l, const sl_ladder_step *s);
bool sl__climb(sl_ladder *l, sl_show_step *progress, sl_show_step *show, sl_error *e);

// together.c: sl-judge with what all cases need; the rest is to be added.
#define SL_STUDENT_NONCE "student"
void sl__judge_command(const sl_ladder *l, const char *backend, sl_command *command);
// Judges these cases of correct results together, for at most [seconds]. The untried are judged alone.
void sl__judge_together(const sl_ladder *l, sl_trial *const *trials, size_t n, double seconds);

// trace.c: writes the page [html] that plays a case. False with [e], also if the case has no picture.
bool sl__play_case(const sl_ladder *l, const sl_case *c, const char *html, sl_error *e);
// Before a run whose page or picture goes to [path] (NULL: none). Pipes and devices are not tried.
bool sl__can_write(const char *path, sl_error *e);

// again.c: one case again -----------------------------------------------------------------------------------

// " --n 33 --dist ones ..", as sl-run takes it
void sl__put_case(FILE *f, const sl_lab_info *lab, const sl_case *c);
char *sl__replay(const sl_ladder *l, const sl_case *c); // "./scanlab run 03 --n 33 ..", malloc'ed
// " --op max --scalars 33": what differs from the lab's usual case and is no input.
void sl__put_options(FILE *f, const sl_lab_info *lab, const sl_case *c);
// " --file KERNEL.cu", unless it is the lab's own
void sl__put_file(FILE *f, const sl_lab_info *lab, const char *kernel);
// "./scanlab check 05 --all": the check with the cases of more than 2^20 elements
void sl__put_all(FILE *f, const sl_ladder *l);
// Runs a case, given by options of sl-run, under observation. The judge's record; NULL: there is none.
json_t *sl__run_again(const sl_ladder *l, const char *options);

// clues.c ---------------------------------------------------------------------------------------------------

// The region that a clue names for the record and the findings, the first told (NULL, empty: none); 0: none.
unsigned sl__clue_region(const sl_ladder *l, const json_t *record, const json_t *findings);
// The same for a part only begun: the first open region with a clue that holds, about cases of that part.
unsigned sl__clue_open(const sl_ladder *l, const sl_skeleton *s, const json_t *record);
// The region that a clue names where [busiest] counts most, else [busiest].
unsigned sl__clue_busiest(const sl_ladder *l, const json_t *record, unsigned busiest);
// Does a call fail that is right in a process of its own, because an earlier one has left something behind?
bool sl__left_behind(const sl_ladder *l, const json_t *record);
// Where [log] next says that a variable is set but never used, and in which line of the file; NULL: nowhere.
const char *sl__unused_variable(const char *log, uint32_t *line);
// The line of [log] that holds the first warning which may be the cause of a failure, not one of something
// declared and never used; and the line of the source that it names. NULL: there is none.
const char *sl__telling_warning(const char *log, uint32_t *line);

// section.c: does all that judges the sections of the region pass, as far as it was run?
bool sl__section_passes(const sl_ladder *l, unsigned region);

// busiest.c: the region that alone counts more than may be counted; 0: there is none.
unsigned sl__busiest_region(const sl_ladder *l, const sl_skeleton *s, const json_t *record);

// failure.c: what to tell of the first failure --------------------------------------------------------------

typedef struct sl_failure {
  json_t *record; // the judge's, of [shown]
  sl_case shown;  // the case that failed, or a smaller one that fails alike
  bool smaller;
  // The judge's of the same size, whose detail says which elements each sum holds; NULL: none.
  json_t *summands;
  json_t *findings;          // causes first; empty: none
  const sl_trial *elsewhere; // no findings, but another case has some; NULL: none has
  // The TODO region to edit, from 1, its lines and its task; 0: not known. The line told first; 0: none.
  unsigned region, first, last, line;
  char *task;
  char *launch; // what is wrong with the launch in [line]; NULL: nothing that is known
} sl_failure;

// Is the result right, and only its cost too high?
bool sl__is_right(const json_t *record);
void sl__failure_find(const sl_ladder *l, sl_failure *f);
void sl__failure_free(sl_failure *f);

// shrink.c: the smallest case that fails alike --------------------------------------------------------------

void sl__shrink(const sl_ladder *l, sl_failure *f); // [f] tells of that case, if there is one
// Does the failed case fail with [n] elements, too? Runs it.
bool sl__fails_at(const sl_ladder *l, uint64_t n);
// Are sums of whole numbers right, in as many elements, where those of reals are wrong?
bool sl__only_reals_fail(const sl_ladder *l);

// launches.c: what the text of the student's file says of a launch in a region: "scan_kernel is never
// launched", "b is launched before a"; and its line. malloc'ed; NULL: nothing.
char *sl__launch_fault(const sl_ladder *l, const sl_skeleton *s, uint32_t *line);
// The region that launches a kernel that is given whole, or calls what does. 0: not known.
unsigned sl__launch_region(const sl_skeleton *s, const char *name);

// region.c: what to edit ------------------------------------------------------------------------------------

void sl__place_failure(const sl_ladder *l, sl_failure *f);
char *sl__hint_command(const sl_ladder *l, uint32_t line); // "./scanlab hint 03.2", malloc'ed

// observe.c: is there such a file? Fails with [hint] where not.
bool sl__kernel_there(const char *path, const char *hint, sl_error *e);

// watch.c: check --watch ------------------------------------------------------------------------------------

// What the file holds, malloc'ed. NULL: it is not there, or empty, at the moment, as some editors do.
char *sl__file_text(const char *path);
// Until the file holds another text than [checked], and still the same after a pause: editors write a file in
// several steps, and touch it again when they have saved it.
void sl__wait_for_change(const char *path, const char *checked);

// said.c: what the compiler says of a file that does not build ----------------------------------------------

// Writes what the linker did not find, or found twice; false: neither.
bool sl__unlinked(FILE *f, const char *log, const char *file);
// Writes [log]'s errors about [file], of text [source]: each once, with what to do. The first's line, or 0.
unsigned sl__said(FILE *f, const char *log, const char *file, const char *source);

// explain.c: the first failure, in words --------------------------------------------------------------------

void sl__explain(const sl_ladder *l);
json_t *sl__first_json(const sl_ladder *l, const sl_failure *x); // what is told first
void sl__explain_build(const sl_ladder *l, const sl_error *why);

// Commands: argv[0] is the command. They return the exit code -----------------------------------------------

int sl__check(int argc, char **argv);
int sl__profile(int argc, char **argv);
int sl__trace(int argc, char **argv);
int sl__diff(int argc, char **argv);
int sl__status(int argc, char **argv);
int sl__hint(int argc, char **argv);
int sl__reset(int argc, char **argv);
int sl__doctor(int argc, char **argv);
int sl__list(int argc, char **argv);
