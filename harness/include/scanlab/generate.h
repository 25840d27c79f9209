// Inputs by name: every distribution is a function of (seed, index, n), the same bytes on every platform.
//
// Element i of an array is computed from the seed and i alone (sorted and spike also use n), so any part of
// an array can be made without the rest. Floats are made from integers by exact steps.
#ifndef SCANLAB_GENERATE_H
#define SCANLAB_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "scanlab/types.h"

struct sl_error;

// What to generate.
typedef struct sl_gen_spec {
  const char *dist; // name of a distribution, "sparse", or of one about some numbers, "sparse@777,255"
  sl_type type;
  size_t n;
  uint64_t seed;
} sl_gen_spec;

// One distribution: its name, the types it has (bit 1 << sl_type), and one line of help.
typedef struct sl_dist_info {
  const char *name;
  unsigned types;
  const char *help;
} sl_dist_info;

// The distribution at [index] of the table, false after the last.
bool sl_dist_at(size_t index, sl_dist_info *out);

// What is behind the @ of a distribution's name.
enum { SL_MOST_ABOUT = 8 };
typedef struct sl_about {
  size_t base; // characters before the @
  unsigned n;  // 0: there is none
  uint32_t at[SL_MOST_ABOUT];
} sl_about;
bool sl_about_read(const char *dist, sl_about *a, struct sl_error *e);

// Does [dist] exist and have [type]? If not, [e] suggests the nearest name, or the types that it has.
bool sl_dist_check(const char *dist, sl_type type, struct sl_error *e);

// Writes spec->n elements to [out].
bool sl_generate(const sl_gen_spec *spec, void *out, struct sl_error *e);

// Writes elements [first, first + count) of the array that [spec] describes to [out].
bool sl_generate_part(const sl_gen_spec *spec, size_t first, size_t count, void *out, struct sl_error *e);

#endif
