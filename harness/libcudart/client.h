// Inside libcudart.so.13: the connection, registered modules, and all that the files of the API share.
//
// Every API function that needs the device takes the one lock (sl__enter .. sl__leave) by SL_API or
// SL_LOCKED, which also keep the error for cudaGetLastError. Nothing here links to the rest of the project:
// the library is loaded into any program.
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gpu/protocol.h"

// Another name for a function. The names NAME_ptds and NAME_ptsz come from the build: per-thread default
// streams behave as the legacy one, since all work is finished when a call returns.
#define SL_TWIN(twin, of) __typeof__(of) twin __attribute__((alias(#of)))

// error.c
// Remembers [e] for cudaGetLastError of this thread; returns [e].
cudaError_t sl__keep_of(const char *call, cudaError_t e);
#define sl__keep(e) sl__keep_of(__func__, e)
void sl__say(const char *fmt, ...) __attribute__((format(printf, 1, 2))); // one line on stderr

cudaError_t sl__swap_last(cudaError_t e);  // sets this thread's last error; returns what it was
const char *sl__error_name(cudaError_t e); // like cudaGetErrorName, for use in here

// notice.c
void sl__called(const char *name); // a call of the API begins
void sl__place(sl_place *p);       // where the program calls from; empty if nobody wants to know
// Explains the error that is about to be kept.
void sl__detail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void sl__about_kernel(const char *name);
void sl__about_empty_launch(void); // the call launches no block or no thread
void sl__failed(const char *call, cudaError_t e);
void sl__unready(void);       // the events of the call that is going on are not there yet
void sl__timed(void);         // .. the program has asked again, and got an answer
bool sl__has_failed(void);    // has a call failed, and the program has not looked at that?
bool sl__failures_told(void); // does sl-gpu hear of every call that fails?
void sl__send_notice(const sl_notice *n);
// Reports the call that is going on, if anybody wants to know.
void sl__notice(uint32_t kind, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool sl__races_wanted(void); // does anybody want to know of races between the host and copies?
bool sl__leaks_wanted(void);
bool sl__races_seen(void); // can the host's touches of protected pages be seen?
bool sl__reads_seen(void); // are its reads of managed memory wanted, and seen?
// The host reads managed memory of [size] bytes at byte [index], never written. Runs in the fault handler.
void sl__read_unwritten(uint64_t index, uint64_t size);
void sl__looked_at(cudaError_t e); // the program has looked at this error; cudaSuccess: at all errors
// The host touches the device's byte [addr] while work may use it. Runs in the fault handler.
void sl__touched_early(uint64_t addr, bool writes);
void sl__freed_twice(const void *p);
void sl__catch_faults(void); // the program's touches of protected pages, from now on
void sl__notices_begin(uint32_t checks);
void sl__notices_end(void);

// connect.c
void sl__enter(void);
void sl__leave(void);
void sl__run_host(void (*fn)(void *), void *data); // a host function of a stream; without the lock
bool sl__on_stream(void);                          // does this thread run such a function?
bool sl__forbidden(void);                          // does such a function call the API? That is reported
bool sl__within_call(void); // between enter and leave: has this library called a function of the API itself?
cudaError_t sl__device_ok(int device);  // device.c: connects; is it the one device?
size_t sl__stack_limit(void);           // device.c: cudaLimitStackSize
cudaError_t sl__ready(void);            // connects if need be; call it and all below between enter and leave
cudaError_t sl__alive(void);            // the same, and an error if a kernel is known to have failed
const sl_device_info *sl__device(void); // after sl__ready

// A request. `in`/`in_cap`: room for the reply's payload; `in_len`: its length.
typedef struct sl_call {
  uint16_t op;
  uint64_t arg[SL_MSG_ARGS]; // the reply's arguments replace them
  const void *out[3];
  size_t out_len[3];
  void *in;
  size_t in_cap, in_len;
  bool unanswered; // it cannot be refused: a judge's sl-gpu may get it later, and then sends no reply
} sl_call;
cudaError_t sl__call(sl_call *k); // connects if need be
// The same, with the place of the program's call at the end of the request if anybody wants to know.
cudaError_t sl__call_placed(sl_call *k);
cudaError_t sl__call1(uint16_t op, uint64_t a0, uint64_t a1, uint64_t a2);
void sl__print_text(void);         // fetches and writes what kernels have printed
cudaError_t sl__synchronise(void); // waits and prints
// Has the host waited for all that this program has begun? Then a wait needs no message, and neither does a
// copy that the host waits for: nothing can overlap it.
bool sl__idle(void);
void sl__waited(void);    // the host has waited for some of the work
uint64_t sl__waits(void); // how often it has
bool sl__connected(void);

// held.c
struct iovec;
bool sl__held_add(const struct iovec *piece, int n);            // a request; false: there is no room
struct iovec sl__held_take(void);                               // all that is kept, to be sent now
void sl__held_note(const sl_msg *request, const sl_msg *reply); // allocations come and go
bool sl__held_knows(uint64_t at, uint64_t size);                // do these bytes lie in one of them?

// module.c
typedef struct sl_module sl_module;
typedef struct sl_function {
  const void *host;
  const char *name;
  sl_module *module;
  struct sl_function *next, *all;
  cudaError_t state; // once resolved: cudaSuccess, or why it could not be
  bool resolved;
  uint64_t id; // the server's number
  unsigned arch;
  sl_kernel_msg info;
  sl_param_msg *params;
  uint64_t max_dynamic; // cudaFuncAttributeMaxDynamicSharedMemorySize
  int carveout;
} sl_function;
typedef struct sl_variable {
  const void *host;
  const char *name;
  sl_module *module;
  struct sl_variable *next;
  void **managed; // the program's pointer to a __managed__ variable
  uint64_t size, addr;
  bool resolved;
} sl_variable;
// The function of a host address or handle, resolved on the device.
cudaError_t sl__function(const void *host, sl_function **out);
sl_function *sl__registered(const void *host); // without asking the device; NULL: unknown
cudaError_t sl__variable(const void *host, sl_variable **out);
void sl__modules_forget(void); // after cudaDeviceReset: load again at next use

// memory.c
bool sl__is_pinned(const void *p, size_t size); // does cudaMallocHost or cudaHostRegister hold all of it?
// [data] goes to the device: kernels may follow the pointers in it. Pinned memory that they point to becomes
// hosted. [align]: its address there.
void sl__pinned_named(const void *data, size_t len, uint64_t align);
// The end of [p, p + size), or of its last page if nothing else lies in the rest of that.
uintptr_t sl__pinned_end(const void *p, size_t size, size_t page);
// What the program still has pinned: where each piece was made. After cudaDeviceReset nothing is left.
void sl__pinned_left(void (*tell)(const sl_place *made, size_t size));
void sl__pinned_forget(void);
// [order]: 0: at once; 1 + SL_STREAM: in the order of a stream, without waiting.
cudaError_t sl__alloc(void **out, size_t size, uint64_t order);
cudaError_t sl__release(void *p, uint64_t order);

// pool.c
void sl__pools_synchronised(void); // the program has waited for the device
void sl__pools_freed(const void *p);
void sl__pools_forget(void); // after cudaDeviceReset

// copy.c: addresses on the device, ranges of any length.
cudaError_t sl__write(uint64_t to, const void *from, size_t len);
cudaError_t sl__read(void *to, uint64_t from, size_t len);
bool sl__on_device(const void *p);
typedef struct sl_rows { // the memory of a copy or fill; pitches: bytes from row to row
  char *to;
  const char *from;
  size_t to_pitch, from_pitch, width, height;
  bool async; // an Async form of a copy
} sl_rows;
cudaError_t sl__copy(sl_rows r, enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t sl__fill(sl_rows r, int value, unsigned element, cudaStream_t s); // element: bytes of [value]

// pending.c: copies between pinned memory and the device that nobody has waited for. Streams are SL_STREAM.
// Begins one. [arrives]: the bytes for the host, malloc'ed; NULL: the copy goes to the device.
void sl__pending_begin(const sl_rows *r, uint64_t stream, char *arrives);
void sl__pending_work(uint64_t stream); // the device is about to do it
void sl__pending_record(uint64_t stream, uint64_t event);
void sl__pending_wait(uint64_t stream, uint64_t event);
void sl__pending_stream_done(uint64_t stream); // the host has waited
void sl__pending_event_done(uint64_t event);
void sl__pending_all(void);
// The library itself is about to use host memory.
void sl__pending_range(const void *at, size_t len);
// The same for a copy in [stream]. A race if not ordered behind copies under way. [rows]: it has gaps.
void sl__pending_copy(uint64_t stream, const void *at, size_t len, bool writes, bool rows);
void sl__pending_forget(void);                                     // at the end
bool sl__pending_fault(uintptr_t addr, bool writes, uintptr_t ip); // false: not in such a copy

// managed.c
cudaError_t sl__managed_map(uint64_t addr, size_t size); // makes a device range visible to the host
bool sl__managed_drop(uint64_t addr);
bool sl__managed_has(uint64_t addr);
// The allocation around [addr]; false: none.
bool sl__managed_range(uint64_t addr, uint64_t *start, uint64_t *size);
void sl__advice_drop(uint64_t addr); // advice.c: the allocation is gone
cudaError_t sl__managed_push(void);  // host -> device, before a launch
cudaError_t sl__managed_pull(void);  // device -> host, after it
void sl__managed_forget(void);
void sl__managed_open(void);  // the library itself is about to use what the device works on
void sl__managed_close(void); // the program goes on, and may not use that
bool sl__managed_fault(uintptr_t addr, bool writes);    // true: the page is there now
void sl__managed_named(const void *params, size_t len); // a launch is given these pointers
// The same for the managed memory around [p], if it is managed.
cudaError_t sl__managed_push_at(const void *p);
cudaError_t sl__managed_pull_at(const void *p);
// Kernels see the pinned memory at [host] from now on; it is pushed and pulled like managed memory.
void sl__hosted_add(void *host, size_t size, bool whole_pages);
void sl__hosted_drop(const void *host); // nothing, if they never did

// module.c: what nvcc puts into every program calls these; library.c, too
void **__cudaRegisterFatBinary(void *fat);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
                            void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size,
                       int constant, int global);
void __cudaUnregisterFatBinary(void **handle);

// launch.c
// The first checks a launch and lays its parameters out, the second sends it.
typedef struct sl_configured {
  dim3 grid, block;
  void **args;
  size_t shared; // bytes
  bool cooperative;
} sl_configured;
cudaError_t sl__pack(const sl_function *f, const sl_configured *c, sl_launch_msg *m, uint8_t *params);
cudaError_t sl__launch_packed(const sl_function *f, sl_launch_msg *m, const void *params);
// function.c: how many blocks of [f] fit on a multiprocessor
int sl__blocks_per_sm(const sl_function *f, unsigned threads, size_t dynamic);

// capture.c, exec.c, graph.c: after cudaDeviceReset, in this order
void sl__captures_forget(void);
void sl__execs_forget(void);
void sl__graphs_forget(void);
size_t sl__graphs_had(void); // graphs and their instances that are not destroyed

// stream.c
enum { SL_MAX_WINDOW = 128 << 20 }; // most bytes that a stream may ask to keep in the cache
bool sl__stream_ok(cudaStream_t s);
size_t sl__streams_had(void);                   // streams and events that are not destroyed
uint64_t sl__stream_number(cudaStream_t s);     // SL_STREAM of a valid stream
uint64_t sl__stream_works(cudaStream_t s);      // the same, for work that it is given
cudaError_t sl__stream_reached(cudaStream_t s); // a function of the host is next in it: all before is done

// The link of [list], whose entries have a next, that leads to [entry]; else its last one, which is NULL.
#define SL_LINK_TO(list, entry)                                                                              \
  ({                                                                                                         \
    __typeof__(list) *at_ = &(list);                                                                         \
    while (*at_ && (const void *)*at_ != (const void *)(entry)) at_ = &(*at_)->next;                         \
    at_;                                                                                                     \
  })

// Runs [body] (a cudaError_t expression) under the lock and returns its result, kept for cudaGetLastError.
#define SL_LOCKED(body)                                                                                      \
  do {                                                                                                       \
    sl__enter();                                                                                             \
    sl__called(__func__);                                                                                    \
    cudaError_t sl_result = sl__forbidden() ? cudaErrorNotPermitted : (body);                                \
    sl__leave();                                                                                             \
    return sl__keep(sl_result);                                                                              \
  } while (0)
// Makes the function return what [call] returns, if that is an error.
#define SL_TRY(call)                                                                                         \
  do {                                                                                                       \
    const cudaError_t tried_ = (call);                                                                       \
    if (tried_) return tried_;                                                                               \
  } while (0)
// Begins an API function: its body follows, and runs under the lock. [args]: the names of the parameters.
#define SL_API(function, args, ...)                                                                          \
  static cudaError_t locked_##function(__VA_ARGS__);                                                         \
  cudaError_t function(__VA_ARGS__) { SL_LOCKED(locked_##function args); }                                   \
  static cudaError_t locked_##function(__VA_ARGS__)
