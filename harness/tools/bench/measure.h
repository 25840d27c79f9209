// `scanlab bench cpu|rank|LAB|all`: measures times. (`scanlab bench sim`: harness/tools/bench/sim.)
#pragma once

#include "judge/judge.h"
#include "tools/bench/cpu.h"

// cpu.c: the scans of the CPU and the generators of datasets. Returns an exit code.
int sl__measure_cpu(int argc, char **argv);

// rank.c: does the model order programs as a GPU does? Returns an exit code.
int sl__measure_rank(int argc, char **argv);

// One value in ms: measured, with its least and greatest, or the model's.
typedef struct sl_point {
  const char *family;   // "scan", "sort", or "types": scans of several kinds of elements at one size
  const char *elements; // "u32 add"; for a sort "u32"
  char name[48];        // name of the line
  uint64_t n;
  double ms, lo, hi;
  double copy_ms; // time of a copy of as many bytes, in the same run; 0: not known
} sl_point;

typedef struct sl_points {
  sl_point *at;
  size_t n;
} sl_points;

void sl__point_add(sl_points *p, const sl_point *point); // points.c
const sl_point *sl__point_find(const sl_points *p, const char *family, const char *name, uint64_t n);
// The points as a CSV file, as plots in SVG (one a family), as tables on stdout. FOLDER must be there.
bool sl__points_csv(const sl_points *p, const char *folder, const char *unit, sl_error *e);
bool sl__points_plot(const sl_points *p, const char *folder, const char *ylabel, sl_error *e);
// [rates]: with GB/s and shares of a copy's rate
void sl__points_print(const sl_points *p, const char *unit, bool rates);
// The table of Harris, Sengupta and Owens (GPU Gems 3, chapter 39): elements, CPU, GPU, speed-up.
void sl__points_print_harris(const sl_points *p, const char *unit);

// types.c: what can be scanned: a type and an operator. [name] NULL ends the table.
typedef struct sl_elements {
  const char *name, *key; // key: the type's word
  sl_type type;           // SL_TYPE_COUNT: no lab has it; only the tuned versions take it, on a real GPU
  sl_op op;
  size_t bytes; // bytes of an element
} sl_elements;
extern const sl_elements sl__elements[];
const sl_elements *sl__elements_of(sl_type type, sl_op op);
// Finds elements by the words of --type and --op; either may be NULL. NULL: [e] lists what there is.
const sl_elements *sl__elements_named(const char *type, const char *op, sl_error *e);
bool sl__elements_run_on(const sl_elements *x, sl_backend backend);
size_t sl__elements_bytes(const char *name); // by a point's name of its elements
// The sequential scan on the CPU, exclusive.
void sl__elements_scan(const sl_elements *x, size_t n, const void *in, void *out);
// Lab 05, the CPU and on a real GPU its further lines with all elements at 2^log, and their table on stdout.
bool sl__measure_types(sl_backend backend, unsigned log, unsigned repeats, sl_points *p, sl_error *e);
void sl__types_print(const sl_points *p, const char *unit);

// lines.c: fills [p]; sizes are the powers of two from [from] to [to], [step] exponents apart.
typedef struct sl_sizes {
  unsigned from, to, step, repeats;
  const sl_elements *elements; // NULL: each line's own; else only the lines that can take these
} sl_sizes;
bool sl__measure_lab(const char *number, sl_backend backend, const sl_sizes *r, sl_points *p, sl_error *e);
bool sl__measure_cpu_lines(const sl_sizes *r, bool sorts, sl_points *p, sl_error *e);
// ladder.c: further steps, simulated: lab 05's with any elements, lab 06's tuned scan and sort of u32
typedef enum sl_further { SL_FURTHER_05, SL_FURTHER_06 } sl_further;
bool sl__measure_ladder(sl_further which, const sl_sizes *r, sl_points *p, sl_error *e);
bool sl__measure_further(const sl_sizes *r, const char *family, sl_points *p, sl_error *e);
