// Properties of kernels, and how many of their blocks fit on a multiprocessor.
#include "cudart/client/client.h"

#include <stdlib.h>
#include <string.h>

static uint64_t max_threads(const sl_function *f) {
  uint64_t device = sl__device()->max_threads_per_block;
  return f->info.max_threads && f->info.max_threads < device ? f->info.max_threads : device;
}

static cudaError_t get_attributes(struct cudaFuncAttributes *a, const void *func) {
  sl_function *f;
  cudaError_t e = sl__function(func, &f);
  if (e || !a) return e ? e : cudaErrorInvalidValue;
  *a = (struct cudaFuncAttributes){.sharedSizeBytes = f->info.static_shared,
                                   .constSizeBytes = f->info.const_bytes,
                                   .localSizeBytes = f->info.local_bytes,
                                   .maxThreadsPerBlock = (int)max_threads(f),
                                   .numRegs = (int)f->info.regs,
                                   .ptxVersion = (int)f->arch,
                                   .binaryVersion = (int)sl__device()->sm,
                                   .maxDynamicSharedSizeBytes = (int)f->max_dynamic,
                                   .preferredShmemCarveout = f->carveout};
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *func) {
  SL_LOCKED(get_attributes(a, func));
}

static cudaError_t set_attribute(const void *func, enum cudaFuncAttribute attr, int value) {
  sl_function *f;
  cudaError_t e = sl__function(func, &f);
  if (e) return e;
  uint64_t most = sl__device()->shared_per_block_optin;
  if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || (uint64_t)value + f->info.static_shared > most) return cudaErrorInvalidValue;
    f->max_dynamic = (uint64_t)value;
  } else if (attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (value < -1 || value > 100) return cudaErrorInvalidValue;
    f->carveout = value;
  } else {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value) {
  SL_LOCKED(set_attribute(func, attr, value));
}

// A hint about caches: its value is looked at, and that is all.
static cudaError_t hint(const void *func, bool good) {
  sl_function *f;
  cudaError_t e = sl__function(func, &f);
  return e ? e : good ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config) {
  SL_LOCKED(hint(func, (unsigned)config <= cudaFuncCachePreferEqual));
}
cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config) {
  (void)config;
  SL_LOCKED(hint(func, true));
}

static cudaError_t get_name(const char **name, const void *func) {
  sl_function *f = sl__registered(func);
  if (!name || !f) return name ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue;
  *name = f->name;
  return cudaSuccess;
}
cudaError_t cudaFuncGetName(const char **name, const void *func) { SL_LOCKED(get_name(name, func)); }

static cudaError_t param_info(const void *func, size_t index, size_t *offset, size_t *size) {
  sl_function *f;
  cudaError_t e = sl__function(func, &f);
  if (e) return e;
  if (index >= f->info.n_params || !offset) return cudaErrorInvalidValue;
  *offset = f->params[index].offset;
  if (size) *size = f->params[index].size;
  return cudaSuccess;
}
cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *size) {
  SL_LOCKED(param_info(func, index, offset, size));
}

// Occupancy
// ---------------------------------------------------------------------------------------------------

static uint64_t round_up(uint64_t v, uint64_t unit) { return (v + unit - 1) / unit * unit; }

int sl__blocks_per_sm(const sl_function *f, unsigned threads, size_t dynamic) {
  const sl_device_info *d = sl__device();
  uint64_t warp_threads = round_up(threads, d->warp_size);
  uint64_t shared = round_up(f->info.static_shared + dynamic + d->shared_reserved, 256);
  uint64_t regs = round_up((f->info.regs ? f->info.regs : 1) * (uint64_t)d->warp_size, 256) *
                  (warp_threads / d->warp_size);
  if (threads == 0 || threads > max_threads(f) || f->info.static_shared + dynamic > d->shared_per_block_optin)
    return 0;
  uint64_t n = d->max_blocks_per_sm;
  if (d->max_threads_per_sm / warp_threads < n) n = d->max_threads_per_sm / warp_threads;
  if (shared && d->shared_per_sm / shared < n) n = d->shared_per_sm / shared;
  if (d->regs_per_block / regs < n) n = d->regs_per_block / regs;
  return (int)n;
}

static cudaError_t occupancy(int *n, const void *func, int threads, size_t dynamic, unsigned flags) {
  sl_function *f;
  cudaError_t e = sl__function(func, &f);
  if (e) return e;
  if (!n || threads <= 0 || flags > cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
  *n = sl__blocks_per_sm(f, (unsigned)threads, dynamic);
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *func, int threads,
                                                          size_t dynamic) {
  SL_LOCKED(occupancy(n, func, threads, dynamic, 0));
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *func, int threads,
                                                                   size_t dynamic, unsigned flags) {
  SL_LOCKED(occupancy(n, func, threads, dynamic, flags));
}

static cudaError_t available(size_t *out, const void *func, int blocks, int threads) {
  sl_function *f;
  cudaError_t e = sl__function(func, &f);
  if (e) return e;
  const sl_device_info *d = sl__device();
  if (!out || blocks <= 0 || threads <= 0 || sl__blocks_per_sm(f, (unsigned)threads, 0) < blocks)
    return cudaErrorInvalidValue;
  uint64_t each = d->shared_per_sm / (unsigned)blocks / 256 * 256;
  each -= each < d->shared_reserved ? each : d->shared_reserved;
  if (each > d->shared_per_block_optin) each = d->shared_per_block_optin;
  *out = each > f->info.static_shared ? each - f->info.static_shared : 0;
  return cudaSuccess;
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *out, const void *func, int blocks,
                                                      int threads) {
  SL_LOCKED(available(out, func, blocks, threads));
}
