// The order in which the blocks of a function are laid out. A warp runs its split with the lowest pc first
// (converge.c). So a block must come after every block that leads to it, and a whole loop before what follows
// it: then lanes that leave early wait at the first place where the others can join them. nvcc's text mostly
// has that order, but it may put exits first or the condition of a loop behind its body.
//
// The order is topological in the graph without the edges that go back, and goes loop by loop: when the
// head of a loop is placed, the rest of its body is next. If several blocks could come next, the first in the
// text does, so text that is in order stays as it is.
#include "engine/flow.h"

typedef struct sl_loop {
  uint32_t left;  // blocks not yet placed
  uint64_t *body; // a bit for each block; NULL: this block is the head of no loop
} sl_loop;

typedef struct sl_edge {
  uint32_t from, to;
} sl_edge;

typedef struct sl_arrange {
  sl_flow flow;
  uint32_t n, words;                   // blocks; words of a set of them
  enum { UNSEEN, OPEN, DONE } * state; // state of the search
  uint32_t *wait;                      // edges from blocks that have to come first
  uint32_t *pred, *pred_first;    // blocks that lead to a block: pred[pred_first[b] .. pred_first[b + 1])
  uint32_t *todo, *at;            // work lists
  uint32_t *ready, *open, *order; // could come next; loops in progress, innermost last; the result
  uint32_t n_ready, n_open, n_order;
  sl_edge *back;
  uint32_t n_back;
  sl_loop *loops; // by head
} sl_arrange;

static bool has(const uint64_t *set, uint32_t k) { return (set[k / 64] >> (k & 63)) & 1; }

static bool make(sl_arrange *a, const sl_ptx_func *f) {
  *a = (sl_arrange){0};
  if (!sl__flow_make(&a->flow, f)) return false;
  uint32_t n = a->n = a->flow.n_bb, edges = 0;
  for (uint32_t b = 0; b < n; b++) edges += sl__flow_count(&a->flow, b);
  a->words = (n + 63) / 64;
  a->state = calloc(n + 1, sizeof *a->state);
  a->loops = calloc(n + 1, sizeof *a->loops);
  a->back = calloc(edges + 1, sizeof *a->back);
  a->wait = calloc((size_t)7 * n + 2 * (size_t)edges + 8, sizeof *a->wait);
  if (!a->state || !a->loops || !a->back || !a->wait) return false;
  a->at = a->wait + n, a->ready = a->at + n, a->open = a->ready + n, a->order = a->open + n;
  a->pred_first = a->order + n, a->pred = a->pred_first + n + 2, a->todo = a->pred + edges;
  return true;
}

static void drop_arrange(sl_arrange *a) {
  for (uint32_t b = 0; a->loops && b < a->n; b++) free(a->loops[b].body);
  free(a->state), free(a->loops), free(a->back), free(a->wait);
  sl__flow_free(&a->flow);
}

// Depth first from the entry: finds the blocks that are reached, the edges that go back, and the others'
// number.
static void search(sl_arrange *a) {
  uint32_t n = 1;
  a->todo[0] = 0, a->state[0] = OPEN;
  while (n) {
    uint32_t b = a->todo[n - 1];
    if (a->at[b] == sl__flow_count(&a->flow, b)) {
      a->state[b] = DONE, n--;
      continue;
    }
    uint32_t s = sl__flow_succ(&a->flow, b, a->at[b]++);
    if (s == a->n) continue;
    if (a->state[s] == OPEN) {
      a->back[a->n_back++] = (sl_edge){b, s};
      continue;
    }
    a->wait[s]++;
    if (a->state[s] == UNSEEN) a->state[s] = OPEN, a->todo[n++] = s;
  }
}

static void find_preds(sl_arrange *a) {
  for (int fill = 0; fill < 2; fill++) {
    for (uint32_t b = 0; b < a->n; b++)
      for (uint32_t k = 0; a->state[b] && k < sl__flow_count(&a->flow, b); k++) {
        uint32_t s = sl__flow_succ(&a->flow, b, k);
        if (s == a->n) continue;
        if (fill) a->pred[a->pred_first[s + 1]++] = b;
        else a->pred_first[s + 2]++;
      }
    for (uint32_t b = 0; !fill && b < a->n; b++) a->pred_first[b + 2] += a->pred_first[b + 1];
  }
}

static bool add_to_loop(sl_loop *l, uint32_t b) {
  if (has(l->body, b)) return false;
  l->body[b / 64] |= 1ull << (b & 63), l->left++;
  return true;
}

// Adds to the head's loop everything that leads to [from] without passing the head.
static bool grow_loop(sl_arrange *a, uint32_t from, uint32_t head) {
  sl_loop *l = &a->loops[head];
  uint32_t n = 0;
  if (!l->body && !(l->body = calloc(a->words, sizeof *l->body))) return false;
  add_to_loop(l, head);
  if (add_to_loop(l, from)) a->todo[n++] = from;
  while (n) {
    uint32_t b = a->todo[--n];
    for (uint32_t k = a->pred_first[b]; k < a->pred_first[b + 1]; k++)
      if (add_to_loop(l, a->pred[k])) a->todo[n++] = a->pred[k];
  }
  return true;
}

// The next block: the first in the text of those that could come next. Blocks of the innermost loop in
// progress come before others.
static uint32_t take_ready(sl_arrange *a) {
  const uint64_t *body = a->n_open ? a->loops[a->open[a->n_open - 1]].body : NULL;
  uint32_t best = UINT32_MAX, best_in = UINT32_MAX;
  for (uint32_t k = 0; k < a->n_ready; k++) {
    uint32_t b = a->ready[k];
    if (best == UINT32_MAX || b < a->ready[best]) best = k;
    if (body && has(body, b) && (best_in == UINT32_MAX || b < a->ready[best_in])) best_in = k;
  }
  uint32_t k = best_in == UINT32_MAX ? best : best_in, b = a->ready[k];
  a->ready[k] = a->ready[--a->n_ready];
  return b;
}

static bool goes_back(const sl_arrange *a, uint32_t from, uint32_t to) {
  for (uint32_t k = 0; k < a->n_back; k++)
    if (a->back[k].from == from && a->back[k].to == to) return true;
  return false;
}

static void place_block(sl_arrange *a, uint32_t b) {
  a->order[a->n_order++] = b;
  if (a->loops[b].body) a->open[a->n_open++] = b;
  for (uint32_t k = 0; k < a->n_open; k++) a->loops[a->open[k]].left -= has(a->loops[a->open[k]].body, b);
  while (a->n_open && !a->loops[a->open[a->n_open - 1]].left) a->n_open--;
  for (uint32_t k = 0; k < sl__flow_count(&a->flow, b); k++) {
    uint32_t s = sl__flow_succ(&a->flow, b, k);
    if (s < a->n && !goes_back(a, b, s) && --a->wait[s] == 0) a->ready[a->n_ready++] = s;
  }
}

// Fills a->order: the blocks that are reached, then the others as in the text.
static bool arrange(sl_arrange *a) {
  search(a);
  find_preds(a);
  for (uint32_t k = 0; k < a->n_back; k++)
    if (!grow_loop(a, a->back[k].from, a->back[k].to)) return false;
  for (place_block(a, 0); a->n_ready;) place_block(a, take_ready(a));
  for (uint32_t b = 0; b < a->n; b++)
    if (!a->state[b]) a->order[a->n_order++] = b;
  return a->n_order == a->n;
}

static sl_flow_place flow_place_of(const sl_arrange *a, uint32_t k) {
  uint32_t b = a->order[k], next = k + 1 < a->n ? a->order[k + 1] : a->n;
  const sl_bb *bb = &a->flow.bb[b];
  const sl_ptx_insn *last = &a->flow.f->insns[bb->end - 1];
  sl_flow_place p = {.first = bb->first, .end = bb->end, .next = bb->end};
  p.jumps = bb->falls && b + 1 != next;
  if (p.jumps && sl_ptx_does(last, SL_DOES_BRANCH) && bb->succ[1] == next) p.jumps = false, p.invert = true;
  return p;
}

uint32_t sl__layout(const sl_ptx_func *f, sl_flow_place **out) {
  sl_arrange a;
  *out = NULL;
  bool ok = make(&a, f) && a.n && arrange(&a);
  if (ok) *out = malloc(a.n * sizeof **out);
  for (uint32_t k = 0; *out && k < a.n; k++) (*out)[k] = flow_place_of(&a, k);
  uint32_t n = *out ? a.n : 0;
  drop_arrange(&a);
  return n;
}
