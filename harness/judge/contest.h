// Timing a submission on a real GPU so that the time can be trusted: batches of calls, measured from outside
// its process, in turns with the reference solution and a plain copy.
//
// A round is: outputs cleared and the cache made cold; the clock starts; the judge makes the inputs of all
// calls of the batch on the device; GO; DONE; the judge checks every output on the device; the clock stops.
// So a submission gains nothing by an answer before its work is done, nor by work before the question; what
// making, handshake and checking take is measured by rounds without a call, made by the reference's process,
// and taken off.
#ifndef SL_JUDGE_CONTEST_H
#define SL_JUDGE_CONTEST_H

#include "judge/run.h"

// Before the submission's process is there: calibrates with the reference alone. True at once where nothing
// is to be timed. All return false when the verdict is not a pass.
bool sl__contest_begin(sl_judging *j);
bool sl__contest_run(sl_judging *j); // fills v->speed
void sl__contest_end(sl_judging *j);

#endif
