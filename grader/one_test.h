// One test of a grading, and what it can ask of the others of its lab. sl-test's own parts share it.
#pragma once

#include "grade.h"

// Those of all labs, of which a test looks at its own lab's.
typedef struct sl_tickets {
  const sl_ticket *at;
  size_t n;
} sl_tickets;

typedef struct sl_one_test {
  const char *dir;         // the submission's folder of tests
  const json_t *jobs;      // the lab's tests
  const json_t *job;       // this one
  const sl_ticket *ticket; // this one's
  sl_tickets all;
} sl_one_test;

// one_test.c ------------------------------------------------------------------------------------------------

// A command line of the judge, ended by NULL.
typedef struct sl_judge_words {
  const char *at[24];
  size_t n;
} sl_judge_words;
// The judge with what it is told of every test of the lab on the device of this one.
sl_judge_words sl__judge_words(const sl_one_test *t);

// earlier.c: records and ends of tests, and what follows from them ------------------------------------------

// Where the record of a test is ("json"), or how it ended ("end"); to be freed.
char *sl__job_file(const sl_one_test *t, const char *test, const char *kind);
const sl_ticket *sl__job_ticket(const sl_one_test *t, const char *test);
// The record of a test of this run, to be freed; NULL: there is none.
json_t *sl__job_record(const sl_one_test *t, const char *test);
// The same of the first test on the simulated GPU that spares a real one the test of [job]; NULL: it runs.
json_t *sl__spared_by(const sl_one_test *t, const json_t *job);
// The same of the third test of the lab that did not end on the real GPU of this test; NULL: there are fewer.
json_t *sl__hung_by(const sl_one_test *t);
// Have so many tests of the lab not ended that the others have little time?
bool sl__is_slow_lab(const sl_one_test *t);
bool sl__is_long(const json_t *timed);
bool sl__is_endless(const json_t *record);
// Writes the record of a test that is spared, in place of the judge's.
bool sl__write_spared(const sl_one_test *t, const json_t *by, sl_error *e);

// together.c: tests of a lab that are judged in one process -------------------------------------------------

// Is this test one of several that are judged together? *first: it starts their judge.
bool sl__is_together(const sl_one_test *t, bool *first);
void sl__judge_together(const sl_one_test *t);
