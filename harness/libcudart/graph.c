// Graphs of the program: lists of nodes, made by capture or node by node. See graph.h; exec.c runs them.
//
// A node that the program adds may depend on earlier nodes only, so nodes may run in the order in which they
// were added. It goes on in the branch of a node that it depends on, if nobody else has done so, else in a
// new one; behind each node stands an event, for which those wait that depend on it in other branches.
#include "libcudart/graph.h"

static sl_graph *graphs;

static sl_graph **graph_at(const void *handle) { return SL_LINK_TO(graphs, handle); }
sl_graph *sl__graph_of(cudaGraph_t h) { return *graph_at(h); }

// Lists of nodes --------------------------------------------------------------------------------------------

sl_graph *sl__graph_new(void) {
  sl_graph *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->n_branches = 1;
  g->next = graphs;
  return graphs = g;
}

void sl__node_free(sl_node *n) {
  if (n && n->kind == SL_NODE_KERNEL) free(n->kernel.params);
  free(n);
}

void sl__graph_free(sl_graph *g) {
  sl_graph **at = graph_at(g);
  *at = g->next;
  for (unsigned k = 0; k < g->n; k++) sl__node_free(g->nodes[k]);
  free(g->nodes);
  free(g);
}

sl_node *sl__node_copy(const sl_node *n) {
  sl_node *to = malloc(sizeof *to);
  if (!to) return NULL;
  *to = *n;
  if (n->kind != SL_NODE_KERNEL) return to;
  to->kernel.params = malloc(n->kernel.m.param_bytes + 1u);
  if (!to->kernel.params) return free(to), NULL;
  memcpy(to->kernel.params, n->kernel.params, n->kernel.m.param_bytes);
  return to;
}

sl_node *sl__graph_add(sl_graph *g, const sl_node *n) {
  sl_node *own = sl__node_copy(n);
  sl_node **longer = own ? realloc(g->nodes, (g->n + 1u) * sizeof *longer) : NULL;
  if (!longer) return sl__node_free(own), NULL;
  g->nodes = longer;
  return g->nodes[g->n++] = own;
}

bool sl__graph_append(sl_graph *to, const sl_graph *from, unsigned branch) {
  for (unsigned k = 0; k < from->n; k++) {
    sl_node n = *from->nodes[k];
    n.branch = branch;
    if (n.kind < SL_NODE_RECORD && !sl__graph_add(to, &n)) return false;
  }
  return true;
}

sl_graph *sl__graph_copy(const sl_graph *from) {
  sl_graph *g = sl__graph_new();
  for (unsigned k = 0; g && k < from->n; k++)
    if (!sl__graph_add(g, from->nodes[k])) return sl__graph_free(g), NULL;
  if (g) g->n_events = from->n_events, g->n_branches = from->n_branches, g->by_hand = from->by_hand;
  return g;
}

// The index of a node in [g]; g->n if it is not there.
unsigned sl__node_index(const sl_graph *g, cudaGraphNode_t node) {
  unsigned k = 0;
  while (k < g->n && g->nodes[k] != (sl_node *)(void *)node) k++;
  return k;
}

const sl_graph *sl__graph_with(cudaGraphNode_t node) {
  const sl_graph *g = graphs;
  while (g && sl__node_index(g, node) == g->n) g = g->next;
  return g;
}

// Graphs of the program -------------------------------------------------------------------------------------

SL_API(cudaGraphCreate, (out, flags), cudaGraph_t *out, unsigned flags) {
  SL_TRY(sl__alive());
  if (!out || flags) return cudaErrorInvalidValue;
  sl_graph *g = sl__graph_new();
  if (g) g->by_hand = true;
  *out = (cudaGraph_t)(void *)g;
  return g ? cudaSuccess : cudaErrorMemoryAllocation;
}

SL_API(cudaGraphDestroy, (h), cudaGraph_t h) {
  sl_graph *g = sl__graph_of(h);
  if (g) sl__graph_free(g);
  return g ? cudaSuccess : cudaErrorInvalidValue;
}

SL_API(cudaGraphClone, (out, h), cudaGraph_t *out, cudaGraph_t h) {
  const sl_graph *g = sl__graph_of(h);
  if (!g || !out) return cudaErrorInvalidValue;
  *out = (cudaGraph_t)(void *)sl__graph_copy(g);
  return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}

// Lists the nodes for the program, without marks of events.
SL_API(cudaGraphGetNodes, (h, out, n), cudaGraph_t h, cudaGraphNode_t *out, size_t *n) {
  const sl_graph *g = sl__graph_of(h);
  if (!g || !n) return cudaErrorInvalidValue;
  size_t found = 0, room = *n;
  for (unsigned k = 0; k < g->n; k++) {
    if (g->nodes[k]->kind >= SL_NODE_RECORD) continue;
    if (out && found < room) out[found] = (cudaGraphNode_t)(void *)g->nodes[k];
    found++;
  }
  for (size_t k = found; out && k < room; k++) out[k] = NULL;
  *n = out && room < found ? room : found;
  return cudaSuccess;
}

SL_API(cudaGraphNodeGetType, (node, out), cudaGraphNode_t node, enum cudaGraphNodeType *out) {
  static const enum cudaGraphNodeType types[] = {
      [SL_NODE_KERNEL] = cudaGraphNodeTypeKernel, [SL_NODE_COPY] = cudaGraphNodeTypeMemcpy,
      [SL_NODE_FILL] = cudaGraphNodeTypeMemset,   [SL_NODE_HOST] = cudaGraphNodeTypeHost,
      [SL_NODE_EMPTY] = cudaGraphNodeTypeEmpty,   [SL_NODE_RECORD] = cudaGraphNodeTypeEventRecord,
      [SL_NODE_WAIT] = cudaGraphNodeTypeWaitEvent};
  if (!out || !sl__graph_with(node)) return cudaErrorInvalidValue;
  *out = types[((sl_node *)(void *)node)->kind];
  return cudaSuccess;
}

// Nodes one by one ------------------------------------------------------------------------------------------

static const sl_node *last_of(const sl_graph *g, unsigned branch) {
  for (unsigned k = g->n; k-- > 0;)
    if (g->nodes[k]->branch == branch && g->nodes[k]->kind < SL_NODE_RECORD) return g->nodes[k];
  return NULL;
}

// With too many branches some nodes come behind others without need: no false race is seen.
static unsigned branch_behind(sl_graph *g, const cudaGraphNode_t *after, size_t n_after) {
  for (size_t k = 0; k < n_after; k++) {
    const sl_node *before = (const sl_node *)(const void *)after[k];
    if (last_of(g, before->branch) == before) return before->branch;
  }
  return last_of(g, 0) && g->n_branches < SL_BRANCHES ? g->n_branches++ : 0;
}

static sl_node *add_by_hand(sl_graph *g, const cudaGraphNode_t *after, size_t n_after, const sl_node *n) {
  const unsigned branch = branch_behind(g, after, n_after);
  sl_node own = *n, mark = {.kind = SL_NODE_WAIT, .branch = branch};
  for (size_t k = 0; k < n_after; k++) {
    mark.event = ((const sl_node *)(const void *)after[k])->done;
    if (!sl__graph_add(g, &mark)) return NULL;
  }
  own.branch = branch, own.done = mark.event = g->n_events++;
  mark.kind = SL_NODE_RECORD;
  sl_node *added = sl__graph_add(g, &own);
  return added && sl__graph_add(g, &mark) ? added : NULL;
}

static cudaError_t add_node(cudaGraphNode_t *out, cudaGraph_t h, const cudaGraphNode_t *after, size_t n_after,
                            const sl_node *n) {
  sl_graph *g = sl__graph_of(h);
  if (!out || !g || (n_after && !after)) return cudaErrorInvalidValue;
  for (size_t k = 0; k < n_after; k++)
    if (sl__node_index(g, after[k]) == g->n) return cudaErrorInvalidValue;
  *out = (cudaGraphNode_t)(void *)(g->by_hand ? add_by_hand(g, after, n_after, n) : sl__graph_add(g, n));
  return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t sl__kernel_node(const struct cudaKernelNodeParams *p, uint8_t *params, sl_node *n) {
  cudaError_t e = p ? sl__alive() : cudaErrorInvalidValue;
  if (e) return e;
  *n = (sl_node){.kind = SL_NODE_KERNEL, .kernel.params = params};
  e = sl__function(p->func, &n->kernel.f);
  if (e) return e;
  if (p->extra) return cudaErrorNotSupported;
  const sl_configured c = {p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, false};
  return sl__pack(n->kernel.f, &c, &n->kernel.m, params);
}

SL_API(cudaGraphAddKernelNode, (out, h, after, n_after, p), cudaGraphNode_t *out, cudaGraph_t h,
       const cudaGraphNode_t *after, size_t n_after, const struct cudaKernelNodeParams *p) {
  uint8_t params[SL_MAX_PARAMS];
  sl_node n;
  cudaError_t e = sl__kernel_node(p, params, &n);
  return e ? e : add_node(out, h, after, n_after, &n);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t h, const cudaGraphNode_t *after,
                                     size_t n_after, void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind) {
  sl_node n = {.kind = SL_NODE_COPY, .copy = {{to, from, bytes, bytes, bytes, 1, true}, kind}};
  if ((unsigned)kind > cudaMemcpyDefault) return sl__keep(cudaErrorInvalidMemcpyDirection);
  SL_LOCKED(to && from ? add_node(out, h, after, n_after, &n) : cudaErrorInvalidValue);
}

// Adds a copy of one slice of rows.
SL_API(cudaGraphAddMemcpyNode, (out, h, after, n_after, p), cudaGraphNode_t *out, cudaGraph_t h,
       const cudaGraphNode_t *after, size_t n_after, const struct cudaMemcpy3DParms *p) {
  if (!p) return cudaErrorInvalidValue;
  if (p->srcArray || p->dstArray || p->extent.depth > 1) {
    sl__say("nodes of graphs that copy arrays or several slices are not simulated: add a node for each slice "
            "of plain memory");
    return cudaErrorNotSupported;
  }
  const struct cudaPitchedPtr *to = &p->dstPtr, *from = &p->srcPtr;
  if ((unsigned)p->kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (!to->ptr || !from->ptr || p->extent.width > to->pitch || p->extent.width > from->pitch)
    return cudaErrorInvalidValue;
  sl_node n = {.kind = SL_NODE_COPY,
               .copy = {{(char *)to->ptr + p->dstPos.y * to->pitch + p->dstPos.x,
                         (char *)from->ptr + p->srcPos.y * from->pitch + p->srcPos.x, to->pitch, from->pitch,
                         p->extent.width, p->extent.depth ? p->extent.height : 0, true},
                        p->kind}};
  return add_node(out, h, after, n_after, &n);
}

SL_API(cudaGraphAddMemsetNode, (out, h, after, n_after, p), cudaGraphNode_t *out, cudaGraph_t h,
       const cudaGraphNode_t *after, size_t n_after, const struct cudaMemsetParams *p) {
  if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)) return cudaErrorInvalidValue;
  size_t width = p->width * p->elementSize;
  sl_node n = {.kind = SL_NODE_FILL,
               .fill = {{p->dst, NULL, p->height > 1 ? p->pitch : width, 0, width, p->height, true},
                        (int)p->value,
                        p->elementSize}};
  return add_node(out, h, after, n_after, &n);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t h, const cudaGraphNode_t *after,
                                 size_t n_after, const struct cudaHostNodeParams *p) {
  if (!p || !p->fn) return sl__keep(cudaErrorInvalidValue);
  sl_node n = {.kind = SL_NODE_HOST, .host = {p->fn, p->userData}};
  SL_LOCKED(add_node(out, h, after, n_after, &n));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t h, const cudaGraphNode_t *after,
                                  size_t n_after) {
  sl_node n = {.kind = SL_NODE_EMPTY};
  SL_LOCKED(add_node(out, h, after, n_after, &n));
}

size_t sl__graphs_had(void) {
  size_t n = 0;
  for (const sl_graph *g = graphs; g; g = g->next) n++;
  return n;
}

void sl__graphs_forget(void) {
  while (graphs) sl__graph_free(graphs);
}
