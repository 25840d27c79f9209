// The judge's own work on a real GPU, through the CUDA runtime library that device.c has loaded.
//
// Interface: work.h. The kernels of contest_kernels.cu are part of this program (the section below) and are
// loaded as a library of their own.
#include "judge/work.h"

#include <cuda_runtime_api.h>

__asm__(".section .rodata\n.balign 64\ncontest_image:\n"
        ".incbin \"" SL_CONTEST_IMAGE "\"\n.previous\n");
extern const unsigned char contest_image[] __attribute__((visibility("hidden"))); // the section above

enum { BLOCK = 256, MAX_GRID = 128, MIN_FLUSH = 16 << 20, POISON = 0xa5 };

struct sl_work {
  sl_device *device;
  char bus_id[32];
  cudaLibrary_t library;
  cudaKernel_t fill, check;
  cudaEvent_t start, stop;
  void *scratch, *found; // memory that is written to empty the cache; contest_call of each call
  size_t l2_bytes, flush_bytes, found_bytes;
  cudaError_t (*launch)(const void *, dim3, dim3, void **, size_t, cudaStream_t);
  cudaError_t (*sync)(void);
  cudaError_t (*memset)(void *, int, size_t);
  cudaError_t (*memcpy_async)(void *, const void *, size_t, enum cudaMemcpyKind, cudaStream_t);
  cudaError_t (*mem_info)(size_t *, size_t *);
  cudaError_t (*reset_l2)(void);
  cudaError_t (*load)(cudaLibrary_t *, const void *, enum cudaJitOption *, void **, unsigned,
                      enum cudaLibraryOption *, void **, unsigned);
  cudaError_t (*unload)(cudaLibrary_t);
  cudaError_t (*kernel)(cudaKernel_t *, cudaLibrary_t, const char *);
  cudaError_t (*attribute)(int *, enum cudaDeviceAttr, int);
  cudaError_t (*bus)(char *, int, int);
  cudaError_t (*event)(cudaEvent_t *);
  cudaError_t (*event_end)(cudaEvent_t);
  cudaError_t (*record)(cudaEvent_t, cudaStream_t);
  cudaError_t (*elapsed)(float *, cudaEvent_t, cudaEvent_t);
};

static bool must(sl_work *w, cudaError_t err, const char *doing, sl_error *e) {
  char text[160];
  if (err == cudaSuccess) return true;
  return sl_fail(e, SL_EXIT_INFRA, NULL, "the judge cannot %s: %s", doing,
                 sl_device_error_text(w->device, (int)err, text, sizeof text));
}

// Opening ---------------------------------------------------------------------------------------------------

static bool find_functions(sl_work *w, sl_error *e) {
#define ROW(member, name)                                                                                    \
  { name, offsetof(sl_work, member) }
  static const struct {
    const char *name;
    size_t at;
  } rows[] = {
      ROW(launch, "cudaLaunchKernel"),
      ROW(sync, "cudaDeviceSynchronize"),
      ROW(memset, "cudaMemset"),
      ROW(memcpy_async, "cudaMemcpyAsync"),
      ROW(mem_info, "cudaMemGetInfo"),
      ROW(reset_l2, "cudaCtxResetPersistingL2Cache"),
      ROW(load, "cudaLibraryLoadData"),
      ROW(unload, "cudaLibraryUnload"),
      ROW(kernel, "cudaLibraryGetKernel"),
      ROW(attribute, "cudaDeviceGetAttribute"),
      ROW(bus, "cudaDeviceGetPCIBusId"),
      ROW(event, "cudaEventCreate"),
      ROW(event_end, "cudaEventDestroy"),
      ROW(record, "cudaEventRecord"),
      ROW(elapsed, "cudaEventElapsedTime"),
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    void *f = sl_device_symbol(w->device, rows[k].name);
    if (!f)
      return sl_fail(e, SL_EXIT_INFRA, "install CUDA 12.8 or newer", "the CUDA runtime library lacks %s",
                     rows[k].name);
    memcpy((char *)w + rows[k].at, &f, sizeof f);
  }
  return true;
}

// Writes four times the cache's size, so that nothing of its old contents is left.
static bool size_flush(sl_work *w, sl_error *e) {
  int l2 = 0;
  if (!must(w, w->attribute(&l2, cudaDevAttrL2CacheSize, 0), "ask for the size of the L2 cache", e))
    return false;
  w->l2_bytes = (size_t)l2;
  w->flush_bytes = (size_t)l2 * 4 > MIN_FLUSH ? (size_t)l2 * 4 : MIN_FLUSH;
  return sl_device_alloc(w->device, w->flush_bytes, &w->scratch, e);
}

sl_work *sl_work_open(sl_device *d, sl_error *e) {
  sl_work *w = calloc(1, sizeof *w);
  if (!w) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory"), NULL;
  w->device = d;
  bool ok =
      find_functions(w, e) && size_flush(w, e) &&
      must(w, w->load(&w->library, contest_image, NULL, NULL, 0, NULL, NULL, 0), "load its kernels", e) &&
      must(w, w->kernel(&w->fill, w->library, "contest_fill"), "find its kernels", e) &&
      must(w, w->kernel(&w->check, w->library, "contest_check"), "find its kernels", e) &&
      must(w, w->event(&w->start), "make an event", e) && must(w, w->event(&w->stop), "make an event", e);
  if (ok && w->bus(w->bus_id, sizeof w->bus_id, 0) != cudaSuccess) w->bus_id[0] = 0;
  if (ok) return w;
  sl_work_close(w);
  return NULL;
}

void sl_work_close(sl_work *w) {
  if (!w) return;
  sl_device_free(w->device, w->scratch);
  sl_device_free(w->device, w->found);
  if (w->start) w->event_end(w->start);
  if (w->stop) w->event_end(w->stop);
  if (w->library) w->unload(w->library);
  free(w);
}

const char *sl_work_bus_id(const sl_work *w) { return w->bus_id; }

size_t sl_work_free_memory(sl_work *w) {
  size_t free_bytes = 0, total;
  return w->mem_info(&free_bytes, &total) == cudaSuccess ? free_bytes : 0;
}

// Work ------------------------------------------------------------------------------------------------------

static bool wait(sl_work *w, const char *doing, sl_error *e) { return must(w, w->sync(), doing, e); }

static dim3 grid_of(const sl_batch *b) {
  uint64_t blocks = (b->n + BLOCK - 1) / BLOCK;
  return (dim3){blocks > MAX_GRID ? MAX_GRID : blocks ? (unsigned)blocks : 1, b->calls, 1};
}

bool sl_work_fill(sl_work *w, const sl_batch *b, uint64_t key, sl_error *e) {
  int kind = b->kind;
  uint32_t *in = b->in;
  uint64_t n = b->n, stride = b->stride;
  void *args[] = {&kind, &in, &n, &stride, &key};
  return must(w, w->launch((const void *)w->fill, grid_of(b), (dim3){BLOCK, 1, 1}, args, 0, NULL),
              "make inputs", e) &&
         wait(w, "make inputs", e);
}

typedef struct call_finding {
  uint64_t wrong, changed, print;
} call_finding;

static bool reserve_found(sl_work *w, size_t bytes, sl_error *e) {
  if (bytes > w->found_bytes) {
    sl_device_free(w->device, w->found);
    w->found = NULL, w->found_bytes = bytes;
    if (!sl_device_alloc(w->device, bytes, &w->found, e)) return false;
  }
  return must(w, w->memset(w->found, 0, bytes), "clear its findings", e);
}

bool sl_work_check(sl_work *w, const sl_batch *b, uint64_t key, unsigned *bad, sl_error *e) {
  size_t bytes = b->calls * sizeof(call_finding);
  int kind = b->kind;
  const uint32_t *in = b->in, *out = b->out;
  uint64_t n = b->n, stride = b->stride;
  SL_FREED call_finding *now = malloc(bytes);
  bool ok = now != NULL || sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
  ok = ok && reserve_found(w, bytes, e);
  void *args[] = {&kind, &in, &out, &n, &stride, &key, &w->found};
  ok = ok &&
       must(w, w->launch((const void *)w->check, grid_of(b), (dim3){BLOCK, 1, 1}, args, 0, NULL),
            "check outputs", e) &&
       sl_device_read(w->device, now, w->found, bytes, e);
  *bad = 0;
  for (unsigned k = 0; ok && k < b->calls; k++) *bad += now[k].wrong || now[k].changed || now[k].print;
  return ok;
}

bool sl_work_prepare(sl_work *w, const sl_batch *b, sl_error *e) {
  return must(w, w->reset_l2(), "reset the cache", e) &&
         must(w, w->memset(b->out, POISON, b->stride * b->calls * 4), "clear outputs", e) &&
         must(w, w->memset(w->scratch, 0, w->flush_bytes), "make the cache cold", e) &&
         wait(w, "make the cache cold", e);
}

bool sl_work_is_cold(const sl_work *w, const sl_batch *b) {
  return b->stride * b->calls * 4 >= 2 * w->l2_bytes;
}

bool sl_work_copy(sl_work *w, const sl_batch *b, double *ms, sl_error *e) {
  float between = 0;
  bool ok = must(w, w->record(w->start, NULL), "record an event", e);
  for (unsigned k = 0; ok && k < b->calls; k++)
    ok = must(w,
              w->memcpy_async(b->out + k * b->stride, b->in + k * b->stride, b->n * 4,
                              cudaMemcpyDeviceToDevice, NULL),
              "copy", e);
  ok = ok && must(w, w->record(w->stop, NULL), "record an event", e) && wait(w, "copy", e) &&
       must(w, w->elapsed(&between, w->start, w->stop), "read events", e);
  *ms = (double)between;
  return ok;
}
