// Starts the simulated GPU and talks to it over its control connection. For sl-sim and sl-judge.
//
// Every function that can fail takes an sl_error. When the caller dies, sl-gpu ends by itself.
#pragma once

#include "device/counters.h"
#include "device/profile.h"
#include "device/settings.h"
#include "findings/findings.h"

// The settings of the simulated GPU, for the start and between launches. Payload of the CONFIGURE message.
typedef struct sl_gpu_options {
  char profile[64];           // "": "default"
  uint32_t order, resident;   // sl_order; see sl_gpu_config
  uint32_t warps, visibility; // sl_warps, sl_visibility
  uint32_t fresh, lanes;      // sl_fresh, sl_lane_order
  uint32_t stop_at_first;     // boolean: a launch ends at its first bad access
  uint64_t seed, max_instructions;
  uint32_t cores;    // how many cores of this machine a launch may use
  uint32_t counters; // sl_counting
  uint32_t checks;   // SL_CHECK_ bits
  // boolean: clients with memory of others do not get what their kernels print; sl_control_printed does
  uint32_t hold_text;
  uint32_t record, repeat; // SL_RECORD_ bits; boolean: each launch twice, for repeat.state
  sl_trace_options trace;
  double watchdog_seconds;    // limit for a kernel without progress
  double launch_seconds;      // any launch; 0: no limit
  uint64_t max_launches;      // a client may have so many, the next is stopped at once; 0: no limit
  char copies[128];           // file for every copy to the host (sl_copy_head, then its bytes); "": none
  char replay[SL_REPLAY_MAX]; // the command that runs this again, for findings
  sl_profile own;             // if sm is not 0: the device; its name is [profile], not its own
} sl_gpu_options;
sl_gpu_options sl_gpu_options_default(void); // the engine's defaults
// Cores for a launch: [asked]; if that is 0, the environment's SCANLAB_CORES; without that, all that this
// process may use, or one unless [all] (for programs that run side by side). No result depends on it.
#define SL_CORES_ENV "SCANLAB_CORES"
#define SL_CORES_MAX 64
bool sl_gpu_cores(sl_gpu_options *o, int64_t asked, bool all, sl_error *e);
// A word of a schedule: order, warps, lanes, visibility, resident, memory, seed, device. Looks no device up.
bool sl_gpu_option_set(sl_gpu_options *o, const char *key, const char *value, sl_error *e);
// Writes the words that are not the default: "order=random,seed=7"; "" if there are none. Returns [out].
char *sl_gpu_options_text(const sl_gpu_options *o, char *out, size_t cap);

// The head of each copy in the file of copies, which holds one client's, up to SL_COPIES_MAX bytes.
typedef struct sl_copy_head {
  uint64_t bytes;
  uint64_t goes_on; // 1: continues the copy before
} sl_copy_head;
#define SL_COPIES_MAX (64u << 20)

// One finished launch. Also the wire format.
typedef struct sl_launch_record {
  char name[256];
  uint64_t launch; // 0, 1, ..: number of the launch since the start or the last reset
  uint32_t grid[3], block[3];
  uint32_t status;   // sl_launch_status
  uint32_t recorded; // number of its record (observers/recorded.h) from 1 on; 0: none
  double seconds;    // how long the simulation took
  sl_counters counters;
} sl_launch_record;

typedef struct sl_control sl_control;

// Starts sl-gpu, which lies beside the running program, with a socket in a new private folder, and waits
// until it listens. [report]: what sl-gpu writes at its end, or NULL.
typedef struct sl_report_to {
  const char *file;   // NULL: no report
  sl_telling telling; // where its findings take source lines from
  const char *lines;  // the program whose host code findings name lines of; NULL: none
  // sl-gpu opens no file but these once it listens, and makes no call but those that it needs: for kernels of
  // others. Trace and copies (sl_gpu_options) are not possible then.
  bool enclosed;
} sl_report_to;
sl_control *sl_control_start(const sl_gpu_options *o, const sl_report_to *report, sl_error *e);
const char *sl_control_socket(const sl_control *c); // for SCANLAB_GPU
const char *sl_control_dir(const sl_control *c);    // the private folder
pid_t sl_control_pid(const sl_control *c);

bool sl_control_configure(sl_control *c, const sl_gpu_options *o, sl_error *e);
// The launches from number [first] on, the findings so far. *[out] is malloc'ed.
bool sl_control_launches(sl_control *c, uint64_t first, sl_launch_record **out, size_t *n, sl_error *e);
// Adds a finding that the caller made itself.
bool sl_control_note(sl_control *c, const sl_finding *f, sl_error *e);
// Adds a finding for a program's first call that failed with [error], if known (only with [lines]).
bool sl_control_failed(sl_control *c, int error, sl_error *e);
bool sl_control_findings(sl_control *c, sl_finding **out, size_t *n, sl_error *e);
// What passed between host code and the device since the start. Two count memory that another client shared
// with the program (IPC): bytes written from the host, and fills of at most 16 bytes. Three count programs
// that had such memory: bytes read to the host from any memory in any way (copies, symbols, managed memory),
// bytes printed by kernels, and bytes of device memory that copies and fills read or wrote (a copy within the
// device moves twice its bytes). Then their calls: copies within the device and fills; allocations for which
// the host waits. Last what they have now: bytes that they and their kernels have allocated, and streams,
// events and graphs, as many as there were when they last waited for the device. And accesses that nobody has
// looked at for races, as there was no room for their records, and whether it is the host that has no more.
typedef struct sl_host_traffic {
  uint64_t written, small_fills, read, printed, moved, copies, allocs, held, handles, unseen, host_short;
} sl_host_traffic;
// The text that kernels printed since the last call, malloc'ed; *len bytes. Only with hold_text.
bool sl_control_printed(sl_control *c, char **text, size_t *len, sl_error *e);
bool sl_control_host_traffic(sl_control *c, sl_host_traffic *out, sl_error *e);
// Digest of all bytes that programs have copied from the device to the host, in order.
typedef struct sl_digest {
  uint64_t hash, bytes;
} sl_digest;
bool sl_control_digest(sl_control *c, sl_digest *out, sl_error *e);
bool sl_control_reset(sl_control *c, sl_error *e); // forget both
// Fills memory of a program that has none of others (poison.h).
bool sl_control_poison(sl_control *c, uint64_t at, uint64_t bytes, uint64_t seed, sl_error *e);
// Has a launch, or a program with others' memory, stored in the allocation here, even what it held?
bool sl_control_stored(sl_control *c, uint64_t at, bool *stored, sl_error *e);
// Makes the device anew, as for a first program: all connections but this one end.
bool sl_control_renew(sl_control *c, const sl_gpu_options *o, sl_error *e);

// Ends sl-gpu and removes its folder. It writes its report first; once it has rested for [seconds] it is
// killed. Frees [c]. False if the report could not be written.
bool sl_control_stop(sl_control *c, double seconds, sl_error *e);

// Removes the folder and kills sl-gpu at once; async-signal-safe, for handlers of signals.
void sl_control_abort(sl_control *c);
