// main of the process that runs a student's kernel.cu: opens the judge's buffers, calls the entry point.
//
// Compiled once a lab to sl_runner_NN.o, with -DSL_SIGNATURE=, -DSL_ENTRY= and -DSL_SORT= as the lab's row in
// labs.def has them; nvcc links one of these objects with one kernel.cu. Nothing here is trusted: the
// student's code shares the process. The judge (harness/judge) reads results from the device itself and stops
// the process when it takes too long. Protocol: case_protocol.h.
#include "runner/case_protocol.h"
#include "scanlab/lab.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(cudaIpcMemHandle_t) == SL_CASE_HANDLE_BYTES, "a handle fits its place in the protocol");

// The entry point -------------------------------------------------------------------------------------------

#define SL_ONE_BLOCK 1
#define SL_ANY_PAIR 2
#define SL_SCAN_AND_SORT 3
#define SL_OWN 4 // a lab with its own entry.h

#if SL_SIGNATURE == SL_ONE_BLOCK
static cudaError_t call_entry(const sl_case_msg *m, void *const p[]) {
  return SL_ENTRY(p[SL_BUF_IN], p[SL_BUF_OUT], (int)m->n);
}
#elif SL_SIGNATURE == SL_ANY_PAIR
static cudaError_t call_entry(const sl_case_msg *m, void *const p[]) {
  lab05_args a = {p[SL_BUF_IN],     p[SL_BUF_OUT],   m->n, (sl_type)m->type, (sl_op)m->op,
                  (sl_kind)m->scan, (sl_tile)m->tile};
  return SL_ENTRY(&a);
}
#elif SL_SIGNATURE == SL_SCAN_AND_SORT
static cudaError_t call_entry(const sl_case_msg *m, void *const p[]) {
  if (!m->sort) return SL_ENTRY(p[SL_BUF_IN], p[SL_BUF_OUT], m->n);
  lab06_args a = {p[SL_BUF_IN], p[SL_BUF_OUT],    p[SL_BUF_VALUES_IN], p[SL_BUF_VALUES_OUT],
                  m->n,         (sl_type)m->type, (int)m->bits};
  return SL_SORT(&a);
}
#elif SL_SIGNATURE == SL_OWN
#include SL_ENTRY_HEADER
static cudaError_t call_entry(const sl_case_msg *m, void *const p[]) {
  void *const in[] = {p[SL_BUF_IN], p[SL_BUF_VALUES_IN], p[SL_BUF_THIRD_IN]};
  void *const out[] = {p[SL_BUF_OUT], p[SL_BUF_VALUES_OUT], p[SL_BUF_THIRD_OUT]};
  return SL_CALL(in, out, m->n, m->scalars);
}
#else
#error "SL_SIGNATURE must be one that labs.def can name"
#endif

// Messages --------------------------------------------------------------------------------------------------

static void receive(sl_case_msg *m) {
  char *at = (char *)m;
  for (size_t left = sizeof *m; left > 0;) {
    ssize_t got = read(SL_CASE_FD, at, left);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) _exit(1); // the judge is gone
    at += got;
    left -= (size_t)got;
  }
}

static void reply(const sl_case_reply *r) {
  const char *at = (const char *)r;
  for (size_t left = sizeof *r; left > 0;) {
    ssize_t done = write(SL_CASE_FD, at, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(1);
    at += done;
    left -= (size_t)done;
  }
}

// Calls -----------------------------------------------------------------------------------------------------

typedef struct run {
  sl_case_msg msg;          // message that opened the call
  void *base[SL_BUF_COUNT]; // its allocations
  void *arg[SL_BUF_COUNT];  // the arguments: base + offset
} run;

// Closes all but what [next] has at the same place: to open an allocation takes a real GPU long.
static void close_buffers(run *r, const sl_case_msg *next) {
  for (int k = 0; k < SL_BUF_COUNT; k++) {
    const sl_case_buffer *was = &r->msg.buffers[k], *is = &next->buffers[k];
    r->arg[k] = NULL;
    if (!r->base[k] || (is->present && !memcmp(was->handle, is->handle, sizeof is->handle))) continue;
    cudaIpcCloseMemHandle(r->base[k]);
    r->base[k] = NULL;
  }
}

static cudaError_t open_buffers(run *r) {
  for (int k = 0; k < SL_BUF_COUNT; k++) {
    const sl_case_buffer *b = &r->msg.buffers[k];
    cudaIpcMemHandle_t handle;
    if (!b->present) continue;
    memcpy(&handle, b->handle, sizeof handle);
    if (!r->base[k]) {
      cudaError_t err = cudaIpcOpenMemHandle(&r->base[k], handle, cudaIpcMemLazyEnablePeerAccess);
      if (err != cudaSuccess) return err;
    }
    r->arg[k] = (char *)r->base[k] + b->offset;
  }
  return cudaSuccess;
}

// Makes call [k] of a batch.
static cudaError_t call_at(const run *r, uint64_t k) {
  void *arg[SL_BUF_COUNT];
  for (int b = 0; b < SL_BUF_COUNT; b++) arg[b] = r->arg[b] ? (char *)r->arg[b] + k * r->msg.stride : NULL;
  return call_entry(&r->msg, arg);
}

// The runtime's own functions, which send on what the program has begun: kernel.cu may define others of their
// names, which the linker takes.
typedef cudaError_t asked(void);
static asked *device_synchronize, *get_last_error;

static asked *of_runtime(const char *name, asked *else_) {
  asked *own = (asked *)dlsym(RTLD_NEXT, name);
  return own ? own : else_;
}

// Calls the entry point between two events and fills the reply.
static void go(const run *r, const sl_case_msg *m, sl_case_reply *out) {
  cudaEvent_t start = NULL, stop = NULL;
  int timed = m->events && cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&stop) == cudaSuccess &&
              cudaEventRecord(start, 0) == cudaSuccess;
  float ms = 0;
  get_last_error(); // clears any error of our own calls
  for (uint64_t k = 0; k < m->calls && !out->returned; k++) out->returned = (int32_t)call_at(r, k);
  timed = timed && cudaEventRecord(stop, 0) == cudaSuccess;
  out->sync = (int32_t)device_synchronize();
  out->last = (int32_t)get_last_error();
  fflush(NULL); // shows what the entry point printed, even if the judge stops the process now
  timed = timed && cudaEventElapsedTime(&ms, start, stop) == cudaSuccess;
  out->device_ms = timed ? (double)ms : -1;
  if (start) cudaEventDestroy(start);
  if (stop) cudaEventDestroy(stop);
  if (!out->sync) device_synchronize(); // the simulated GPU learns that they are gone
}

int main(void) {
  static run r;
  device_synchronize = of_runtime("cudaDeviceSynchronize", cudaDeviceSynchronize);
  get_last_error = of_runtime("cudaGetLastError", cudaGetLastError);
  for (;;) {
    sl_case_msg m;
    receive(&m);
    if (m.magic != SL_CASE_MAGIC || m.kind == SL_CASE_END) break;
    sl_case_reply out = {.magic = SL_CASE_MAGIC, .kind = m.kind, .ticket = m.ticket, .device_ms = -1};
    if (m.kind == SL_CASE_OPEN) {
      close_buffers(&r, &m);
      r.msg = m;
      out.returned = (int32_t)open_buffers(&r);
    } else {
      go(&r, &m, &out);
    }
    reply(&out);
  }
  static const sl_case_msg none;
  close_buffers(&r, &none);
  return 0;
}
