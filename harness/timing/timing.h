// Decides whether a measured time can be trusted: medians and their intervals, when to stop measuring,
// whether two clocks agree, the state of the device. The judge (`grade`, `run`) and `bench` use it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// interval.c ------------------------------------------------------------------------------------------------

double sl__median(double *x, unsigned n); // sorts [x] in place; n > 0

// A value and its interval: in 95 of 100 measurements like this one the true value lies within.
typedef struct sl_interval {
  double value, lo, hi;
} sl_interval;

// The median of [n] > 0 values with the percentile bootstrap's interval of 95 %. [seed] decides the
// resamples: the same values with the same seed give the same interval. Below 6 values it is their range.
sl_interval sl_median_interval(const double *x, unsigned n, uint64_t seed);

// The values of one contender.
typedef struct sl_sample {
  const double *at;
  unsigned n;
} sl_sample;

// The ratio median(a) / median(b) of two samples, with a bootstrap interval of the ratio itself. [offset] is
// a sample of what a call costs besides the work (NULL: nothing); its median is subtracted from both, and its
// uncertainty counts. If the denominator is then not positive, the interval is 0 to infinity.
sl_interval sl_ratio_interval(sl_sample a, sl_sample b, const sl_sample *offset, uint64_t seed);

// The relative half width (hi - lo) / 2 / value; infinite if the value is not positive.
double sl_half_width(const sl_interval *x);

// rule.c ----------------------------------------------------------------------------------------------------

// Measuring stops when the interval of every contender is narrow, or at a limit.
typedef struct sl_stop_rule {
  double width;         // half width of the interval, relative: 0.01
  double seconds;       // no new round starts after that time
  unsigned least, most; // how many values of each contender
} sl_stop_rule;
// SETTLED: more values change no points; whoever measures for points sees that.
typedef enum sl_stop { SL_GO_ON, SL_STOP_NARROW, SL_STOP_TIME, SL_STOP_MOST, SL_STOP_SETTLED } sl_stop;
extern const char *const sl_stop_names[]; // "", "interval", "time", "count", "settled", NULL

sl_stop sl_stop_now(const sl_stop_rule *rule, const sl_sample *samples, unsigned contenders, double elapsed);

// The noise floor: a wider interval (half width, relative) gives no verdict.
#define SL_NOISE_FLOOR 0.25

// Do the device's clock (events) and the host's clock agree? [host] includes [overhead], known within
// [unsure]; all are in the same unit. They may differ by 5 % besides. The device's time is never the longer.
bool sl_clocks_agree(double device, double host, double overhead, double unsure);

// nvml.c ----------------------------------------------------------------------------------------------------

// The state of a device, from NVML (libnvidia-ml.so.1, looked for at run time). Without it `known` is false.
typedef struct sl_device_state {
  bool known;
  char driver[32], name[64];
  unsigned sm_mhz, memory_mhz, celsius;
  unsigned long long throttle; // NVML's bits
} sl_device_state;

// [pci_bus_id]: "0000:65:00.0"; NULL: the first device.
void sl_device_state_read(const char *pci_bus_id, sl_device_state *out);
// "SM 1980 MHz, memory 3201 MHz, 34 C, throttled: none"; "unknown: .." without NVML. Returns [out].
char *sl_device_state_text(const sl_device_state *s, char *out, size_t cap);
// "sw-power-cap hw-thermal"; "none". Idle clocks are no throttling.
char *sl_throttle_text(unsigned long long bits, char *out, size_t cap);
bool sl_is_throttled(unsigned long long bits); // in a way that spoils a time
