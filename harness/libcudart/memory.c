// Allocation of device memory and of pinned host memory, IPC handles, and questions about addresses.
//
// Pinned host memory is ordinary memory of the program. Kernels can use it at the same address, as host and
// device share their addresses: it becomes known to the device (managed.c) when a pointer to it goes there,
// as an argument of a kernel or in memory.
#include "libcudart/graph.h"

#include <unistd.h>

// Device memory ---------------------------------------------------------------------------------------------

static cudaError_t alloc_as(void **out, size_t size, uint64_t order, bool pages) {
  sl_call k = {.op = SL_MSG_ALLOC, .arg = {size, order, pages}};
  if (!out) return cudaErrorInvalidValue;
  if (!order) sl__pending_all();
  cudaError_t e = sl__call_placed(&k);
  if (!order) sl__managed_open(); // it has waited
  if (!e) *out = (void *)(uintptr_t)k.arg[0];
  else if (e == cudaErrorMemoryAllocation)
    sl__detail("%zu bytes, and the device has %llu in all", size,
               (unsigned long long)sl__device()->total_memory);
  return e;
}

cudaError_t sl__alloc(void **out, size_t size, uint64_t order) { return alloc_as(out, size, order, false); }

cudaError_t sl__release(void *p, uint64_t order) {
  cudaError_t e =
      order ? sl__alive()
            : sl__synchronise(); // also with a null pointer: programs start the device with cudaFree(0)
  if (e || !p) return e;
  if (!sl__on_device(p)) return sl__detail("the pointer is none of the device's"), cudaErrorInvalidValue;
  sl_call k = {.op = SL_MSG_FREE, .arg = {(uintptr_t)p, order}};
  e = sl__call_placed(&k);
  if (!e) sl__managed_drop((uintptr_t)p), sl__pools_freed(p);
  else if (k.arg[0] == 1) sl__detail("it was freed before"), sl__freed_twice(p);
  else sl__detail("no allocation begins at the pointer");
  return e;
}

SL_API(cudaMalloc, (out, size), void **out, size_t size) {
  cudaError_t e = sl__capture_forbids(SL_ANY_STREAM);
  return e ? e : sl__alloc(out, size, 0);
}

SL_API(cudaFree, (p), void *p) {
  cudaError_t e = sl__capture_forbids(SL_ANY_STREAM);
  return e ? e : sl__release(p, 0);
}

SL_API(cudaMallocPitch, (out, pitch, width, height), void **out, size_t *pitch, size_t width, size_t height) {
  enum { PITCH = 512 };
  if (!out || !pitch) return cudaErrorInvalidValue;
  if (width > SIZE_MAX / 2) return cudaErrorInvalidValue;
  size_t row = (width + PITCH - 1) / PITCH * PITCH, total;
  if (__builtin_mul_overflow(row, height, &total)) return cudaErrorMemoryAllocation;
  *pitch = height ? row : 0;
  return sl__alloc(out, total, 0);
}

SL_API(cudaMallocManaged, (out, size, flags), void **out, size_t size, unsigned flags) {
  if (!out || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return cudaErrorInvalidValue;
  cudaError_t e = sl__capture_forbids(SL_ANY_STREAM);
  if (!size && !e) *out = NULL;
  if (!size || e) return e;
  e = alloc_as(out, size, 0, true);
  if (!e && (e = sl__managed_map((uintptr_t)*out, size))) sl__call1(SL_MSG_FREE, (uintptr_t)*out, 0, 0);
  return e;
}

SL_API(cudaMemGetInfo, (free_bytes, total), size_t *free_bytes, size_t *total) {
  sl_call k = {.op = SL_MSG_MEMINFO};
  cudaError_t e = sl__call(&k);
  if (!e && free_bytes) *free_bytes = k.arg[0];
  if (!e && total) *total = k.arg[1];
  return e;
}

// Host memory -----------------------------------------------------------------------------------------------

typedef struct pinned {
  void *at;
  size_t size;
  bool ours;
  unsigned flags;
  sl_place *made; // the call, for memory.leak; NULL: nobody asks
  struct pinned *next;
} pinned;
static pinned *pinned_list;
static uintptr_t pinned_from = UINTPTR_MAX, pinned_to; // all pinned memory so far lies between

static pinned **find_pinned(const void *p, bool start) {
  for (pinned **at = &pinned_list; *at; at = &(*at)->next)
    if (start ? (*at)->at == p : (uintptr_t)p - (uintptr_t)(*at)->at < (*at)->size) return at;
  return NULL;
}

// Pinned memory that shares a byte with these, or NULL.
static const pinned *overlapping(const void *p, size_t size) {
  for (const pinned *at = pinned_list; at; at = at->next)
    if ((uintptr_t)p - (uintptr_t)at->at < at->size || (uintptr_t)at->at - (uintptr_t)p < size) return at;
  return NULL;
}

bool sl__is_pinned(const void *p, size_t size) {
  pinned **at = find_pinned(p, false);
  return at && size <= (*at)->size - (size_t)((const char *)p - (const char *)(*at)->at);
}

uintptr_t sl__pinned_end(const void *p, size_t size, size_t page) {
  const pinned *at = *find_pinned(p, false);
  uintptr_t end = (uintptr_t)p + size;
  return at->ours && end == (uintptr_t)at->at + at->size ? (end + page - 1) / page * page : end;
}

static cudaError_t add_pinned(void *at, size_t size, bool ours, unsigned flags) {
  pinned *p = malloc(sizeof *p);
  if (!p) return cudaErrorMemoryAllocation;
  *p = (pinned){at, size, ours, flags, sl__leaks_wanted() ? malloc(sizeof *p->made) : NULL, pinned_list};
  if (p->made) sl__place(p->made);
  pinned_list = p;
  if ((uintptr_t)at < pinned_from) pinned_from = (uintptr_t)at;
  if ((uintptr_t)at + size > pinned_to) pinned_to = (uintptr_t)at + size;
  return cudaSuccess;
}

// Finds pointers at aligned places; one may point just behind the memory.
void sl__pinned_named(const void *data, size_t len, uint64_t align) {
  uintptr_t word;
  for (size_t at = -align % sizeof word; pinned_list && at + sizeof word <= len; at += sizeof word) {
    memcpy(&word, (const char *)data + at, sizeof word);
    if (word - pinned_from > pinned_to - pinned_from) continue;
    for (const pinned *p = pinned_list; p; p = p->next)
      if (word - (uintptr_t)p->at <= p->size) sl__hosted_add(p->at, p->size, p->ours);
  }
}

static cudaError_t host_alloc(void **out, size_t size, unsigned flags) {
  cudaError_t e = sl__capture_forbids(SL_ANY_STREAM);
  if (!e) e = sl__synchronise(); // no launches before and after it overlap
  if (e) return e;
  if (!out || flags > (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
    return cudaErrorInvalidValue;
  *out = NULL;
  if (size == 0) return cudaSuccess;
  void *p = NULL;
  size_t page = (size_t)sysconf(_SC_PAGESIZE); // whole pages: pending.c protects them
  if (size > SIZE_MAX / 2 || posix_memalign(&p, page, (size + page - 1) / page * page) != 0 ||
      add_pinned(p, size, true, flags)) {
    free(p);
    return cudaErrorMemoryAllocation;
  }
  *out = p;
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void **out, size_t size, unsigned flags) {
  SL_LOCKED(host_alloc(out, size, flags));
}
cudaError_t cudaMallocHost(void **out, size_t size) { SL_LOCKED(host_alloc(out, size, 0)); }

static cudaError_t not_pinned(const void *p, const pinned *at) {
  sl__detail("the memory %s", at ? at->ours ? "is from cudaMallocHost or cudaHostAlloc: cudaFreeHost"
                                            : "is registered: cudaHostUnregister, then free()"
                              : sl__on_device(p)
                                  ? "is the device's: cudaFree"
                                  : "is not from cudaMallocHost or cudaHostAlloc, or was freed before");
  return cudaErrorInvalidValue;
}

static cudaError_t unpin(void *p, bool ours) {
  cudaError_t e = sl__capture_forbids(SL_ANY_STREAM);
  if (!e) e = sl__ready();
  pinned **at = find_pinned(p, true);
  if (e || (ours && !p)) return e;
  if (!ours && p && !sl__on_device(p) && !find_pinned(p, false)) return cudaErrorHostMemoryNotRegistered;
  if (!at || (*at)->ours != ours) return not_pinned(p, at ? *at : NULL);
  pinned *gone = *at;
  sl__pending_range(gone->at, gone->size);
  *at = gone->next;
  sl__hosted_drop(gone->at);
  if (ours) free(gone->at);
  free(gone->made), free(gone);
  return cudaSuccess;
}

void sl__pinned_left(void (*tell)(const sl_place *made, size_t size)) {
  for (const pinned *p = pinned_list; p; p = p->next)
    if (p->made) tell(p->made, p->size);
}

void sl__pinned_forget(void) {
  for (pinned *p = pinned_list; p; p = p->next) free(p->made), p->made = NULL;
}

cudaError_t cudaFreeHost(void *p) { SL_LOCKED(unpin(p, true)); }
cudaError_t cudaHostUnregister(void *p) { SL_LOCKED(unpin(p, false)); }

SL_API(cudaHostRegister, (p, size, flags), void *p, size_t size, unsigned flags) {
  const unsigned known =
      cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
  cudaError_t e = sl__capture_forbids(SL_ANY_STREAM);
  if (!e) e = sl__ready();
  if (e) return e;
  if (!p || size == 0 || flags & ~known || sl__on_device(p)) return cudaErrorInvalidValue;
  const pinned *has = overlapping(p, size);
  if (has) return has->ours ? cudaErrorInvalidValue : cudaErrorHostMemoryAlreadyRegistered;
  return add_pinned(p, size, false, flags);
}

SL_API(cudaHostGetFlags, (flags, p), unsigned *flags, void *p) {
  pinned **at = find_pinned(p, false);
  if (!at || !flags) return cudaErrorInvalidValue;
  *flags = (*at)->flags | cudaHostAllocMapped; // as the runtime answers where host and device share addresses
  return cudaSuccess;
}

// The device's address of pinned memory is the host's.
SL_API(cudaHostGetDevicePointer, (out, host, flags), void **out, void *host, unsigned flags) {
  cudaError_t e = sl__alive();
  pinned **at = find_pinned(host, false);
  if (e || !out || flags) return e ? e : cudaErrorInvalidValue;
  *out = at ? host : NULL;
  return at ? cudaSuccess : cudaErrorInvalidValue;
}

// Questions -------------------------------------------------------------------------------------------------

SL_API(cudaPointerGetAttributes, (a, p), struct cudaPointerAttributes *a, const void *p) {
  cudaError_t e = sl__ready();
  if (e || !a) return e ? e : cudaErrorInvalidValue;
  memset(a, 0, sizeof *a);
  if (find_pinned(p, false)) {
    a->type = cudaMemoryTypeHost;
    a->hostPointer = a->devicePointer = (void *)p;
  } else if (sl__on_device(p) && !sl__call1(SL_MSG_RANGE, (uintptr_t)p, 0, 0)) {
    bool managed = sl__managed_has((uintptr_t)p);
    a->type = managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
    a->devicePointer = (void *)p;
    a->hostPointer = managed ? (void *)p : NULL;
  } else {
    a->type = cudaMemoryTypeUnregistered;
    a->device = cudaInvalidDeviceId;
    a->hostPointer = (void *)p;
  }
  return cudaSuccess;
}

// IPC handles: a random token of the server, and the pointer's offset in its allocation --------------------

SL_API(cudaIpcGetMemHandle, (h, p), cudaIpcMemHandle_t *h, void *p) {
  sl_call k = {.op = SL_MSG_EXPORT, .arg = {(uintptr_t)p}};
  if (!h) return cudaErrorInvalidValue;
  cudaError_t e = sl__call(&k);
  memset(h, 0, sizeof *h);
  if (!e) memcpy(h->reserved, k.arg, 2 * sizeof k.arg[0]);
  return e;
}

typedef struct opened {
  uint64_t addr;
  unsigned count;
  struct opened *next;
} opened;
static opened *opened_list;

static opened **find_opened(uint64_t addr) {
  opened **at = &opened_list;
  while (*at && (*at)->addr != addr) at = &(*at)->next;
  return at;
}

static cudaError_t ipc_open(void **out, const cudaIpcMemHandle_t *h, unsigned flags) {
  sl_call k = {.op = SL_MSG_IMPORT};
  if (!out || flags != cudaIpcMemLazyEnablePeerAccess) return cudaErrorInvalidValue;
  memcpy(k.arg, h->reserved, 2 * sizeof k.arg[0]);
  cudaError_t e = sl__call(&k);
  if (e) return e == cudaErrorInvalidResourceHandle ? cudaErrorInvalidValue : e; // the handle is gone
  opened **at = find_opened(k.arg[0]);
  if (!*at && !(*at = calloc(1, sizeof **at))) return cudaErrorMemoryAllocation;
  (*at)->addr = k.arg[0];
  (*at)->count++;
  *out = (void *)(uintptr_t)k.arg[0];
  return cudaSuccess;
}
cudaError_t cudaIpcOpenMemHandle(void **out, cudaIpcMemHandle_t h, unsigned flags) {
  SL_LOCKED(ipc_open(out, &h, flags));
}

SL_API(cudaIpcCloseMemHandle, (p), void *p) {
  opened **at = find_opened((uintptr_t)p);
  if (!*at) return cudaErrorInvalidValue;
  if (--(*at)->count == 0) {
    opened *gone = *at;
    *at = gone->next;
    free(gone);
  }
  return sl__synchronise();
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
  return (struct cudaChannelFormatDesc){x, y, z, w, f};
}
