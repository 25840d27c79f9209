// race.host in memory that host and device share, managed memory and pinned memory that kernels use: the host
// touches what a launch, copy or fill may still be at work on, because it has not waited for that.
//
// The device has done everything when a call returns, so it is the program's side that notices the touch: it
// asks which memory is in use (sl_gpu_in_use), closes those pages, and tells of the first touch of each
// (sl_gpu_touched). Words by which a kernel talks to the host while it runs, volatile ones or those accessed
// in the scope of the system, may be touched; whoever does has heard of that launch.
#include "observers/observers.h"

static const char FIX[] = "Wait first: cudaDeviceSynchronize(), cudaStreamSynchronize of its stream, or "
                          "cudaEventSynchronize of an event that was recorded behind it";
static const char FIX_SCOPE[] =
    "The access of the kernel holds for its device alone. If the word is a flag for the host, make it one of "
    "the system: cuda::thread_scope_system, atomicAdd_system. Otherwise wait first: cudaDeviceSynchronize()";

// The past work that the host of [owner] has not waited for.
static bool is_in_flight(const sl_streams *s, uint32_t owner, const sl_past *p) {
  return s->stream[p->stream].owner == owner && p->seq > s->host.of[p->stream];
}

// The launch of a touch, if the host has not waited for it.
static const sl_past *launch_of(const sl_gpu *g, uint32_t owner, const sl_touch *t) {
  const sl_streams *s = &sl__watch_state(g)->streams;
  if (!t->stamp || !s->n_past || t->block < s->past[0].first) return NULL;
  const sl_past *p = sl__streams_past(g, t->block);
  return p && p->m && is_in_flight(s, owner, p) ? p : NULL;
}

// Which memory is in use ------------------------------------------------------------------------------------

enum { UNUSED, READ, WRITTEN };

static int use_by_works(const sl_streams *s, uint32_t owner, uint64_t addr, uint64_t len) {
  int use = UNUSED;
  for (uint32_t k = 0; k < s->n_past && use < WRITTEN; k++) {
    const sl_past *p = &s->past[k];
    if (p->m || !is_in_flight(s, owner, p)) continue;
    if (sl__work_meets(&p->work, addr, len, true)) use = WRITTEN;
    else if (sl__work_meets(&p->work, addr, len, false)) use = READ;
  }
  return use;
}

static int use_of(const sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t len) {
  const sl_watch_state *w = sl__watch_state(g);
  int use = use_by_works(&w->streams, owner, addr, len);
  sl_cell c;
  for (uint64_t a = addr; a < addr + len && use < WRITTEN;) {
    a += sl__shadow_at(&w->shadow, w->streams.era, a, &c);
    if (launch_of(g, owner, &c.w)) use = WRITTEN;
    else if (!use && (launch_of(g, owner, &c.r[0]) || launch_of(g, owner, &c.r[1]))) use = READ;
  }
  return use;
}

sl_in_use sl_gpu_in_use(sl_gpu *g, uint32_t owner, uint64_t addr, uint64_t len) {
  sl_streams *s = &sl__watch_state(g)->streams;
  sl_in_use found = {.start = addr};
  int use = UNUSED, next;
  uint64_t end = addr + len, a = addr;
  s->several = true; // later launches leave the cells of these words
  for (; s->n_past && a < end; a += SL_PAGE_BYTES) {
    next = use_of(g, owner, a, end - a < SL_PAGE_BYTES ? end - a : SL_PAGE_BYTES);
    if (use && next != use) break;
    if (!use && next) found.start = a, use = next;
    if (use) found.size = a + SL_PAGE_BYTES - found.start;
  }
  found.written = use == WRITTEN;
  return found;
}

// Touches ---------------------------------------------------------------------------------------------------

static bool is_for_host(const sl_past *p, const sl_touch *t) {
  const sl_ptx_insn *in = sl__insn_of(p->m, &p->m->code[t->pc], NULL);
  return in && (sl_ptx_has_mod(in, SL_M_volatile) || sl_ptx_has_mod(in, SL_M_sys));
}

// A touch of the host, and the launch, copy or fill that it meets.
typedef struct meeting {
  const sl_past *p;
  uint64_t addr;
  bool writes, wrote; // the host; the other
  bool in_device;     // the other is an atomic access, for its device alone
} meeting;

static void compose(const sl_gpu *g, const meeting *m, uint32_t elem, const char *who, sl_finding *f) {
  char stream[40];
  f->id = SL_FOUND_RACE_HOST;
  sl__global_object(g, m->addr, elem, &f->object);
  snprintf(f->what, sizeof f->what,
           "race on " SL_THE_OBJECT ": %s by the host here, while %s in %s may still be %s it",
           m->writes ? "written" : "read", who,
           sl__stream_name(sl__watch_state(g)->streams.stream[m->p->stream].id, stream, sizeof stream),
           m->wrote ? "writing" : "reading");
  snprintf(f->advice, sizeof f->advice, "%s", m->in_device ? FIX_SCOPE : FIX);
}

static void tell_launch(const sl_gpu *g, const meeting *m, const sl_touch *t, sl_finding *f) {
  sl__past_party(m->p, t, f);
  snprintf(f->me.role, sizeof f->me.role, "%s", m->wrote ? "writer" : "reader");
  compose(g, m, ((const sl_memop *)m->p->m->code[t->pc].ext)->elem_bytes, "the kernel", f);
}

// The last copy or fill behind [after] that the touch races with; NULL: there is none.
static const sl_past *work_at(const sl_streams *s, uint32_t owner, uint64_t addr, bool writes,
                              const sl_past *after) {
  for (const sl_past *p = s->past + s->n_past; p-- > (after ? after + 1 : s->past);)
    if (!p->m && is_in_flight(s, owner, p) &&
        (sl__work_meets(&p->work, addr, 1, true) || (writes && sl__work_meets(&p->work, addr, 1, false))))
      return p;
  return NULL;
}

static void tell_work(const sl_gpu *g, const sl_past *p, uint64_t addr, bool writes, sl_finding *f) {
  sl__work_me(g, &p->work, f);
  compose(g, &(meeting){p, addr, writes, sl__work_meets(&p->work, addr, 1, true), false}, 0, f->me.insn, f);
}

bool sl_gpu_touched(sl_gpu *g, uint32_t owner, uint64_t addr, bool writes, sl_finding *f) {
  const sl_watch_state *w = sl__watch_state(g);
  const sl_past *p = NULL, *work;
  sl_cell c;
  int k = 0;
  *f = (sl_finding){.count = 1};
  sl__shadow_at(&w->shadow, w->streams.era, addr, &c);
  const sl_touch *const touches[] = {&c.w, &c.r[0], &c.r[1]};
  while (k < (writes ? 3 : 1) && !(p = launch_of(g, owner, touches[k]))) k++;
  if (p && is_for_host(p, touches[k])) {
    const bool unfenced = sl__mapped_heard(g, addr, f);
    sl__streams_host_heard(g, p);
    return unfenced;
  }
  if (!p && !writes && sl__mapped_touched(g, addr, f)) return true;
  if ((work = work_at(&w->streams, owner, addr, writes, p))) tell_work(g, work, addr, writes, f);
  else if (p) tell_launch(g, &(meeting){p, addr, writes, k == 0, touches[k]->strong}, touches[k], f);
  return work || p;
}
