// What the tests of the judge share: the programs that they judge, a case, and what a verdict must say.
#pragma once

#include <sys/prctl.h>
#include "base/unit.h"
#include "judge/judge.h"

extern char *hostile, *exits_early, *answers_early, *hidden_work; // runners, built before the first test

sl_verdict judged(const char *runner, const sl_case *c, sl_part_kind kind);
sl_case a_case(uint64_t n); // lab 03's, of n elements

// The verdict has this reason and its status, and the phrase in its message. It is returned.
const sl_verdict *expect(const sl_verdict *v, sl_reason why, const char *phrase);
void expect_detail(const sl_verdict *v, const char *phrase);
void expect_judged(const char *runner, const sl_case *c, sl_part_kind kind, sl_reason why,
                   const char *phrase);
void expect_fail(const char *runner, uint64_t n, sl_reason why, const char *phrase);
// The case [c] on hostile.cu: the verdict, and phrases of its detail, ended by NULL.
void expect_told(const sl_case *c, sl_reason why, const char *phrase, ...) __attribute__((sentinel));
// As expect_judged, and with less than 15 seconds of processor time.
void expect_soon(const sl_case *c, sl_reason why, const char *phrase);
void expect_counted(const char *runner, uint64_t n, sl_expect bound, sl_reason why, const char *phrase);
