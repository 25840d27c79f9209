// The engine's own state: memory, modules, frames, splits, warps, blocks, launches. For the core and the
// families that steer execution (op_mem, op_atom, op_bar, op_ctl, op_misc); others need engine.h alone.
//
// Who owns what: sl_gpu owns memory and findings; a module owns its code, constants and variables; a launch
// (sl_grid) owns the launch bank and the pool of blocks; a block owns its shared memory and its warps; a warp
// owns its register stack and its local memory.
#pragma once

#include "engine/code.h"
#include "engine/memory.h"

// The device itself -----------------------------------------------------------------------------------------

typedef struct sl_suspect sl_suspect; // repeat.c
struct sl_gpu {
  sl_gpu_config cfg;
  sl_memory mem;
  sl_finding *findings;
  size_t n_findings;
  sl_gmodule *modules;
  uint64_t param_addr;  // kernel parameters as memory, for code that takes their address
  sl_suspect *suspects; // kernels whose second launch would differ
  uint32_t n_made;      // how many of these allocations have a place
  uint64_t coop_addr;   // workspace of cooperative launches
  uint64_t launches;
  uint64_t waited_in_vain; // instructions of blocks that only looked while another one was held up (sched.c)
  double clock;            // device clock at the start of the launch
  struct sl_team *team;    // parallel.c: NULL until a launch on several cores
  struct sl_weak *weak;    // weak.c: NULL until a launch has weak visibility
  struct sl_stamp *stamps; // path.c: NULL until blocks pass words to each other
  const sl_probe *const *probes;
  uint32_t n_probes;
  void *kept[SL_PROBES]; // the probes' state
};
#define SL_PARAM_MAX 32768 // CUDA: 32,764 bytes
#define SL_GRID_WORKSPACE 256

// Execution -------------------------------------------------------------------------------------------------

typedef struct sl_frame sl_frame;
struct sl_frame {
  sl_frame *parent, *next; // next: of all live frames of the warp
  const sl_func *fn;
  const sl_xinsn *call; // call instruction in the parent
  uint32_t lanes;       // lanes that are in it or in what it calls
  uint32_t depth, local_base;
  uint8_t *regs;
  uint32_t cap;
  uint32_t top[SL_LANES]; // bytes of local memory that alloca has given out, by lane
};

typedef enum sl_state { SL_READY, SL_AT_BARRIER, SL_AT_WARP_SYNC, SL_SPINNING } sl_state;

typedef struct sl_split {
  uint32_t pc, mask;
  sl_frame *frame;
  uint8_t state;
  bool tired;    // used its time slice: run another split first
  bool released; // the barrier or warp barrier that it waited at opened
  uint8_t barrier;
  uint32_t need;    // AT_WARP_SYNC: member lanes
  uint32_t result;  // result of bar.red
  uint64_t version; // SPINNING: state of memory that it saw
  uint64_t hash;    // at the last check
  uint32_t hash_pc;
  uint64_t hash_writes;
  // the same without values from a clock; since when that is so
  uint64_t timed_hash, timed_writes, timed_since;
} sl_split;

typedef struct sl_range {
  uint64_t base, size;
} sl_range; // the last allocation that an instruction touched; size 0: none

// A strong load that may be one turn of a loop that polls (path.c).
typedef struct sl_poll {
  uint32_t pc, acted;
  uint64_t at, time; // the place of its first lane; when the warp first looked there
  uint64_t waited;   // what it had waited by then
  uint64_t places;   // of all lanes, at its last look; 0: none yet
  bool again;        // .. it had looked there before, and has done something since
} sl_poll;
enum { SL_POLLS = 4, SL_DRAWN = 4 };

typedef struct sl_cwarp {
  sl_warp w; // first: handlers get a pointer to it
  uint32_t n_splits, current;
  sl_split splits[SL_LANES];
  uint64_t drawn_from[SL_DRAWN]; // op_atom.c: the counters from which it has drawn numbers last; 0: none
  uint32_t n_drawn;              // how many it has met
  bool gave_way;                 // to draw from one of them again, which it has not done yet
  int32_t fuel;                  // backward branches until the next look at progress
  uint32_t tries, period;
  uint32_t slice; // instructions until another warp has its turn; 0: as far as it can go
  // progress.c: its last strong load, how often memory had changed by then, have the others had a turn since?
  uint64_t looked_at, looked_writes;
  uint32_t looked_pc;
  bool looked_away;
  uint64_t executed; // instructions
  // path.c: cycles since the block began; while the warp runs, base + the cost of code before.
  uint64_t time, base;
  int64_t *budget;  // the block's budget: backward branches until others have a turn
  sl_frame *frames; // live ones
  sl_frame *free_frames;
  uint8_t *local;
  uint32_t local_stride; // bytes of local memory per lane
  uint32_t local_key;    // sl__local_window
  uint32_t all;          // lanes that exist
  uint8_t *special;
  // path.c: cycles of [time] of waiting for other blocks; strong stores and updates; NULL: no strong load yet
  uint64_t waited;
  uint32_t acted, n_polls;
  sl_poll *polls;
} sl_cwarp;

typedef struct sl_barrier {
  uint32_t arrived, expected, kind, popc;
  uint64_t time; // when the last warp came (path.c)
  bool all, any, busy;
} sl_barrier; // expected 0: all live threads

enum { SL_UPDATES = 4 };
#define SL_CLUSTER_BARRIER 16 // behind those of the block
#define SL_BARRIERS 17
struct sl_block {
  sl_grid *grid;
  uint8_t *shared;
  uint32_t shared_bytes, shared_all; // the program's part; with that of the system, which comes last
  uint32_t index[3];
  uint64_t linear;
  uint32_t n_warps, n_threads, live_threads, next_warp;
  uint32_t parked; // warps all of whose lanes wait at barriers
  uint64_t dice;   // warps and lanes in random order
  sl_cwarp *warps;
  sl_barrier bars[SL_BARRIERS];
  uint32_t cluster_there[32]; // by warp: lanes that arrived at the present barrier of the cluster
  uint32_t phase;             // barriers completed
  uint32_t met;               // threads that the last of them waited for
  uint64_t mbar_phases;       // completed phases of mbarriers
  void *kept[SL_PROBES];      // by probes
  struct sl_weak_block *weak; // weak.c; NULL: visibility is strong
  struct sl_late *late;       // late.c; NULL: no asynchronous copy was late
  sl_block *next;             // pool
  struct {
    const uint8_t *word;
    uint32_t n;
  } updates[SL_UPDATES]; // path.c: how often the block has updated a word
  uint32_t n_updates;
  bool in_vain;        // has used up its last share and written nothing (sched.c)
  uint64_t blocked_at; // the grid's writes + 1 when all of its warps waited: until the next write they do
};

#define SL_RESERVED_SHARED 1024u // the system's part of shared memory, in modules that ask for it
// Do so many bytes at this offset lie in the program's part, or in the system's?
static inline bool sl__in_shared(const sl_block *b, uint64_t off, uint64_t bytes) {
  const uint64_t system = b->shared_all - SL_RESERVED_SHARED;
  return (b->shared_bytes >= bytes && off <= b->shared_bytes - bytes) ||
         (b->shared_all > b->shared_bytes && off >= system && off - system <= SL_RESERVED_SHARED - bytes);
}

struct sl_grid {
  sl_gpu *gpu;
  const sl_launch *l;
  const sl_kernel *k;
  const sl_gmodule *m;
  const sl_xinsn *code;
  uint8_t *launch_bank;
  sl_range *cache; // by memory instruction
  uint64_t writes; // changes of memory, exits, barriers: progress
  uint64_t instructions, threads_executed;
  // detailed: everything is counted; watching: accesses of global memory are counted, or marked by a worker
  bool counting, detailed, watching;
  const uint32_t *costs; // by pc (path.c); NULL: not counted
  sl_counters *cnt;
  sl_launch_status status; // not SL_LAUNCH_OK: the launch ends
  // What the first access that was left out did wrong (fault.c); the launch goes on, and this is its
  // result.
  sl_launch_status fault;
  bool astray;       // it has made a bad access: what is found from now on may follow from that
  uint32_t left_out; // lanes whose access the last resolve by lanes left out
  uint64_t n_left_out, fault_began; // accesses; instructions that had been executed at the first
  const sl_xinsn *fault_insn;       // where the last one was, and its finding
  size_t fault_found;
  uint8_t nowhere[SL_LANES][64] __attribute__((aligned(64))); // what such lanes touch instead (resolve.c)
  sl_error *err;
  sl_block **resident;
  uint32_t n_resident, limit;
  sl_block *held;                // gets no turn while others can go on (sched.c); NULL: none
  uint64_t lost, held_until;     // turns lost so far; at so many its span is over
  uint64_t held_at, held_writes; // instructions and writes at the beginning of the span
  uint32_t held_spans, wanted;   // wanted: how many blocks are started while it is held up
  sl_block *pool;
  sl_listeners *heard;   // probe.h; NULL: nobody listens
  void *kept[SL_PROBES]; // by probes
  struct sl_weak *weak;  // weak.c; NULL: visibility is strong
  uint64_t n_blocks, started, finished;
  uint64_t awaited;              // address for which the launch waits in vain (progress.c); 0: none
  uint64_t ended_at;             // instructions, when the last block ended
  double last_change, last_step; // when memory changed, when a block started, ended or passed a barrier
  double next_look;              // at the host's clock
  uint64_t last_writes, last_steps;
  uint64_t clock;
  uint32_t shared_bytes, shared_all, turn, looks; // shared_..: of a block
  int64_t share;                                  // backward branches of a block until others have a turn
  uint32_t cores;           // cores that may share the rest of the launch; 1: only this one
  struct sl_worker *worker; // parallel.h: the worker whose part of a launch this is; NULL: the launch itself
};

static inline sl_cwarp *sl__core(sl_warp *w) { return (sl_cwarp *)w; }

// Where the generic addresses of a lane's local memory begin. A GPU has the same ones for all threads. Here
// each thread has its own, so an address shows that comes into the hands of another thread (resolve.c).
enum { SL_LOCAL_KEYS = 256 }; // the first is nobody's, so that an index below 0 stays in the window
static inline uint64_t sl__local_window(const sl_cwarp *c, int lane) {
  return SL_LOCAL_BASE + ((uint64_t)c->local_key * SL_LANES + (uint32_t)lane) * SL_LOCAL_ROOM;
}
static inline sl_split *sl__split(sl_warp *w) {
  sl_cwarp *c = sl__core(w);
  return &c->splits[c->current];
}
static inline uint32_t sl__pc(const sl_warp *w, const sl_xinsn *i) { return (uint32_t)(i - w->grid->code); }
static inline uint32_t sl__thread_of(const sl_warp *w, uint32_t lane) { return 32 * w->id + lane; }

// The present instruction of [lanes] does not count: it comes again, or is not the program's.
static inline void sl__uncount(sl_warp *w, uint32_t lanes) {
  w->grid->instructions--;
  w->grid->threads_executed -= sl__ones(lanes);
}

// warp.c: narrows or widens the executing lanes.
static inline void sl__set_mask(sl_warp *w, uint32_t mask) {
  w->mask = mask;
  w->full = mask == SL_FULL;
  if (!w->full)
    for (int l = 0; l < SL_LANES; l++) w->lanes[l] = (uint32_t) - (int32_t)((mask >> l) & 1);
}

typedef enum sl_warp_run {
  SL_RUN_BLOCKED,
  SL_RUN_QUANTUM,
  SL_RUN_SLICE,
  SL_RUN_DONE,
  SL_RUN_FAULT
} sl_warp_run;
sl_warp_run sl__run_warp(sl_cwarp *c, int64_t *budget);
sl_step sl__tick(sl_warp *w); // progress.c: at a backward branch when fuel is out
bool sl__looks_again(sl_warp *w,
                     const sl_xinsn *i);            // progress.c: at a strong load; true: the others go first
sl_step sl__guarded(sl_warp *w, const sl_xinsn *i); // runs i->body for the lanes whose guard holds
sl_step sl__guarded_split(sl_warp *w,
                          const sl_xinsn *i); // the same, for instructions that may wait, jump or end

// converge.c
bool sl__choose(sl_cwarp *c);                           // merges, picks the split to run; false: none can
bool sl__runnable(const sl_cwarp *c);                   // would sl__choose find one
void sl__park(sl_cwarp *c);                             // it finds none: is the warp at barriers?
void sl__fork(sl_warp *w, uint32_t lanes, uint32_t pc); // lanes leave the current split for pc
void sl__retire(sl_warp *w, uint32_t lanes);            // lanes of the current split end
sl_step sl__warp_barrier(sl_warp *w, const sl_xinsn *i, uint32_t member); // bar.warp.sync
const sl_xinsn *sl__stop(const sl_cwarp *c); // where the current split meets the next one

// frame.c
sl_frame *sl__frame_enter(sl_cwarp *c, const sl_func *fn, sl_frame *parent, const sl_xinsn *call,
                          uint32_t lanes);
// Why it has refused a call.
const char *sl__frame_refusal(const sl_cwarp *c, const sl_func *fn, const sl_frame *parent);
void sl__frame_leave(sl_cwarp *c, sl_frame *f, uint32_t lanes);
void sl__frame_spill(sl_cwarp *c, const sl_frame *f, uint32_t lanes); // parameters to local memory
uint32_t sl__frame_end(const sl_frame *f);
bool sl__frame_grow(sl_cwarp *c, sl_frame *f, uint32_t lane, uint32_t top); // alloca
void sl__frames_reset(sl_cwarp *c);
void sl__frames_free(sl_cwarp *c);

// block.c, sched.c, progress.c, launch.c, repeat.c
sl_launch_status sl__launch_once(sl_gpu *gpu, const sl_launch *l, sl_counters *out, sl_error *e);
sl_launch_status sl__launch_repeated(sl_gpu *gpu, const sl_launch *l, sl_counters *out, sl_error *e);
void sl__suspects_forget(sl_gpu *g, const sl_gmodule *m); // NULL: all
sl_block *sl__block_get(sl_grid *g, uint64_t linear);
void sl__block_put(sl_grid *g, sl_block *b);
void sl__block_free(sl_block *b);
sl_warp_run sl__run_block(sl_block *b);
sl_warp_run sl__interleave(sl_block *b);                      // interleave.c: the same, warps not greedy
bool sl__loses_turns(const sl_grid *g);                       // may a block lose its turn anywhere?
uint64_t sl__mix(uint64_t x);                                 // sched.c: a hash
static inline uint32_t sl__roll(uint64_t *dice, uint32_t n) { // below n, the same in every run
  *dice = sl__mix(*dice + 0x9e3779b97f4a7c15ull);
  return (uint32_t)(*dice >> 33) % n;
}
// The lane of an atomic that is next, taken out of *m. dice: the block's, or a copy to look ahead.
static inline int sl__take_lane(const sl_warp *w, uint64_t *dice, uint32_t *m) {
  sl_lane_order order = w->grid->gpu->cfg.lanes;
  uint32_t from = *m;
  for (uint32_t k = order == SL_LANES_RANDOM ? sl__roll(dice, sl__ones(from)) : 0; k; k--) from &= from - 1;
  int l = order == SL_LANES_REVERSE ? 31 - __builtin_clz(from) : __builtin_ctz(from);
  *m &= ~(1u << l);
  return l;
}
bool sl__block_runnable(const sl_block *b);
static inline bool sl__warp_runnable(const sl_block *b, uint32_t k) {
  return !(b->parked >> k & 1) && sl__runnable(&b->warps[k]);
}
sl_launch_status sl__run_grid(sl_grid *g);
bool sl__watch(sl_grid *g, bool waited); // false: watchdog, cancel or instruction limit
void sl__report_stuck(sl_grid *g, sl_launch_status st);
// awaited.c: which element a split looks at in its loop, and the element's value; false: not known.
typedef struct sl_awaited {
  uint64_t addr; // in global memory; 0: elsewhere
  sl_object object;
  char value[80], wanted[100]; // what it is; "to be at least 2", "to change from 0"
  bool changed;                // it need only change: `wanted` names the value
} sl_awaited;
bool sl__awaited(const sl_grid *g, const sl_block *b, const sl_cwarp *c, const sl_split *s, sl_awaited *out);
bool sl__loop_reads(const sl_grid *g, const sl_split *s); // does the split's loop read memory?
uint64_t sl__block_at(const sl_grid *g, uint64_t k);      // the block that starts as number k

// parallel.c
void sl__cores_launch(sl_grid *g); // may the launch use several cores?
void sl__cores_share(sl_grid *g);  // runs the remaining blocks on them, if that pays and is safe
void sl__cores_gone(sl_gpu *g);

#define SL_BLOCK_BUDGET 50000       // backward branches of a block until others have a turn, at first
void sl__barrier_exit(sl_block *b); // op_bar.c: threads ended: may open barriers

// objects.c
#define SL_NEAR (1u << 20) // an address farther than this from every allocation says nothing about an index
#define SL_NULL_END (1ull << 32) // an index of a null pointer leads at most so far
bool sl__is_null(const sl_grid *g, uint64_t addr);
// The array that the address of [i] is computed from, if it is near; NULL: not known.
const sl_alloc *sl__named(const sl_grid *g, const sl_xinsn *i, uint64_t addr);
// The allocation that a bad address was meant for. [i]: the instruction; NULL: not known.
const sl_alloc *sl__meant(const sl_grid *g, const sl_xinsn *i, uint64_t addr);
// By the array that the address of [i] is computed from, if known. [i] NULL: by the array that lies there.
sl_object sl__object_of(const sl_warp *w, const sl_xinsn *i, sl_space space, uint64_t addr, uint32_t elem,
                        uint32_t bytes);

// findings.c
// Fills in who, where and in which launch; the rest of [f] is zero. Then sl_gpu_add_finding.
void sl__finding_begin(sl_finding *f, sl_warp *w, const sl_xinsn *i, int lane, sl_found id);
// Are there findings enough of its kind, and none of its line? Then it counts as one more.
bool sl__finding_is_one_more(sl_gpu *g, const sl_finding *f);
void sl__finding_launch(sl_finding *f, const sl_grid *g);        // the launch alone
void sl__mnemonic(const sl_ptx_insn *in, char *out, size_t cap); // "st.shared.u32"
void sl__finding_note(sl_warp *w, const sl_xinsn *i, int lane, sl_found id, const char *fmt, ...)
    __attribute__((format(printf, 5, 6))); // the launch goes on
// With the status of the launch that follows from [id].
void sl__finding_at(sl_warp *w, const sl_xinsn *i, int lane, sl_found id, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
bool sl__position(const sl_grid *g, const sl_frame *frame, const sl_xinsn *i, sl_src_pos *pos);
// notes who allocated [addr], for memory.leak
void sl__finding_made(sl_warp *w, const sl_xinsn *i, int lane, uint64_t addr);
void sl__finding_place(sl_gpu *g, const char *file, uint32_t line);
void sl__put_account(sl_finding *f, const char *fmt, va_list ap); // what it was, by whom, where
void sl__end_launch(sl_warp *w, sl_launch_status st,
                    const sl_finding *f); // adds it; the launch ends with [st]

// fault.c
// What a bad access to [addr] is. An address just before shared memory is meant for that.
sl_found sl__fault_of(const sl_grid *g, uint64_t addr, uint32_t bytes, sl_space space);
bool sl__before_shared(uint64_t addr); // a generic one
// A bad access: a finding. True: it is left out and the launch goes on; false: the launch ends.
bool sl__fault_access(sl_warp *w, const sl_xinsn *i, int lane, uint64_t addr, sl_space space);
// The address belongs to local memory of another thread, or of one that has ended: a finding.
void sl__fault_foreign(sl_warp *w, const sl_xinsn *i, int lane, uint64_t addr);
bool sl__enough_left_out(const sl_grid *g); // has the launch gone on for long after a bad access?
void sl__advise_shared(sl_finding *f, const sl_grid *g); // how to mend an access past a shared array's end

// probe.c: all events but those of instructions. Call these only if grid->heard: somebody listens.
struct sl_arrive;
void sl__probes_launch(sl_grid *g); // call it after sl__weak_launch; then the code is as the launch wants it
void sl__probes_launch_end(sl_grid *g);
void sl__probes_block(sl_block *b);
void sl__probes_block_end(sl_block *b);
void sl__probes_block_free(sl_block *b);
void sl__probes_arrive(sl_warp *w, const struct sl_arrive *a);
void sl__probes_open(sl_block *b, uint8_t id, uint32_t expected);
void sl__probes_warp_sync(sl_warp *w, uint32_t lanes);
void sl__probes_call(sl_warp *w, const sl_frame *f, uint32_t lanes);
void sl__probes_local(sl_warp *w, uint32_t lanes, uint32_t addr, uint32_t bytes);
void sl__probes_wrote(sl_gpu *g, uint64_t addr, uint64_t len, bool copied);
void sl__probes_unload(sl_gpu *g, sl_gmodule *m);
void sl__probes_gone(sl_gpu *g);

// patch.c
sl_op_fn sl__handler(const sl_gmodule *m, uint32_t pc); // the instruction's own
sl_op_fn *sl__handler_place(sl_xinsn *x);               // behind its guard
sl_op_fn sl__weak_handler(sl_gmodule *m, uint32_t pc);  // op_weak.c; NULL: none
uint8_t sl__order_flags(const sl_ptx_insn *in); // emit.c: SL_IS_STRONG .. SL_IS_CTA, from its modifiers

// weak.c: nothing happens unless the launch has weak visibility.
void sl__weak_launch(sl_grid *g);
void sl__weak_launch_end(sl_grid *g);
void sl__weak_block(sl_block *b);
void sl__weak_block_end(sl_block *b);
bool sl__weak_passed(sl_block *b); // a load has passed a store: let other blocks have a turn
void sl__weak_turn(sl_grid *g);    // time passes. Only where g->weak
// Is there a store under way that leaves [value] at [a]? Only where g->weak.
bool sl__weak_will_be(sl_grid *g, uint64_t a, const void *value, uint32_t bytes);
bool sl__weak_all(sl_grid *g); // everything becomes visible; true: something changed

void sl__late_free(sl_block *b); // late.c

// path.c: how long a launch takes by its waits alone. Nothing happens unless the launch counts.
struct sl_memop;
enum { SL_PATH_STEP = 4 }; // cycles, measured: path.c
// A barrier of a block: barrier_32 to barrier_1024 of docs/results/h200-bench/latency.csv.
static inline uint64_t sl__path_barrier(const sl_block *b) { return 12 + 2 * (uint64_t)b->n_warps; }
void sl__path_launch(sl_grid *g);
void sl__path_block_end(sl_block *b);
void sl__path_gone(sl_gpu *g);
bool sl__is_strong(const sl_ptx_insn *in); // may its place be a flag of another block's?
// Before and after an instruction that may see, or be seen by, other blocks. [p]: host pointers of its lanes.
// False: the warp has looked at these very places before, and has done nothing since.
bool sl__path_look(sl_warp *w, const sl_xinsn *i, uint8_t *const *p);
void sl__path_update(sl_warp *w, const sl_xinsn *i, uint8_t *const *p, bool changed);
void sl__path_store(sl_warp *w, const sl_xinsn *i, uint8_t *const *p);
static inline uint64_t sl__path_now(const sl_warp *w, const sl_xinsn *i) {
  return ((const sl_cwarp *)w)->base + w->grid->costs[i - w->grid->code];
}

// counters.c
void sl__count_shared(sl_warp *w, const uint32_t *off, uint32_t bytes, bool write);
// wavefronts without conflicts
uint32_t sl__shared_parts(const uint32_t *off, uint32_t bytes, uint32_t mask, bool write);
uint32_t sl__shared_wavefronts(const uint32_t *off, uint32_t bytes, uint32_t mask); // for stores
void sl__count_global(sl_warp *w, const uint64_t *addr, uint32_t bytes, bool write);
uint32_t sl__sectors(const uint64_t *addr, uint32_t mask); // how many different sectors the lanes touch
void sl__count_shared_row(sl_warp *w, bool write);         // a whole warp, words in a row
void sl__count_global_row(sl_warp *w, uint64_t first, uint32_t bytes, bool write);
// parallel_marks.c: notes an access that will succeed, before it happens. Only if grid->watching.
struct sl_memop;
void sl__touch_global(sl_warp *w, const uint64_t *addr, const struct sl_memop *op);
void sl__touch_global_row(sl_warp *w, uint64_t first, uint32_t bytes, bool write);
static inline sl_phase *sl__phase(const sl_warp *w) {
  uint32_t p = w->block->phase;
  return &w->grid->cnt->phases[p < SL_MAX_PHASES ? p : SL_MAX_PHASES - 1];
}

#include "engine/families.h" // op_mem.c to op_ctl.c, and the decoder
