// The simulated GPU as a library: what the server process (harness/gpu) and the engine's tests call.
//
// One sl_gpu is one device: its memory, its loaded modules, its findings. Not thread safe: one caller at a
// time (a launch may use several threads inside). All functions that can fail take an sl_error and say why.
// Device addresses are 64-bit numbers in windows of their own (SL_GLOBAL_BASE ..), never host pointers.
#ifndef SL_ENGINE_GPU_H
#define SL_ENGINE_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "engine/streams.h"
#include "base/base.h"
#include "findings/findings.h"
#include "ptx/ir.h"

// Windows of the generic address space. Global memory: allocations, __device__ and __constant__ variables.
#define SL_GLOBAL_BASE 0x0000020000000000ull // 2 TiB: no host mapping of a Linux process lies here
#define SL_GLOBAL_SIZE 0x0000004000000000ull // 256 GiB of addresses
#define SL_SHARED_BASE 0x0000010000000000ull // generic addresses of shared memory: BASE + offset
#define SL_LOCAL_BASE 0x0000011000000000ull  // generic addresses of local memory: BASE + offset

typedef struct sl_gpu sl_gpu;
typedef struct sl_gmodule sl_gmodule; // a loaded module
typedef struct sl_kernel sl_kernel;   // an entry of a loaded module

// Limits and residency of the modelled device.
typedef struct sl_profile {
  const char *name;
  unsigned sm; // compute capability times ten: 75
  unsigned multiprocessors, max_blocks_per_sm, max_threads_per_sm;
  unsigned max_threads_per_block, warp_size;
  uint64_t shared_per_block, shared_per_block_optin, shared_per_sm, total_memory, const_memory;
  unsigned regs_per_block, l2_bytes, clock_khz, memory_clock_khz, bus_bits;
  unsigned shared_reserved; // bytes of each block's share that the system takes
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

typedef enum sl_order { SL_ORDER_IN, SL_ORDER_REVERSE, SL_ORDER_RANDOM } sl_order;

// observers/checks.c: names with commas, "-NAME" takes one away; a list that begins with that starts from "all".
bool sl_checks_read(const char *text, uint32_t *out, sl_error *e);
#define SL_CHECKS_HELP                                                                                       \
  "all, none, kernel (what kernels do), or "                                                                 \
  "race.shared,race.global,race.async,race.host,order.fence,memory.uninit,"                                  \
  "barrier.mask,memory.readonly,repeat.state,host.error,memory.leak; -NAME: all but that"

// In which order the warps of a block run, and when another one gets its turn.
typedef enum sl_warps {
  SL_WARPS_GREEDY,      // by number, each until it waits: the fastest to simulate
  SL_WARPS_ROUND_ROBIN, // in turn, one instruction each
  SL_WARPS_RANDOM,      // any, for a few instructions
  SL_WARPS_ONE_AHEAD,   // one of them as far as it can go, the others in turn only when it waits
  SL_WARPS_COUNT
} sl_warps;

// When other blocks see what a block stores.
typedef enum sl_visibility {
  SL_VISIBILITY_STRONG, // at once
  SL_VISIBILITY_WEAK,   // late and out of order, until a fence: weak.c
  SL_VISIBILITY_COUNT
} sl_visibility;

// What memory that nobody has written holds.
typedef enum sl_fresh {
  SL_FRESH_MARKED, // 0xCD in every byte: a value that is seen at once
  SL_FRESH_ZEROS,  // what a new GPU often shows, and why programs that never clear their memory seem right
  SL_FRESH_RANDOM, // by the seed: what others have left
  SL_FRESH_COUNT
} sl_fresh;

// Checks beyond bounds, alignment and deadlock, which are always on: harness/observers.
enum {
  SL_CHECK_RACE_SHARED = 1,
  SL_CHECK_RACE_GLOBAL = 2,
  SL_CHECK_ORDER = 4,
  SL_CHECK_UNINIT = 8,
  SL_CHECK_MASK = 16,
  SL_CHECK_READONLY = 32,
  SL_CHECK_ASYNC = 256,
  SL_CHECK_STATE = 1024,
  SL_CHECK_ALL = 63 + 256 + 1024, // what kernels do
  SL_CHECK_HOST = 64,             // what the host program does: gpu/server/notice.c
  SL_CHECK_LEAK = 128,            // its memory at its end
  SL_CHECK_RACE_HOST = 512,       // it and copies that it has not waited for
  SL_CHECK_EVERY = 2047
};

// What is printed of launches: executed instructions of some warps (observers/trace.c).
enum { SL_TRACE_ALL = -1, SL_TRACE_FIRST = -2 }; // lanes: all, the first that executes
typedef struct sl_trace_options {
  int64_t block, warp, lane, limit; // block, warp: -1: all. limit: instructions of a launch
  uint32_t on, reserved;
  char kernel[128], file[256]; // launches whose kernel's name has this in it; "": stderr
} sl_trace_options;

typedef struct sl_gpu_config {
  const sl_profile *profile; // NULL: "default"
  sl_order order;            // in which order blocks start
  sl_warps warps;
  sl_visibility visibility;
  sl_fresh fresh; // device and shared memory
  uint64_t seed;
  // blocks resident at once; 0: what the profile holds, and more when all of them wait
  unsigned resident;
  bool repeat;     // repeat.state: each launch runs twice
  bool counters;   // count (on by default in the server; off is faster)
  uint32_t checks; // SL_CHECK_ bits
  uint32_t record; // SL_RECORD_ bits (observers/recorded.h); needs counters
  sl_trace_options trace;
  double watchdog_seconds;   // a kernel without progress for this long is ended; 0: 60
  uint64_t max_instructions; // per launch, warp instructions; 0: no limit
  unsigned cores;            // that a launch may use; 0: 1
  bool cores_in_turn;        // on one thread, portion by portion: for tests, as it is the same every time
  const char *replay;        // the command that runs this again; NULL: not known
} sl_gpu_config;
void sl_gpu_config_init(sl_gpu_config *c);

sl_gpu *sl_gpu_create(const sl_gpu_config *c, sl_error *e);
void sl_gpu_destroy(sl_gpu *g);
bool sl_gpu_configure(sl_gpu *g, const sl_gpu_config *c, sl_error *e); // between launches

// memory.c. Owner: any number that the caller uses to tell clients apart; a launch sees allocations of its owner and
// those shared with it. What new memory holds is sl_fresh. Addresses are 256-byte aligned; at least 256 bytes
// lie between two allocations. size 0 gives address 0.
bool sl_gpu_alloc(sl_gpu *g, uint32_t owner, uint64_t size, uint64_t *addr, sl_error *e);
// only the owner's, only a start
bool sl_gpu_free(sl_gpu *g, uint32_t owner, uint64_t addr, sl_error *e);
// make it visible to another owner
bool sl_gpu_share(sl_gpu *g, uint64_t addr, uint32_t with, sl_error *e);
void sl_gpu_free_all(sl_gpu *g, uint32_t owner); // when a client is gone
// Host pointer to [addr, addr+len) when that lies inside one live allocation or variable visible to [owner],
// else NULL with [e].
void *sl_gpu_ptr(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t len, sl_error *e);
// the allocation around addr
bool sl_gpu_range(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t *base, uint64_t *size);
uint64_t sl_gpu_memory_used(const sl_gpu *g);
// Accesses of global memory that the observers of races had no room for: the findings are not complete.
uint64_t sl_gpu_not_observed(const sl_gpu *g);
// an allocation of [owner]'s that is no more
bool sl_gpu_was_freed(const sl_gpu *g, uint32_t owner, uint64_t addr);
struct sl_finding;
// made: where a kernel did it, or NULL
typedef struct sl_holding {
  uint64_t addr, size;
  const struct sl_finding *made;
} sl_holding;
// allocations that are not freed
size_t sl_gpu_live(const sl_gpu *g, uint32_t owner, sl_holding *out, size_t cap);
// The host has written [addr, addr+len), or copied it from [from]: for memory.uninit.
void sl_gpu_wrote(sl_gpu *g, uint64_t addr, uint64_t len);
void sl_gpu_copied(sl_gpu *g, uint64_t addr, uint64_t from, uint64_t len);
// What the host does about streams and events, for race.global: a stream is a number of SL_STREAM, an event
// any number.
void sl_gpu_order(sl_gpu *g, uint32_t owner, sl_sequence what, uint64_t stream, uint64_t event);
// a copy or fill begins; its addresses were checked
void sl_gpu_work(sl_gpu *g, uint32_t owner, const sl_stream_work *w);
// Who can tell more of sl_stream_work.asked; asked when a finding is made. False: not known.
typedef bool (*sl_asked_fn)(void *ctx, uint64_t asked, sl_asked *out);
void sl_gpu_on_asked(sl_gpu *g, sl_asked_fn fn, void *ctx);

// module.c. Parses, decodes and refuses what is not supported: all functions, before anything runs. Module variables
// get memory visible to [owner].
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
  unsigned max_threads, regs, ptx_version; // regs: an estimate
} sl_kernel_info;
void sl_kernel_get_info(const sl_kernel *k, sl_kernel_info *out);
bool sl_kernel_param(const sl_kernel *k, uint32_t index, uint32_t *offset, uint32_t *size);

// launch.c. Runs one kernel to its end. Results: SL_LAUNCH_OK or what went wrong; findings say where.
typedef enum sl_launch_status {
  SL_LAUNCH_OK,
  SL_LAUNCH_BAD_CONFIG, // too many threads, zero dimension, too much shared memory
  SL_LAUNCH_FAULT,      // out-of-bounds or freed memory: cudaErrorIllegalAddress
  SL_LAUNCH_MISALIGNED, // cudaErrorMisalignedAddress
  SL_LAUNCH_ASSERT,     // device assert: cudaErrorAssert
  SL_LAUNCH_TRAP,       // trap: cudaErrorLaunchFailure
  SL_LAUNCH_DEADLOCK,   // nobody can make progress: cudaErrorLaunchTimeout
  SL_LAUNCH_TIMEOUT,    // watchdog or instruction limit: cudaErrorLaunchTimeout
  SL_LAUNCH_ILLEGAL,    // illegal instruction at run time (call through a bad pointer ..)
  SL_LAUNCH_STATUS_COUNT
} sl_launch_status;

typedef struct sl_dim3 {
  uint32_t x, y, z;
} sl_dim3;
typedef struct sl_launch {
  sl_kernel *kernel;
  uint32_t owner;
  uint64_t stream; // SL_STREAM of streams.h
  sl_dim3 grid, block;
  uint64_t shared_bytes; // dynamic
  const void *params;    // param_bytes bytes, laid out as the entry's .param list
  bool cooperative;
  void (*print)(void *ctx, const char *text, size_t len); // device printf; NULL: dropped
  void *print_ctx;
  volatile const int *cancel; // nonzero: end the launch soon (SL_LAUNCH_TIMEOUT); may be NULL
} sl_launch;

// Counters of one launch: as Nsight Compute counts them on the same kernel (see
// docs/internals/interfaces.md).
#define SL_MAX_PHASES 64
typedef struct sl_phase {
  uint64_t adds_float, adds_int, shared_ld_replays, shared_st_replays;
} sl_phase;
typedef struct sl_counters {
  uint64_t warp_instructions, thread_instructions, adds_float, adds_int, barriers;
  uint64_t shared_ld_requests, shared_st_requests, shared_ld_replays, shared_st_replays;
  uint64_t global_ld_requests, global_st_requests, global_ld_sectors, global_st_sectors, atomics;
  uint64_t fmas;                  // multiplications with an addition, of floats
  uint64_t global_atomic_sectors; // that requests of atomics touched, each once a request
  uint64_t mbarrier_phases;       // that ended
  uint64_t data_ops;              // operations on data: with SL_RECORD_DATA alone (observers/data.c)
  // instructions of the warp that executed most; the last: parallel.c takes the most, not the sum
  uint64_t longest_warp;
  uint32_t n_phases;
  sl_phase phases[SL_MAX_PHASES];
} sl_counters;

sl_launch_status sl_gpu_launch(sl_gpu *g, const sl_launch *l, sl_counters *out, sl_error *e);

// findings.c. At most 10 of a kind are kept for each kernel, then counted.
size_t sl_gpu_findings(const sl_gpu *g, const sl_finding **out);
void sl_gpu_clear_findings(sl_gpu *g);
void sl_gpu_add_finding(sl_gpu *g, const sl_finding *f);

#endif
