// Times a submission on a real GPU so that the time can be trusted: in batches of calls, from outside its
// process, in turns with the reference solution and a plain copy.
//
// A round: clear outputs and empty the cache; start the clock; make the inputs of all calls of the batch on
// the device; GO; DONE; check every output on the device; stop the clock. So a submission gains nothing by
// answering before its work is done, or by working before the question. The reference's process also plays
// rounds without a call: their time, for inputs, handshake and checks, is subtracted.
#pragma once

#include "judge/run.h"

// Calibrates with the reference alone, before the submission's process exists. Returns true at once if the
// case is not timed. All return false if the verdict is not a pass.
bool sl__contest_begin(sl_judging *j);
bool sl__contest_run(sl_judging *j); // fills v->speed
// When the submission's process has ended: was the reference as fast beside it as alone?
bool sl__contest_undisturbed(sl_judging *j);
void sl__contest_end(sl_judging *j);
