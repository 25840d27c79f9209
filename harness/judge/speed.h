// The points for speed: a continuous curve over the ratio of a submission to the reference solution.
#pragma once

#include "judge/counters.h"
#include "timing/timing.h"

// What was compared. TIME: times on a GPU, measured in turns. MODEL: the time that a model computes from the
// traffic and launches that the simulated GPU counted.
typedef enum sl_basis { SL_BASIS_NONE, SL_BASIS_MODEL, SL_BASIS_TIME } sl_basis;
extern const char *const sl_basis_names[]; // "none", "model", "time", NULL

typedef struct sl_speed {
  sl_basis basis;
  sl_interval own, reference, copy; // ms a call; copy: a copy of as many bytes, 0 if not measured
  sl_interval ratio;                // reference / own: 2 is twice as fast
  double credit;                    // share of the points, 0 to 1
  double bytes;                     // bytes that a call must move: input once, output once; 0: not known
  unsigned rounds, calls;           // rounds of measuring; calls a round
  const char *stopped;              // why measuring stopped: sl_stop_names
  const char *cache;                // "warm": a call begins with its input in the L2 cache; "cold": without
  sl_interval handshake;            // ms a round that the judge itself takes; already subtracted
  sl_device_state before, after;
} sl_speed;

// The share of the points for a [ratio] (reference / own): ratio / full, at most 1.
double sl_speed_credit(double ratio, double full);

// Sectors of global memory that a call moves: by loads, stores and atomics of kernels, by copies and fills.
uint64_t sl_counted_sectors(const sl_counter_sum *sum);
// A lower bound, in ms, for launches and sectors of global memory on the simulated GPU's default device: a
// fixed time for each launch, and the sectors at the memory's rate. It ignores latency and caches.
double sl_traffic_ms(uint64_t launches, uint64_t sectors);
// A lower bound for the busiest warps of the launches, one after the other, on any number of multiprocessors:
// an instruction takes four cycles, the wait for the result of the one before it.
double sl_longest_ms(uint64_t instructions);
