// Functions that the device runtime provides: vprintf, __assertfail, malloc, free.
#include <stdio.h>
#include "sim/core.h"

sl_step sl__call_builtin(sl_warp *w, const sl_xinsn *i, const sl_func *fn) {
  (void)fn;
  sl__finding_at(w, i, __builtin_ctz(w->mask), SL_LAUNCH_ILLEGAL, "kernel.illegal", "not there yet");
  return SL_STEP_FAULT;
}
