// Measurements for the plots of the report: each curve is one entry point of one lab over a ladder of sizes.
#pragma once

#include "grade.h"

typedef struct sl_curve {
  const char *id, *title, *lab; // id: name of the TSV file
  const char *fields;           // fields of the measured case beside the lab's usual ones, as in lab.json
  int first, last, last_gpu;    // sizes 2^first .. 2^last; on a real GPU up to 2^last_gpu
  int adds_from; // the plot shows its float additions from 2^adds_from elements (a full tile); 0: never
} sl_curve;
extern const sl_curve sl__curves[]; // ended by a NULL id

// Measures every curve whose lab gives right results, or reads earlier measurements of the same programs.
// Returns {CURVE: [{"n", "ms", "reference_ms", "adds", "instructions", "phases"}]}; NULL with [e].
json_t *sl__measure(sl_grading *g, const sl_submission *s, sl_error *e);
