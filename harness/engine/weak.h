// Weak store visibility: between the memory model (weak.c) and the instructions (op_weak.c). The engine
// itself needs only the calls of core.h.
#pragma once

#include "engine/core.h"

enum { SL_LINE = 32 }; // bytes of a line; no access crosses one
typedef struct sl_weak sl_weak;
typedef struct sl_late sl_late;

// A plain store of the warp; a plain load: returns where in [line] the bytes are.
void sl__weak_store(sl_warp *w, uint64_t a, const void *value, uint32_t bytes);
const uint8_t *sl__weak_load(sl_warp *w, uint64_t a, uint32_t bytes, uint8_t line[SL_LINE]);
// Call it before a strong load or an atomic: makes the block's own stores to these bytes visible. From now on
// nobody gets an older value.
void sl__weak_settle(sl_block *b, uint64_t a, uint64_t bytes);
void sl__weak_passes(sl_block *b); // call it at a strong load: it may pass stores of the block
// Call it after a strong access of the block that has changed [a, a+bytes), which held [old].
void sl__weak_changed(sl_grid *g, uint64_t block, uint64_t a, const void *old, uint32_t bytes);
// Makes what the warp has stored and seen visible to all, or only known to all warps of its block.
void sl__weak_release(sl_warp *w, bool block_only);
// Lets the block see all changes of memory so far.
void sl__weak_acquire(sl_warp *w);

// late.c: asynchronous copies to shared memory. [fn]: the ordinary handler.
sl_step sl__late_copy(sl_warp *w, const sl_xinsn *i, sl_op_fn fn);
sl_step sl__late_bulk(sl_warp *w, const sl_xinsn *i, sl_op_fn fn);
sl_step sl__late_group(sl_warp *w, const sl_xinsn *i, sl_op_fn fn);  // commit_group, wait_group, wait_all
sl_step sl__late_report(sl_warp *w, const sl_xinsn *i, sl_op_fn fn); // cp.async.mbarrier.arrive
sl_step sl__late_phase(sl_warp *w, const sl_xinsn *i, sl_op_fn fn);  // mbarrier.test_wait, try_wait
void sl__late_reset(sl_block *b);
