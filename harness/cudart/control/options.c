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

// The place of [name] in [names]; [what] and [hint] are for the message.
static bool read_name(const char *name, const char *const *names, const char *what, const char *hint, uint32_t *out,
                      sl_error *e) {
  for (uint32_t i = 0; names[i]; i++)
    if (strcmp(names[i], name) == 0) {
      *out = i;
      return true;
    }
  const char *near = sl_nearest(name, names);
  char mean[64];
  snprintf(mean, sizeof mean, "did you mean %s?", near ? near : "");
  return sl_fail(e, SL_EXIT_USAGE, near ? mean : hint, "there is no %s '%s'", what, name);
}

bool sl_gpu_order_read(const char *name, uint32_t *out, sl_error *e) {
  static const char *const names[] = {
      [SL_ORDER_IN] = "in", [SL_ORDER_REVERSE] = "reverse", [SL_ORDER_RANDOM] = "random", NULL};
  return read_name(name, names, "block order", "use in, reverse or random", out, e);
}

bool sl_gpu_warps_read(const char *name, uint32_t *out, sl_error *e) {
  static const char *const names[] = {[SL_WARPS_GREEDY] = "greedy",
                                      [SL_WARPS_ROUND_ROBIN] = "round-robin",
                                      [SL_WARPS_RANDOM] = "random",
                                      [SL_WARPS_ONE_AHEAD] = "one-ahead",
                                      NULL};
  return read_name(name, names, "order of warps", "use greedy, round-robin, random or one-ahead", out, e);
}
