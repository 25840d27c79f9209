// Copies to the host of memory that nobody has written: memory.uninit if none of it was written, else a note,
// memory.copied. Programs do copy an array of which only a part was filled, and look at that part alone.
//
// Interface: sl__holes_wanted, sl__has_holes, by which READ answers whether there is something to tell; then
// the client sends COPIED with the place of the call.
#include "gpu/server/server.h"

#include <driver_types.h>

bool sl__holes_wanted(const sl_server *s, const sl_client *c) {
  const uint32_t both = SL_CHECK_MEMORY_COPIED | SL_CHECK_MEMORY_UNINIT;
  return !c->guest && (s->config.checks & both) == both;
}

bool sl__has_holes(const sl_server *s, uint64_t addr, uint64_t len) {
  sl_holes h = {0};
  sl_gpu_holes(s->gpu, addr, len, &h);
  return h.n > 0;
}

// Names the words in the array, and who allocated it.
static void put_array(sl_server *s, const sl_client *c, const sl_holes *h, sl_finding *f) {
  uint64_t base = 0, size = 0;
  sl_asked made;
  sl_gpu_range(s->gpu, c->owner, h->first, &base, &size);
  const uint32_t number = sl_gpu_number(s->gpu, base);
  const sl_kept_place *k = sl__place_of(s, number);
  f->object = (sl_object){
      .space = "global", .index = (int64_t)(h->first - base), .bytes = 4, .allocation = number, .size = size};
  if (!k) return;
  sl__asked(&k->made, &made);
  sl__host_behind(&made, "made", f);
}

static void tell_part(const sl_holes *h, sl_finding *f) {
  f->id = SL_FOUND_MEMORY_COPIED;
  snprintf(f->what, sizeof f->what,
           "%llu of the %llu bytes that are copied to the host here were never written, the first "
           "at " SL_THE_OBJECT,
           (unsigned long long)h->bytes, (unsigned long long)h->looked);
}

static void tell_all(const sl_holes *h, sl_finding *f) {
  f->id = SL_FOUND_MEMORY_UNINIT;
  snprintf(f->what, sizeof f->what,
           "the host copies memory of which nobody has written a byte: %llu bytes from " SL_THE_OBJECT " on",
           (unsigned long long)h->looked);
  snprintf(f->advice, sizeof f->advice,
           "Let a kernel, cudaMemset or a copy write it first: test that the kernel ran, that it got this "
           "pointer, and what its guard lets through");
}

void sl__do_copied(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  sl_stream_work w;
  const void *place;
  sl_holes h = {0};
  sl_finding f = {.count = 1};
  if (!sl__work_read(s, c, q, &w, &place) || !w.from) {
    r->status = cudaErrorInvalidValue;
    return;
  }
  for (uint64_t k = 0; sl__holes_wanted(s, c) && k < w.height; k++)
    sl_gpu_holes(s->gpu, w.from + k * w.from_pitch, w.width, &h);
  const bool all = h.bytes == h.looked;
  if (!h.n || (!all && h.n > 1 && h.like_padding)) return;
  if (place) {
    sl_place at;
    memcpy(&at, place, sizeof at);
    at.object[sizeof at.object - 1] = at.call[sizeof at.call - 1] = 0;
    sl__asked_here(&at, "copy", &f);
  }
  put_array(s, c, &h, &f);
  (all ? tell_all : tell_part)(&h, &f);
  sl_gpu_add_finding(s->gpu, &f);
}
