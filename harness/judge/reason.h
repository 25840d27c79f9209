// Reasons: why a verdict is what it is, as a row of verdicts.def and fields (a JSON object). Records, results
// and reports carry both, and programs read them. This part makes words from them, for people only.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

// What became of a test.
typedef enum sl_status {
  SL_PASS,
  SL_FAIL,    // the submission is at fault
  SL_ERROR,   // something else is at fault
  SL_SKIP,    // left out on purpose
  SL_UNTRIED, // left out because the run ended before
  SL_STATUS_COUNT
} sl_status;
extern const char *const sl_status_names[]; // NULL behind the last
sl_status sl_status_find(const char *name); // SL_STATUS_COUNT: none of them; [name] may be NULL

typedef enum sl_reason {
#define SL_REASON(name, ...) SL_REASON_##name,
#include "judge/verdicts.def"
#undef SL_REASON
  SL_REASON_COUNT
} sl_reason;

typedef struct sl_reason_row {
  const char *id, *text, *brief, *hint;
} sl_reason_row;
const sl_reason_row *sl_reason_of(sl_reason r);
sl_reason sl_reason_find(const char *id); // SL_REASON_COUNT: none of them; [id] may be NULL
bool sl_reason_is_leak(
    sl_reason r); // a right result, and something left behind: the case keeps half its points
// Did the program compute or wait until it was stopped? Defined here, as sl-test is not linked with reason.c.
static inline bool sl_reason_is_endless(sl_reason r) {
  return r == SL_REASON_PROGRAM_BUSY || r == SL_REASON_PROGRAM_IDLE || r == SL_REASON_LATE ||
         r == SL_REASON_LATE_EXIT;
}

// Are these no words of a schedule (NULL, ""), or those of the one that every run has?
bool sl_schedule_is_usual(const char *words);

// The message, with the call, and the schedule if it is not the usual one; not yet printable. Returns [out].
char *sl_reason_text(sl_reason r, const json_t *fields, char *out, size_t cap);
// A shorter message, for readers who are shown the elements as well.
char *sl_reason_brief(sl_reason r, const json_t *fields, char *out, size_t cap);
