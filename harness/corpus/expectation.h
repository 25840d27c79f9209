// What a wrong kernel says of itself in its first lines, which are the same in every folder of the corpus:
//
//   // expect: ITEM[, ITEM ..]      what must be found; several such lines make one list
//   // expect NAME: ITEM[, ITEM ..] the same of the mistake NAME, in a file that has several; the lines
//                                   below it are of that mistake
//   // with: OPTIONS                options of sl-sim that it takes
//   // says: TEXT                   what sl-sim must print besides
//   // exits: STATUS                the exit status of the wrong program: 0 if the line is left out; of a
//                                   kernel of a lab any
//
// An ITEM of a program that sl-sim runs:
//
//   nothing                         no finding
//   KIND                            a finding of this kind, or (output.differs) what the judge says of it
//   KIND at [each|only] PLACE       one of the finding's two places is PLACE: a line's number, or a word.
//                                   A WORD stands for the lines that end with the comment "// WORD" or
//                                   "// WORD, trip 3" (in the third trip of a loop). each: every such line is
//                                   found; only: all findings of the kind have their first place there
//   COUNTER above N [at LINE]       more than N of it is the mistake; LINE has most of it
//
// An ITEM of a wrong submission (corpus/labs) is the name of a test that fails; "03.sync.*" is all of a part,
// "03.scan.!(n0|n1)" all but those two; "maybe 06.types.every_kind" one that fails with some keys of a
// grading and passes with others. In an optional lab it is the name of a part that loses points, "13.sums".
// Right submissions are in corpus/labs/right, and their grammar in right.sh.
#pragma once

#include "base/base.h"

enum { SL_MAX_ITEMS = 64 };

typedef struct sl_expectation {
  char *text; // the whole file
  char *item[SL_MAX_ITEMS];
  size_t n;                  // 0: nothing
  char *with, *says, *exits; // "": none
} sl_expectation;

// Reads what [file] says of its mistake [name], or of its only one (NULL). False with [e] if there is no
// expectation. sl_expectation_free in any case.
bool sl_expectation_read(const char *file, const char *name, sl_expectation *x, sl_error *e);
void sl_expectation_free(sl_expectation *x);
