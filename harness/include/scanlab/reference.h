// What the reference.c of a lab with its own entry point defines: the arrays of a call, and what is right.
//
// It is plain C, and the judge loads it. The student's process does not: it knows only entry.h. How to make
// such a lab: docs/internals/adding-a-lab.md.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "scanlab/types.h"

typedef enum sl_role { SL_END, SL_IN, SL_OUT } sl_role;

// One array of a call. The first input has the type and the distribution of the case in lab.json.
typedef struct sl_argument {
  sl_role role;
  const char *name; // in messages
  sl_type type;     // SL_F32, SL_I32 or SL_U32
  size_t fixed;     // elements; 0: as many as the case has
  // Inputs behind the first: the distribution of the generator; beside a dataset `example`. Words `FIRST:ITS`
  // may follow: where the first input has FIRST, this one has ITS.
  const char *dist;
  double tolerance; // outputs of SL_F32: the allowed error, as a share of the right value (of 1 near 0)
} sl_argument;

// A whole number of a call that says how its arrays are meant, such as the width of a table.
typedef struct sl_scalar {
  const char *name;    // in messages; NULL ends the list
  int64_t least, most; // what lab.json and `run --scalars` may give
  int64_t usual;       // where they give none
} sl_scalar;

enum { SL_MOST_INPUTS = 3, SL_MOST_OUTPUTS = 3, SL_MOST_SCALARS = 4 };

// The arrays, inputs and outputs each in the order of SL_CALL in entry.h, ended by {SL_END}.
extern const sl_argument sl_arguments[];

// The scalars, in the order of SL_CALL in entry.h. A lab without any leaves the list out.
extern const sl_scalar sl_scalars[];

// Defined where output 0 is the first input in ascending order, and output 1 where each element stood, equal
// ones in their order: a wrong result is told as that of a sort. Any other lab leaves it out.
extern const bool sl_sorts;

// Computes the right outputs for n elements and the scalars of the call. written[k] is preset to the length
// of output k. A reference that writes less lowers it: what lies behind is not compared.
void sl_reference(size_t n, const int64_t scalars[], const void *const in[], void *const out[],
                  size_t written[]);
