// What can be asked of a simulated device: schedule, traces, records. Tools and the judge choose it.
#pragma once

#include "base/base.h"

// In which order blocks start.
typedef enum sl_order { SL_ORDER_IN, SL_ORDER_REVERSE, SL_ORDER_RANDOM } sl_order;

// In which order the warps of a block run, and when another one gets its turn.
typedef enum sl_warps {
  SL_WARPS_GREEDY,      // by number, each until it waits: the fastest to simulate
  SL_WARPS_ROUND_ROBIN, // in turn, one instruction each
  SL_WARPS_RANDOM,      // any, for a few instructions
  SL_WARPS_ONE_AHEAD,   // one of them as far as it can go, the others in turn only when it waits
  SL_WARPS_COUNT
} sl_warps;

// In which order the lanes of a warp update one word by an atomic.
typedef enum sl_lane_order { SL_LANES_IN, SL_LANES_REVERSE, SL_LANES_RANDOM, SL_LANES_COUNT } sl_lane_order;

// When other blocks see what a block stores.
typedef enum sl_visibility {
  SL_VISIBILITY_STRONG, // at once
  SL_VISIBILITY_WEAK,   // late and out of order, until a fence: weak.c
  SL_VISIBILITY_COUNT
} sl_visibility;

// What memory that nobody has written holds.
typedef enum sl_fresh {
  SL_FRESH_MARKED, // 0xCD in every byte: a value that is seen at once
  SL_FRESH_ZEROS,  // as on a new GPU: programs that never clear their memory seem right
  SL_FRESH_RANDOM, // random, by the seed: as if others had used it; freed addresses are given out again
  SL_FRESH_COUNT
} sl_fresh;

// What is printed of launches: executed instructions of some warps.
enum { SL_TRACE_ALL = -1, SL_TRACE_FIRST = -2 }; // lanes: all, the first that executes
typedef struct sl_trace_options {
  int64_t block, warp, lane, limit; // block, warp: -1: all. limit: instructions of a launch
  uint32_t on, reserved;
  char kernel[128], file[256]; // launches whose kernel's name has this in it; "": stderr
} sl_trace_options;

// What is counted of every launch.
typedef enum sl_counting {
  SL_COUNT_NOTHING,
  SL_COUNT_ALL,
  SL_COUNT_WORK // instructions, stores to global memory, atomics, barriers: what tells that a kernel does the work
} sl_counting;

// What is recorded of every launch (observers/recorded.h).
enum {
  SL_RECORD_LINES = 1,
  SL_RECORD_STEPS = 2,
  SL_RECORD_DATA = 4, // data_ops of the counters
  SL_RECORD_ALL = 7
};
