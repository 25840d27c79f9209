// memory.bounds inside of shared memory: an index leaves its array but not the block's memory. Red zones lie
// between the arrays (engine/shared.h). The shadow names SL_NO_ARRAY as the last writer of a zone's words, so
// race.c sees a conflict for every access there and calls this file. Other accesses cost nothing more.
//
// Interface: sl__zones_begin, for a block; sl__zone_tell, for an access; sl__in_zone.
#include "observers/observers.h"

void sl__zones_begin(sl_seen_block *s, const sl_block *b) {
  const sl_zones *z = &b->grid->k->zones;
  for (uint32_t k = 0; k < z->n; k++)
    for (uint32_t at = z->at[k].from, n = 0; at < z->at[k].to && at < b->shared_bytes; at += 4) {
      sl_cell *c = sl__cells(NULL, &s->pages[at / SL_PAGE_BYTES], s->time.block, at % SL_PAGE_BYTES, 4, &n);
      for (uint32_t j = 0; c && j < n; j++) c[j].w = (sl_touch){.block = SL_NO_ARRAY};
    }
}

bool sl__in_zone(const sl_grid *g, uint64_t offset) {
  const sl_zones *z = &g->k->zones;
  for (uint32_t k = 0; k < z->n; k++)
    if (offset >= z->at[k].from && offset < z->at[k].to) return true;
  return false;
}

void sl__zone_tell(const sl_access *a, uint32_t l) {
  uint32_t *told = sl__table_put(&sl__seen_grid(a->w->grid)->reports, a->pc, 8);
  sl_finding f;
  if (!told || (*told)++) return;
  sl__finding_begin(&f, a->w, a->i, (int)l, SL_FOUND_MEMORY_BOUNDS);
  f.me.trip = sl__trip_at(a->w, a->pc, l);
  f.object = sl__object_of(a->w, a->i, SL_SP_SHARED, a->addr[l], ((const sl_memop *)a->i->ext)->elem_bytes,
                           a->bytes);
  f.object.access = a->kind == SL_SEE_LOAD ? SL_DID_READ : SL_DID_WRITE;
  snprintf(f.what, sizeof f.what, "%s of %u bytes out of bounds: " SL_THE_OBJECT,
           a->kind == SL_SEE_LOAD ? "read" : "write", a->bytes);
  snprintf(f.why, sizeof f.why,
           "It stays in the block's shared memory: on hardware it reads or overwrites the array beside");
  sl__advise_shared(&f, a->w->grid);
  sl_gpu_add_finding(a->w->grid->gpu, &f);
  a->w->grid->astray = true;
}
