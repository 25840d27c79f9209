// The right answers: scans and sorts on the CPU, and the comparison that says how an answer differs.
//
// The reference never uses the method of a lab: scans are one sequential loop (float sums in double), sorts
// are a merge sort of (key, index) pairs. A comparison fails closed: only a value that is shown to be right
// counts. Internal header: functions grouped by the file that defines them, in reading order.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "scanlab/types.h"

// element.c -------------------------------------------------------------------------------------------------

// One element of any type. The sl_type that comes with it says which member holds.
typedef union sl_elem {
  float f;
  int32_t i;
  uint32_t u;
  sl_affine a;
} sl_elem;

// Inline, as wrong results of many elements are looked at one by one.
static inline size_t sl_elem_size(sl_type type) { return type == SL_AFFINE ? sizeof(sl_affine) : 4; }

static inline sl_elem sl_elem_at(const void *array, sl_type type, size_t i) {
  sl_elem x = {.a = {0, 0}};
  if (type == SL_AFFINE) memcpy(&x.a, (const sl_affine *)array + i, sizeof x.a);
  else memcpy(&x.u, (const uint32_t *)array + i, sizeof x.u);
  return x;
}

static inline bool sl_elem_bits_same(sl_type type, sl_elem x, sl_elem y) {
  return x.a.a == y.a.a && (type != SL_AFFINE || x.a.b == y.a.b);
}

// Are the two the same value? If their bits are equal; as floats, so are -0 and +0, and two NaNs.
static inline bool sl_elem_same(sl_type type, sl_elem x, sl_elem y) {
  if (sl_elem_bits_same(type, x, y)) return true;
  return type == SL_F32 && ((x.f == 0 && y.f == 0) || (isnan(x.f) && isnan(y.f)));
}

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

// The right result of a scan of spec.n elements. `sum` and `magnitude` serve the rounding test of float sums.
typedef struct sl_scan_ref {
  sl_scan_spec spec;
  void *want;        // spec.n elements; a float sum is the double sum, rounded once
  double *sum;       // the sums in double; NULL unless float sums with rounding
  double *magnitude; // magnitude[i]: the sum of |x| over the elements of sum[i]
} sl_scan_ref;

// Scans spec.n elements from [in] to [out], which do not overlap. Float sums are double sums, rounded once.
void sl_scan_run(const sl_scan_spec *spec, const void *in, void *out);
// The same on [threads] cores (0: all of this machine), as scan_parallel.c says. Integers: bit for bit the
// same. False: no memory or no threads.
bool sl_scan_run_parallel(const sl_scan_spec *spec, unsigned threads, const void *in, void *out);

// Parts of both. [acc] holds the prefix before in[0], and the total afterwards; [out] NULL: only the total.
void sl__op_scan(const sl_scan_spec *spec, sl_elem *acc, const void *in, void *out); // element.c
bool sl__is_float_sum(const sl_scan_spec *spec);
// Fills r->want, and r->sum and r->magnitude if they are there, on [threads] cores (0: all). scan_parallel.c
bool sl__scan_ref_fill(sl_scan_ref *r, unsigned threads, const void *in);
// The prefix before elements [from, from + n) of a float sum, and that of |x|. The scan adds to it.
typedef struct sl__carry {
  double sum, magnitude;
} sl__carry;
// scan.c
void sl__scan_with_magnitude(sl_scan_ref *r, size_t from, size_t n, const float *in, sl__carry *carry);

// vectors.c: like sl__op_scan, for 4-byte elements.
void sl__scan_words_add_u32(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out);
void sl__scan_words_max_u32(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out);
void sl__scan_words_max_i32(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out);
void sl__scan_words_max_f32(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out);
// Sums of floats in double: the first as wide as this CPU can, the second two at a time as any CPU can. Both
// give the same bits and return the total.
double sl__scan_doubles(const sl_scan_spec *spec, double acc, const float *in, float *out);
double sl__scan_doubles_by_twos(const sl_scan_spec *spec, double acc, const float *in, float *out);

// Computes the reference on [threads] cores (0: all of this machine if n is large). [rounding]: also fills
// what sl_compare_scan needs to allow for rounding. False: out of memory.
bool sl_scan_ref_make(sl_scan_ref *r, const sl_scan_spec *spec, const void *in, bool rounding,
                      unsigned threads);
void sl_scan_ref_free(sl_scan_ref *r);

// The right result of a scan whose elements are looked at in order, each once, so that it need not be kept.
// Sums of floats have a rounding bound: they are not looked at so.
typedef struct sl_scan_walk {
  sl_scan_spec spec;
  const void *in;
  sl_elem before; // the prefix of the elements so far
  size_t at, room;
  void *want; // the right results of one piece; [room] elements
} sl_scan_walk;

sl_scan_walk sl_scan_walk_begin(const sl_scan_spec *spec, const void *in);
// Are the next [count] elements right? False, too, if there is no memory.
bool sl_scan_walk_right(sl_scan_walk *w, size_t count, const void *got);
// Adds the wrong ones among the next [count] elements to *wrong; *first: the index of the first of them all,
// if it is among these. False: there is no memory.
bool sl_scan_walk_count(sl_scan_walk *w, size_t count, const void *got, size_t *wrong, size_t *first);
void sl_scan_walk_end(sl_scan_walk *w);

// Bounds the rounding error of a float32 sum of [terms] numbers in any order of summation: it is off by at
// most the factor times the sum of |x|. The worst order makes terms - 1 additions one after the other:
// gamma_d with d = terms, gamma_d = d u / (1 - d u), u = 2^-24 (Higham 1993). For few terms: twice the bound
// of a scan by a tree, up and down.
double sl_rounding_factor(size_t terms);
// The same for element i of a scan, times the sum of |x| before it.
double sl_rounding_bound(const sl_scan_ref *r, size_t i);

// sort.c ----------------------------------------------------------------------------------------------------

// Maps a key's bits to an unsigned number in the same order (floats: IEEE 754 totalOrder).
uint32_t sl_sort_rank(sl_type type, uint32_t bits);

// Stable ascending sort: order[k] is the index of the input element that belongs at place k. Runs on
// [threads] cores (0: all of this machine if n is large). n is at most 2^32. False: out of memory.
bool sl_sort_order(sl_type type, const uint32_t *keys, size_t n, uint32_t *order, unsigned threads);

// compare.c, patterns.c, sort_check.c -----------------------------------------------------------------------

// What fits all wrong elements: a row of patterns.def.
typedef enum sl_pattern {
  SL_PATTERN_NONE,
#define SL_PATTERN(name, id, text) SL_PATTERN_##name,
#include "reference/patterns.def"
#undef SL_PATTERN
  SL_PATTERN_COUNT
} sl_pattern;
const char *sl_pattern_id(sl_pattern p); // "" for SL_PATTERN_NONE

// How a result differs from the reference. Filled by the two functions below.
enum { SL_SHOWN_ELEMENTS = 5 };

typedef struct sl_mismatch {
  size_t n, wrong, first; // elements, wrong ones, index of the first wrong one
  bool unwritten; // the wrong elements still hold what the output held before the call; nothing below is set
  sl_pattern pattern;
  char got[64], expected[64]; // the first wrong one, as text
  bool payloads;              // a sort of pairs: its payload, too
  uint32_t payload, payload_expected;
  size_t descent;                               // SL_PATTERN_DESCENT: the first key below the one before
  char detail[2048];                            // the first five with their neighbours
  unsigned n_around, around[SL_SHOWN_ELEMENTS]; // lines of the detail, from 0, that show neighbours
} sl_mismatch;

typedef struct sl_scan_check {
  const sl_scan_ref *ref;
  const void *in, *got;
  const void *poison; // what the output held before the call; NULL: unknown
} sl_scan_check;

// Is the result right: equal (sl_elem_same), or within the reference's rounding bound? If not, fills [m].
bool sl_compare_scan(const sl_scan_check *c, sl_mismatch *m);
// Are the elements from [first] to [first + count], in [got], right? The same on all cores, no report.
bool sl_scan_part_right(const sl_scan_ref *r, size_t first, size_t count, const void *got);

// summands.c: "in[0] + 2 in[1]"; false: the input does not show which elements a sum holds
bool sl_summands(const sl_scan_check *c, sl_elem sum, char *out, size_t cap);
// The next line of the detail shows an element's neighbours.
void sl__neighbours_follow(sl_mismatch *m);
// Writes an element without its bits, for rows of elements. Returns [out].
char *sl__short_text(sl_type type, sl_elem x, char *out, size_t cap);
// Do all wrong elements still hold what the output held before the call?
bool sl__scan_unwritten(const sl_scan_check *c, const sl_mismatch *m);
sl_pattern sl__scan_pattern(const sl_scan_check *c, const sl_mismatch *m);

// Is got[i] a right value for want[j]?
bool sl__scan_matches(const sl_scan_check *c, size_t i, size_t j);

typedef struct sl_sort_check {
  sl_type type;
  size_t n;
  const uint32_t *keys_in, *values_in;   // values: NULL for keys alone
  const uint32_t *order;                 // from sl_sort_order
  const uint32_t *keys_out, *values_out; // what came back
  const uint32_t *poison;                // what keys_out held before the call; NULL: unknown
} sl_sort_check;

// Is the result bit for bit the stable sort of the input, payloads included? If not, fills [m].
bool sl_compare_sort(const sl_sort_check *c, sl_mismatch *m);
// Are the keys ([values]: the payloads) from [first] to [first + count], read back into [got], right? Uses
// [c] without keys_out and values_out. On all cores, without the report.
bool sl_sort_part_right(const sl_sort_check *c, bool values, size_t first, size_t count, const uint32_t *got);
