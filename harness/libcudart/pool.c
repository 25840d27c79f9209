// Stream-ordered allocation: memory pools, cudaMallocAsync, cudaFreeAsync.
//
// All work is finished when a call returns, so memory is allocated and freed at once. A pool only counts:
// used (the sizes of its allocations) and reserved (taken from the device in steps of CHUNK, given back down
// to the release threshold when the program synchronises). The device allocates only used memory.
#include "libcudart/graph.h"

enum { REUSE_FOLLOWS = 1, N_REUSE = 3 }; // the flags cudaMemPoolReuse.. are attributes 1 to 3
static const uint64_t CHUNK = 32 << 20;  // the real driver's step is not documented

typedef struct pool {
  uint64_t threshold, used, used_high, reserved, reserved_high, max_size;
  int reuse[N_REUSE];
  bool destroyed; // freed once nothing is allocated from it
  struct pool *next;
} pool;
typedef struct block {
  uintptr_t at;
  size_t size;
  pool *from;
  struct block *next;
} block;

static pool standard = {.reuse = {1, 1, 1}};
static pool *pools = &standard, *current = &standard;
static block *blocks;

static pool **find_pool(cudaMemPool_t p) {
  pool **at = &pools;
  while (*at && ((*at)->destroyed || *at != (pool *)(void *)p)) at = &(*at)->next;
  return at;
}

static cudaMemPool_t handle(pool *p) { return (cudaMemPool_t)(void *)p; }

// Books -----------------------------------------------------------------------------------------------------

static uint64_t chunks(uint64_t bytes) {
  return bytes > UINT64_MAX - CHUNK ? bytes : (bytes + CHUNK - 1) / CHUNK * CHUNK;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

// Gives back to the device what is reserved beyond [keep] bytes and not in use.
static void trim(pool *p, uint64_t keep) {
  uint64_t least = larger(chunks(p->used), chunks(keep));
  if (p->reserved > least) p->reserved = least;
}

static void forget_pool(pool **at) {
  pool *gone = *at;
  *at = gone->next;
  if (gone != &standard) free(gone);
}

static void end_of(pool *p) { forget_pool(SL_LINK_TO(pools, p)); }

void sl__pools_synchronised(void) {
  for (pool *p = pools; p; p = p->next) trim(p, p->threshold);
}

void sl__pools_freed(const void *p) {
  for (block **at = &blocks; *at; at = &(*at)->next)
    if ((*at)->at == (uintptr_t)p) {
      block *gone = *at;
      *at = gone->next;
      gone->from->used -= gone->size;
      if (gone->from->destroyed && !gone->from->used) end_of(gone->from);
      free(gone);
      return;
    }
}

void sl__pools_forget(void) {
  while (blocks) sl__pools_freed((void *)blocks->at);
  while (pools != &standard) forget_pool(&pools);
  while (standard.next) forget_pool(&standard.next);
  current = &standard;
  standard = (pool){.reuse = {1, 1, 1}};
}

// Allocation ------------------------------------------------------------------------------------------------

static cudaError_t no_node(const char *what) {
  sl__say("graphs that %s memory are not simulated: do it outside of the capture", what);
  return cudaErrorStreamCaptureUnsupported;
}

static cudaError_t alloc_from(void **out, size_t size, pool *p, cudaStream_t s) {
  if (!sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  if (sl__capture_forbids(s)) return no_node("allocate");
  if (p->max_size && size > p->max_size - (p->used < p->max_size ? p->used : p->max_size))
    return cudaErrorMemoryAllocation;
  block *b = malloc(sizeof *b);
  if (!b) return cudaErrorMemoryAllocation;
  cudaError_t e = sl__alloc(out, size, 1 + sl__stream_works(s));
  if (e || !*out) { // nothing was asked for
    free(b);
    return e;
  }
  *b = (block){(uintptr_t)*out, size, p, blocks};
  blocks = b;
  p->used += size;
  p->used_high = larger(p->used_high, p->used);
  p->reserved = larger(p->reserved, chunks(p->used));
  p->reserved_high = larger(p->reserved_high, p->reserved);
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **out, size_t size, cudaStream_t s) {
  SL_LOCKED(alloc_from(out, size, current, s));
}

SL_API(cudaMallocFromPoolAsync, (out, size, h, s), void **out, size_t size, cudaMemPool_t h, cudaStream_t s) {
  pool *p = *find_pool(h);
  return p ? alloc_from(out, size, p, s) : cudaErrorInvalidValue;
}

SL_API(cudaFreeAsync, (p, s), void *p, cudaStream_t s) {
  if (!sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  if (sl__capture_forbids(s)) return no_node("free");
  return p ? sl__release(p, 1 + sl__stream_works(s)) : cudaSuccess;
}

// Pools -----------------------------------------------------------------------------------------------------

SL_API(cudaMemPoolCreate, (out, want), cudaMemPool_t *out, const struct cudaMemPoolProps *want) {
  SL_TRY(sl__alive());
  if (!out || !want || want->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
  if (want->location.type == cudaMemLocationTypeHost) return cudaErrorNotSupported;
  if (want->location.type != cudaMemLocationTypeDevice || want->location.id != 0)
    return cudaErrorInvalidValue;
  if (want->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
  pool *p = malloc(sizeof *p);
  if (!p) return cudaErrorMemoryAllocation;
  *p = (pool){.reuse = {1, 1, 1}, .max_size = want->maxSize, .next = pools};
  pools = p;
  *out = handle(p);
  return cudaSuccess;
}

SL_API(cudaMemPoolDestroy, (h), cudaMemPool_t h) {
  pool **at = find_pool(h), *p = *at;
  if (!p || p == &standard) return cudaErrorInvalidValue;
  if (current == p) current = &standard;
  p->destroyed = true;
  if (!p->used) forget_pool(at);
  return cudaSuccess;
}

static cudaError_t give(cudaMemPool_t *out, pool *p, int device) {
  SL_TRY(sl__alive());
  if (!out || device != 0) return out ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
  *out = handle(p);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device) {
  SL_LOCKED(give(out, &standard, device));
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device) {
  SL_LOCKED(device == 0 ? give(out, current, device) : cudaErrorInvalidValue);
}

static cudaError_t take_pool(int device, cudaMemPool_t h) {
  pool *p = *find_pool(h);
  if (!p || device != 0) return cudaErrorInvalidValue;
  current = p;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t h) { SL_LOCKED(take_pool(device, h)); }

// Is it the device? The same three calls take a place.
static bool here(const struct cudaMemLocation *l, enum cudaMemAllocationType t) {
  return l && l->type == cudaMemLocationTypeDevice && t == cudaMemAllocationTypePinned;
}
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *out, struct cudaMemLocation *l,
                                     enum cudaMemAllocationType t) {
  SL_LOCKED(here(l, t) ? give(out, &standard, l->id) : cudaErrorInvalidValue);
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t *out, struct cudaMemLocation *l, enum cudaMemAllocationType t) {
  SL_LOCKED(here(l, t) ? give(out, current, l->id) : cudaErrorInvalidValue);
}
cudaError_t cudaMemSetMemPool(struct cudaMemLocation *l, enum cudaMemAllocationType t, cudaMemPool_t h) {
  SL_LOCKED(here(l, t) ? take_pool(l->id, h) : cudaErrorInvalidValue);
}

SL_API(cudaMemPoolTrimTo, (h, keep), cudaMemPool_t h, size_t keep) {
  pool *p = *find_pool(h);
  if (p) trim(p, keep);
  return p ? cudaSuccess : cudaErrorInvalidValue;
}

// Attributes ------------------------------------------------------------------------------------------------

// The counter of attribute [a]; NULL: none.
static uint64_t *book(pool *p, enum cudaMemPoolAttr a) {
  uint64_t *const books[] = {[cudaMemPoolAttrReleaseThreshold] = &p->threshold,
                             [cudaMemPoolAttrReservedMemCurrent] = &p->reserved,
                             [cudaMemPoolAttrReservedMemHigh] = &p->reserved_high,
                             [cudaMemPoolAttrUsedMemCurrent] = &p->used,
                             [cudaMemPoolAttrUsedMemHigh] = &p->used_high};
  return (unsigned)a < sizeof books / sizeof *books ? books[a] : NULL;
}

static int *flag(pool *p, enum cudaMemPoolAttr a) {
  return (unsigned)a - REUSE_FOLLOWS < N_REUSE ? &p->reuse[a - REUSE_FOLLOWS] : NULL;
}

SL_API(cudaMemPoolGetAttribute, (h, a, value), cudaMemPool_t h, enum cudaMemPoolAttr a, void *value) {
  pool *p = *find_pool(h);
  if (!p || !value || (!flag(p, a) && !book(p, a))) return cudaErrorInvalidValue;
  if (flag(p, a)) *(int *)value = *flag(p, a);
  else *(uint64_t *)value = *book(p, a);
  return cudaSuccess;
}

// A highest value can only be set to 0; it then starts from the present value.
SL_API(cudaMemPoolSetAttribute, (h, a, value), cudaMemPool_t h, enum cudaMemPoolAttr a, void *value) {
  pool *p = *find_pool(h);
  if (!p || !value) return cudaErrorInvalidValue;
  if (flag(p, a)) return *flag(p, a) = *(const int *)value != 0, cudaSuccess;
  if (a == cudaMemPoolAttrReleaseThreshold) return p->threshold = *(const uint64_t *)value, cudaSuccess;
  bool high = a == cudaMemPoolAttrReservedMemHigh || a == cudaMemPoolAttrUsedMemHigh;
  if (!high || *(const uint64_t *)value != 0) return cudaErrorInvalidValue;
  *book(p, a) = a == cudaMemPoolAttrUsedMemHigh ? p->used : p->reserved;
  return cudaSuccess;
}

// The only device can always read and write its pools.
SL_API(cudaMemPoolSetAccess, (h, list, n), cudaMemPool_t h, const struct cudaMemAccessDesc *list, size_t n) {
  if (!*find_pool(h) || (n && !list)) return cudaErrorInvalidValue;
  for (size_t k = 0; k < n; k++) {
    if (list[k].location.type != cudaMemLocationTypeDevice || list[k].location.id != 0)
      return cudaErrorInvalidDevice;
    if (list[k].flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

SL_API(cudaMemPoolGetAccess, (out, h, l), enum cudaMemAccessFlags *out, cudaMemPool_t h,
       struct cudaMemLocation *l) {
  if (!out || !l || !*find_pool(h)) return cudaErrorInvalidValue;
  if (l->type != cudaMemLocationTypeDevice || l->id != 0) return cudaErrorInvalidDevice;
  *out = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}
