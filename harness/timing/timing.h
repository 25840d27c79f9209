// When a measured time can be trusted: the one place for medians, their intervals, when to stop measuring,
// whether two clocks agree, and what state the device was in. Used by the judge (`grade`, `run`) and by
// `bench`.
#ifndef SL_TIMING_TIMING_H
#define SL_TIMING_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// interval.c ------------------------------------------------------------------------------------------------

double sl__median(double *x, unsigned n); // of [n] > 0 values, which are put in order

// A value, and the bounds between which it lies in 95 of 100 measurements like this one.
typedef struct sl_interval {
  double value, lo, hi;
} sl_interval;

// The median of [n] > 0 values with the percentile bootstrap's interval of 95 %. [seed] decides the
// resamples: the same values with the same seed give the same interval. Fewer than 6 values: the interval is
// their range, which then is the most that can be said.
sl_interval sl_median_interval(const double *x, unsigned n, uint64_t seed);

// The values of one contender.
typedef struct sl_sample {
  const double *at;
  unsigned n;
} sl_sample;

// The ratio median(a) / median(b) of two samples, bootstrapped as such. The medians are first lessened by
// that of [offset], what a call costs besides the work (NULL: nothing), which is as unsure as its sample
// makes it; a denominator that is not positive then gives 0 to infinity.
sl_interval sl_ratio_interval(sl_sample a, sl_sample b, const sl_sample *offset, uint64_t seed);

// relative: (hi - lo) / 2 / value; infinite if the value is not positive
double sl_half_width(const sl_interval *x);

// rule.c ----------------------------------------------------------------------------------------------------

// Measuring goes on until the interval of every contender is narrow, or a limit is reached.
typedef struct sl_stop_rule {
  double width;         // half width of the interval, relative: 0.01
  double seconds;       // no further round after that long
  unsigned least, most; // values of each contender
} sl_stop_rule;
typedef enum sl_stop { SL_GO_ON, SL_STOP_NARROW, SL_STOP_TIME, SL_STOP_MOST } sl_stop;
extern const char *const sl_stop_names[]; // "", "interval", "time", "count", NULL

sl_stop sl_stop_now(const sl_stop_rule *rule, const sl_sample *samples, unsigned contenders, double elapsed);

// The noise floor: no verdict is given when an interval is wider than this (half width, relative).
#define SL_NOISE_FLOOR 0.25

// Do the device's clock (events) and the host's tell the same of one thing? [host] has [overhead] in it,
// known within [unsure], all in the same unit. They agree within 5 % besides. The device can never have taken
// longer than the host saw.
bool sl_clocks_agree(double device, double host, double overhead, double unsure);

// nvml.c ----------------------------------------------------------------------------------------------------

// What the driver says about a device. Without NVML (libnvidia-ml.so.1, looked for at run time) `known` is
// false.
typedef struct sl_device_state {
  bool known;
  char driver[32], name[64];
  unsigned sm_mhz, memory_mhz, celsius;
  unsigned long long throttle; // NVML's bits
} sl_device_state;

// "0000:65:00.0"; NULL: the first device
void sl_device_state_read(const char *pci_bus_id, sl_device_state *out);
// "SM 1980 MHz, memory 3201 MHz, 34 C, throttled: none"; "unknown: .." without NVML. Returns [out].
char *sl_device_state_text(const sl_device_state *s, char *out, size_t cap);
// "sw-power-cap hw-thermal"; "none". Idle clocks are no throttling.
char *sl_throttle_text(unsigned long long bits, char *out, size_t cap);
bool sl_is_throttled(unsigned long long bits); // in a way that makes a time say less

#endif
