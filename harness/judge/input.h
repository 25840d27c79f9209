// Inputs of calls: generated, or taken from a dataset. The same case, size and call give the same input.
#pragma once

#include "judge/cases.h"
#include "scanlab/npy.h"

// Where a case's inputs come from. A dataset's array is loaded once a process; a file's is the source's own.
typedef struct sl_source {
  const sl_case *c;
  sl_array whole;
  bool own;
} sl_source;

// The input of one call.
typedef struct sl_input {
  size_t n;
  void *data;       // n elements of the case's type
  uint32_t *values; // payloads, all different; NULL unless the case has values
} sl_input;

// [data_dir]: folder of .npy files, NULL: the build's. A dataset that ends in ".npy" is a file.
bool sl_source_open(sl_source *s, const sl_case *c, const char *data_dir, sl_error *e);
void sl_source_close(sl_source *s);
// Input number [call] (0, 1, ..) of [n] elements; n SL_WHOLE: all of the dataset.
bool sl_source_take(const sl_source *s, uint64_t n, unsigned call, sl_input *out, sl_error *e);
void sl_input_free(sl_input *in);

// Are all partial sums of these floats whole numbers up to 2^24, so that no order of additions matters?
bool sl_input_exact(const float *x, size_t n);
size_t sl_input_nan(const float *x, size_t n); // index of the first NaN; n if there is none
