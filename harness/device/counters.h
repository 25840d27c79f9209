// How a launch ended and what it counted, in all and line by line.
#pragma once

#include <stdint.h>

// How a launch ended; findings say where.
typedef enum sl_launch_status {
  SL_LAUNCH_OK,
  SL_LAUNCH_BAD_CONFIG, // too many threads, zero dimension, too much shared memory
  SL_LAUNCH_FAULT,      // out-of-bounds or freed memory: cudaErrorIllegalAddress
  SL_LAUNCH_MISALIGNED, // cudaErrorMisalignedAddress
  SL_LAUNCH_SPACE,      // cudaErrorInvalidAddressSpace
  SL_LAUNCH_ASSERT,     // device assert: cudaErrorAssert
  SL_LAUNCH_TRAP,       // trap: cudaErrorLaunchFailure
  SL_LAUNCH_DEADLOCK,   // nobody can make progress: cudaErrorLaunchTimeout
  SL_LAUNCH_TIMEOUT,    // watchdog or instruction limit: cudaErrorLaunchTimeout
  SL_LAUNCH_ILLEGAL,    // illegal instruction at run time (call through a bad pointer ..)
  SL_LAUNCH_STATUS_COUNT
} sl_launch_status;

// Counters of one launch: as Nsight Compute counts them on the same kernel (see
// docs/internals/interfaces.md).
#define SL_MAX_PHASES 64
typedef struct sl_phase {
  uint64_t adds_float, adds_int, shared_ld_replays, shared_st_replays;
} sl_phase;
typedef struct sl_counters {
  uint64_t warp_instructions, thread_instructions, adds_float, adds_int, barriers;
  uint64_t shared_ld_requests, shared_st_requests, shared_ld_replays, shared_st_replays;
  uint64_t global_ld_requests, global_st_requests, global_ld_sectors, global_st_sectors, atomics;
  uint64_t fmas;                             // multiplications with an addition, of floats
  uint64_t global_atomic_sectors;            // that requests of atomics touched, each once a request
  uint64_t global_ld_bytes, global_st_bytes; // that lanes loaded and stored, however they were coalesced
  uint64_t mbarrier_phases;                  // that ended
  uint64_t shared_bytes;                     // shared memory of a block, static and dynamic
  uint64_t data_ops;        // operations on data: with SL_RECORD_DATA alone (observers/data.c)
  uint64_t adds_dropped;    // float additions that choices leave out: likewise (observers/dropped.c)
  uint64_t blocks, threads; // blocks that ended, and the threads of one
  uint64_t block_cycles;    // from a block's start to its end, without waits for other blocks; of all blocks
  // The last three: parallel.c takes the most, not the sum. Instructions of the warp that executed most; the
  // launch's critical path in cycles (engine/path.c); most operations on data of a thread, as data_ops.
  uint64_t longest_warp, path, busiest_thread;
  uint32_t n_phases;
  sl_phase phases[SL_MAX_PHASES];
} sl_counters;

// Counters of a line: X(name, how launches and instructions add up). Instructions by class are executed
// thread-level instructions, of lanes whose guard holds. ideal: what the same bytes would take, side by side.
// degree: the worst request; atomic_lanes: the most lanes of one request at one address;
// wavefronts of atomics are those in shared memory, their sectors those of global memory.
#define SL_LINE_COUNTERS(X)                                                                                  \
  X(warp_instructions, SUM)                                                                                  \
  X(thread_instructions, SUM)                                                                                \
  X(integer, SUM)                                                                                            \
  X(floating, SUM)                                                                                           \
  X(conversion, SUM)                                                                                         \
  X(move, SUM)                                                                                               \
  X(memory, SUM)                                                                                             \
  X(warp, SUM)                                                                                               \
  X(barrier, SUM)                                                                                            \
  X(control, SUM)                                                                                            \
  X(other, SUM)                                                                                              \
  X(adds_float, SUM)                                                                                         \
  X(adds_int, SUM)                                                                                           \
  X(barriers, SUM)                                                                                           \
  X(shared_ld_requests, SUM)                                                                                 \
  X(shared_st_requests, SUM)                                                                                 \
  X(shared_ld_wavefronts, SUM)                                                                               \
  X(shared_st_wavefronts, SUM)                                                                               \
  X(shared_ld_replays, SUM)                                                                                  \
  X(shared_st_replays, SUM)                                                                                  \
  X(shared_degree, MAX)                                                                                      \
  X(global_ld_requests, SUM)                                                                                 \
  X(global_st_requests, SUM)                                                                                 \
  X(global_ld_sectors, SUM)                                                                                  \
  X(global_st_sectors, SUM)                                                                                  \
  X(global_ideal_sectors, SUM)                                                                               \
  X(global_bytes, SUM)                                                                                       \
  X(atomics, SUM)                                                                                            \
  X(atomic_lanes, MAX)                                                                                       \
  X(shared_atomics, SUM)                                                                                     \
  X(atomic_wavefronts, SUM)                                                                                  \
  X(atomic_sectors, SUM)                                                                                     \
  X(branches, SUM)                                                                                           \
  X(divergent, SUM)

typedef enum sl_line_counter {
#define X(name, how) SL_LN_##name,
  SL_LINE_COUNTERS(X)
#undef X
      SL_LN_COUNT
} sl_line_counter;
