// What speed is worth: a continuous curve of how a submission compares with the reference solution.
#ifndef SL_JUDGE_SPEED_H
#define SL_JUDGE_SPEED_H

#include "judge/counters.h"
#include "timing/timing.h"

// [basis] says what was compared: times of a GPU, measured in turns, or the traffic and launches that the
// simulated GPU counted, as the time that a model gives them.
typedef enum sl_basis { SL_BASIS_NONE, SL_BASIS_MODEL, SL_BASIS_TIME } sl_basis;
extern const char *const sl_basis_names[]; // "none", "model", "time", NULL

typedef struct sl_speed {
  sl_basis basis;
  sl_interval own, reference, copy; // ms a call; copy: of as many bytes, 0 where not measured
  sl_interval ratio;                // reference / own: 2 is twice as fast
  double credit;                    // share of the points, 0 to 1
  double bytes;                     // that a call must move at least: input once, output once; 0: not known
  unsigned rounds, calls;           // of measuring; calls a round
  const char *stopped;              // why measuring stopped: sl_stop_names
  const char *cache;                // "cold", "warm": what of the input is in the L2 cache when a call begins
  sl_interval handshake;            // ms a round that are not the submission's, and were taken off
  sl_device_state before, after;
} sl_speed;

// Share of the points for a [ratio] (reference / own) when [full] or more gives all: ratio / full, capped, no
// cliff.
double sl_speed_credit(double ratio, double full);

// Sectors of global memory that a call moves: by loads, stores and atomics of kernels, by copies and fills.
uint64_t sl_counted_sectors(const sl_counter_sum *sum);
// What launches and sectors of global memory would take at best on the simulated GPU's default device, in ms:
// a fixed time a launch, and the sectors at the memory's rate. No prediction: no latency, no waiting, no
// cache.
double sl_traffic_ms(uint64_t launches, uint64_t sectors);
// What the busiest warps of the launches in turn take at the least, however many multiprocessors there are:
// an instruction in four cycles, which is what one that needs the result of the one before it waits for.
double sl_longest_ms(uint64_t instructions);
// The same where issuing the instructions may be what takes longest.
double sl_model_ms(const sl_counter_sum *sum);

#endif
