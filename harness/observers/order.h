// What happened before what: facts that threads know of each other, fences, and the tables that hold them.
#pragma once

#include "engine/probe.h"

// known.c: what a thread knows of others beyond barriers ----------------------------------------------------

// SL_WHO_COPIES | offset: asynchronous copies that report to the mbarrier there.
enum { SL_WHO_WARP = 0x8000, SL_WHO_ALL = 0xffff, SL_WHO_COPIES = 1 << 20 };
typedef struct sl_fact { // accesses of [who] in [block] up to [stamp] happened before
  uint32_t block, who, stamp;
} sl_fact;
typedef struct sl_facts { // sorted by block, who; shared by reference, never changed
  uint32_t refs, n,
      packed; // packed: as many were left of it, or of what it was made of, when that was packed last
  sl_fact at[];
} sl_facts;
sl_facts *sl__known_make(const sl_fact *f, uint32_t n); // sorts and merges
sl_facts *sl__known_ref(sl_facts *k);
void sl__known_drop(sl_facts *k);
void sl__known_join(sl_facts **a, sl_facts *b); // *a becomes their union
// Says the same of a block's threads by fewer facts: by warps where all lanes are known. A set that has not
// grown much since it was packed is left as it is.
void sl__known_pack(sl_facts **a, uint32_t block, uint32_t n_threads);
bool sl__known_has(const sl_facts *k, uint32_t block, uint32_t thread, uint32_t stamp);

// table.c: a hash table of pairs of numbers -----------------------------------------------------------------

typedef struct sl_table {
  uint64_t (*keys)[2];
  uint8_t *used, *values;
  size_t cap, n, value_bytes, limit;
} sl_table;
void *sl__table_find(const sl_table *t, uint64_t a, uint64_t b);
void *sl__table_put(sl_table *t, uint64_t a, uint64_t b); // zeroed when new; NULL: full
void *sl__table_next(const sl_table *t, size_t *at);      // NULL: no more
void sl__table_free(sl_table *t);

// follow.c: marks on the registers of frames, of one kind. follow.h has the rest.
typedef struct sl_mark_kind sl_mark_kind;
typedef struct sl_trail {
  const sl_mark_kind *kind;
  sl_table regs; // (frame, register or word of its parameters)
  uint32_t n;    // entries that have a mark now
} sl_trail;

// order.c ---------------------------------------------------------------------------------------------------

typedef struct sl_release { // a fence: what happened before it
  uint32_t stamp, all;      // stamp 0: none
  sl_facts *know;
} sl_release;

typedef struct sl_thread_time {
  sl_facts *know;
  sl_facts *acq[2]; // seen by strong loads, not yet acquired by a fence: from the own block, from any block
  sl_facts *fenced[2]; // by scope: what fences of lanes before a __syncwarp() with this one have put in order
  sl_release rel[2];   // the latest fence of any scope, of a scope wider than the block
  sl_facts *took[2];   // what was made known last
  sl_facts *heard;     // seen by atomics, not yet acquired: holds for strong accesses without a fence
} sl_thread_time;

typedef struct sl_joined { // two sets and their union
  sl_facts *x, *y, *both;
} sl_joined;

#define SL_JOINED 8

typedef struct sl_block_time {
  // block: serial number; now: stamp of the present instruction; all: everything up to it happened before
  uint32_t block, now, all;
  uint32_t n_warps, n_threads;
  // by warp, twice: everything up to it happened before, among the warp's lanes; is over, as they have met
  uint32_t *warp_all;
  uint32_t **lanes; // the same: [32][32] what lane a knows of lane b; NULL: nothing more
  uint32_t *warps;  // [n_warps][n_warps]: what warp a knows of warp b, by named barriers; NULL: nothing more
  sl_thread_time *thread;
  sl_facts *fenced[2];         // by scope: what fences before a barrier of the block have put in order
  bool fences;                 // there were fences since the last barrier
  bool any_known, touched;     // touched: something is in thread[] or soft
  sl_joined joined[SL_JOINED]; // unions made last: the lanes of a warp ask for the same one
  sl_facts *soft;              // heard by any thread before a barrier of the block
  struct {
    uint32_t sync, there;
  } bars[SL_BARRIERS];
} sl_block_time;

bool sl__time_init(sl_block_time *t, uint32_t block, uint32_t n_threads);
void sl__time_reset(sl_block_time *t, uint32_t block); // as after sl__time_init, for another block
void sl__time_fini(sl_block_time *t);
bool sl__time_ordered(const sl_block_time *t, uint32_t thread, uint32_t block, uint32_t who, uint32_t stamp);
void sl__time_barrier(sl_block_time *t);                                     // all threads
void sl__time_part_barrier(sl_block_time *t, uint32_t sync, uint32_t there); // masks of warps
void sl__time_warp(sl_block_time *t, uint32_t warp, uint32_t lanes, bool orders);
// Have the two lanes met since, so that a load or an atomic is over?
bool sl__time_met(const sl_block_time *t, uint32_t thread, uint32_t block, uint32_t who, uint32_t stamp);
// Behind an acquire flags are known; what came before a release, to who sees a later flag. A fence is both.
void sl__time_acquire(sl_block_time *t, uint32_t thread, bool cta);
void sl__time_release(sl_block_time *t, uint32_t thread, bool cta);
void sl__time_fence(sl_block_time *t, uint32_t thread, bool cta);
typedef struct sl_flag { // a location that strong stores after a fence have written
  sl_facts *rel[2];
  uint32_t block; // the block that rel[0] speaks for
} sl_flag;
void sl__time_publish(sl_block_time *t, uint32_t thread, sl_flag *f, bool rmw);
void sl__time_observe(sl_block_time *t, uint32_t thread, const sl_flag *f, bool hears);
bool sl__time_heard(const sl_block_time *t, uint32_t thread, uint32_t block, uint32_t who, uint32_t stamp);
// Has the thread seen a flag that stands for the access, without a fence behind it?
bool sl__time_unfenced(const sl_block_time *t, uint32_t thread, uint32_t block, uint32_t who, uint32_t stamp);
bool sl__time_has_released(const sl_block_time *t, uint32_t thread);
