// Decides when to stop measuring, and whether to believe a measurement.
//
// Interface: sl_stop_now, sl_clocks_agree (timing.h).
#include "timing/timing.h"

const char *const sl_stop_names[] = {"", "interval", "time", "count", "settled", NULL};

static bool all_narrow(const sl_stop_rule *rule, const sl_sample *samples, unsigned contenders) {
  for (unsigned k = 0; k < contenders; k++) {
    sl_interval x = sl_median_interval(samples[k].at, samples[k].n, k + 1);
    if (!(sl_half_width(&x) < rule->width)) return false;
  }
  return true;
}

sl_stop sl_stop_now(const sl_stop_rule *rule, const sl_sample *samples, unsigned contenders, double elapsed) {
  unsigned fewest = samples[0].n;
  for (unsigned k = 1; k < contenders; k++)
    if (samples[k].n < fewest) fewest = samples[k].n;
  if (fewest == 0) return SL_GO_ON;
  if (fewest >= rule->least && all_narrow(rule, samples, contenders)) return SL_STOP_NARROW;
  if (elapsed >= rule->seconds) return SL_STOP_TIME;
  return fewest >= rule->most ? SL_STOP_MOST : SL_GO_ON;
}

bool sl_clocks_agree(double device, double host, double overhead, double unsure) {
  const double share = 0.05;
  double net = host - overhead, slack = unsure + share * host;
  return device > 0 && device <= host * (1 + share) && device - net <= slack && net - device <= slack;
}
