// Mutants: copies of a solution with one small mistake between the TODO lines, made by the operators of
// operators.def. A mutant that is graded and loses nothing shows what the tests do not look at.
//
// Internal header: functions grouped by the file that defines them, in reading order.
#pragma once

#include "judge/labs.h"

// tokens.c --------------------------------------------------------------------------------------------------

// A word, a number or a sign of a kernel.cu. Comments and lines of the preprocessor are none.
typedef struct token {
  uint32_t at, len; // bytes of the text
  uint32_t line;    // from 1
  uint32_t region;  // K of TODO(labNN.K); 0: not for students to edit
  enum { TOKEN_WORD, TOKEN_NUMBER, TOKEN_SIGN, TOKEN_STRING } kind;
  bool device; // only device code: a function with __global__ or __device__ and without __host__
} token;

typedef struct source {
  char *text;
  size_t len;
  token *t;
  size_t n;
} source;

// Reads [path] and finds its tokens. source_free in any case.
bool source_read(source *s, const char *path, sl_error *e);
void source_free(source *s);

// Is token [k] spelled [word]? False past the end.
bool token_is(const source *s, size_t k, const char *word);

// The token that closes the bracket ( [ { at token [k]; s->n: none does.
size_t token_closing(const source *s, size_t k);

// make.c ----------------------------------------------------------------------------------------------------

typedef struct mutant {
  char id[64];       // "06.3-fence-gone-1": lab and region, operator, how many of it the region has before
  uint32_t from, to; // these bytes of the source are replaced
  uint32_t line;
  bool device; // changes nothing but device code
  char *put;
} mutant;

typedef struct mutants {
  mutant *at;
  size_t n;
} mutants;

// Makes all mutants of [s], whose lab has the number [lab] ("06"), in the order of their places. Two
// operators that give the same text make one mutant.
mutants mutants_of(const source *s, const char *lab);
void mutants_free(mutants *m);

// The mutant's kernel.cu; malloc'ed.
char *mutant_text(const source *s, const mutant *m);

// What it changes, in one line of plain text: "OLD -> NEW". malloc'ed.
char *mutant_change(const source *s, const mutant *m);

// review.c --------------------------------------------------------------------------------------------------

// A mutant that no test can kill, with the reason. A file of them has lines "ID<tab>CHANGE<tab>REASON".
typedef struct review {
  char *id, *change, *reason;
} review;

typedef struct reviews {
  char *text;
  review *at;
  size_t n;
} reviews;

bool reviews_read(reviews *r, const char *path, sl_error *e);
const review *reviews_find(const reviews *r, const char *id);
void reviews_free(reviews *r);

// try.c -----------------------------------------------------------------------------------------------------

typedef enum outcome { KILLED, SAME_CODE, EQUIVALENT, MISSED, UNBUILT, FAILED, OUTCOMES } outcome;

// What became of a mutant: KILLED, MISSED (nothing has noticed it), UNBUILT or FAILED.
typedef struct attempt {
  outcome what;
  char by[400]; // what has taken points, or why there is no result
} attempt;

// The cases of a lab, and what the solution takes for each.
typedef struct trials trials;
trials *trials_begin(const sl_lab_info *info, const char *folder, sl_error *e);
void trials_end(trials *t);
// Builds [file], whose text is [text], and judges it until it loses a point. Several threads may.
attempt trials_of(trials *t, const char *file, const char *text);

// whole.c ---------------------------------------------------------------------------------------------------

// Grades the class in [folder] with all tests. The results as JSON, NULL with [e]. The grader keeps its
// records, so that what has not changed is not run again.
struct json_t *whole_grading(const sl_lab_info *info, const char *folder, int64_t jobs, sl_error *e);
attempt whole_of(struct json_t *results, const char *id);
