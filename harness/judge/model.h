// The model of speed: the time that a call would take on an H200, from what the simulated GPU counted.
//
// It ranks programs; it predicts no time to the percent. How well it ranks: docs/results/model.md.
#pragma once

#include "judge/counters.h"

// What bounds a launch from below, each as if nothing else took time, in ms.
typedef struct sl_model_bounds {
  double path;   // waits, along the launch's critical path (engine/path.c)
  double blocks; // the blocks one after the other on the places that the device has for them
  double issue;  // instructions of all warps
  double shared; // passes through shared memory
  double memory; // sectors of global memory
} sl_model_bounds;
sl_model_bounds sl_model_launch(const sl_counters *launch);

// The time of a launch without starting it: the greatest bound.
double sl_model_kernel_ms(const sl_counters *launch);
// The time of a call: its kernels, copies and fills, what it takes to start them, and its allocations.
double sl_model_ms(const sl_counter_sum *sum);
