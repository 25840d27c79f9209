// Graphs: work that a stream's capture, or the program itself, puts together to run again and again.  A graph
// is a list of nodes in an order in which they may run; launching it runs them one after the other. Its
// branches keep apart what may run side by side, so that observers of races see it: the streams of a capture,
// or, in a graph that was made node by node, a row of nodes of which each depends on the one before.
#pragma once

#include "libcudart/client.h"

enum { SL_BRANCHES = 16 }; // most streams of one capture

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
  unsigned done;   // in a graph made node by node: index of the event that is recorded behind the node
  union {
    struct {
      sl_function *f;
      sl_launch_msg m;
      uint8_t *params; // m.param_bytes bytes
    } kernel;
    struct {
      sl_rows rows;
      enum cudaMemcpyKind kind;
    } copy;
    struct {
      sl_rows rows;
      int value;
      unsigned element; // how many bytes of [value] count
    } fill;
    struct {
      cudaHostFn_t fn;
      void *data;
    } host;
    unsigned event; // RECORD, WAIT: index of the graph's event
  };
} sl_node;

typedef struct sl_graph {
  sl_node **nodes; // allocated one by one: the program's handles point to them
  unsigned n, n_events, n_branches;
  bool by_hand; // made node by node: its branches begin when the graph does, and end with it
  struct sl_graph *next;
} sl_graph;

// graph.c
sl_graph *sl__graph_new(void);
void sl__graph_free(sl_graph *g);
// Appends a copy of [n], with the parameters of a kernel. NULL: no memory.
sl_node *sl__graph_add(sl_graph *g, const sl_node *n);
// Appends the nodes of [from] to [to], all of them in [branch].
bool sl__graph_append(sl_graph *to, const sl_graph *from, unsigned branch);
sl_graph *sl__graph_copy(const sl_graph *from);
void sl__node_free(sl_node *n);
sl_node *sl__node_copy(const sl_node *n);
// A program's handle may be anything: the result is NULL, or g->n, if there is no such graph or node.
sl_graph *sl__graph_of(cudaGraph_t h);
const sl_graph *sl__graph_with(cudaGraphNode_t node);
unsigned sl__node_index(const sl_graph *g, cudaGraphNode_t node);
// Checks a launch and makes a node of it. [params]: SL_MAX_PARAMS bytes, which [n] then points to.
cudaError_t sl__kernel_node(const struct cudaKernelNodeParams *p, uint8_t *params, sl_node *n);

// capture.c. A captured stream keeps work as a node of the graph and does not run it: true, the answer in *e.
bool sl__capture(cudaStream_t s, sl_node *n, cudaError_t *e);
bool sl__capture_graph(cudaStream_t s, const sl_graph *g, cudaError_t *e);
// Called for what a capture forbids in [s] (SL_ANY_STREAM: in any stream; SL_EVERY_STREAM: in any, even if
// the program relaxed the capture). Invalidates a capture under way, and then returns an error.
#define SL_ANY_STREAM ((cudaStream_t)UINTPTR_MAX)
#define SL_EVERY_STREAM ((cudaStream_t)(UINTPTR_MAX - 1))
cudaError_t sl__capture_forbids(cudaStream_t s);
cudaError_t sl__capture_forbids_wait(cudaStream_t s); // the host wants to wait for [s]
void sl__capture_spoilt(cudaStream_t s);              // work was refused: the capture is invalid
// Events of a capture are marks in its graph. True: the recording, or the wait, was captured.
bool sl__capture_record(cudaStream_t s, uint64_t event, cudaError_t *e);
bool sl__capture_wait(cudaStream_t s, uint64_t event, cudaError_t *e);
bool sl__capture_has_event(uint64_t event);
void sl__capture_stream_gone(cudaStream_t s);
