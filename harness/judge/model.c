// The model of speed. A launch takes the greatest of its lower bounds; a call takes the sum of its launches.
//
// Interface: model.h. Numbers of the device: profile "h200" (device/profiles.c). Others are measured
// (docs/results/h200-bench/latency.csv, by harness/tools/bench/device/latency.cu). Latencies: engine/path.c.
#include "judge/model.h"
#include "device/profile.h"

#include <math.h>

// In a cycle: warps that a multiprocessor issues from, passes of its shared memory; bytes of a sector.
enum { SCHEDULERS = 4, SECTOR = 32 };
static const double LAUNCH_MS = 3.24e-3;       // launch_in_a_row
static const double COPY_MS = 0.86e-3;         // fill_in_a_row
static const double ALLOC_MS = 70.7e-3;        // malloc_launch_free_2^24: the memory is mapped anew
static const double BLOCK_MS = 0.61e-6;        // block_of_256_threads: starting one
static const double SECTOR_MS = 32 / 3809e6;   // copy_of_2^28_words
static const double SCATTERED_MS = 1 / 74.7e6; // scattered_words_of_2^23: a sector of which little is written

static const sl_profile *device(void) { return sl_profile_find("h200"); }

// Sectors of which a request writes only a part take longer: at best they are put together in the L2 cache.
static double memory_ms(const sl_counters *c) {
  double whole = floor((double)c->global_st_bytes / SECTOR),
         part = fmax(0, (double)c->global_st_sectors - whole);
  double others = (double)(c->global_ld_sectors + c->global_atomic_sectors + c->global_st_sectors) - part;
  return others * SECTOR_MS + part * SCATTERED_MS;
}

// How many blocks of the launch are resident at once, without regard to registers: there is no machine code.
static double places(const sl_counters *c) {
  const sl_profile *d = device();
  double threads = (double)(c->threads ? c->threads : 1), per = d->max_blocks_per_sm;
  per = fmin(per, floor(d->max_threads_per_sm / (ceil(threads / SL_LANES) * SL_LANES)));
  per = fmin(per, floor((double)d->shared_per_sm / (double)(c->shared_bytes + d->shared_reserved)));
  return fmax(per, 1) * d->multiprocessors;
}

sl_model_bounds sl_model_launch(const sl_counters *c) {
  const sl_profile *d = device();
  double busy = fmax(1, fmin((double)c->blocks, d->multiprocessors)) * d->clock_khz; // their cycles a ms
  double passes =
      (double)(c->shared_ld_requests + c->shared_st_requests + c->shared_ld_replays + c->shared_st_replays);
  return (sl_model_bounds){
      .path = (double)c->path / d->clock_khz,
      .blocks = fmax((double)c->block_cycles / places(c) / d->clock_khz, BLOCK_MS * (double)c->blocks),
      .issue = (double)c->warp_instructions / SCHEDULERS / busy,
      .shared = passes / busy,
      .memory = memory_ms(c)};
}

double sl_model_kernel_ms(const sl_counters *launch) {
  const sl_model_bounds b = sl_model_launch(launch);
  return fmax(fmax(fmax(b.path, b.blocks), fmax(b.issue, b.shared)), b.memory);
}

double sl_model_ms(const sl_counter_sum *sum) {
  return sum->kernel_ms + LAUNCH_MS * (double)sum->launches + COPY_MS * (double)sum->copies +
         (double)sum->moved / SECTOR * SECTOR_MS + ALLOC_MS * (double)sum->allocs;
}
