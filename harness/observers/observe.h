// Observers, for whoever runs a device: sl_observe once, then the device's launches are looked at as its
// configuration says (sl_gpu_config: checks, record, trace). What they find are findings of the device; what
// they record is in recorded.h.
#pragma once

#include "engine/gpu.h"
#include "device/streams.h"

void sl_observe(sl_gpu *g); // before its first launch

// Accesses of global memory that the observers of races had no room for: the findings are not complete.
uint64_t sl_gpu_not_observed(const sl_gpu *g);
bool sl_gpu_host_short(const sl_gpu *g); // is that because the host has no more memory?
// What the host does about streams and events, for race.global: streams are numbers of SL_STREAM, events any.
void sl_gpu_order(sl_gpu *g, uint32_t owner, sl_sequence what, uint64_t stream, uint64_t event);
// a copy or fill begins; its addresses were checked
void sl_gpu_work(sl_gpu *g, uint32_t owner, const sl_stream_work *w);
// The first of the pieces of 4096 bytes of [addr, addr + len) used by work that the host has not waited for.
typedef struct sl_in_use {
  uint64_t start, size; // size 0: there are none
  bool written;         // by that work
} sl_in_use;
sl_in_use sl_gpu_in_use(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t len);
// The host touches a byte. True if that is a race with such work: [f] has the work as its first party.
bool sl_gpu_touched(sl_gpu *g, uint32_t owner, uint64_t addr, bool writes, sl_finding *f);
// Who can tell more of sl_stream_work.asked; asked when a finding is made. False: not known.
typedef bool (*sl_asked_fn)(void *ctx, uint64_t asked, sl_asked *out);
void sl_gpu_on_asked(sl_gpu *g, sl_asked_fn fn, void *ctx);
