// Streams and events. All work is finished when a call returns, so a stream is a handle, an event the clock
// at its record. The device is told what waits for what, because it looks for races between streams.
#include "libcudart/graph.h"

// Streams ---------------------------------------------------------------------------------------------------

typedef struct stream {
  uint64_t id;
  unsigned flags;
  int priority, policy; // policy: how to wait
  unsigned char domain;
  uint64_t worked; // sl__waits() + 1 when work was last given to it
  struct cudaAccessPolicyWindow window;
  struct stream *next;
} stream;
static stream *streams, standard; // standard: the default streams
static uint64_t next_id = 1;
enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5, NO_POLICY = -1 };

static stream **find_stream(cudaStream_t s) { return SL_LINK_TO(streams, s); }

static bool is_default(cudaStream_t s) {
  return s == NULL || s == cudaStreamLegacy || s == cudaStreamPerThread;
}

bool sl__stream_ok(cudaStream_t s) {
  if (is_default(s)) return true;
  sl__enter();
  bool ok = *find_stream(s) != NULL;
  sl__leave();
  return ok;
}

// The default streams share one.
static stream *stream_of(cudaStream_t s) {
  stream *at = is_default(s) ? NULL : *find_stream(s);
  return at ? at : &standard;
}

uint64_t sl__stream_number(cudaStream_t s) {
  const stream *at = stream_of(s);
  return at == &standard ? 0 : SL_STREAM(at->id, at->flags & cudaStreamNonBlocking);
}

uint64_t sl__stream_works(cudaStream_t s) {
  stream_of(s)->worked = sl__waits() + 1;
  return sl__stream_number(s);
}

// The host waits for all work of the stream.
static cudaError_t wait_stream(cudaStream_t s) {
  sl__pending_stream_done(sl__stream_number(s));
  cudaError_t e = sl__ready();
  if (!e && !sl__idle()) e = sl__call1(SL_MSG_SYNC, SL_SEQUENCE_STREAM, sl__stream_number(s), 0);
  sl__managed_close();
  return e;
}

cudaError_t sl__stream_reached(cudaStream_t s) {
  const cudaError_t e = wait_stream(s);
  sl__stream_works(s);
  return e;
}

static int within(int priority) {
  return priority > LEAST_PRIORITY      ? LEAST_PRIORITY
         : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                        : priority;
}

// A new stream waits for nothing, and neither does the host.
static cudaError_t create(cudaStream_t *out, unsigned flags, int priority) {
  SL_TRY(sl__alive());
  if (!out || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking)) return cudaErrorInvalidValue;
  stream *s = calloc(1, sizeof *s);
  if (!s) return cudaErrorMemoryAllocation;
  *s = (stream){
      .id = next_id++, .flags = flags, .priority = within(priority), .policy = NO_POLICY, .next = streams};
  streams = s;
  *out = (cudaStream_t)(void *)s;
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *s) { SL_LOCKED(create(s, cudaStreamDefault, 0)); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags) { SL_LOCKED(create(s, flags, 0)); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority) {
  SL_LOCKED(create(s, flags, priority));
}

SL_API(cudaStreamDestroy, (s), cudaStream_t s) {
  stream **at = find_stream(s);
  if (is_default(s) || !*at) return cudaErrorInvalidResourceHandle;
  sl__capture_stream_gone(s);
  stream *gone = *at;
  *at = gone->next;
  free(gone);
  return cudaSuccess;
}

static cudaError_t synchronise(cudaStream_t s) {
  if (!sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  cudaError_t e = sl__capture_forbids_wait(s);
  if (e) return e;
  e = wait_stream(s);
  sl__pools_synchronised();
  sl__print_text();
  return e;
}

// Work that the host has not waited for may still run, and the first question says so. The next one waits.
static cudaError_t query(cudaStream_t s) {
  static bool asked;
  if (!sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  cudaError_t e = sl__capture_forbids_wait(s);
  if (!e) e = sl__alive();
  if (e) return e;
  asked = !asked && !sl__idle() && stream_of(s)->worked == sl__waits() + 1;
  return asked ? cudaErrorNotReady : synchronise(s);
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) { SL_LOCKED(synchronise(s)); }
cudaError_t cudaStreamQuery(cudaStream_t s) { SL_LOCKED(query(s)); }

// Finds the stream whose property is asked for; the default streams have [standard]'s.
static cudaError_t property(cudaStream_t s, void *out, const stream **at) {
  if (!out) return cudaErrorInvalidValue;
  if (!sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  *at = stream_of(s);
  return cudaSuccess;
}

#define STREAM_PROPERTY(function, type, field)                                                               \
  static cudaError_t get_##field(cudaStream_t s, type *out) {                                                \
    const stream *at;                                                                                        \
    cudaError_t e = property(s, out, &at);                                                                   \
    if (!e) *out = (type)at->field;                                                                          \
    return e;                                                                                                \
  }                                                                                                          \
  cudaError_t function(cudaStream_t s, type *out) { SL_LOCKED(get_##field(s, out)); }
STREAM_PROPERTY(cudaStreamGetFlags, unsigned, flags)
STREAM_PROPERTY(cudaStreamGetPriority, int, priority)
STREAM_PROPERTY(cudaStreamGetId, unsigned long long, id)
#undef STREAM_PROPERTY

SL_API(cudaStreamGetDevice, (s, device), cudaStream_t s, int *device) {
  if (!device || !sl__stream_ok(s)) return device ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = LEAST_PRIORITY;
  if (greatest) *greatest = GREATEST_PRIORITY;
  SL_LOCKED(sl__ready());
}

typedef struct callback {
  cudaStreamCallback_t fn;
  cudaStream_t stream;
  cudaError_t e;
  void *data;
} callback;

static void run_callback(void *callback_) {
  const callback *c = callback_;
  c->fn(c->stream, c->e, c->data);
}

// The callback runs at once: all work before it is done.
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t fn, void *data, unsigned flags) {
  if (!fn || flags != 0) return sl__keep(cudaErrorInvalidValue);
  if (!sl__stream_ok(s)) return sl__keep(cudaErrorInvalidResourceHandle);
  sl__enter();
  cudaError_t e = sl__capture_forbids(s); // the runtime captures host functions, not callbacks
  if (!e) e = sl__stream_reached(s);
  sl__leave();
  if (e == cudaErrorStreamCaptureUnsupported) return sl__keep(e);
  sl__run_host(run_callback, &(callback){fn, s, e, data});
  return sl__keep(e);
}

// Managed memory needs no attaching: the device never works while the host runs.
SL_API(cudaStreamAttachMemAsync, (s, p, size, flags), cudaStream_t s, void *p, size_t size, unsigned flags) {
  uint64_t start, whole;
  if (!sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  bool known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ||
               (flags == cudaMemAttachSingle && !is_default(s));
  bool good = known && sl__managed_range((uintptr_t)p, &start, &whole) && (!size || size == whole);
  return good ? cudaSuccess : cudaErrorInvalidValue;
}

// Attributes: kept, as they change speed alone --------------------------------------------------------------

SL_API(cudaStreamGetAttribute, (s, id, out), cudaStream_t s, cudaStreamAttrID id, cudaStreamAttrValue *out) {
  const stream *at;
  SL_TRY(property(s, out, &at));
  switch (id) {
  case cudaLaunchAttributePriority: out->priority = at->priority; break;
  case cudaLaunchAttributeSynchronizationPolicy:
    out->syncPolicy = (enum cudaSynchronizationPolicy)at->policy;
    break;
  case cudaLaunchAttributeMemSyncDomain: out->memSyncDomain = (cudaLaunchMemSyncDomain)at->domain; break;
  case cudaLaunchAttributeMemSyncDomainMap: out->memSyncDomainMap = (cudaLaunchMemSyncDomainMap){0, 0}; break;
  case cudaLaunchAttributeAccessPolicyWindow: out->accessPolicyWindow = at->window; break;
  default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

static bool window_ok(const struct cudaAccessPolicyWindow *w) {
  return w->num_bytes <= SL_MAX_WINDOW && w->hitRatio >= 0 && w->hitRatio <= 1 &&
         w->missProp != cudaAccessPropertyPersisting &&
         (unsigned)w->hitProp <= cudaAccessPropertyPersisting &&
         (unsigned)w->missProp <= cudaAccessPropertyPersisting;
}

SL_API(cudaStreamSetAttribute, (s, id, v), cudaStream_t s, cudaStreamAttrID id,
       const cudaStreamAttrValue *v) {
  static stream unread; // settings of the default streams; nothing reads them
  if (!v || !sl__stream_ok(s)) return v ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
  stream *at = is_default(s) ? &unread : *find_stream(s);
  bool good = true;
  switch (id) {
  case cudaLaunchAttributePriority: at->priority = within(v->priority); break;
  case cudaLaunchAttributeSynchronizationPolicy:
    good = v->syncPolicy >= cudaSyncPolicyAuto && v->syncPolicy <= cudaSyncPolicyBlockingSync;
    if (good) at->policy = (int)v->syncPolicy;
    break;
  case cudaLaunchAttributeMemSyncDomain:
    good = (unsigned)v->memSyncDomain <= cudaLaunchMemSyncDomainRemote;
    if (good) at->domain = (unsigned char)v->memSyncDomain;
    break;
  case cudaLaunchAttributeMemSyncDomainMap: break;
  case cudaLaunchAttributeAccessPolicyWindow:
    good = window_ok(&v->accessPolicyWindow);
    if (good) at->window = v->accessPolicyWindow;
    break;
  default: good = false;
  }
  return good ? cudaSuccess : cudaErrorInvalidValue;
}

// All but the priority.
SL_API(cudaStreamCopyAttributes, (to, from), cudaStream_t to, cudaStream_t from) {
  if (!sl__stream_ok(to) || !sl__stream_ok(from)) return cudaErrorInvalidResourceHandle;
  if (is_default(to) || is_default(from)) return cudaSuccess;
  stream *t = *find_stream(to);
  const stream *f = *find_stream(from);
  t->policy = f->policy, t->domain = f->domain, t->window = f->window;
  return cudaSuccess;
}

// Events ----------------------------------------------------------------------------------------------------

typedef struct event {
  uint64_t ns, id, waits; // waits: of the host before it was recorded
  bool recorded, untimed;
  struct event *next;
} event;
static event *events;
static uint64_t next_event = 1;

static event **find_event(cudaEvent_t ev) { return SL_LINK_TO(events, ev); }

static cudaError_t create_event(cudaEvent_t *out, unsigned flags) {
  SL_TRY(sl__alive());
  const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  bool shared_timing = flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming);
  if (!out || flags & ~known || shared_timing) return cudaErrorInvalidValue;
  event *ev = calloc(1, sizeof *ev);
  if (!ev) return cudaErrorMemoryAllocation;
  ev->untimed = flags & cudaEventDisableTiming;
  ev->id = next_event++;
  ev->next = events;
  events = ev;
  *out = (cudaEvent_t)(void *)ev;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *ev) { SL_LOCKED(create_event(ev, 0)); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *ev, unsigned flags) { SL_LOCKED(create_event(ev, flags)); }

SL_API(cudaEventDestroy, (ev), cudaEvent_t ev) {
  event **at = find_event(ev), *gone = *at;
  if (!gone) return cudaErrorInvalidResourceHandle;
  *at = gone->next;
  free(gone);
  return cudaSuccess;
}

static cudaError_t record(cudaEvent_t handle, cudaStream_t s) {
  event *ev = *find_event(handle);
  cudaError_t e;
  if (!ev || !sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  if (sl__capture_record(s, ev->id, &e)) return e;
  const uint64_t number = sl__stream_works(s);
  sl__pending_record(number, ev->id);
  sl_call k = {.op = SL_MSG_SYNC, .arg = {SL_SEQUENCE_RECORD, number, ev->id}};
  e = sl__call(&k);
  ev->ns = k.arg[0];
  ev->recorded = !e;
  ev->waits = sl__waits();
  return e;
}
cudaError_t cudaEventRecord(cudaEvent_t ev, cudaStream_t s) { SL_LOCKED(record(ev, s)); }

// External events belong to streams that are captured.
static cudaError_t external(cudaStream_t s) {
  enum cudaStreamCaptureStatus status;
  cudaError_t e = cudaStreamIsCapturing(s, &status);
  if (e || status == cudaStreamCaptureStatusNone) return e ? e : cudaErrorIllegalState;
  sl__say("graphs with events of their outside are not simulated: record or wait for the event beside the "
          "graph's launch");
  return cudaErrorNotSupported;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t ev, cudaStream_t s, unsigned flags) {
  if (flags > cudaEventRecordExternal) return sl__keep(cudaErrorInvalidValue);
  SL_LOCKED(flags ? external(s) : record(ev, s));
}

static cudaError_t event_done(uint64_t id) {
  sl__pending_event_done(id);
  cudaError_t e = sl__ready();
  if (!e && !sl__idle()) e = sl__call1(SL_MSG_SYNC, SL_SEQUENCE_EVENT, 0, id);
  sl__managed_close();
  return e;
}

// The host has not waited for anything since the event was recorded. An answer of cudaErrorNotReady is one.
static bool is_ahead(const event *ev) { return !sl__idle() && ev->waits == sl__waits(); }

static cudaError_t wait_event(cudaEvent_t handle, bool asks) {
  const event *ev = *find_event(handle);
  if (!ev) return cudaErrorInvalidResourceHandle;
  bool captured = sl__capture_has_event(ev->id);
  cudaError_t e = sl__capture_forbids(captured ? SL_EVERY_STREAM : SL_ANY_STREAM);
  if (e) return captured ? cudaErrorCapturedEvent : e;
  if (asks && ev->recorded && is_ahead(ev) && !sl__alive()) {
    sl__waited();
    return cudaErrorNotReady;
  }
  e = event_done(ev->id);
  sl__pools_synchronised();
  sl__print_text();
  return e;
}
cudaError_t cudaEventSynchronize(cudaEvent_t ev) { SL_LOCKED(wait_event(ev, false)); }
// The one question that host functions of a stream may ask.
cudaError_t cudaEventQuery(cudaEvent_t ev) {
  sl__enter();
  sl__called(__func__);
  cudaError_t e = wait_event(ev, !sl__on_stream());
  sl__leave();
  return sl__keep(e);
}

static cudaError_t stream_wait(cudaStream_t s, cudaEvent_t handle) {
  const event *ev = *find_event(handle);
  cudaError_t e;
  if (!ev || !sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  if (sl__capture_wait(s, ev->id, &e)) return e;
  const uint64_t number = sl__stream_works(s);
  sl__pending_wait(number, ev->id);
  return sl__call1(SL_MSG_SYNC, SL_SEQUENCE_WAIT, number, ev->id);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t ev, unsigned flags) {
  if (flags > cudaEventWaitExternal) return sl__keep(cudaErrorInvalidValue);
  SL_LOCKED(flags ? external(s) : stream_wait(s, ev));
}

static cudaError_t not_ready(void) {
  sl__unready();
  sl__waited();
  return cudaErrorNotReady;
}

SL_API(cudaEventElapsedTime, (ms, from, to), float *ms, cudaEvent_t from, cudaEvent_t to) {
  const event *a = *find_event(from), *b = *find_event(to);
  if (!ms) return cudaErrorInvalidValue;
  if (a && b && (sl__capture_has_event(a->id) || sl__capture_has_event(b->id))) return cudaErrorCapturedEvent;
  if (!a || !b || a->untimed || b->untimed || !a->recorded || !b->recorded)
    return cudaErrorInvalidResourceHandle;
  if (is_ahead(a) || is_ahead(b)) return not_ready();
  sl__timed();
  *ms = (float)((double)(int64_t)(b->ns - a->ns) * 1e-6);
  cudaError_t e = event_done(a->id); // both events have been reached
  return e ? e : event_done(b->id);
}

size_t sl__streams_had(void) {
  size_t n = 0;
  for (const stream *s = streams; s; s = s->next) n++;
  for (const event *ev = events; ev; ev = ev->next) n++;
  return n;
}
