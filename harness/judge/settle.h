// What one result means for the points of other cases of its lab. The grader and `check` ask the same.
#pragma once

#include "judge/cases.h"
#include "judge/reason.h"

// A result: why it is one, what its reason names, and the points that it keeps of its own.
typedef struct sl_outcome {
  sl_status status;
  sl_reason why;
  const json_t *fields; // NULL: none
  double points;
} sl_outcome;

// The reason for which the result of [by] takes the points of [of], another case of the same lab;
// SL_REASON_COUNT: it leaves them.
sl_reason sl_taken_by(const sl_case *of, const sl_case *by, const sl_outcome *o);
