// The judge's own work on a real GPU: inputs and checks of timed calls, cold caches, copies, its own events.
//
// All calls are synchronous for the caller. Errors are SL_EXIT_INFRA.
#pragma once

#include "judge/device.h"

// The kernels of contest_kernels.cu.
typedef enum sl_work_kind {
  SL_WORK_F32_SCAN,
  SL_WORK_U32_SCAN,
  SL_WORK_U32_SORT,
  SL_WORK_INCLUSIVE = 4
} sl_work_kind;

// The inputs and outputs of a batch of calls: call k has [n] words from word k * stride of each.
typedef struct sl_batch {
  sl_work_kind kind;
  uint32_t *in, *out;
  uint64_t n, stride;
  unsigned calls;
} sl_batch;

typedef struct sl_work sl_work;
sl_work *sl_work_open(sl_device *d, sl_error *e); // NULL with [e]
void sl_work_close(sl_work *w);
const char *sl_work_bus_id(const sl_work *w); // the device's bus id, for sl_device_state_read
size_t sl_work_free_memory(sl_work *w);

bool sl_work_fill(sl_work *w, const sl_batch *b, uint64_t key, sl_error *e);
// Is every output of [b] right, and every input as sl_work_fill made it? *[bad]: how many calls are wrong.
bool sl_work_check(sl_work *w, const sl_batch *b, uint64_t key, unsigned *bad, sl_error *e);
// Fills outputs with a pattern that is no result, then empties the L2 cache: writes more than it holds and
// releases lines that were told to stay.
bool sl_work_prepare(sl_work *w, const sl_batch *b, sl_error *e);
// Are a batch's inputs larger than the L2 cache? Smaller ones, made after it was emptied, are in it.
bool sl_work_is_cold(const sl_work *w, const sl_batch *b);
// Copies inputs to outputs, call by call; *[ms] is the time between events around all copies.
bool sl_work_copy(sl_work *w, const sl_batch *b, double *ms, sl_error *e);
