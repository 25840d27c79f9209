// The counters of launches, summed and by name, as "expect" in lab.json and the records use them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "device/counters.h"

// Every counter's name, "launches" last, ended by NULL.
const char *const *sl_counter_names(void);

// Sums over launches.
typedef struct sl_counter_sum {
  uint64_t launches;
  double kernel_ms;   // the model's time of the kernels alone (model.h)
  uint64_t moved;     // bytes of device memory that copies and fills read or wrote
  uint64_t copies;    // how many of these there were
  uint64_t allocs;    // calls of cudaMalloc
  uint64_t lone_warp; // of the busiest warp, where the other threads only wait
  sl_counters total;  // phases are summed by number
} sl_counter_sum;

void sl_counter_add(sl_counter_sum *sum, const sl_counters *launch);

// Explains a counter in a few words; NULL: its name says it.
const char *sl_counter_means(const char *name);

// The value of the counter [name], which must be one of sl_counter_names().
uint64_t sl_counter_value(const sl_counter_sum *sum, const char *name);

// Additions of the data's type: float ones if there are any, else integer ones.
uint64_t sl_phase_adds(const sl_counter_sum *sum, const sl_phase *phase);
