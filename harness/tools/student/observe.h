// One observed run of a lab's kernel, for profile, trace and diff: sl-run does it, its report is read here.
#pragma once

#include "student.h"
#include "gpu/start/schedule.h"
#include "device/counters.h"

// The input, as `scanlab run` takes it. Only what is set is passed on.
typedef struct sl_input_choice {
  const char *name; // "scan.n33": a case of lab.json, instead of all else but the schedule
  const char *data; // a .npy file
  const char *n, *dist, *type, *op, *scan, *tile, *entry, *schedule, *scalars;
  int64_t seed, bits;
  bool values;
  bool temporary; // data is a file of this program's own
} sl_input_choice;
#define SL_INPUT_OPTIONS(c)                                                                                  \
  SL_OPT_TEXT("--n", &(c)->n, "N", "elements"),                                                              \
      SL_OPT_TEXT("--dist", &(c)->dist, "NAME", "distribution of the input: see scanlab datasets list"),     \
      SL_OPT_NUMBER("--seed", &(c)->seed, "S", 1, INT64_MAX, "seed of the input"),                           \
      SL_OPT_TEXT("--type", &(c)->type, "TYPE", "f32 i32 u32 affine (labs 05 and 06)"),                      \
      SL_OPT_TEXT("--op", &(c)->op, "OP", "add max compose (lab 05)"),                                       \
      SL_OPT_TEXT("--scan", &(c)->scan, "KIND", "inclusive exclusive (lab 05)"),                             \
      SL_OPT_TEXT("--tile", &(c)->tile, "TILE", "efficient naive (lab 05)"),                                 \
      SL_OPT_TEXT("--schedule", &(c)->schedule, "WORDS", SL_SCHEDULE_HELP),                                  \
      SL_OPT_TEXT("--entry", &(c)->entry, "ENTRY", "scan sort (lab 06)"),                                    \
      SL_OPT_NUMBER("--bits", &(c)->bits, "B", 1, 8, "bits of a digit, 1 to 8 (lab 06, sort)"),              \
      SL_OPT_TEXT("--scalars", &(c)->scalars, "LIST", SL_SCALARS_HELP),                                      \
      SL_OPT_FLAG("--values", &(c)->values, "sort key-value pairs (lab 06)")

typedef struct sl_observed {
  const sl_lab_info *lab;
  char *kernel, *source; // the file, its text
  char *again;           // "03 --n 16": the lab and the options of a run that is alike
  json_t *record;        // the judge's record
  json_t *report;        // the simulated GPU's report
} sl_observed;

typedef struct sl_to_observe {
  const char *lab, *file; // file NULL: the lab's own
  const sl_input_choice *input;
} sl_to_observe;

// Builds the file and runs it once; [what] is "--lines" or "--steps". False with [e]. The compiler's or
// judge's own words are printed to stderr where there are any.
bool sl__observe(const sl_to_observe *of, const char *what, sl_observed *out, sl_error *e);
// The same without a report, on a backend, with [repeats] timed runs behind it: only [out]->record.
bool sl__timed(const sl_to_observe *of, const char *backend, int repeats, sl_observed *out, sl_error *e);
void sl__observed_free(sl_observed *o);
bool sl__was_right(const sl_observed *o);
// "lab 03_blelloch, n = 1024, labs/03_blelloch/kernel.cu: result right", and what was wrong.
void sl__show_observed(FILE *f, const sl_observed *o);
// small.c: writes [n] small numbers, those of the lab's handout, as the lab's type into a new .npy file; its
// path, malloc'ed. The scalars that fit them; NULL: the lab's usual ones, or none.
char *sl__small_input(const char *lab, const sl_input_choice *c, uint64_t n, sl_error *e);
const char *sl__small_scalars(const sl_lab_info *lab);

// sums.c: the counters of all launches of a kernel, summed, by line -----------------------------------------

enum { SL_SUM_PHASES = 64 };
typedef struct sl_sum_line {
  uint32_t line; // 0: not in the student's file
  uint64_t c[SL_LN_COUNT];
} sl_sum_line;
typedef struct sl_sum {
  char name[128];
  unsigned launches, n_phases;
  json_int_t grid[3], block[3]; // configuration of the first launch
  sl_sum_line *lines;           // sorted
  size_t n_lines;
  uint64_t total[SL_LN_COUNT], adds[SL_SUM_PHASES], replays[2][SL_SUM_PHASES]; // loads, stores
} sl_sum;

// Kernels whose name contains [wanted] (NULL: all), in the order of their first launches; malloc'ed.
sl_sum *sl__sums(const sl_observed *o, const char *wanted, size_t *n);
void sl__counters_join(uint64_t *to, const uint64_t *from); // sums, or the worst
void sl__sums_free(sl_sum *s, size_t n);
bool sl__no_such_kernel(const sl_observed *o, const char *wanted, sl_error *e); // says which there are; false
const char *const *sl__line_counters(void);                                     // names, NULL at the end
