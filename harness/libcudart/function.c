// Properties of kernels, and how many of their blocks fit on a multiprocessor.
#include "libcudart/client.h"

static uint64_t max_threads(const sl_function *f) {
  uint64_t device = sl__device()->max_threads_per_block;
  return f->info.max_threads && f->info.max_threads < device ? f->info.max_threads : device;
}

SL_API(cudaFuncGetAttributes, (a, func), struct cudaFuncAttributes *a, const void *func) {
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

// Clusters hold one block here: 1 is the only extent, and the spread of their blocks changes nothing.
static cudaError_t cluster_attribute(enum cudaFuncAttribute attr, int value) {
  static bool said;
  if (attr == cudaFuncAttributeNonPortableClusterSizeAllowed) return cudaSuccess;
  if (attr == cudaFuncAttributeClusterSchedulingPolicyPreference)
    return value >= 0 && value <= (int)cudaClusterSchedulingPolicyLoadBalancing ? cudaSuccess
                                                                                : cudaErrorInvalidValue;
  bool extent =
      attr >= cudaFuncAttributeRequiredClusterWidth && attr <= cudaFuncAttributeRequiredClusterDepth;
  if (!extent || value < 0) return cudaErrorInvalidValue;
  if (value <= 1) return cudaSuccess;
  if (!said)
    sl__say("cudaFuncSetAttribute: clusters hold one block on the simulated GPU: take 1 for their extents");
  said = true;
  return cudaErrorNotSupported;
}

static cudaError_t set_attribute(const void *func, enum cudaFuncAttribute attr, int value) {
  sl_function *f;
  SL_TRY(sl__function(func, &f));
  uint64_t most = sl__device()->shared_per_block_optin;
  if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || (uint64_t)value + f->info.static_shared > most) return cudaErrorInvalidValue;
    f->max_dynamic = (uint64_t)value;
  } else if (attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (value < -1 || value > 100) return cudaErrorInvalidValue;
    f->carveout = value;
  } else {
    return cluster_attribute(attr, value);
  }
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value) {
  SL_LOCKED(set_attribute(func, attr, value));
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr, int value,
                                            int device) {
  SL_LOCKED(device == 0 ? set_attribute(kernel, attr, value) : cudaErrorInvalidDevice);
}

// A hint about caches: checked, without effect.
static cudaError_t hint(const void *func, bool good) {
  sl_function *f;
  cudaError_t e = sl__function(func, &f);
  return e ? e : good ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config) {
  SL_LOCKED(hint(func, (unsigned)config <= cudaFuncCachePreferEqual));
}
cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config) {
  SL_LOCKED(hint(func, (unsigned)config <= cudaSharedMemBankSizeEightByte));
}

SL_API(cudaFuncGetName, (name, func), const char **name, const void *func) {
  sl_function *f = sl__registered(func);
  if (!name || !f)
    return name && func ? cudaErrorInvalidResourceHandle
           : name       ? cudaErrorInvalidDeviceFunction
                        : cudaErrorInvalidValue;
  *name = f->name;
  return cudaSuccess;
}

SL_API(cudaFuncGetParamInfo, (func, index, offset, size), const void *func, size_t index, size_t *offset,
       size_t *size) {
  sl_function *f;
  SL_TRY(sl__function(func, &f));
  if (index >= f->info.n_params || !offset) return cudaErrorInvalidValue;
  *offset = f->params[index].offset;
  if (size) *size = f->params[index].size;
  return cudaSuccess;
}

// Occupancy -------------------------------------------------------------------------------------------------

static uint64_t round_up(uint64_t v, uint64_t unit) { return (v + unit - 1) / unit * unit; }

// The shared memory of a multiprocessor for a kernel that prefers a share of it: the least capacity that
// holds the share and one block. The capacities are those of the tuning guides; all but 7.5 have the first.
static uint64_t shared_capacity(const sl_function *f, uint64_t block) {
  static const uint64_t kib[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  const sl_device_info *d = sl__device();
  uint64_t want = f->carveout < 0 ? d->shared_per_sm : d->shared_per_sm * (uint64_t)f->carveout / 100;
  size_t k = d->sm < 80 ? 3 : 0;
  if (want < block) want = block;
  while (k < sizeof kib / sizeof *kib && kib[k] << 10 < want) k++;
  return k < sizeof kib / sizeof *kib && kib[k] << 10 < d->shared_per_sm ? kib[k] << 10 : d->shared_per_sm;
}

// One block fits whatever the registers are: their number is an estimate, and no launch is refused for it.
int sl__blocks_per_sm(const sl_function *f, unsigned threads, size_t dynamic) {
  const sl_device_info *d = sl__device();
  uint64_t warp_threads = round_up(threads, d->warp_size);
  uint64_t shared = round_up(f->info.static_shared + dynamic + d->shared_reserved, 256);
  uint64_t regs = round_up((f->info.regs ? f->info.regs : 1) * (uint64_t)d->warp_size, 256) *
                  (warp_threads / d->warp_size);
  if (threads == 0 || threads > d->max_threads_per_block || dynamic > f->max_dynamic) return 0;
  uint64_t n = d->max_blocks_per_sm;
  if (d->max_threads_per_sm / warp_threads < n) n = d->max_threads_per_sm / warp_threads;
  uint64_t capacity = shared_capacity(f, shared);
  if (shared && capacity / shared < n) n = capacity / shared;
  uint64_t by_registers = d->regs_per_block > regs ? d->regs_per_block / regs : 1;
  if (by_registers < n) n = by_registers;
  return (int)n;
}

static cudaError_t occupancy(int *n, const void *func, int threads, size_t dynamic, unsigned flags) {
  sl_function *f;
  SL_TRY(sl__function(func, &f));
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

SL_API(cudaOccupancyAvailableDynamicSMemPerBlock, (out, func, blocks, threads), size_t *out, const void *func,
       int blocks, int threads) {
  sl_function *f;
  SL_TRY(sl__function(func, &f));
  const sl_device_info *d = sl__device();
  if (!out || blocks <= 0 || threads <= 0 || sl__blocks_per_sm(f, (unsigned)threads, 0) < blocks)
    return cudaErrorInvalidValue;
  uint64_t each = shared_capacity(f, 0) / (unsigned)blocks / 256 * 256;
  if (f->carveout < 0) each -= each < d->shared_reserved ? each : d->shared_reserved;
  each = each > f->info.static_shared ? each - f->info.static_shared : 0;
  *out = each < f->max_dynamic ? each : f->max_dynamic;
  return cudaSuccess;
}

// How many clusters fit: those of one block do, larger ones do not. Without the attribute there are none.
SL_API(cudaOccupancyMaxActiveClusters, (n, func, c), int *n, const void *func, const cudaLaunchConfig_t *c) {
  sl_function *f;
  SL_TRY(sl__function(func, &f));
  if (!n || !c || (c->numAttrs && !c->attrs)) return cudaErrorInvalidValue;
  *n = 0;
  for (unsigned k = 0; k < c->numAttrs; k++) {
    const cudaLaunchAttribute *a = &c->attrs[k];
    if (a->id != cudaLaunchAttributeClusterDimension) continue;
    if (a->val.clusterDim.x == 1 && a->val.clusterDim.y == 1 && a->val.clusterDim.z == 1)
      *n = sl__blocks_per_sm(f, c->blockDim.x * c->blockDim.y * c->blockDim.z, c->dynamicSmemBytes) *
           (int)sl__device()->multiprocessors;
  }
  return cudaSuccess;
}

SL_API(cudaOccupancyMaxPotentialClusterSize, (n, func, c), int *n, const void *func,
       const cudaLaunchConfig_t *c) {
  sl_function *f;
  SL_TRY(sl__function(func, &f));
  if (!n || !c) return cudaErrorInvalidValue;
  *n = 1;
  return cudaSuccess;
}
