// What the right answer is, and how an answer differs from it: CPU scans and sorts, and the comparison.
//
// The reference never uses the method of a lab: scans are one sequential loop (float sums in double), sorts
// are a merge sort of (key, index) pairs. A comparison fails closed: only a value that is shown to be right
// counts. Internal header: functions grouped by the file that defines them, in reading order.
#ifndef SL_REFERENCE_REFERENCE_H
#define SL_REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include "scanlab/types.h"

// element.c -------------------------------------------------------------------------------------------------

// One element of any type. Which member holds is told by the sl_type that comes with it.
typedef union sl_elem {
  float f;
  int32_t i;
  uint32_t u;
  sl_affine a;
} sl_elem;

size_t sl_elem_size(sl_type type);
sl_elem sl_elem_at(const void *array, sl_type type, size_t i);
// Are the two the same value? Bit for bit; as floats also -0 with +0, and any NaN with any NaN.
bool sl_elem_same(sl_type type, sl_elem x, sl_elem y);
bool sl_elem_bits_same(sl_type type, sl_elem x, sl_elem y);
// "1.5 (0x3fc00000)", "-7", "7 (0x00000007)", "{3, 4}". Returns [out].
char *sl_elem_text(sl_type type, sl_elem x, char *out, size_t cap);

// Is there a scan of that type with that operator?
bool sl_op_valid(sl_type type, sl_op op);
sl_elem sl_op_identity(sl_type type, sl_op op);
sl_elem sl_op_apply(sl_type type, sl_op op, sl_elem left, sl_elem right);

// scan.c ----------------------------------------------------------------------------------------------------

typedef struct sl_scan_spec {
  sl_type type;
  sl_op op;
  sl_kind kind;
  size_t n;
} sl_scan_spec;

// The right result of a scan of spec.n elements. For float sums `sum` and `magnitude` hold what the rounding
// test needs.
typedef struct sl_scan_ref {
  sl_scan_spec spec;
  void *want;        // spec.n elements; a float sum is the double sum, rounded once
  double *sum;       // the sums in double; NULL unless float sums with rounding
  double *magnitude; // sums of |x|, as far as sum[i] goes
  double factor;     // sl_rounding_factor of n
} sl_scan_ref;

// The scan alone: spec.n elements from [in] to [out], which do not overlap. A float sum is the double sum,
// rounded once.
void sl_scan_run(const sl_scan_spec *spec, const void *in, void *out);
// The same on [threads] cores (0: all of this machine): the total of each part, then each part from what
// comes before it (scan_parallel.c). Integers: bit for bit the same. False: no memory or no threads.
bool sl_scan_run_parallel(const sl_scan_spec *spec, unsigned threads, const void *in, void *out);

// Parts of both. [acc] goes in as what comes before in[0] and out as the total; [out] NULL: the total alone.
void sl__op_scan(const sl_scan_spec *spec, sl_elem *acc, const void *in, void *out); // element.c
bool sl__is_float_sum(const sl_scan_spec *spec);
// Fills r->want, and r->sum and r->magnitude if they are there, on [threads] cores (0: all). scan_parallel.c
bool sl__scan_ref_fill(sl_scan_ref *r, unsigned threads, const void *in);
// What comes before elements [from, from + n) of a float sum, with that of |x|; adding theirs makes it the
// total.
typedef struct sl__carry {
  double sum, magnitude;
} sl__carry;
// scan.c
void sl__scan_with_magnitude(sl_scan_ref *r, size_t from, size_t n, const float *in, sl__carry *carry);

// vectors.c: as sl__op_scan, of 4-byte elements.
void sl__scan_words_add_u32(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out);
void sl__scan_words_max_u32(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out);
void sl__scan_words_max_i32(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out);
void sl__scan_words_max_f32(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out);
// Sums of floats in double, as wide as this CPU can, and two at a time as any can: the same bits. Returns the
// total.
double sl__scan_doubles(const sl_scan_spec *spec, double acc, const float *in, float *out);
double sl__scan_doubles_by_twos(const sl_scan_spec *spec, double acc, const float *in, float *out);

// Computes the reference on [threads] cores (0: all of this machine, where n is worth it); [rounding]: also
// what sl_compare_scan needs to allow for rounding. False: out of memory.
bool sl_scan_ref_make(sl_scan_ref *r, const sl_scan_spec *spec, const void *in, bool rounding,
                      unsigned threads);
void sl_scan_ref_free(sl_scan_ref *r);

// The most that a float32 scan of n elements may be off at element i by rounding alone, whatever tree of
// additions with tiles of 2048 or more computes it: 2 * gamma_d * magnitude[i], d = 2 ceil(log2 n) + n/2048 +
// 2, gamma_d = d u / (1 - d u), u = 2^-24 (Higham 1993).
double sl_rounding_factor(size_t n);

// sort.c ----------------------------------------------------------------------------------------------------

// The place of the key with these bits in ascending order: an unsigned number, by totalOrder for floats.
uint32_t sl_sort_rank(sl_type type, uint32_t bits);

// Stable ascending sort: order[k] is the index of the input element that belongs at place k. On [threads]
// cores (0: all of this machine, where n is worth it). n is at most 2^32. False: out of memory.
bool sl_sort_order(sl_type type, const uint32_t *keys, size_t n, uint32_t *order, unsigned threads);

// compare.c, patterns.c, sort_check.c -----------------------------------------------------------------------

// How a result differs from the reference. Filled by the two functions below.
typedef struct sl_mismatch {
  size_t n, wrong, first; // elements, wrong ones, index of the first wrong one
  bool unwritten;         // the wrong ones hold what the output held before the call
  char summary[640];      // one line: how many, the first, the pattern
  char detail[2048];      // the first five with their neighbours; empty if unwritten
} sl_mismatch;

typedef struct sl_scan_check {
  const sl_scan_ref *ref;
  const void *in, *got;
  const void *poison; // what the output held before the call; NULL: unknown
} sl_scan_check;

// Is the result right? By sl_elem_same, or within the rounding bound if the reference carries it. Else fills
// [m].
bool sl_compare_scan(const sl_scan_check *c, sl_mismatch *m);
// Are elements [first] to [first + count] right, which came back as [got]? The same test on all cores,
// without the report.
bool sl_scan_part_right(const sl_scan_ref *r, size_t first, size_t count, const void *got);

// An element without its bits, so that a row of them can be read.
char *sl__short_text(sl_type type, sl_elem x, char *out, size_t cap);
// Nothing to compare, so no values: "5 of 9 elements were never written, the first is out[4]".
void sl__tell_unwritten(sl_mismatch *m, const char *array);
// Do all wrong elements hold what the output held before the call?
bool sl__scan_unwritten(const sl_scan_check *c, const sl_mismatch *m);
// What fits all wrong elements, as a phrase ("element i holds the inclusive result"); NULL when nothing fits.
// [text] is room for the phrase.
const char *sl__scan_pattern(const sl_scan_check *c, const sl_mismatch *m, char *text, size_t cap);

// Is got[i] a right value for want[j]?
bool sl__scan_matches(const sl_scan_check *c, size_t i, size_t j);

typedef struct sl_sort_check {
  sl_type type;
  size_t n;
  const uint32_t *keys_in, *values_in;   // values: NULL for keys alone
  const uint32_t *order;                 // of sl_sort_order
  const uint32_t *keys_out, *values_out; // what came back
  const uint32_t *poison;                // what keys_out held before the call; NULL: unknown
} sl_sort_check;

// Is the result the stable sort of the input, payloads included, bit for bit? Else fills [m].
bool sl_compare_sort(const sl_sort_check *c, sl_mismatch *m);
// Are keys (or, [values], payloads) [first] to [first + count] right, which came back as [got]? Of [c], what
// came back is not looked at. On all cores, without the report.
bool sl_sort_part_right(const sl_sort_check *c, bool values, size_t first, size_t count, const uint32_t *got);

#endif
