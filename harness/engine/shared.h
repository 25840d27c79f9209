// Shared memory of a block: what the program asks for, which array an address belongs to, and red zones.
//
// Red zones are gaps between the arrays of an observed kernel, so that an index out of one array does not
// land in the next. A zone moves an array by a multiple of the row of banks, so counters stay as they are.
// Reported sizes, limits and occupancy leave zones out. shared_layout.c places the arrays, objects.c names
// them, observers/zone.c reports who gets into a zone.
#pragma once

#include "engine/engine.h"

enum { SL_ZONE_BYTES = 256, SL_ZONES = 16 };

typedef struct sl_zones {
  uint32_t n, shift; // shift: sum of the zones so far
  uint32_t end;      // end of the last array that was placed
  struct {
    uint32_t from, to;
  } at[SL_ZONES];
} sl_zones;

uint64_t sl__shared_asked(const sl_launch *l); // bytes that the program asked for, without red zones
// The variable that the access of [i] at [off] was meant for, and where it starts: the one that its address
// is computed from if that is known, else the one around or before; NULL: there is none.
const sl_ptx_var *sl__shared_meant(const sl_warp *w, const sl_xinsn *i, int64_t off, int64_t *at);
int64_t sl__shared_offset(uint64_t off); // 32 bits, with sign: an index of -1 is before the array
uint64_t sl__shared_size(const sl_warp *w, const sl_ptx_var *v, int64_t at);
