// Advice where managed memory should lie: cudaMemPrefetchAsync, cudaMemAdvise, cudaMemRangeGetAttribute.
//
// There is one memory here, so advice changes only the answers: each page of a managed range keeps the last
// advice for it. A range has an attribute if all its pages agree on it.
#include "libcudart/client.h"

typedef struct cudaMemLocation location;
enum { PAGE = 4096, INVALID_ID = cudaInvalidDeviceId };

typedef struct page {
  bool read_mostly, by_device, by_host; // by: "accessed by"
  location preferred, fetched_to;       // type 0: none
} page;
typedef struct advised { // an allocation that got advice
  uint64_t addr, size;
  struct advised *next;
  page pages[];
} advised;
static advised *list;

static advised **advised_at(uint64_t addr) {
  advised **at = &list;
  while (*at && addr - (*at)->addr >= (*at)->size) at = &(*at)->next;
  return at;
}

void sl__advice_drop(uint64_t addr) {
  advised **at = advised_at(addr), *gone = *at;
  if (!gone) return;
  *at = gone->next;
  free(gone);
}

static advised *known(uint64_t start, uint64_t size) {
  advised *a = *advised_at(start);
  if (a) return a;
  a = calloc(1, sizeof *a + (size / PAGE + 1) * sizeof a->pages[0]);
  if (!a) return NULL;
  a->addr = start, a->size = size, a->next = list;
  return list = a;
}

// The pages of [p, p + n), which must lie in one managed allocation.
typedef struct pages {
  page *at;
  size_t n;
} pages;
static cudaError_t find_pages(const void *p, size_t n, pages *out) {
  uint64_t start, size, at = (uintptr_t)p;
  SL_TRY(sl__alive());
  if (!n || !sl__managed_range(at, &start, &size) || n > size - (at - start)) return cudaErrorInvalidValue;
  advised *a = known(start, size);
  if (!a) return cudaErrorMemoryAllocation;
  *out = (pages){a->pages + (at - start) / PAGE, (at - start + n - 1) / PAGE - (at - start) / PAGE + 1};
  return cudaSuccess;
}

// Prefetch and advice ---------------------------------------------------------------------------------------

static bool on_host(location l) {
  return l.type == cudaMemLocationTypeHost || l.type == cudaMemLocationTypeHostNuma ||
         l.type == cudaMemLocationTypeHostNumaCurrent;
}
static bool place_ok(location l) { return on_host(l) || (l.type == cudaMemLocationTypeDevice && l.id == 0); }

static cudaError_t prefetch(const void *p, size_t n, location where, unsigned flags, cudaStream_t s) {
  pages at;
  if (!sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  SL_TRY(find_pages(p, n, &at));
  if (flags || !place_ok(where))
    return !flags && where.type == cudaMemLocationTypeDevice ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
  for (size_t k = 0; k < at.n; k++) at.at[k].fetched_to = where;
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, location where, unsigned flags, cudaStream_t s) {
  SL_LOCKED(prefetch(p, n, where, flags, s));
}

SL_API(cudaMemPrefetchBatchAsync, (p, n, count, where, first, n_where, flags, s), void **p, size_t *n,
       size_t count, location *where, size_t *first, size_t n_where, unsigned long long flags,
       cudaStream_t s) {
  cudaError_t e = !p || !n || !count || !where || !first || !n_where || first[0] || flags
                      ? cudaErrorInvalidValue
                      : cudaSuccess;
  for (size_t k = 0, w = 0; k < count && !e; k++) {
    if (w + 1 < n_where && first[w + 1] == k) w++;
    e = prefetch(p[k], n[k], where[w], 0, s);
  }
  return e;
}

static void advise_page(page *p, enum cudaMemoryAdvise advice, location where) {
  bool set = advice == cudaMemAdviseSetAccessedBy;
  if (advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseUnsetReadMostly)
    p->read_mostly = advice == cudaMemAdviseSetReadMostly;
  else if (advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseUnsetPreferredLocation)
    p->preferred = advice == cudaMemAdviseSetPreferredLocation ? where : (location){0};
  else if (on_host(where)) p->by_host = set;
  else p->by_device = set;
}

SL_API(cudaMemAdvise, (p, n, advice, where), const void *p, size_t n, enum cudaMemoryAdvise advice,
       location where) {
  pages at;
  SL_TRY(find_pages(p, n, &at));
  bool needs_place = advice == cudaMemAdviseSetPreferredLocation || advice >= cudaMemAdviseSetAccessedBy;
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy ||
      (needs_place && !place_ok(where)))
    return cudaErrorInvalidValue;
  for (size_t k = 0; k < at.n; k++) advise_page(&at.at[k], advice, where);
  return cudaSuccess;
}

// Attributes ------------------------------------------------------------------------------------------------

static bool same_location(location a, location b) { return a.type == b.type && a.id == b.id; }

// The advice that all pages agree on; type 0: they agree on none.
static page agreed(pages at) {
  page all = at.at[0];
  for (size_t k = 1; k < at.n; k++) {
    const page *p = &at.at[k];
    all.read_mostly &= p->read_mostly, all.by_device &= p->by_device, all.by_host &= p->by_host;
    if (!same_location(all.preferred, p->preferred)) all.preferred = (location){0};
    if (!same_location(all.fetched_to, p->fetched_to)) all.fetched_to = (location){0};
  }
  return all;
}

static int old_id(location l) { return on_host(l) ? cudaCpuDeviceId : l.type ? l.id : INVALID_ID; }

static cudaError_t get_range_attribute(int *out, size_t bytes, enum cudaMemRangeAttribute a, const void *p,
                                       size_t n) {
  pages at;
  SL_TRY(find_pages(p, n, &at));
  bool several = a == cudaMemRangeAttributeAccessedBy;
  if (!out || (several ? !bytes || bytes % sizeof *out : bytes != sizeof *out)) return cudaErrorInvalidValue;
  if (a < cudaMemRangeAttributeReadMostly || a > cudaMemRangeAttributeLastPrefetchLocationId)
    return cudaErrorInvalidValue;
  page all = agreed(at);
  const int values[] = {[cudaMemRangeAttributeReadMostly] = all.read_mostly,
                        [cudaMemRangeAttributePreferredLocation] = old_id(all.preferred),
                        [cudaMemRangeAttributeAccessedBy] = INVALID_ID,
                        [cudaMemRangeAttributeLastPrefetchLocation] = old_id(all.fetched_to),
                        [cudaMemRangeAttributePreferredLocationType] = (int)all.preferred.type,
                        [cudaMemRangeAttributePreferredLocationId] = all.preferred.id,
                        [cudaMemRangeAttributeLastPrefetchLocationType] = (int)all.fetched_to.type,
                        [cudaMemRangeAttributeLastPrefetchLocationId] = all.fetched_to.id};
  for (size_t k = 0; k < bytes / sizeof *out; k++) out[k] = values[a];
  size_t k = 0;
  if (several && all.by_device) out[k++] = 0;
  if (several && all.by_host && k < bytes / sizeof *out) out[k] = cudaCpuDeviceId;
  return cudaSuccess;
}
cudaError_t cudaMemRangeGetAttribute(void *out, size_t bytes, enum cudaMemRangeAttribute a, const void *p,
                                     size_t n) {
  SL_LOCKED(get_range_attribute(out, bytes, a, p, n));
}

SL_API(cudaMemRangeGetAttributes, (out, bytes, a, count, p, n), void **out, size_t *bytes,
       enum cudaMemRangeAttribute *a, size_t count, const void *p, size_t n) {
  cudaError_t e = out && bytes && a && count ? cudaSuccess : cudaErrorInvalidValue;
  for (size_t k = 0; k < count && !e; k++) e = get_range_attribute(out[k], bytes[k], a[k], p, n);
  return e;
}
