// Basic blocks of a function (flow.c) and the order in which they are laid out (layout.c).
#pragma once

#include "engine/core.h"

typedef struct sl_bb {
  // instructions [first, end); the next block before the target of a bra
  uint32_t first, end, succ[2], n_succ;
  uint32_t many_first, n_many; // targets of a brx: labels in f->elems
  bool falls;                  // may go on with the block behind it
} sl_bb;

typedef struct sl_flow {
  const sl_ptx_func *f;
  sl_bb *bb;
  uint32_t n_bb, *bb_of; // bb_of: by instruction, and one for the end of the text: n_bb
  uint32_t n_edges;
  uint32_t *pred, *pred_first; // blocks that lead to a block: pred[pred_first[b] .. pred_first[b + 1])
} sl_flow;

bool sl__flow_make(sl_flow *w, const sl_ptx_func *f, sl_error *e); // free it even if it fails
void sl__flow_free(sl_flow *w);
bool sl__flow_preds(sl_flow *w, sl_error *e);          // fills in pred and pred_first
uint32_t sl__flow_count(const sl_flow *w, uint32_t b); // successors
uint32_t sl__flow_succ(const sl_flow *w, uint32_t b, uint32_t k);

// A block in its place: instructions [first, end), then a jump to `next` unless that follows.
typedef struct sl_flow_place {
  uint32_t first, end, next;
  bool jumps;  // a jump to `next` has to be added
  bool invert; // instead, the branch at the end swaps its target with the block that it would fall into
} sl_flow_place;
// *[out] is malloc'ed, an array of *[n]; NULL for an empty function.
bool sl__layout(const sl_ptx_func *f, sl_flow_place **out, uint32_t *n, sl_error *e);
void sl__finish_jump(sl_xinsn *x, uint32_t pc, uint32_t target); // op_ctl.c: makes x such a jump
