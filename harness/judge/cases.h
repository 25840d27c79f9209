// lab.json as data: a lab has parts, a part has cases, a case is one graded test. For judge and grader.
//
// The loader is strict: unknown keys, values out of range, repeated ids and points that do not add up are
// errors that name the file and the place. Fields left out are filled in: no user handles defaults.
#pragma once

#include "judge/formula.h"
#include "judge/labs.h"

typedef enum sl_part_kind { SL_PART_CORRECT, SL_PART_COUNTERS, SL_PART_CLEAN, SL_PART_SPEED } sl_part_kind;
typedef enum sl_check { SL_CHECK_EXACT, SL_CHECK_ROUNDING } sl_check;
// Who is told of a case: everybody; nobody; nobody before the lab is due.
typedef enum sl_audience { SL_PUBLIC, SL_HIDDEN, SL_AFTER_DUE } sl_audience;
typedef enum sl_entry { SL_ENTRY_SCAN, SL_ENTRY_SORT } sl_entry;
extern const char *const sl_part_kind_names[], *const sl_check_names[], *const sl_entry_names[],
                                                                            *const sl_audience_names[];

#define SL_WHOLE UINT64_MAX // as n: the whole dataset

#define SL_SCALARS_HELP "scalars of an optional lab, in its order: 33 or 33,7"
#define SL_ANY UINT32_MAX
enum {
  SL_MAX_NEEDS = 4,
  SL_MAX_ALSO = 64,
  SL_MAX_DRAW = 64,
  SL_MAX_THEN = 4,
  SL_MAX_EXPECT = 8,
  SL_MAX_SCALARS = 4,
  SL_MAX_CALLS = 64,
  SL_MAX_TIMES = 4096,
  SL_DIST_CHARS = 128,
  SL_ID_CHARS = 64
};

// The bounds on a counter of a call: min <= value <= max. Above max the points fall, to none at `none`.
typedef struct sl_allowed {
  uint64_t min, max, none;
} sl_allowed;

// The same for every n: formulas. "": no bound; `none`: the usual one.
typedef struct sl_expect {
  char name[32]; // a counter of the report (docs/internals/interfaces.md) or "launches"
  char min[SL_FORMULA_CHARS], max[SL_FORMULA_CHARS], none[SL_FORMULA_CHARS];
} sl_expect;

typedef struct sl_part sl_part;
typedef struct sl_case sl_case;

// Sizes of which one is drawn from the case's seed: those in part [part] of the range's [parts] equal ones.
typedef struct sl_draw {
  uint64_t from, to;
  unsigned part, parts; // parts: a power of 2
} sl_draw;

// Sizes from [from] to [to] near numbers that the kernel's source names, and near as many tiles (named.h).
typedef struct sl_named {
  uint64_t from, to; // to: 0: none
  uint64_t tile;     // elements of a tile; 0: numbers count elements alone
} sl_named;

// One case. The runner makes `calls` calls with n elements and, after the first, one call for each size in
// `also` and for one size of each range in `draw`, all in one process, and then those of the cases in `then`.
struct sl_case {
  const sl_part *part;
  char id[SL_ID_CHARS]; // "n1024"; unique in its part; "hidden1", .. of those that are not public
  sl_audience visibility;
  char given[SL_ID_CHARS]; // the id in the description, which may tell the input
  double points;
  uint64_t n;
  sl_entry entry;
  sl_type type;
  sl_op op;
  sl_kind kind;
  sl_tile tile;
  sl_check check;
  char dist[SL_DIST_CHARS]; // distribution of the generator; "" with a dataset
  bool rotated;      // the dataset begins at an element that follows from the seed: in cases of lab.json
  char dataset[512]; // name in the catalog, or a .npy file (sl-run only); "" with a distribution
  // schedules to judge the case under, as sl_schedule_read takes them, each ended by ';'. "": the usual one
  char schedules[1024];
  uint64_t seed;
  bool salted; // graded: nobody knows the seed
  unsigned calls, bits;
  // bytes that the program may copy from the device to the host in one call; SL_ANY: no limit
  unsigned host_bytes;
  bool values;
  bool kinds;      // calls of all kinds that the lab takes follow (kinds.c)
  bool sequential; // one thread may do all the work
  bool one_block;  // one block can take it: its threads share the work evenly
  bool unaligned;  // arrays begin 4 bytes behind a multiple of 256 (labs 05 and 06), else at one
  double timeout;  // seconds for the whole case
  double full;     // kind speed: from this ratio (reference / own) on a case gets all its points
  // kind speed: the simulated GPU's counts for the reference solution
  uint64_t reference_launches, reference_sectors;
  unsigned n_scalars;
  int64_t scalars[SL_MAX_SCALARS];    // for a lab with its own entry point: docs/internals/adding-a-lab.md
  int64_t scalars_to[SL_MAX_SCALARS]; // above scalars[k]: each call has one from there up to this
  unsigned n_also, n_draw, n_expect, n_either; // one of the last n_either bounds is enough
  uint64_t also[SL_MAX_ALSO];
  // kind clean: the call with also[k] is made so many times in a row, with the same arrays, and what the last
  // one leaves is looked at. 0: once
  unsigned times[SL_MAX_ALSO];
  sl_draw draw[SL_MAX_DRAW];
  sl_named named; // more sizes for `also`, once the kernel is known
  sl_expect expect[SL_MAX_EXPECT];
  // Cases whose calls follow: other bits, types and values, which a program that keeps things may mix up.
  unsigned n_then;
  char then[SL_MAX_THEN][2 * SL_ID_CHARS]; // "PART.CASE"
  const sl_case *then_case[SL_MAX_THEN];
};

struct sl_part {
  const struct sl_lab *lab;
  char id[SL_ID_CHARS], *title;
  sl_part_kind kind;
  double points;
  size_t n_cases;
  sl_case *cases;
  bool whole; // its points are for all its cases together: one that fails takes all of them (settle.h)
  unsigned n_needs;
  char needs[SL_MAX_NEEDS][2 * SL_ID_CHARS]; // "PART.CASE": cases that this part's points hang on (settle.h)
};

typedef struct sl_lab {
  const sl_lab_info *info;
  char *title, *file; // file: "kernel.cu"
  double points;
  size_t n_parts, n_hints;
  sl_part *parts;
  char **hints;            // hints[k] is for TODO region k + 1
  uint64_t launch;         // the TODO region that launches the kernel, from 1; 0: none
  uint64_t barriers;       // bit k: TODO region k ought to hold a barrier
  struct json_t *clues;    // which region is at fault, by what failed; NULL: none
  struct json_t *sections; // groups of regions and the cases that judge them; NULL: the lab has none
} sl_lab;

// Reads the lab description [path]. NULL with [e] (SL_EXIT_INPUT). Freed by sl_lab_free.
sl_lab *sl_lab_load(const char *path, sl_error *e);
void sl_lab_free(sl_lab *lab);
static inline void sl__free_lab(sl_lab **lab) { sl_lab_free(*lab); }
#define SL_LAB_FREED __attribute__((cleanup(sl__free_lab))) // "SL_LAB_FREED sl_lab *lab = ..;", as SL_FREED

// The case named "PART.CASE"; NULL with [e] (nearest match) when there is none.
const sl_case *sl_lab_case(const sl_lab *lab, const char *name, sl_error *e);

// The size drawn from range [k] of the case: it follows from the seed, which nobody knows in grading.
uint64_t sl_case_drawn(const sl_case *c, unsigned k);
// Scalar [k] in a call of the case: given, or drawn from the case's seed for each call.
int64_t sl_case_scalar(const sl_case *c, unsigned k, unsigned call);
// How many times the call with also[k] is made.
unsigned sl_case_times(const sl_case *c, unsigned k);
uint64_t sl_case_calls(const sl_case *c); // calls that follow from `calls` and `also`
// The most elements that a call may have; a whole dataset counts as 0.
uint64_t sl_case_largest(const sl_case *c);
bool sl_case_has_companions(const sl_case *c);           // more than one call in its process?
sl_allowed sl_expect_at(const sl_expect *x, uint64_t n); // the bounds on a call with n elements

// A kernel that never ends would run into the limit in every case: hours in a class. When so many cases of a
// lab have not ended, the others have a short limit, still far more than a right kernel needs. On a real GPU,
// which such a kernel holds, all have one.
enum { SL_ENDLESS_CASES = 3, SL_SHORT_SECONDS = 10, SL_GPU_SECONDS = 20 };

// How many times a case is judged: once, or once for each of its schedules. For time limits.
unsigned sl_case_rounds(const sl_case *c);

// Replaces the public seed of a case by one that follows from it and from [salt], so that no submission can
// prepare results. [salt]: SL_SALT_DIGITS hexadecimal digits that no submission knows. False: bad digits.
enum { SL_SALT_DIGITS = 16 };
bool sl_case_salt(sl_case *c, const char *salt);

// Does this case run on that backend? Counters and findings exist only on the simulator.
bool sl_case_runs_on(const sl_case *c, const char *backend);

// "03.scan.n1024.sim" into [out]. Returns [out].
char *sl_test_name(const sl_lab *lab, const sl_case *c, const char *backend, char *out, size_t cap);

// Makes a case with every default of the lab, n = 0 and no points; sl-run starts from it.
void sl_case_init(sl_case *c, const sl_lab_info *lab);

// Can the lab's entry point take this case (type with op, n within bounds, bits)? False with [e].
bool sl_case_check(const sl_case *c, const sl_lab_info *lab, int code, sl_error *e);
