// Instances of graphs: copies that the program launches, changes and destroys. See graph.h.
//
// If an instance is destroyed while one of its host functions runs, it goes when the function returns.
#include "libcudart/graph.h"

typedef struct exec {
  sl_graph *graph;
  cudaStream_t streams[SL_BRANCHES]; // one for every branch but the first
  cudaEvent_t *events;               // one for every mark, and one more
  unsigned long long flags;
  unsigned running;
  bool destroyed;
  struct exec *next;
} exec;
static exec *execs;

static exec **exec_at(const void *handle) { return SL_LINK_TO(execs, handle); }

// The instance of a handle; NULL if there is none: a program's handle may be anything.
static exec *find_exec(cudaGraphExec_t h) {
  exec *x = *exec_at(h);
  return x && !x->destroyed ? x : NULL;
}

// Instances -------------------------------------------------------------------------------------------------

static void free_exec(exec *x) {
  *exec_at(x) = x->next;
  for (unsigned k = 1; k < x->graph->n_branches; k++)
    if (x->streams[k]) cudaStreamDestroy(x->streams[k]);
  for (unsigned k = 0; x->events && k <= x->graph->n_events; k++)
    if (x->events[k]) cudaEventDestroy(x->events[k]);
  free(x->events);
  sl__graph_free(x->graph);
  free(x);
}

// Makes the instance's own streams (for every branch but the first) and events (for every mark; one more for
// the begin and end of a graph that was made node by node).
static cudaError_t prepare_exec(exec *x) {
  cudaError_t e = cudaSuccess;
  for (unsigned k = 1; k < x->graph->n_branches && !e; k++)
    e = cudaStreamCreateWithFlags(&x->streams[k], cudaStreamNonBlocking);
  x->events = calloc(x->graph->n_events + 1u, sizeof *x->events);
  if (!x->events) return cudaErrorMemoryAllocation;
  for (unsigned k = 0; k < x->graph->n_events + x->graph->by_hand && !e; k++)
    e = cudaEventCreateWithFlags(&x->events[k], cudaEventDisableTiming);
  return e;
}

SL_API(cudaGraphInstantiate, (out, h, flags), cudaGraphExec_t *out, cudaGraph_t h, unsigned long long flags) {
  const unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                   cudaGraphInstantiateFlagUseNodePriority;
  const sl_graph *g = sl__graph_of(h);
  cudaError_t e = sl__alive();
  if (e) return e;
  if (!g || !out) return cudaErrorInvalidValue;
  if (flags & ~known)
    return flags & cudaGraphInstantiateFlagDeviceLaunch ? cudaErrorNotSupported : cudaErrorInvalidValue;
  exec *x = calloc(1, sizeof *x);
  if (x) x->graph = sl__graph_copy(g);
  if (!x || !x->graph) return free(x), cudaErrorMemoryAllocation;
  x->flags = flags, x->next = execs, execs = x;
  if ((e = prepare_exec(x))) return free_exec(x), e;
  *out = (cudaGraphExec_t)(void *)x;
  return cudaSuccess;
}
SL_TWIN(cudaGraphInstantiateWithFlags, cudaGraphInstantiate);

SL_API(cudaGraphExecDestroy, (h), cudaGraphExec_t h) {
  exec *x = find_exec(h);
  if (x && !x->running) free_exec(x);
  else if (x) x->destroyed = true;
  return x ? cudaSuccess : cudaErrorInvalidValue;
}

SL_API(cudaGraphExecGetFlags, (h, out), cudaGraphExec_t h, unsigned long long *out) {
  const exec *x = find_exec(h);
  if (!x || !out) return cudaErrorInvalidValue;
  *out = x->flags;
  return cudaSuccess;
}

// Changes configuration and parameters of a kernel in an instance of [node]'s graph.
SL_API(cudaGraphExecKernelNodeSetParams, (h, node, p), cudaGraphExec_t h, cudaGraphNode_t node,
       const struct cudaKernelNodeParams *p) {
  exec *x = find_exec(h);
  const sl_graph *g = sl__graph_with(node);
  unsigned at = g ? sl__node_index(g, node) : 0;
  uint8_t params[SL_MAX_PARAMS];
  sl_node n, *own;
  if (!x || x->running || !g || at >= x->graph->n || x->graph->nodes[at]->kind != SL_NODE_KERNEL)
    return cudaErrorInvalidValue;
  SL_TRY(sl__kernel_node(p, params, &n));
  n.branch = x->graph->nodes[at]->branch, n.done = x->graph->nodes[at]->done;
  if (!(own = sl__node_copy(&n))) return cudaErrorMemoryAllocation;
  sl__node_free(x->graph->nodes[at]);
  x->graph->nodes[at] = own;
  return cudaSuccess;
}

// The first node that is missing in one of the two graphs or differs in kind; x->n: the graphs are alike.
static unsigned first_other(const sl_graph *x, const sl_graph *g) {
  unsigned k = 0;
  while (k < x->n && k < g->n && x->nodes[k]->kind == g->nodes[k]->kind &&
         x->nodes[k]->branch == g->nodes[k]->branch)
    k++;
  return k;
}

SL_API(cudaGraphExecUpdate, (h, from, info), cudaGraphExec_t h, cudaGraph_t from,
       cudaGraphExecUpdateResultInfo *info) {
  exec *x = find_exec(h);
  const sl_graph *g = sl__graph_of(from);
  if (!x || x->running || !g || !info) return cudaErrorInvalidValue;
  unsigned other = first_other(x->graph, g);
  *info = (cudaGraphExecUpdateResultInfo){cudaGraphExecUpdateSuccess, NULL, NULL};
  if (g->n != x->graph->n || g->n_events != x->graph->n_events || g->n_branches != x->graph->n_branches)
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
  else if (other < g->n)
    info->result = cudaGraphExecUpdateErrorNodeTypeChanged,
    info->errorNode = (cudaGraphNode_t)(void *)g->nodes[other];
  if (info->result) return cudaErrorGraphExecUpdateFailure;
  sl_graph *fresh = sl__graph_copy(g);
  if (!fresh) return cudaErrorMemoryAllocation;
  sl__graph_free(x->graph);
  x->graph = fresh;
  return cudaSuccess;
}

// Launching -------------------------------------------------------------------------------------------------

static cudaError_t run_kernel(const sl_node *n, cudaStream_t s) {
  sl_function *f;
  sl_launch_msg m = n->kernel.m;
  cudaError_t e = sl__function(n->kernel.f, &f); // the module may have been unloaded or reloaded
  if (!e && f->info.param_bytes != m.param_bytes) e = cudaErrorInvalidDeviceFunction;
  m.stream = sl__stream_works(s);
  return e ? e : sl__launch_packed(f, &m, n->kernel.params);
}

static cudaError_t run_host(const sl_node *n, cudaStream_t s) {
  SL_TRY(sl__stream_reached(s));
  sl__leave(); // the function may take long
  sl__run_host(n->host.fn, n->host.data);
  sl__enter();
  return cudaSuccess;
}

static cudaError_t run_node(const exec *x, const sl_node *n, cudaStream_t s) {
  if (n->branch) s = x->streams[n->branch];
  if (n->kind == SL_NODE_KERNEL) return run_kernel(n, s);
  if (n->kind == SL_NODE_COPY) return sl__copy(n->copy.rows, n->copy.kind, s);
  if (n->kind == SL_NODE_FILL) return sl__fill(n->fill.rows, n->fill.value, n->fill.element, s);
  if (n->kind == SL_NODE_HOST) return run_host(n, s);
  if (n->kind == SL_NODE_RECORD) return cudaEventRecord(x->events[n->event], s);
  if (n->kind == SL_NODE_WAIT) return cudaStreamWaitEvent(s, x->events[n->event], 0);
  return cudaSuccess;
}

// In a graph made node by node: the branches begin when the stream has come so far, and the stream goes on
// when all have ended. Captures have events of their own for that.
static cudaError_t begin_branches(const exec *x, cudaStream_t s) {
  const cudaEvent_t event = x->events[x->graph->n_events];
  if (!x->graph->by_hand || x->graph->n_branches == 1) return cudaSuccess;
  cudaError_t e = cudaEventRecord(event, s);
  for (unsigned k = 1; k < x->graph->n_branches && !e; k++) e = cudaStreamWaitEvent(x->streams[k], event, 0);
  return e;
}

static cudaError_t end_branches(const exec *x, cudaStream_t s) {
  const cudaEvent_t event = x->events[x->graph->n_events];
  cudaError_t e = cudaSuccess;
  for (unsigned k = 1; x->graph->by_hand && k < x->graph->n_branches && !e; k++) {
    e = cudaEventRecord(event, x->streams[k]);
    if (!e) e = cudaStreamWaitEvent(s, event, 0);
  }
  return e;
}

SL_API(cudaGraphLaunch, (h, s), cudaGraphExec_t h, cudaStream_t s) {
  exec *x = find_exec(h);
  cudaError_t e = sl__alive();
  if (e) return e;
  if (!x || !sl__stream_ok(s)) return x ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
  if (sl__capture_graph(s, x->graph, &e)) return e;
  x->running++;
  e = begin_branches(x, s);
  for (unsigned k = 0; k < x->graph->n && !e; k++) e = run_node(x, x->graph->nodes[k], s);
  if (!e) e = end_branches(x, s);
  if (--x->running == 0 && x->destroyed) free_exec(x);
  return e;
}

// Nothing to upload: instances lie where they are used.
SL_API(cudaGraphUpload, (h, s), cudaGraphExec_t h, cudaStream_t s) {
  if (!find_exec(h)) return cudaErrorInvalidValue;
  return sl__stream_ok(s) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

void sl__execs_forget(void) {
  for (exec *x = execs, *next; x; x = next) {
    next = x->next;
    if (x->running) x->destroyed = true;
    else free_exec(x);
  }
}
