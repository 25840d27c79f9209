// Options of the simulated GPU, as its starters set them.
#include "cudart/control.h"

#include <stdio.h>
#include <string.h>

void sl_gpu_options_init(sl_gpu_options *o) {
  memset(o, 0, sizeof *o);
  o->order = SL_ORDER_IN;
  o->counters = 1;
  o->checks = SL_CHECK_ALL;
}

bool sl_gpu_order_read(const char *name, uint32_t *out, sl_error *e) {
  static const char *const names[] = {
      [SL_ORDER_IN] = "in", [SL_ORDER_REVERSE] = "reverse", [SL_ORDER_RANDOM] = "random", NULL};
  for (uint32_t i = 0; names[i]; i++)
    if (strcmp(names[i], name) == 0) {
      *out = i;
      return true;
    }
  const char *near = sl_nearest(name, names);
  char hint[64] = "use in, reverse or random";
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  return sl_fail(e, SL_EXIT_USAGE, hint, "there is no block order '%s'", name);
}
