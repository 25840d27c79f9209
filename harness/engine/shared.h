// Shared memory of a block: what the program asks for, which array an address belongs to, and red zones.
//
// Red zones are gaps between the arrays of a kernel that observers look at, so that an index out of one does
// not land in the next. They move an array by a multiple of the row of banks, so counters stay as they are,
// and count nowhere as shared memory of the program: not in the sizes that are reported, in limits, or in
// occupancy. shared_layout.c places the arrays, objects.c names them; observers/zone.c tells who gets into a
// zone.
#ifndef SL_ENGINE_SHARED_H
#define SL_ENGINE_SHARED_H

#include "engine/engine.h"

enum { SL_ZONE_BYTES = 256, SL_ZONES = 16 };

typedef struct sl_zones {
  uint32_t n, shift; // shift: so far
  uint32_t end;      // end of the last array that was placed
  struct {
    uint32_t from, to;
  } at[SL_ZONES];
} sl_zones;

uint64_t sl__shared_asked(const sl_launch *l); // bytes that the program asked for, without red zones
// Shared memory: the variable that an access at [off] was meant for, and where it starts; NULL: there is
// none.
const sl_ptx_var *sl__shared_var(const sl_warp *w, int64_t off, int64_t *at);
int64_t sl__shared_offset(uint64_t off); // 32 bits, with sign: an index of -1 is before the array
uint64_t sl__shared_size(const sl_warp *w, const sl_ptx_var *v, int64_t at);
// What an access of [i] was meant for: the array that its address is computed from, where that can be said.
void sl__shared_object(const sl_warp *w, const sl_xinsn *i, uint64_t addr, uint32_t elem, uint32_t bytes,
                       sl_object *o);

#endif
