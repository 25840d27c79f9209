// Copies and fills in streams as accesses, and allocations that come and go in the order of a stream:
// race.global between one of them and a kernel, or another one, in a stream that nothing orders with it.
//
// Interface: sl_gpu_work, when the host begins one; sl__copies_access, an access of a launch that such work
// may overlap. A copy is kept as the ranges that it reads and writes, in the list of past launches
// (streams.c). When it begins, the shadow of these ranges is looked through for launches that are not ordered
// before it; later launches are compared with the ranges access by access.
#include "observers/observers.h"

// The memory of a copy: rows from [addr] on.
typedef struct sl_strip {
  uint64_t at, pitch, width, height;
} sl_strip;
static sl_strip written(const sl_stream_work *w) {
  return (sl_strip){w->to, w->to_pitch, w->width, w->height};
}
static sl_strip read_by(const sl_stream_work *w) {
  return (sl_strip){w->from, w->from_pitch, w->width, w->height};
}

// The first byte in both [addr, addr + bytes) and the strip; 0: none.
static uint64_t meets(sl_strip s, uint64_t addr, uint64_t bytes) {
  if (!s.at || !s.height || addr + bytes <= s.at) return 0;
  uint64_t row = addr <= s.at || !s.pitch ? 0 : (addr - s.at) / s.pitch;
  for (; row < s.height && s.at + row * s.pitch < addr + bytes; row++) {
    uint64_t from = s.at + row * s.pitch, first = from > addr ? from : addr;
    if (first < from + s.width && first < addr + bytes) return first;
  }
  return 0;
}

bool sl__work_meets(const sl_stream_work *w, uint64_t addr, uint64_t bytes, bool writes) {
  return w->kind <= SL_STREAM_FILL && meets(writes ? written(w) : read_by(w), addr, bytes);
}

static uint64_t strips_meet(sl_strip a, sl_strip b) {
  uint64_t first = 0;
  for (uint64_t row = 0; a.at && row < a.height && !first; row++)
    first = meets(b, a.at + row * a.pitch, a.width);
  return first;
}

// Telling ---------------------------------------------------------------------------------------------------

static bool of_allocation(const sl_stream_work *w) {
  return w->kind == SL_STREAM_FREE || w->kind == SL_STREAM_ALLOC;
}

static const char *name_of(const sl_stream_work *w) {
  if (w->kind == SL_STREAM_FILL) return "a fill";
  return !w->from ? "a copy from the host" : !w->to ? "a copy to the host" : "a copy on the device";
}

// The usual function for this work, if the program did not say which one it called.
static const char *usual_call(const sl_stream_work *w) {
  static const char *const names[SL_STREAM_KINDS] = {"cudaMemcpy", "cudaMemset", "cudaFreeAsync",
                                                     "cudaMallocAsync"};
  return names[w->kind < SL_STREAM_KINDS ? w->kind : 0];
}

static bool find_asked(const sl_gpu *g, const sl_stream_work *w, sl_asked *a) {
  *a = (sl_asked){0};
  const sl_watch_state *s = sl__watch_state(g);
  bool found = s->asked && w->asked && s->asked(s->asked_ctx, w->asked, a);
  if (!a->call[0]) snprintf(a->call, sizeof a->call, "%s", usual_call(w));
  return found;
}

void sl_gpu_on_asked(sl_gpu *g, sl_asked_fn fn, void *ctx) {
  sl__watch_state(g)->asked = fn, sl__watch_state(g)->asked_ctx = ctx;
}

const char *sl__stream_name(uint64_t stream, char *out, size_t cap) {
  if (stream / 2) snprintf(out, cap, "stream %llu", (unsigned long long)(stream / 2));
  else snprintf(out, cap, "the default stream");
  return out;
}

static const char *describe_copy(const sl_stream_work *w, const char *call, char *out, size_t cap) {
  char stream[40], name[100];
  snprintf(name, sizeof name, of_allocation(w) ? "%s%.40s" : "%s (%.40s)", of_allocation(w) ? "" : name_of(w),
           call);
  snprintf(out, cap, "%s of %llu bytes in %s", name, (unsigned long long)(w->width * w->height),
           sl__stream_name(w->stream, stream, sizeof stream));
  return out;
}

static const char ADVICE[] =
    "Let the later one wait: cudaStreamSynchronize or cudaDeviceSynchronize on the host, cudaEventRecord "
    "and cudaStreamWaitEvent between the streams, or put both in one stream";
static const char WHY[] = "They are in different streams and nothing orders them, so they may run at the "
                          "same time or in either order";

void sl__global_object(const sl_gpu *g, uint64_t addr, uint32_t elem, sl_object *o) {
  const sl_alloc *a = sl__memory_find(&g->mem, addr);
  *o = (sl_object){.elem = elem, .bytes = elem ? elem : 1};
  snprintf(o->space, sizeof o->space, a && a->hosted ? "pinned" : "global");
  if (!a) return;
  o->size = a->size, o->allocation = a->number, o->index = (int64_t)((addr - a->base) / o->bytes);
  if (a->name) sl_demangle(a->name, o->name, sizeof o->name);
}

sl_cause sl__work_cause(const sl_stream_work *w) {
  return w->kind == SL_STREAM_COPY && w->from && w->to ? SL_CAUSE_STREAM_COPY : SL_CAUSE_STREAM;
}

static void add_copy_finding(sl_gpu *g, sl_finding *f) {
  f->id = SL_FOUND_RACE_GLOBAL;
  snprintf(f->why, sizeof f->why, "%s", WHY);
  snprintf(f->advice, sizeof f->advice, "%s", ADVICE);
  sl_gpu_add_finding(g, f);
}

static sl_did done_by(const sl_stream_work *w, bool write) {
  if (of_allocation(w)) return w->kind == SL_STREAM_FREE ? SL_DID_FREE : SL_DID_ALLOCATE;
  return write ? SL_DID_WRITE : SL_DID_READ;
}

// Makes a call of the host a party, with its place in [file] and [line].
static void host_party(const sl_asked *a, const char *role, sl_party *p, char *file, size_t cap,
                       uint32_t *line) {
  snprintf(p->role, sizeof p->role, "%s", role);
  snprintf(p->insn, sizeof p->insn, "%s", a->call);
  snprintf(p->host, sizeof p->host, "%s", a->where);
  snprintf(file, cap, "%s", a->file);
  *line = a->line;
}

void sl__work_party(const sl_gpu *g, const sl_stream_work *w, sl_finding *f) {
  sl_asked a;
  if (find_asked(g, w, &a))
    host_party(&a, "host", &f->other, f->other_file, sizeof f->other_file, &f->other_line);
}

void sl__work_me(const sl_gpu *g, const sl_stream_work *w, sl_finding *f) {
  sl_asked a;
  find_asked(g, w, &a);
  host_party(&a, "copy", &f->me, f->file, sizeof f->file, &f->line);
}

// Where work that begins meets what was before it.
typedef struct sl_met {
  uint64_t addr;
  bool writes, wrote; // the work; the other
} sl_met;

// Reports a race between two pieces of the host's work: there is no line of a kernel.
static void tell_works(sl_gpu *g, const sl_stream_work *now, const sl_stream_work *before, sl_met m) {
  const sl_cause cause = sl__work_cause(now);
  sl_finding f = {.count = 1, .cause = cause == SL_CAUSE_STREAM ? sl__work_cause(before) : cause};
  char a[140], b[140];
  sl_asked me;
  sl__work_party(g, before, &f);
  if (find_asked(g, now, &me)) host_party(&me, "host", &f.me, f.file, sizeof f.file, &f.line);
  sl__global_object(g, m.addr, 1, &f.object);
  snprintf(f.what, sizeof f.what, "race on " SL_THE_OBJECT ": %s by %s, %s by %s",
           sl__passive(done_by(now, m.writes)), describe_copy(now, me.call, a, sizeof a),
           sl__passive(done_by(before, m.wrote)),
           describe_copy(before, f.other.host[0] ? f.other.insn : usual_call(before), b, sizeof b));
  add_copy_finding(g, &f);
}

// Reports a race between the work and a thread of an earlier launch.
static void tell_launch(sl_gpu *g, const sl_past *p, const sl_touch *t, const sl_stream_work *now, sl_met m) {
  sl_finding f = {.count = 1, .cause = sl__work_cause(now)};
  char a[160];
  sl__past_party(p, t, &f);
  sl__work_party(g, now, &f);
  sl__global_object(g, m.addr, 4, &f.object);
  snprintf(f.what, sizeof f.what, "race on " SL_THE_OBJECT ": %s here, %s by %s",
           sl__passive(m.wrote ? SL_DID_WRITE : SL_DID_READ), sl__passive(done_by(now, m.writes)),
           describe_copy(now, f.other.host[0] ? f.other.insn : usual_call(now), a, sizeof a));
  snprintf(f.me.role, sizeof f.me.role, "%s", m.wrote ? "writer" : "reader");
  add_copy_finding(g, &f);
}

// Work that begins ------------------------------------------------------------------------------------------

typedef struct sl_looking {
  sl_gpu *g;
  const sl_past *now;
  const sl_past *told[8]; // launches
  uint32_t n_told;
} sl_looking;

static void meet(sl_looking *k, const sl_touch *t, sl_met m) {
  if (!t->stamp || !sl__streams_meet(k->g, t->block)) return;
  const sl_past *p = sl__streams_past(k->g, t->block);
  for (uint32_t j = 0; j < k->n_told; j++)
    if (k->told[j] == p) return;
  if (k->n_told == sizeof k->told / sizeof *k->told) return;
  k->told[k->n_told++] = p;
  tell_launch(k->g, p, t, &k->now->work, m);
}

static void look_through(sl_looking *k, sl_strip s, bool writes) {
  const sl_watch_state *w = sl__watch_state(k->g);
  sl_cell c;
  for (uint64_t row = 0; s.at && row < s.height; row++) {
    uint64_t end = s.at + row * s.pitch + s.width, step;
    for (uint64_t a = s.at + row * s.pitch; a < end; a += step) {
      step = sl__shadow_at(&w->shadow, w->streams.era, a, &c);
      meet(k, &c.w, (sl_met){a, writes, true});
      for (int j = 0; writes && j < 2; j++) meet(k, &c.r[j], (sl_met){a, writes, false});
    }
  }
}

static void compare_works(sl_gpu *g, const sl_past *now, const sl_past *p) {
  const sl_stream_work *a = &now->work, *b = &p->work;
  uint64_t at;
  if (of_allocation(a) && of_allocation(b)) return; // the use of the memory in between is reported instead
  if ((at = strips_meet(written(a), written(b)))) tell_works(g, a, b, (sl_met){at, true, true});
  else if ((at = strips_meet(written(a), read_by(b)))) tell_works(g, a, b, (sl_met){at, true, false});
  else if ((at = strips_meet(read_by(a), written(b)))) tell_works(g, a, b, (sl_met){at, false, true});
}

static void compare(sl_gpu *g, const sl_past *now) {
  sl_looking k = {.g = g, .now = now};
  bool launches = false;
  for (const sl_past *p = sl__watch_state(g)->streams.past; p < now; p++) {
    if (sl__streams_ordered(g, p)) continue;
    launches |= p->m != NULL;
    if (!p->m) compare_works(g, now, p);
  }
  if (!launches) return;
  look_through(&k, written(&now->work), true);
  look_through(&k, read_by(&now->work), false);
}

void sl_gpu_work(sl_gpu *g, uint32_t owner, const sl_stream_work *w) {
  if (g->cfg.checks & SL_CHECK_RACE_GLOBAL) {
    sl_past p = {.work = *w, .n_blocks = 1};
    p.first = sl__watch_serials(g, 1);
    const sl_past *now = sl__streams_begin(g, owner, w->stream, &p);
    if (w->kind != SL_STREAM_ALLOC) compare(g, now);
  }
  sl_gpu_order(g, owner, w->waits ? SL_SEQUENCE_STREAM : SL_SEQUENCE_WORK, w->stream, 0);
}

// Launches --------------------------------------------------------------------------------------------------

static void tell_access(const sl_access *a, uint32_t l, const sl_stream_work *w, uint64_t addr, bool wrote) {
  char what[160];
  sl_asked asked;
  find_asked(a->w->grid->gpu, w, &asked);
  sl__tell(&(sl_story){.id = SL_FOUND_RACE_GLOBAL,
                       .a = a,
                       .lane = l,
                       .addr = addr / a->bytes * a->bytes,
                       .did = a->kind == SL_SEE_LOAD ? SL_DID_READ : SL_DID_WRITE,
                       .other_did = done_by(w, wrote),
                       .work = describe_copy(w, asked.call, what, sizeof what),
                       .of = w,
                       .why = WHY,
                       .fix = ADVICE});
}

void sl__copies_access(const sl_access *a) {
  const sl_seen_grid *s = sl__seen_grid(a->w->grid);
  bool writes = a->kind != SL_SEE_LOAD;
  for (uint32_t k = 0; k < s->n_works; k++) {
    const sl_stream_work *w = &s->works[k]->work;
    SL_FOR_LANES(l, a->mask) {
      uint64_t at = meets(written(w), a->addr[l], a->bytes),
               other = writes && !at ? meets(read_by(w), a->addr[l], a->bytes) : 0;
      if (!(at | other) || !sl__streams_meet(a->w->grid->gpu, s->works[k]->first)) continue;
      tell_access(a, l, w, at | other, at != 0);
      break;
    }
  }
}
