// Graphs: what a stream's capture, or the program itself, put together to run again and again.
//
// A graph is a list of nodes in an order in which they may run; launching it runs them one after the other.
// Capture keeps the streams of the program apart as branches of the graph, so that the observers of races see
// what runs side by side.
#ifndef SL_LIBCUDART_GRAPH_H
#define SL_LIBCUDART_GRAPH_H

#include "libcudart/client.h"

enum { SL_BRANCHES = 16 }; // streams of one capture

typedef enum sl_node_kind {
  SL_NODE_KERNEL,
  SL_NODE_COPY,
  SL_NODE_FILL,
  SL_NODE_HOST,
  SL_NODE_EMPTY,
  SL_NODE_RECORD,
  SL_NODE_WAIT
} sl_node_kind;

typedef struct sl_node {
  sl_node_kind kind;
  unsigned branch; // 0: the stream that the graph is launched in
  union {
    struct {
      sl_function *f;
      sl_launch_msg m;
      uint8_t *params; // m.param_bytes of them
    } kernel;
    struct {
      sl_rows rows;
      enum cudaMemcpyKind kind;
    } copy;
    struct {
      sl_rows rows;
      int value;
      unsigned element; // bytes of [value]
    } fill;
    struct {
      cudaHostFn_t fn;
      void *data;
    } host;
    unsigned event; // RECORD, WAIT: which of the graph's own
  };
} sl_node;

typedef struct sl_graph {
  sl_node **nodes; // each of its own, as handles of the program point to them
  unsigned n, n_events, n_branches;
  struct sl_graph *next;
} sl_graph;

// graph.c
sl_graph *sl__graph_new(void);
void sl__graph_free(sl_graph *g);
// A copy of [n] at the end; the parameters of a kernel are copied, too. NULL: no memory.
sl_node *sl__graph_add(sl_graph *g, const sl_node *n);
// Nodes of [from] at the end of [to], all of them in [branch].
bool sl__graph_append(sl_graph *to, const sl_graph *from, unsigned branch);
sl_graph *sl__graph_copy(const sl_graph *from);
void sl__node_free(sl_node *n);
sl_node *sl__node_copy(const sl_node *n);
// Handles come from the program, and may be anything: NULL, or g->n, where they are none of it.
sl_graph *sl__graph_of(cudaGraph_t h);
const sl_graph *sl__graph_with(cudaGraphNode_t node);
unsigned sl__node_index(const sl_graph *g, cudaGraphNode_t node);
// A launch that is checked; [params]: room for SL_MAX_PARAMS bytes, which [n] points to afterwards.
cudaError_t sl__kernel_node(const struct cudaKernelNodeParams *p, uint8_t *params, sl_node *n);

// capture.c. In the stream of a capture the node is kept for later, instead of being run: true, with *e the
// answer.
bool sl__capture(cudaStream_t s, sl_node *n, cudaError_t *e);
bool sl__capture_graph(cudaStream_t s, const sl_graph *g, cudaError_t *e);
// What a capture does not allow in [s] (SL_ANY_STREAM: at all) invalidates it: an error then.
// (SL_EVERY_STREAM: at all, even where the program relaxed that)
#define SL_ANY_STREAM ((cudaStream_t)UINTPTR_MAX)
#define SL_EVERY_STREAM ((cudaStream_t)(UINTPTR_MAX - 1))
cudaError_t sl__capture_forbids(cudaStream_t s);
cudaError_t sl__capture_forbids_wait(cudaStream_t s); // that the host waits for [s]
void sl__capture_spoilt(cudaStream_t s);              // by work that was refused
// Events of a capture are marks within it: the record, or the wait, was captured.
bool sl__capture_record(cudaStream_t s, uint64_t event, cudaError_t *e);
bool sl__capture_wait(cudaStream_t s, uint64_t event, cudaError_t *e);
bool sl__capture_has_event(uint64_t event);
void sl__capture_stream_gone(cudaStream_t s);

#endif
