// The files that sl-selftest and the CUDA programs exchange: a head, then the rows, each with its data.
// Operands: n x 4 x 8 bytes a row. Results: forms x n x results x 8 bytes.
#pragma once

#include <stdint.h>

#define ST_MAGIC 0x31434556534c5f31ull

typedef struct st_head {
  uint64_t magic;
  uint32_t rows, arch;
  char device[64]; // where the results were made
} st_head;

// vectors: hash of the forms and of their operands; only equal ones can be compared.
typedef struct st_row_head {
  uint64_t vectors;
  uint32_t row, n, forms, results;
} st_row_head;
