// What one result means for the points of other cases of its lab. The grader and `check` ask the same.
#pragma once

#include "judge/cases.h"
#include "judge/reason.h"

// The reason for which the result of [by], which keeps [points] of its own, takes those of [of], another case
// of the same lab; SL_REASON_COUNT: it leaves them.
sl_reason sl_taken_by(const sl_case *of, const sl_case *by, sl_status status, sl_reason why, double points);
