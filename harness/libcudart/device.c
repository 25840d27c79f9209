// The device: count, choice, properties, limits, synchronisation, reset. There is one device, number 0.
#include "libcudart/graph.h"

// Count and choice ------------------------------------------------------------------------------------------

SL_API(cudaGetDeviceCount, (n), int *n) {
  cudaError_t e = sl__ready();
  if (!n) return cudaErrorInvalidValue;
  *n = e == cudaSuccess;
  return e;
}

cudaError_t sl__device_ok(int device) {
  cudaError_t e = sl__ready();
  if (!e && device) sl__detail("there is one device, number 0");
  return e ? e : device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaSetDevice(int device) { SL_LOCKED(sl__device_ok(device)); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { SL_LOCKED(sl__device_ok(device)); }

static cudaError_t current(int *device) {
  cudaError_t e = sl__ready();
  if (!e && !device) e = cudaErrorInvalidValue;
  if (!e) *device = 0;
  return e;
}
cudaError_t cudaGetDevice(int *device) { SL_LOCKED(current(device)); }
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *p) {
  SL_LOCKED(p ? current(device) : cudaErrorInvalidValue);
}

SL_API(cudaSetValidDevices, (list, n), int *list, int n) {
  cudaError_t e = sl__ready();
  for (int k = 0; list && k < n && !e; k++) e = list[k] == 0 ? cudaSuccess : cudaErrorInvalidValue;
  return e;
}

static unsigned device_flags;
cudaError_t cudaSetDeviceFlags(unsigned flags) {
  unsigned how = flags & cudaDeviceScheduleMask; // spin, yield, block: one of them
  if (flags & ~(unsigned)cudaDeviceMask || how & (how - 1)) return sl__keep(cudaErrorInvalidValue);
  device_flags = flags;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  if (!flags) return sl__keep(cudaErrorInvalidValue);
  *flags = device_flags | cudaDeviceMapHost;
  SL_LOCKED(sl__ready());
}

// Properties ------------------------------------------------------------------------------------------------

static bool attribute(const sl_device_info *d, int attr, int *out) {
  *out = 0;
  switch (attr) {
#define SL_ATTRIBUTE(name, value)                                                                            \
  case cudaDevAttr##name:                                                                                    \
    *out = (int)(value);                                                                                     \
    return true;
#include "libcudart/attributes.def"
#undef SL_ATTRIBUTE
  default: return attr > 0 && attr < cudaDevAttrMax;
  }
}

static cudaError_t get_device_attribute(int *out, int attr, int device) {
  cudaError_t e = sl__device_ok(device);
  return e ? e : out && attribute(sl__device(), attr, out) ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaDeviceGetAttribute(int *out, enum cudaDeviceAttr attr, int device) {
  SL_LOCKED(get_device_attribute(out, (int)attr, device));
}

static void fill_properties(struct cudaDeviceProp *p, const sl_device_info *d) {
  *p = (struct cudaDeviceProp){.totalGlobalMem = d->total_memory,
                               .sharedMemPerBlock = d->shared_per_block,
                               .regsPerBlock = (int)d->regs_per_block,
                               .warpSize = (int)d->warp_size,
                               .memPitch = 2147483647,
                               .maxThreadsPerBlock = (int)d->max_threads_per_block,
                               .maxThreadsDim = {1024, 1024, 64},
                               .maxGridSize = {2147483647, 65535, 65535},
                               .totalConstMem = d->const_memory,
                               .major = (int)d->sm / 10,
                               .minor = (int)d->sm % 10,
                               .textureAlignment = 512,
                               .texturePitchAlignment = 32,
                               .multiProcessorCount = (int)d->multiprocessors,
                               .surfaceAlignment = 512,
                               .canMapHostMemory = 1,
                               .concurrentKernels = 1,
                               .asyncEngineCount = 1,
                               .unifiedAddressing = 1,
                               .memoryBusWidth = (int)d->bus_bits,
                               .l2CacheSize = (int)d->l2_bytes,
                               .maxThreadsPerMultiProcessor = (int)d->max_threads_per_sm,
                               .streamPrioritiesSupported = 1,
                               .globalL1CacheSupported = 1,
                               .localL1CacheSupported = 1,
                               .sharedMemPerMultiprocessor = d->shared_per_sm,
                               .reservedSharedMemPerBlock = d->shared_reserved,
                               .regsPerMultiprocessor = (int)d->regs_per_block,
                               .managedMemory = 1,
                               .concurrentManagedAccess = 1,
                               .computePreemptionSupported = 1,
                               .cooperativeLaunch = 1,
                               .sharedMemPerBlockOptin = d->shared_per_block_optin,
                               .maxBlocksPerMultiProcessor = (int)d->max_blocks_per_sm,
                               .hostRegisterSupported = 1,
                               .memoryPoolsSupported = 1,
                               .unifiedFunctionPointers = 1,
                               .hostNumaId = -1,
                               .deviceNumaId = -1};
  snprintf(p->name, sizeof p->name, "%s", d->name);
  memcpy(p->uuid.bytes, "scanlab-sim-gpu", 16);
}

SL_API(cudaGetDeviceProperties, (p, device), struct cudaDeviceProp *p, int device) {
  cudaError_t e = sl__device_ok(device);
  if (!e && !p) e = cudaErrorInvalidValue;
  if (!e) fill_properties(p, sl__device());
  return e;
}

// Limits and caches: kept; those of the stack and the heap have an effect -----------------------------------

static size_t limits[cudaLimitPersistingL2CacheSize + 1] = {[cudaLimitStackSize] = 1024,
                                                            [cudaLimitPrintfFifoSize] = SL_MAX_TEXT,
                                                            [cudaLimitMallocHeapSize] = 8 << 20,
                                                            [cudaLimitDevRuntimePendingLaunchCount] = 2048,
                                                            [cudaLimitMaxL2FetchGranularity] = 64};

size_t sl__stack_limit(void) { return limits[cudaLimitStackSize]; }

// The least and the most value of each limit, and the step to which it is rounded up, as an H200 has them.
// The runtime raises a smaller value to the least and refuses a greater one; 0: no bound, no step.
static const struct {
  size_t least, most, step;
} bounds[] = {[cudaLimitStackSize] = {.most = (512 << 10) - 1},
              [cudaLimitPrintfFifoSize] = {.least = 512 << 10, .step = 256},
              [cudaLimitMallocHeapSize] = {.least = 4 << 20, .step = 64 << 10},
              [cudaLimitDevRuntimePendingLaunchCount] = {.least = 32},
              [cudaLimitMaxL2FetchGranularity] = {.most = 128},
              [cudaLimitPersistingL2CacheSize] = {0}};

static size_t rounded(enum cudaLimit limit, size_t value) {
  const size_t least = bounds[limit].least, step = bounds[limit].step;
  if (value < least) return least;
  return step && value <= SIZE_MAX - step ? (value + step - 1) / step * step : value;
}

// Is there such a limit? The depth to which kernels may wait for their own launches is none since CUDA 12.
static cudaError_t limit_ok(enum cudaLimit limit) {
  SL_TRY(sl__alive());
  if (limit == cudaLimitDevRuntimeSyncDepth) return cudaErrorUnsupportedLimit;
  return (unsigned)limit <= cudaLimitPersistingL2CacheSize ? cudaSuccess : cudaErrorInvalidValue;
}
SL_API(cudaDeviceGetLimit, (out, limit), size_t *out, enum cudaLimit limit) {
  cudaError_t e = limit_ok(limit);
  if (!e && !out) e = cudaErrorInvalidValue;
  if (!e) *out = limits[limit];
  return e;
}
SL_API(cudaDeviceSetLimit, (limit, value), enum cudaLimit limit, size_t value) {
  cudaError_t e = limit_ok(limit);
  if (!e) e = sl__capture_forbids(SL_ANY_STREAM);
  if (!e && bounds[limit].most && value > bounds[limit].most) e = cudaErrorInvalidValue;
  if (!e) limits[limit] = rounded(limit, value);
  if (!e && limit == cudaLimitMallocHeapSize) e = sl__call1(SL_MSG_HEAP, limits[limit], 0, 0);
  return e;
}

static enum cudaFuncCache cache_config;
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  if ((unsigned)config > cudaFuncCachePreferEqual) return sl__keep(cudaErrorInvalidValue);
  cache_config = config;
  SL_LOCKED(sl__ready());
}
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  if (!config) return sl__keep(cudaErrorInvalidValue);
  *config = cache_config;
  SL_LOCKED(sl__ready());
}
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  if ((unsigned)config > cudaSharedMemBankSizeEightByte) return sl__keep(cudaErrorInvalidValue);
  SL_LOCKED(sl__ready());
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  if (!config) return sl__keep(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  SL_LOCKED(sl__ready());
}

// Synchronisation, reset, versions --------------------------------------------------------------------------

SL_API(cudaDeviceSynchronize, (), void) {
  SL_TRY(sl__capture_forbids(SL_EVERY_STREAM));
  sl__pools_synchronised();
  return sl__synchronise();
}

SL_API(cudaDeviceReset, (), void) {
  cudaError_t e = sl__synchronise();
  if (e == cudaErrorNoDevice || e == cudaErrorDevicesUnavailable) return e;
  sl__managed_forget();
  sl__pinned_forget();
  sl__modules_forget();
  sl__captures_forget();
  sl__execs_forget();
  sl__graphs_forget();
  sl__pools_forget();
  return sl__call1(SL_MSG_RESET, 0, 0, 0);
}

cudaError_t cudaDriverGetVersion(int *v) {
  if (!v) return sl__keep(cudaErrorInvalidValue);
  *v = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *v) { return cudaDriverGetVersion(v); }

cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
