// The simulated GPU as a library: what the server process (harness/gpu) and the engine's tests call.
//
// One sl_gpu is one device: its memory, its loaded modules, its findings. Not thread safe: one caller at a
// time (a launch may use several threads inside). All functions that can fail take an sl_error and say why.
// Device addresses are 64-bit numbers in windows of their own (SL_GLOBAL_BASE ..), never host pointers.
#pragma once

#include "device/counters.h"
#include "device/profile.h"
#include "device/settings.h"
#include "findings/findings.h"
#include "ptx/ir.h"

// Windows of the generic address space. Global memory: allocations, __device__ and __constant__ variables.
#define SL_GLOBAL_BASE 0x0000020000000000ull // 2 TiB: no host mapping of a Linux process lies here
#define SL_GLOBAL_SIZE 0x0000004000000000ull // 256 GiB of addresses
#define SL_SHARED_BASE 0x0000010000000000ull // generic addresses of shared memory: BASE + offset
#define SL_LOCAL_BASE 0x0000011000000000ull  // generic addresses of local memory (sl__local_window)
#define SL_WINDOW 0x0000000100000000ull      // bytes of each of the two
#define SL_LOCAL_ROOM (512u << 10)           // most bytes of a thread's local memory

typedef struct sl_gpu sl_gpu;
typedef struct sl_gmodule sl_gmodule; // a loaded module
typedef struct sl_kernel sl_kernel;   // an entry of a loaded module

typedef struct sl_gpu_config {
  const sl_profile *profile; // NULL: "default"
  sl_order order;            // in which order blocks start
  sl_warps warps;
  sl_lane_order lanes; // which lane of an atomic goes first
  sl_visibility visibility;
  sl_fresh fresh; // device and shared memory
  uint64_t seed;
  // blocks resident at once; 0: what the profile holds, and more when all of them wait
  unsigned resident;
  bool repeat;          // repeat.state: each launch runs twice
  bool stop_at_first;   // end a launch at its first bad access, instead of leaving the access out
  sl_counting counters; // SL_COUNT_ALL by default; less is faster
  uint32_t checks;      // SL_CHECK_ bits (findings.h)
  uint32_t record;      // SL_RECORD_ bits (observers/recorded.h); needs counters
  sl_trace_options trace;
  double watchdog_seconds;   // a kernel without progress for this long is ended; 0: 60
  uint64_t max_instructions; // per launch, warp instructions; 0: no limit
  unsigned cores;            // that a launch may use; 0: 1
  bool cores_in_turn; // on one thread, portion by portion: for tests, which need the same order every time
  const char *replay; // the command that runs this again; NULL: not known
} sl_gpu_config;
sl_gpu_config sl_gpu_defaults(void);

sl_gpu *sl_gpu_create(const sl_gpu_config *c, sl_error *e);
void sl_gpu_destroy(sl_gpu *g);
// The most bytes that all its allocations together may have; 0: as many as the device has.
void sl_gpu_limit_memory(sl_gpu *g, uint64_t bytes);
// Bytes that kernels may have by malloc; it stays as it is where sl_gpu_limit_memory has set a limit.
void sl_gpu_limit_heap(sl_gpu *g, uint64_t bytes);
bool sl_gpu_configure(sl_gpu *g, const sl_gpu_config *c, sl_error *e); // between launches

// probe.c. Sets the observers of the device's launches, once, before the first. The table stays the caller's.
typedef struct sl_probe sl_probe; // probe.h
void sl_gpu_probes(sl_gpu *g, const sl_probe *const *table, uint32_t n);

// memory.c. Owner: any number that the caller uses to tell clients apart; a launch sees allocations of its
// owner and those shared with it. What new memory holds is sl_fresh. Addresses are 256-byte aligned; at least
// 256 bytes lie between two allocations. size 0 gives address 0.
bool sl_gpu_alloc(sl_gpu *g, uint32_t owner, uint64_t size, uint64_t *addr, sl_error *e);
// The same for memory that the host sees, too: it begins a page of the host.
bool sl_gpu_alloc_pages(sl_gpu *g, uint32_t owner, uint64_t size, uint64_t *addr, sl_error *e);
// only the owner's, only a start
uint32_t sl_gpu_number(const sl_gpu *g, uint64_t addr); // the allocation's that begins there, from 1; 0: none
bool sl_gpu_free(sl_gpu *g, uint32_t owner, uint64_t addr, sl_error *e);
// The allocation stands for memory of the owner's program, which kernels see at its address [host], too.
bool sl_gpu_alias(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t host);
// What comes is allocated and freed in the order of this stream, from 1; 0: the host waits. What one stream
// has freed no other gets again in its order.
void sl_gpu_in_stream(sl_gpu *g, uint64_t stream);
// make it visible to another owner
bool sl_gpu_share(sl_gpu *g, uint64_t addr, uint32_t with, sl_error *e);
void sl_gpu_free_all(sl_gpu *g, uint32_t owner); // when a client is gone
// Host pointer to [addr, addr+len) if [owner] sees it in one live allocation or variable, else NULL with [e].
void *sl_gpu_ptr(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t len, sl_error *e);
// the allocation around addr
bool sl_gpu_range(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t *base, uint64_t *size);
// Number of the last launch, from 1, that stored there; the last one's if that is unknown.
uint64_t sl_gpu_stored(const sl_gpu *g, uint64_t addr, bool known);
// A copy or a fill counts as the last launch, at least the first.
void sl_gpu_note_stored(sl_gpu *g, uint64_t addr);
uint64_t sl_gpu_memory_used(const sl_gpu *g);
// an allocation of [owner]'s that is no more
bool sl_gpu_was_freed(const sl_gpu *g, uint32_t owner, uint64_t addr);
struct sl_finding;
// made: where a kernel did it, or NULL
typedef struct sl_holding {
  uint64_t addr, size;
  const struct sl_finding *made;
} sl_holding;
// allocations of device memory that are not freed
size_t sl_gpu_live(const sl_gpu *g, uint32_t owner, sl_holding *out, size_t cap);
// bytes of them, memory of the host included that stands for some
uint64_t sl_gpu_held(const sl_gpu *g, uint32_t owner);
// For memory.uninit: the host has written [addr, addr+len), or copied it from [from].
void sl_gpu_wrote(sl_gpu *g, uint64_t addr, uint64_t len);
// The first pages of [addr, addr+len) of which nobody has written a byte; *size 0: there are none.
void sl_gpu_unwritten(const sl_gpu *g, uint64_t addr, uint64_t len, uint64_t *start, uint64_t *size);
// The words of [addr, addr+len) of which nobody has written a byte are added to *h.
typedef struct sl_holes {
  uint64_t first, last, bytes, n, apart, looked; // first and last: addresses; n: how many runs of words
  bool like_padding;                             // short ones, so long and so far apart as padding of structs
} sl_holes;
void sl_gpu_holes(const sl_gpu *g, uint64_t addr, uint64_t len, sl_holes *h);
void sl_gpu_copied(sl_gpu *g, uint64_t addr, uint64_t from, uint64_t len);

// module.c. Parses, decodes and refuses what is not supported: all functions, before anything runs. Module
// variables get memory visible to [owner].
sl_gmodule *sl_gpu_load(sl_gpu *g, uint32_t owner, const char *name, const char *ptx, size_t len,
                        sl_error *e);
void sl_gpu_unload(sl_gpu *g, sl_gmodule *m);
sl_kernel *sl_gpu_kernel(sl_gmodule *m, const char *name); // NULL: none
// __device__, __constant__, __managed__
bool sl_gpu_symbol(sl_gmodule *m, const char *name, uint64_t *addr, uint64_t *size);

typedef struct sl_kernel_info {
  const char *name;
  uint64_t static_shared, local_bytes, const_bytes;
  uint32_t param_bytes, n_params;
  unsigned max_threads, regs; // regs: an estimate
} sl_kernel_info;
void sl_kernel_get_info(const sl_kernel *k, sl_kernel_info *out);
bool sl_kernel_param(const sl_kernel *k, uint32_t index, uint32_t *offset, uint32_t *size);

typedef struct sl_dim3 {
  uint32_t x, y, z;
} sl_dim3;
// Why a launch is ended besides its time: nobody waits for it; its program has launched too often.
enum { SL_CANCEL_GONE = -1, SL_CANCEL_TOO_MANY = -2 };
typedef struct sl_launch {
  sl_kernel *kernel;
  uint32_t owner;
  uint64_t stream; // SL_STREAM of streams.h
  sl_dim3 grid, block;
  uint64_t shared_bytes; // dynamic
  uint64_t stack_bytes;  // of a thread, for functions that call themselves; 0: as much as there is
  const void *params;    // param_bytes bytes, laid out as the entry's .param list
  bool cooperative;
  void (*print)(void *ctx, const char *text,
                size_t len); // device printf; NULL: dropped
  void *print_ctx;
  // Not 0: end the launch soon (SL_LAUNCH_TIMEOUT). > 0: its limit of so many ms; else SL_CANCEL_..; or NULL.
  volatile const int *cancel;
} sl_launch;

// launch.c. Runs one kernel to its end. Returns SL_LAUNCH_OK or what went wrong; findings say where.
sl_launch_status sl_gpu_launch(sl_gpu *g, const sl_launch *l, sl_counters *out, sl_error *e);

// findings.c. At most 10 of a kind are kept for each kernel, then counted.
size_t sl_gpu_findings(sl_gpu *g, const sl_finding **out);
void sl_gpu_clear_findings(sl_gpu *g);
// Returns the one that it is, or is counted with; NULL: it is not kept.
sl_finding *sl_gpu_add_finding(sl_gpu *g, const sl_finding *f);
