// Between cudaStreamBeginCapture and cudaStreamEndCapture a stream's work is kept as nodes of a graph.
//
// Other streams join when they wait for an event that was recorded in the capture. Each branch counts its own
// work, and knows how much of the others' work it has waited for; at the end the first one must know all.
// Work in the default stream, or a call that waits, breaks the capture, as in the real runtime.
#include "libcudart/graph.h"

#include <pthread.h>

typedef struct mark { // an event that was recorded in the capture
  uint64_t event;
  unsigned number;             // among the graph's events
  uint32_t knows[SL_BRANCHES]; // work of each branch that is done when the event is
  struct mark *next;
} mark;

typedef struct capture {
  cudaStream_t streams[SL_BRANCHES];
  uint32_t knows[SL_BRANCHES][SL_BRANCHES]; // for each branch: work of every branch that it comes after
  unsigned n;
  uint64_t id;
  enum cudaStreamCaptureMode mode;
  pthread_t thread;
  bool invalid;
  sl_graph *graph;
  mark *marks;
  struct capture *next;
} capture;

static capture *captures;
static uint64_t next_id = 1;
static _Thread_local enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

static bool is_legacy(cudaStream_t s) { return s == NULL || s == cudaStreamLegacy; }

static capture *find_capture(cudaStream_t s, unsigned *branch) {
  for (capture *c = captures; c; c = c->next)
    for (unsigned k = 0; k < c->n; k++)
      if (c->streams[k] == s) return *branch = k, c;
  return NULL;
}

static void drop_capture(capture *gone) {
  *SL_LINK_TO(captures, gone) = gone->next;
  for (mark *m = gone->marks, *next; m; m = next) next = m->next, free(m);
  free(gone);
}

// The capture that [s] takes part in. NULL with *e: no work in [s] is possible now; without: no capture.
static capture *taking(cudaStream_t s, unsigned *branch, cudaError_t *e) {
  *e = cudaSuccess;
  if (!captures) return NULL;
  capture *c = find_capture(s, branch);
  if (c && c->invalid) return *e = cudaErrorStreamCaptureInvalidated, NULL;
  for (capture *o = is_legacy(s) ? captures : NULL; o; o = o->next) {
    unsigned flags = 0;
    if (cudaStreamGetFlags(o->streams[0], &flags) != cudaSuccess || flags == cudaStreamNonBlocking) continue;
    o->invalid = true, *e = cudaErrorStreamCaptureImplicit;
  }
  return c;
}

bool sl__capture(cudaStream_t s, sl_node *n, cudaError_t *e) {
  unsigned branch;
  capture *c = taking(s, &branch, e);
  if (!c) return *e != cudaSuccess;
  n->branch = branch;
  c->knows[branch][branch]++;
  *e = sl__graph_add(c->graph, n) ? cudaSuccess : cudaErrorMemoryAllocation;
  return true;
}

bool sl__capture_graph(cudaStream_t s, const sl_graph *g, cudaError_t *e) {
  unsigned branch;
  capture *c = taking(s, &branch, e);
  if (!c) return *e != cudaSuccess;
  c->knows[branch][branch]++;
  *e = sl__graph_append(c->graph, g, branch) ? cudaSuccess : cudaErrorMemoryAllocation;
  return true;
}

static bool strict(const capture *c) {
  if (thread_mode == cudaStreamCaptureModeRelaxed || c->mode == cudaStreamCaptureModeRelaxed) return false;
  return c->mode == cudaStreamCaptureModeGlobal || pthread_equal(c->thread, pthread_self());
}

cudaError_t sl__capture_forbids(cudaStream_t s) {
  cudaError_t e = cudaSuccess;
  unsigned branch;
  for (capture *c = captures; c; c = c->next) {
    bool hit = s == SL_EVERY_STREAM || (s == SL_ANY_STREAM ? strict(c) : find_capture(s, &branch) == c);
    if (hit) c->invalid = true, e = cudaErrorStreamCaptureUnsupported;
  }
  return e;
}

cudaError_t sl__capture_forbids_wait(cudaStream_t s) {
  unsigned branch;
  cudaError_t e = cudaSuccess;
  if (!captures) return e;
  if (is_legacy(s)) taking(s, &branch, &e);
  return e ? e : sl__capture_forbids(find_capture(s, &branch) ? s : SL_ANY_STREAM);
}

void sl__capture_spoilt(cudaStream_t s) {
  unsigned branch;
  capture *c = captures ? find_capture(s, &branch) : NULL;
  if (c) c->invalid = true;
}

// Events ----------------------------------------------------------------------------------------------------

static mark *find_mark(capture *c, uint64_t event) {
  mark *m = c->marks;
  while (m && m->event != event) m = m->next;
  return m;
}

bool sl__capture_has_event(uint64_t event) {
  for (capture *c = captures; c; c = c->next)
    if (find_mark(c, event)) return true;
  return false;
}

// Captures the recording of an event. Each recording is another event of the graph.
bool sl__capture_record(cudaStream_t s, uint64_t event, cudaError_t *e) {
  unsigned branch;
  capture *c = taking(s, &branch, e);
  if (!c) return *e != cudaSuccess;
  mark *m = find_mark(c, event);
  *e = cudaErrorMemoryAllocation;
  if (!m) {
    if (!(m = calloc(1, sizeof *m))) return true;
    m->event = event, m->next = c->marks, c->marks = m;
  }
  sl_node n = {.kind = SL_NODE_RECORD, .branch = branch, .event = m->number = c->graph->n_events++};
  memcpy(m->knows, c->knows[branch], sizeof m->knows);
  if (sl__graph_add(c->graph, &n)) *e = cudaSuccess;
  return true;
}

// The branch of [s] in [c], made if need be; SL_BRANCHES: there are too many.
static unsigned join_capture(capture *c, cudaStream_t s) {
  unsigned k = 0;
  while (k < c->n && c->streams[k] != s) k++;
  if (k == c->n && k < SL_BRANCHES) c->streams[c->n++] = s;
  return k;
}

bool sl__capture_wait(cudaStream_t s, uint64_t event, cudaError_t *e) {
  unsigned own;
  capture *of = captures, *c = taking(s, &own, e);
  if (*e) return true;
  while (of && !find_mark(of, event)) of = of->next;
  if (!of && !c) return false;
  if (!of || (c && c != of)) { // the event lies outside, or in another capture
    c->invalid = true;
    return *e = of ? cudaErrorStreamCaptureMerge : cudaErrorStreamCaptureIsolation, true;
  }
  if (is_legacy(s)) return of->invalid = true, *e = cudaErrorStreamCaptureImplicit, true;
  unsigned branch = join_capture(of, s);
  const mark *m = find_mark(of, event);
  if (branch == SL_BRANCHES) return of->invalid = true, *e = cudaErrorNotSupported, true;
  for (unsigned k = 0; k < SL_BRANCHES; k++)
    if (of->knows[branch][k] < m->knows[k]) of->knows[branch][k] = m->knows[k];
  sl_node n = {.kind = SL_NODE_WAIT, .branch = branch, .event = m->number};
  *e = sl__graph_add(of->graph, &n) ? cudaSuccess : cudaErrorMemoryAllocation;
  return true;
}

// Begin and end ---------------------------------------------------------------------------------------------

SL_API(cudaStreamBeginCapture, (s, mode), cudaStream_t s, enum cudaStreamCaptureMode mode) {
  unsigned branch;
  SL_TRY(sl__alive());
  if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (!sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  if (is_legacy(s)) return cudaErrorStreamCaptureUnsupported;
  if (find_capture(s, &branch)) return cudaErrorIllegalState;
  capture *c = calloc(1, sizeof *c);
  sl_graph *g = c ? sl__graph_new() : NULL;
  if (!g) {
    free(c);
    return cudaErrorMemoryAllocation;
  }
  *c = (capture){.streams = {s},
                 .n = 1,
                 .id = next_id++,
                 .mode = mode,
                 .thread = pthread_self(),
                 .graph = g,
                 .next = captures};
  captures = c;
  return cudaSuccess;
}

static cudaError_t why_not(const capture *c, unsigned branch) {
  if (branch) return cudaErrorStreamCaptureUnmatched;
  if (c->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(c->thread, pthread_self()))
    return cudaErrorStreamCaptureWrongThread;
  if (c->invalid) return cudaErrorStreamCaptureInvalidated;
  for (unsigned k = 1; k < c->n; k++)
    if (c->knows[0][k] != c->knows[k][k]) return cudaErrorStreamCaptureUnjoined;
  return cudaSuccess;
}

SL_API(cudaStreamEndCapture, (s, out), cudaStream_t s, cudaGraph_t *out) {
  unsigned branch = 0;
  capture *c = find_capture(s, &branch);
  if (out) *out = NULL;
  if (!c) return sl__stream_ok(s) ? cudaErrorIllegalState : cudaErrorInvalidResourceHandle;
  if (!out) return cudaErrorInvalidValue;
  cudaError_t e = why_not(c, branch);
  if (e == cudaErrorStreamCaptureUnmatched) c->invalid = true;
  if (e == cudaErrorStreamCaptureUnmatched || e == cudaErrorStreamCaptureWrongThread) return e;
  c->graph->n_branches = c->n;
  if (e) sl__graph_free(c->graph);
  else *out = (cudaGraph_t)(void *)c->graph;
  drop_capture(c);
  return e;
}

void sl__capture_stream_gone(cudaStream_t s) {
  unsigned branch;
  capture *c = find_capture(s, &branch);
  if (c && branch) c->invalid = true, c->streams[branch] = SL_ANY_STREAM;
  if (c && !branch) sl__graph_free(c->graph), drop_capture(c);
}

void sl__captures_forget(void) {
  while (captures) sl__capture_stream_gone(captures->streams[0]);
}

// Questions -------------------------------------------------------------------------------------------------

static cudaError_t status_of(cudaStream_t s, enum cudaStreamCaptureStatus *status, unsigned long long *id) {
  unsigned branch;
  if (!status) return cudaErrorInvalidValue;
  if (!sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  const capture *c = captures ? find_capture(s, &branch) : NULL;
  *status = !c           ? cudaStreamCaptureStatusNone
            : c->invalid ? cudaStreamCaptureStatusInvalidated
                         : cudaStreamCaptureStatusActive;
  if (id && c) *id = c->id;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s, enum cudaStreamCaptureStatus *status) {
  SL_LOCKED(status_of(s, status, NULL));
}

// Answers without the graph under way.
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
                                     size_t *n) {
  if (graph) *graph = NULL;
  if (nodes) *nodes = NULL;
  if (edges) *edges = NULL;
  if (n) *n = 0;
  SL_LOCKED(status_of(s, status, id));
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed) return sl__keep(cudaErrorInvalidValue);
  enum cudaStreamCaptureMode was = thread_mode;
  thread_mode = *mode, *mode = was;
  return cudaSuccess;
}
