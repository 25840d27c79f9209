// Cycles of the critical path: for costs.c and path.c.
#pragma once

#include "engine/core.h"

// Cycles, measured on an H200 (docs/results/h200-bench/latency.csv, by
// harness/tools/bench/device/latency.cu).
enum {
  STEP = SL_PATH_STEP, // addition: the result of one instruction is an operand of the next
  FROM_LANE = 29,      // shuffle, without the two additions of that loop
  FROM_SHARED = 29,    // load_shared
  AT_SHARED = 40,      // atomic_shared
  FROM_L2 = 280,       // load_volatile
  AT_L2 = 384,         // atomic_result
  FROM_MEMORY = 652,   // load_memory
  FENCE = 269,         // fence
  STORE_FENCE = 500,   // store_and_fence: the store has to arrive first
  MESSAGE = 500,       // link_flag_own_words: from a store to the load that sees it, without the loop's steps
  TURNS = 4,           // turns of a small loop that ptxas puts side by side
};
