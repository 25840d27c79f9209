// Devices that can be simulated: their limits by name, and the list of what a device has.
#pragma once

#include "base/base.h"

#define SL_LANES 32 // threads of a warp, on every device
// A loop over the lanes of a mask, the lowest first; [l] is the lane.
#define SL_FOR_LANES(l, mask)                                                                                \
  for (uint32_t l##_left = (mask), l; l##_left && (l = (uint32_t)__builtin_ctz(l##_left), true);             \
       l##_left &= l##_left - 1)

// Limits and residency of the modelled device.
typedef struct sl_profile {
  const char *name;
  unsigned sm; // compute capability times ten: 75
  unsigned multiprocessors, max_blocks_per_sm, max_threads_per_sm;
  unsigned max_threads_per_block, warp_size;
  uint64_t shared_per_block, shared_per_block_optin, shared_per_sm, total_memory, const_memory;
  unsigned regs_per_block, l2_bytes, clock_khz, memory_clock_khz, bus_bits;
  unsigned shared_reserved; // bytes of each block's share that the system takes
  unsigned crowd;           // so many times the blocks stay together that it says; 0: no more than that
} sl_profile;
const sl_profile *sl_profile_find(const char *name); // "default", ...; NULL: unknown
const char *const *sl_profile_names(void);

// What a profile holds, one row a number: unsigned or uint64_t at byte [at].
typedef struct sl_profile_field {
  const char *name, *help;
  size_t at, bytes;
  uint64_t min, max;
} sl_profile_field;
const sl_profile_field *sl_profile_fields(size_t *n);
uint64_t sl_profile_get(const sl_profile *p, const sl_profile_field *f);
void sl_profile_set(sl_profile *p, const sl_profile_field *f, uint64_t v);
bool sl_profile_check(const sl_profile *p, sl_error *e); // every number in its range
