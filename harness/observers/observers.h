// The observers inside: what they share, and the checkers. Each observer is a probe of the engine
// (engine/probe.h) and has a row in probes.def.
//
// watch.c keeps the state that all observers need; the functions below hand it out. order.c knows what
// happened before what, shadow.c who touched which byte last, and report.c composes messages. Checkers:
// race.c (race.shared, race.global, order.fence), uninit.c (memory.uninit, with undefined.c, which follows
// values through registers), readonly.c (memory.readonly), mask.c (barrier.mask), barrier.c
// (barrier.divergent).
#pragma once

#include "engine/probe.h"
#include "observers/observe.h"
#include "observers/order.h"

// The observers of probes.def. An observer's number is also that of its state.
#define SL_PROBE(name) SL_PROBE_##name,
enum {
#include "observers/probes.def"
  SL_PROBES_HERE
};
#undef SL_PROBE
#define SL_PROBE(name) extern const sl_probe sl__probe_##name;
#include "observers/probes.def"
#undef SL_PROBE

// shadow.c --------------------------------------------------------------------------------------------------

// Who touched a place. block: the block's serial number among all blocks that the device has run. It shows
// whether a touch is left over from an earlier launch or, in shared memory, from another block.
typedef union sl_touch {
  struct {
    uint32_t block, thread : 10, pc : 22, stamp : 30, strong : 1, rmw : 1;
  };
  uint32_t word[3]; // the same: block, place, time
} sl_touch;
#define SL_THREAD_BITS 0x3ffu // the thread's bits in word[1]
typedef struct sl_cell {
  sl_touch w, r[2]; // last writer, last reader and another one
} sl_cell;
// 32 words that a whole warp touches in a row share one cell, that of lane 0: lane l differs in its thread.
typedef struct sl_row {
  sl_cell cell;
  uint32_t spread; // era in which the words got cells of their own
} sl_row;
typedef struct sl_page {
  sl_row *rows;
  sl_cell *cells;
  bool fine; // a cell for each byte, else for each word of four
} sl_page;
typedef struct sl_shadow { // the shadow of global memory
  sl_page **top;
  uint64_t bytes, room; // of rows and cells: there are, there may be before the host is asked for more
  uint64_t most;        // that the room may grow to; 0: as the host can give
  uint32_t swept;       // era in which cells left over were freed
  bool host_short;      // the host had no more to give
  uint64_t missed;      // accesses that found no room
} sl_shadow;
#define SL_PAGE_BYTES 4096u
#define SL_ROW_BYTES 128u
// Reads the cell of [addr] into *c; zero: nobody has touched it. Returns for how many bytes that holds.
uint64_t sl__shadow_at(const sl_shadow *s, uint32_t era, uint64_t addr, sl_cell *c);
// The cell of a whole row; NULL: its words have their own. [era]: a serial number; touches of earlier eras
// are left over. For shared memory it is the block's; for global memory that of the launch's first block,
// or of an earlier launch's if several streams run.
sl_cell *sl__row_made(sl_page *p, uint32_t era, uint32_t offset);
static inline sl_cell *sl__row(sl_page *p, uint32_t era, uint32_t offset) {
  if (!p || !p->rows || p->fine) return sl__row_made(p, era, offset);
  sl_row *r = &p->rows[offset / SL_ROW_BYTES];
  return r->spread == era ? NULL : &r->cell;
}
// The cells of [offset, offset+bytes) of a page, within one row: *n of them, NULL when memory for it has run
// out. s: NULL for shared memory.
sl_cell *sl__cells_made(sl_shadow *s, sl_page *p, uint32_t era, uint32_t offset, uint32_t bytes, uint32_t *n);
static inline sl_cell *sl__cells(sl_shadow *s, sl_page *p, uint32_t era, uint32_t offset, uint32_t bytes,
                                 uint32_t *n) {
  if (!p || !p->cells || p->fine || (offset | bytes) & 3 || p->rows[offset / SL_ROW_BYTES].spread != era)
    return sl__cells_made(s, p, era, offset, bytes, n);
  *n = bytes / 4;
  return p->cells + offset / 4;
}
sl_page *sl__shadow_page(sl_shadow *s, uint64_t addr);
void sl__page_free(sl_page *p);
void sl__shadow_free(sl_shadow *s);

// The launch ------------------------------------------------------------------------------------------------

typedef struct sl_seen_block {
  sl_block_time time;
  sl_page *pages; // shadow of shared memory
  uint32_t n_pages;
  uint8_t *shared_init;  // a bit for each byte
  uint64_t shared_known; // all bits of the bytes before that are set, as far as anybody has looked
  uint8_t **local_init;  // by warp; a bit for each byte, lane after lane
  uint32_t *local_stride;
  uint32_t *trips;           // by warp, loop of the kernel and lane: trips.c
  struct sl_turns *turns;    // trips.c: its latest branches back; NULL: the kernel has no loop
  sl_table watched;          // flags that this block has read: key (address, 0), value: sl_look
  sl_trail undef;            // registers with an undefined value: undefined.c
  uint32_t copied[SL_LANES]; // by lane, for the copy that is being seen: unwritten bytes of its source
  struct sl_async *async;    // async.c: copies under way; NULL: it has begun none
} sl_seen_block;

typedef struct sl_post { // a strong store to a flag by a block
  uint32_t thread, stamp, all, pc;
  uint64_t when;  // moment
  uint64_t value; // what is stored
  bool updates;   // by an atomic, whose value is not known here
  bool alone;     // no other thread's fence reaches it, by a barrier or a __syncwarp()
  sl_release fenced
      [2]; // the thread's last fence before it: of any scope, of a scope wider than the block. know: NULL
} sl_post;

typedef struct sl_look { // the latest look of a block at a flag
  uint64_t when, value;
  uint32_t pc, stamp;
  bool waits; // in a loop that waits for it
} sl_look;

// hearing.c: allocations where a launch listens: [who] are SL_HEARS.
enum { SL_HEARS_FLAGS = 1, SL_HEARS_STRONG = 2, SL_HEARS = 2, SL_EARS = 16 };
typedef struct sl_hearing {
  uint8_t anywhere; // SL_HEARS of those that may listen at any place
  uint32_t n;
  struct {
    uint64_t base, size;
    uint8_t who;
  } at[SL_EARS];
} sl_hearing;

typedef struct sl_seen_grid {
  uint32_t checks;
  uint32_t first;               // serial number of the launch's block 0
  uint32_t low;                 // touches by blocks with a lower serial number are left over
  uint32_t era;                 // the shadow cells' era
  uint32_t first_loop, n_loops; // the kernel's loops among those of the module
  sl_hearing heard;             // where its strong stores can tell anybody anything
  sl_table flags;               // (address, 0 or block + 1 for shared memory): sl_flag
  sl_table posts;               // (address, block): sl_post
  sl_table awaited;             // words that somebody has waited for: (address, as in flags)
  bool deaf;                    // flags has no more room: who knows of other blocks is not known
  uint64_t moment;              // counts what is done to flags
  uint32_t ways;                // searches for flags by way of others
  sl_table reports;             // (pc, other pc and kind): uint32_t, the rank that was told, and 1
  sl_table undef;               // (address, who owns it): sl_origin of an undefined value that was put there
  struct sl_turns *ended[16];   // turns of the last blocks that have ended
  uint32_t n_ended;
  // copies and fills in other streams that may run at the same time (at most SL_WORKS)
  const struct sl_past *works[64];
  uint32_t n_works;
  // The warp-level instruction in progress: its member masks, its lanes, whether all masks are equal
  uint32_t member[SL_LANES], meeting;
  bool one_mask;
  bool across_warps; // a race of two warps of a block was told
  uint64_t phases;   // phases of the block's mbarriers before the instruction that is being executed
} sl_seen_grid;

// moot.c: an instruction whose other operand decides for which lanes a loaded value matters.
enum { SL_GATES = 4, SL_MADE = 4 };
typedef struct sl_gate {
  uint32_t at;                    // the instruction
  uint32_t made[SL_MADE], n_made; // those behind the load that compute its operand
  uint8_t operand;                // which source
  bool word;                      // the operand is a word, else a predicate
  bool with_next;                 // only where the next gate decides, too, the value is dropped
  bool when;                      // the value matters where the operand is that (a word: where it is not 0)
} sl_gate;

// What is known of a module's code.
typedef struct sl_sight { // one instruction
  bool polled;            // the loaded value (an atomic's old one) decides a branch: a flag, or carries one
  bool is_place;          // an atomic's old value only says where to store
  bool waits;             // reads the value that a loop waits for
  bool walks;             // .. at a place that it has read, on its way: nobody waits there
  bool tries;             // an atomic in a loop that waits for its result
  bool is_volatile;       // a volatile load or store
  bool beside;            // a strong load with a fence beside it, or a strong store with no access before one
  bool bits;              // red.and.release, or a load for a store to a bit field: a word changed in part
  uint32_t loop;          // the innermost loop around it (its own, for a branch back), from 1; 0: none
  uint8_t n_gates;        // gates that drop a plain load's value in some lanes
  sl_gate *gates;         // NULL: none
  uint32_t awaited;       // sl__awaits' answer: 0: not asked yet, 1: no, else the loop's jump, counted from 2
} sl_sight;
typedef struct sl_seen_module {
  sl_sight *sights;           // by pc
  struct sl_loop_code *spans; // its loops
  uint32_t n_spans;
  sl_table over; // over.c: (pc of a read, of a flag's store)
  sl_table ears; // hearing.c: (function, 0): sl_ears
} sl_seen_module;

// streams.c: launches in different streams that nothing orders may run at the same time. When one of these
// limits is reached, everything so far counts as ordered.
enum { SL_STREAMS = 64, SL_EVENTS = 256, SL_PAST = 1024, SL_WORKS = 64 };
typedef struct sl_stream_clock {
  uint32_t of[SL_STREAMS]; // by stream: its launches up to that one come before
} sl_stream_clock;
typedef struct sl_stream { // or an event
  uint32_t owner;
  uint64_t id;
  sl_stream_clock clock;
} sl_stream;
typedef struct sl_past { // a launch, or a copy or fill
  uint32_t first;        // serial number of its block 0
  uint64_t n_blocks;
  uint32_t stream, seq; // seq: number in the stream, from 1
  const sl_gmodule *m;  // NULL: a copy or a fill
  const char *name;
  sl_dim3 grid, block;
  uint64_t launch;     // its number
  sl_stream_work work; // the copy or fill
} sl_past;
typedef struct sl_streams {
  uint32_t n_streams, n_events, n_past, now, era; // now: stream of the present launch
  bool several;                                   // the program uses other streams than the default one
  sl_stream stream[SL_STREAMS], event[SL_EVENTS];
  sl_past past[SL_PAST]; // by first; the last one is the present launch
  sl_stream_clock host;
} sl_streams;
void sl__streams_launch(sl_grid *g);
// Work begins in a stream: appends it to the past and returns its entry.
const sl_past *sl__streams_begin(sl_gpu *g, uint32_t owner, uint64_t stream, const sl_past *p);
// watch.c: draws [n] serial numbers for blocks and returns the first.
uint32_t sl__watch_serials(sl_gpu *g, uint64_t n);
// The launch of a block; NULL: forgotten.
const sl_past *sl__streams_past(const sl_gpu *g, uint32_t block);
bool sl__streams_ordered(const sl_gpu *g, const sl_past *p); // does it come before the present launch?
// May the block's launch run at the same time as the present one?
bool sl__streams_meet(const sl_gpu *g, uint32_t block);
void sl__streams_heard(sl_gpu *g, uint32_t block);        // the present launch has seen a flag of that block
void sl__streams_host_heard(sl_gpu *g, const sl_past *p); // the host has seen a flag of that launch
void sl__streams_forget(sl_gpu *g);                       // forgets the past

// What the device keeps between launches.
typedef struct sl_watch_state {
  sl_streams streams;
  sl_shadow shadow;
  uint32_t serial;   // the next block's
  sl_asked_fn asked; // sl_gpu_on_asked
  void *asked_ctx;
} sl_watch_state;

// The state of watch.c; NULL if it takes no part.
static inline sl_watch_state *sl__watch_state(const sl_gpu *g) { return g->kept[SL_PROBE_watch]; }
static inline sl_seen_module *sl__seen_module(const sl_gmodule *m) { return m->kept[SL_PROBE_watch]; }
static inline sl_sight *sl__sight(const sl_gmodule *m, uint32_t pc) {
  return &sl__seen_module(m)->sights[pc];
}
static inline sl_seen_grid *sl__seen_grid(const sl_grid *g) { return g->kept[SL_PROBE_watch]; }
static inline sl_seen_block *sl__seen_block(const sl_block *b) { return b->kept[SL_PROBE_watch]; }

// trips.c. A loop of a module: the code from its head to its last branch back, the tail. Sorted by head.
typedef struct sl_loop_code {
  uint32_t head, tail;
  uint32_t inside; // how many of the loops that follow stand inside of it
} sl_loop_code;
typedef struct sl_turns sl_turns;
enum { SL_ENDED = 16 };
void sl__trips_find(sl_gmodule *m);
void sl__trips_open(sl_grid *g);
void sl__trips_begin(sl_seen_block *s, const sl_grid *g);
void sl__trips_end(sl_seen_block *s, sl_grid *g);
void sl__see_back(sl_warp *w, const sl_xinsn *i);
uint32_t sl__trip_at(const sl_warp *w, uint32_t pc, uint32_t lane); // from 1; 0: no loop, or not known
// Is lane [other] at [place] still in an earlier trip of a loop than [lane] at [pc]?
bool sl__trip_is_behind(const sl_warp *w, uint32_t pc, uint32_t lane, uint32_t place, uint32_t other);
// The trip of an earlier access of this launch, if it is not forgotten.
uint32_t sl__trip_then(const sl_grid *g, const sl_touch *o);
// The outermost loop of which lane [lane] at [pc] and [o] are in different trips; NULL: there is none, or it
// is not known. *behind: the lane is in the earlier trip. *known: the trips of all loops around both are.
const sl_loop_code *sl__trips_part(const sl_warp *w, uint32_t pc, uint32_t lane, const sl_touch *o,
                                   bool *behind, bool *known);

// undefined.c
typedef struct sl_origin { // the first load of an undefined value
  uint64_t addr;
  uint32_t pc;
  uint8_t space, lane; // SL_SP_NONE: a shuffle that read an absent lane (absent.c); SL_SP_PARAM: unset.c
  bool whole;          // nothing of what it read was written
} sl_origin;
typedef struct sl_undef {   // what is undefined in one register
  uint32_t lanes, computed; // computed: lanes whose value is the result of arithmetic
  uint8_t bytes[SL_LANES];  // by lane: a bit for each undefined byte; any bit if it is a predicate
  sl_origin from;
} sl_undef;
void sl__undef_begin(sl_trail *t); // for a block
sl_step sl__see_flow(sl_warp *w, const sl_xinsn *i, sl_op_fn rest);
// absent.c: a lane whose shuffle reads a lane that takes no part gets an undefined value.
uint32_t sl__absent_lanes(const sl_warp *w, const sl_xinsn *i, const uint32_t *member, sl_origin *origin);
void sl__absent_mark(sl_warp *w, const sl_xinsn *i, uint32_t lanes, const sl_origin *origin);
// undefined_memory.c. bytes: by lane, a bit for each byte of the access that nobody has written.
void sl__undef_load(const sl_access *a, uint32_t lanes, const uint32_t *bytes);
void sl__undef_store(const sl_access *a, uint32_t bytes[SL_LANES]); // sets [bytes]: they stay unwritten
void sl__undef_tell(const sl_access *a, uint32_t lane, const char *use, uint32_t pc);

// async.c
typedef struct sl_async sl_async;
void sl__async_attach(const sl_access *a);
void sl__async_publish(const sl_warp *w, uint64_t addr, sl_flag *f);
uint32_t sl__async_access(const sl_access *a);
void sl__async_free(sl_async *s);

// same.c
// Does the store of lane [l] leave memory as it is?
bool sl__same_value(const sl_access *a, uint32_t l);
// Do lanes [l] and [o] store the same at one place?
bool sl__same_registers(const sl_access *a, uint32_t l, uint32_t o);
// Does the stored value not depend on data? (A constant, a parameter, an index of the block.)
bool sl__stores_fixed(const sl_xinsn *i);
// Do both write the same value whatever the data are?
bool sl__same_constant(const sl_access *a, uint32_t l, const sl_touch *o);

// zone.c: red zones between shared arrays
#define SL_NO_ARRAY UINT32_MAX // stands for the last writer's block in the cells of a zone
void sl__zones_begin(sl_seen_block *s, const sl_block *b);
bool sl__in_zone(const sl_grid *g, uint64_t offset);
void sl__zone_tell(const sl_access *a, uint32_t l);

// hearing.c
void sl__hearing_launch(sl_grid *g);
bool sl__is_heard(const sl_hearing *h, uint64_t addr, uint8_t who);

// flags.c
// May the two strong accesses meet without a race? [read]: the one that reads; NULL: both write.
bool sl__flag_allows(const sl_access *a, uint64_t addr, const sl_touch *me, const sl_touch *o,
                     const sl_touch *read);
// The flag that could have told this block of [o]: a strong store by o's block after it, seen by this block.
const sl_post *sl__flag_between(const sl_access *a, const sl_touch *o, uint64_t addr, const sl_look **look);
// The same by others: the flag that told another block, which has told this one. NULL, too, behind a fence.
const sl_post *sl__flag_by_others(const sl_access *a, const sl_touch *o, const sl_look **look);
bool sl__post_fenced(const sl_post *p, const sl_touch *o,
                     int scope); // did its fence order the access before it?
// moot.c: the gates behind a load; the lanes to which the value that they load matters.
uint32_t sl__moot_find(const sl_gmodule *m, uint32_t load, sl_gate gates[SL_GATES]);
uint32_t sl__moot_needed(const sl_access *a);
// over.c. Have others of its block made a fence behind the access, then met the poster? Was the read over?
bool sl__others_fenced(const sl_grid *g, const sl_touch *o, const sl_post *p);
bool sl__read_is_over(const sl_access *a, const sl_touch *o, const sl_post *p);
// The flag for which the block of a touch, if it is resident, had waited last before it; NULL: none.
const sl_look *sl__last_wait(const sl_grid *g, const sl_touch *t);
// The flag that the writer had raised before it wrote, and that block [reader] has waited for; NULL: none.
const sl_post *sl__raised_early(const sl_grid *g, uint32_t reader, const sl_touch *write);
// Follows what a strong access of lane [l] publishes, or learns of others.
void sl__flag_follow(const sl_access *a, uint32_t l, const sl_touch *me);
// Strong accesses of different widths are not atomic to each other (PTX: unless they overlap completely).
bool sl__mixed_widths(const sl_access *a, const sl_touch *o);
// race.c: the module of a touch; was the touch made by an earlier launch?
const sl_gmodule *sl__touch_module(const sl_access *a, const sl_touch *t);
bool sl__of_earlier(const sl_access *a, const sl_touch *o);
// race_tell.c: a lane's access and an earlier touch race, and meet in a cell.
typedef struct sl_race {
  const sl_access *a;
  uint32_t lane;
  uint64_t addr;
  const sl_touch *me, *other;
  const sl_cell *cell;
  sl_did did, other_did;
} sl_race;
void sl__tell_race(const sl_race *r);

// stale.c: flags that are up before they are raised. Called for strong accesses of one lane to global memory.
void sl__stale_store(const sl_access *a, uint32_t l, const sl_touch *me);
void sl__stale_wait(const sl_access *a, uint32_t l, const sl_touch *me);

// mapped.c: flags of a kernel for the host. Has the host seen one, without a fence behind its data; does it
// touch data behind such a flag? Then there is a finding.
bool sl__mapped_heard(const sl_gpu *g, uint64_t addr, sl_finding *f);
bool sl__mapped_touched(const sl_gpu *g, uint64_t addr, sl_finding *f);

// mbar.c: order by mbarriers, around the instructions on them
void sl__mbarrier_before(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *a);
void sl__mbarrier_after(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *a);

// constant.c: asks for all loads of constant memory; such a load, of the lanes that stay inside of a variable
void sl__constant_loads(sl_gmodule *m);
sl_access sl__constant_access(sl_warp *w, const sl_xinsn *i, const sl_patch *p);

// copies.c
void sl__copies_access(const sl_access *a);
// Does the copy or fill write, or else read, one of the bytes?
bool sl__work_meets(const sl_stream_work *w, uint64_t addr, uint64_t bytes, bool writes);
sl_cause sl__work_cause(const sl_stream_work *w);                          // of a race with it
void sl__work_me(const sl_gpu *g, const sl_stream_work *w, sl_finding *f); // makes it the first party
// The object at an address of global memory, with elements of so many bytes; 0: counted in bytes.
void sl__global_object(const sl_gpu *g, uint64_t addr, uint32_t elem, sl_object *o);
const char *sl__stream_name(uint64_t stream, char *out, size_t cap);
void sl__race_written(const sl_access *a, uint32_t l); // race.c: notes the lane as the last writer
// race.c: the store to the nearest word that was written; false: none is near
bool sl__race_beside(const sl_access *a, uint32_t l, sl_touch *out);
// mask.c
// Do all lanes name the same mask, with themselves in it?
bool sl__one_mask(const sl_warp *w, const uint32_t *member);
bool sl__is_polled(const sl_ptx_func *f, const sl_ptx_insn *in); // polled.c
bool sl__is_place(const sl_ptx_func *f, const sl_ptx_insn *in);  // polled.c: of an atomic
void sl__polled_sift(sl_gmodule *m);                             // polled.c: call it when the loops are known
// polled.c: does a loop wait for the loaded value? An instruction of it in *[loop].
bool sl__awaits(const sl_gmodule *m, uint32_t load, uint32_t *loop);
// polled.c: not optimised, an atomic is a function that calls another one. Is its result read as data by who
// called them? Not if they wait for it in a loop, or leave it where it is.
bool sl__caller_reads(sl_warp *w);
bool sl__same_place(const sl_operand *a, const sl_operand *b);      // polled.c: two operands of memory
bool sl__is_bit_field(const sl_ptx_func *f, const sl_ptx_insn *in); // bits.c
// beside.c: does a fence part a strong load from other strong accesses? Do none follow a store without?
bool sl__beside_fence(const sl_gmodule *m, uint32_t pc);

// advice.c: the two accesses that nothing orders. A launch may have many pairs at the same two lines: the
// pair whose row comes last here is told, as what mends it mends the others.
typedef enum sl_meeting {
  SL_MEET_NOBODY,
  SL_MEET_EQUAL,    // both store one value
  SL_MEET_WARP,     // two lanes of a warp
  SL_MEET_BLOCK,    // two warps of a block
  SL_MEET_GRID,     // two blocks
  SL_MEET_LOOKED,   // two blocks; this one reads a word once, for which it might wait
  SL_MEET_EARLY,    // two blocks; this one has waited for a flag, but not for that of the other
  SL_MEET_UPDATE,   // both read the word, change it and write it back
  SL_MEET_UNFENCED, // this one has seen the other's flag or lock, and makes no fence
  SL_MEET_LAUNCHES, // two launches
  SL_MEET_POLLED,   // one waits for what the other stores, and one of the two accesses is plain
  SL_MEET_WIDTHS    // accesses of different widths
} sl_meeting;

// report.c
typedef struct sl_story {
  sl_found id;
  sl_meeting meeting;            // for a race; it has the why and the fix
  bool apart;                    // the race is between two trips of a loop, if both are in one line
  bool early;                    // tell it before the launch's other findings
  bool other_first;              // the other one's place is the finding's first place
  const char *title, *why, *fix; // NULL: the meeting's, or the kind's own
  const sl_access *a;
  uint32_t lane;
  uint64_t addr;
  sl_did did, other_did;
  const sl_touch *other;    // NULL: none
  const sl_touch *beside;   // no other, but a store to the nearest element; NULL: none is known
  const char *flag;         // what was used as a flag, or NULL
  const char *work;         // the name of the copy or fill that is the other party, or NULL
  const sl_stream_work *of; // that copy or fill
} sl_story;
static inline uint32_t sl__meeting_rank(const sl_story *s) { return 2u * s->meeting + s->apart; }
const char *sl__meeting_why(sl_meeting m);
void sl__meeting_advice(const sl_story *s, sl_finding *f); // what to do about the finding's two places
// mends.c: the same for a race within a block, or of two blocks that write one element
sl_mending sl__mend_race(const sl_story *s);
// Does a loaded value say where the store at [pc] goes?
bool sl__scatters(const sl_gmodule *m, uint32_t pc);
// Where the source has the instruction: false, line 0: it is not known.
bool sl__place_at(const sl_gmodule *m, uint32_t pc, sl_src_pos *pos);
uint32_t sl__line_at(const sl_gmodule *m, uint32_t pc);
// Fills in the place and the launch of the touch.
void sl__past_party(const sl_past *p, const sl_touch *t, sl_finding *f);
// Makes a copy or fill the other party, if its call is known.
void sl__work_party(const sl_gpu *g, const sl_stream_work *w, sl_finding *f);
// Fills in who the other party is, and where.
void sl__finding_other(sl_finding *f, const sl_grid *g, const sl_touch *t);
const char *sl__passive(sl_did did); // "written"
void sl__tell(const sl_story *s);
void sl__steps_told(const sl_story *s); // steps.c: marks the recorded access that the finding is about
