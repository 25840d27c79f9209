// The order in which the blocks of a function are laid out. A warp runs its split with the lowest pc first
// (converge.c). So a block must come after every block that leads to it, and a whole loop before what follows
// it: then lanes that leave early wait at the first place where the others can join them. nvcc's text mostly
// has that order, but it may put exits first or the condition of a loop behind its body.
//
// The order is topological in the graph without the edges that go back, and goes loop by loop: when the
// head of a loop is placed, the rest of its body is next. If several blocks could come next, the first in the
// text does, so text that is in order stays as it is.
#include "engine/flow.h"

#define OUT_OF_MEMORY "out of memory for the loops of %s"
#define MOST_BITS (1ull << 31) // of all bodies of loops: 256 MiB

typedef struct sl_loop {
  uint32_t left;         // blocks not yet placed
  uint32_t first, words; // body: of blocks 64 * first on
  uint64_t *body;        // a bit for each block; NULL: this block is the head of no loop
} sl_loop;

typedef struct sl_arrange {
  sl_flow flow;
  uint32_t n;                    // blocks
  uint32_t *open_at, *closed_at; // when the search came to a block, and left it; 0: not yet
  uint32_t *wait;                // edges from blocks that have to come first
  uint32_t *todo, *at;           // work lists
  uint32_t *open, *order;        // loops in progress, innermost last; the result
  uint32_t *loop_of;             // the loop that was last told of the block, + 1
  uint64_t *ready, room;         // blocks that could come next; bits that bodies of loops may still take
  uint32_t n_ready, low, n_open, n_order; // ready: no word before [low] has a bit set
  sl_loop *loops;                         // by head
} sl_arrange;

static bool has(const sl_loop *l, uint32_t k) {
  const uint32_t w = k / 64 - l->first;
  return w < l->words && (l->body[w] >> (k & 63)) & 1;
}

static bool make(sl_arrange *a, const sl_ptx_func *f, sl_error *e) {
  *a = (sl_arrange){.room = MOST_BITS};
  if (!sl__flow_make(&a->flow, f, e) || !sl__flow_preds(&a->flow, e)) return false;
  const size_t n = a->n = a->flow.n_bb;
  a->open_at = calloc(8 * n + 1, sizeof *a->open_at);
  a->loops = calloc(n + 1, sizeof *a->loops);
  a->ready = calloc(n / 64 + 1, sizeof *a->ready);
  if (!a->open_at || !a->loops || !a->ready) return sl_fail(e, SL_EXIT_INFRA, NULL, OUT_OF_MEMORY, f->name);
  a->closed_at = a->open_at + n, a->wait = a->closed_at + n, a->todo = a->wait + n, a->at = a->todo + n;
  a->open = a->at + n, a->order = a->open + n, a->loop_of = a->order + n;
  return true;
}

static void drop_arrange(sl_arrange *a) {
  for (uint32_t b = 0; a->loops && b < a->n; b++) free(a->loops[b].body);
  free(a->open_at), free(a->loops), free(a->ready);
  sl__flow_free(&a->flow);
}

// An edge goes back if it leads to a block that the search had come to and not left.
static bool goes_back(const sl_arrange *a, uint32_t from, uint32_t to) {
  return a->open_at[to] <= a->open_at[from] && a->closed_at[from] <= a->closed_at[to];
}

// Depth first from the entry: finds the blocks that are reached.
static void search(sl_arrange *a) {
  uint32_t n = 1, time = 0;
  a->todo[0] = 0, a->open_at[0] = ++time;
  while (n) {
    uint32_t b = a->todo[n - 1];
    if (a->at[b] == sl__flow_count(&a->flow, b)) {
      a->closed_at[b] = ++time, n--;
      continue;
    }
    uint32_t s = sl__flow_succ(&a->flow, b, a->at[b]++);
    if (s != a->n && !a->open_at[s]) a->open_at[s] = ++time, a->todo[n++] = s;
  }
}

static void count_waits(sl_arrange *a) {
  for (uint32_t b = 0; b < a->n; b++)
    for (uint32_t k = 0; a->open_at[b] && k < sl__flow_count(&a->flow, b); k++) {
      uint32_t s = sl__flow_succ(&a->flow, b, k);
      if (s != a->n) a->wait[s] += !goes_back(a, b, s);
    }
}

// Puts what leads to [b] into a->todo, behind the [n] blocks there: all of it, or what goes back.
static uint32_t add_preds(sl_arrange *a, uint32_t head, uint32_t b, bool all, uint32_t n) {
  for (uint32_t k = a->flow.pred_first[b]; k < a->flow.pred_first[b + 1]; k++) {
    const uint32_t p = a->flow.pred[k];
    if (!a->open_at[p] || a->loop_of[p] == head + 1 || !(all || goes_back(a, p, b))) continue;
    a->loop_of[p] = head + 1, a->todo[n++] = p;
  }
  return n;
}

// The loop of [head]: what leads back to it without passing it. Nested loops have large bodies together.
static bool find_loop(sl_arrange *a, uint32_t head, sl_error *e) {
  sl_loop *l = &a->loops[head];
  uint32_t first = head, last = head, n = add_preds(a, head, head, false, 0);
  if (!n) return true;
  a->loop_of[head] = head + 1;
  for (uint32_t k = 0; k < n; k++) {
    if (a->todo[k] != head) n = add_preds(a, head, a->todo[k], true, n);
    first = a->todo[k] < first ? a->todo[k] : first, last = a->todo[k] > last ? a->todo[k] : last;
  }
  l->first = first / 64, l->words = last / 64 - l->first + 1;
  if (a->room < 64ull * l->words)
    return sl_fail(e, SL_EXIT_INPUT, "make several functions of it, or fewer loops",
                   "%s has too many loops in loops: the simulated GPU places those of %u blocks of code",
                   a->flow.f->name, a->n);
  a->room -= 64ull * l->words;
  if (!(l->body = calloc(l->words, sizeof *l->body)))
    return sl_fail(e, SL_EXIT_INFRA, NULL, OUT_OF_MEMORY, a->flow.f->name);
  for (uint32_t k = 0; k <= n; k++) {
    const uint32_t b = k < n ? a->todo[k] : head;
    if (!has(l, b)) l->body[b / 64 - l->first] |= 1ull << (b & 63), l->left++;
  }
  return true;
}

static void make_ready(sl_arrange *a, uint32_t b) {
  a->ready[b / 64] |= 1ull << (b & 63), a->n_ready++;
  if (b / 64 < a->low) a->low = b / 64;
}

// The next block: the first in the text that could come next, of the innermost loop in progress if any.
static uint32_t next_ready(sl_arrange *a) {
  const sl_loop *l = a->n_open ? &a->loops[a->open[a->n_open - 1]] : NULL;
  for (uint32_t w = 0; l && w < l->words; w++) {
    const uint64_t both = a->ready[l->first + w] & l->body[w];
    if (both) return 64 * (l->first + w) + (uint32_t)__builtin_ctzll(both);
  }
  while (!a->ready[a->low]) a->low++;
  return 64 * a->low + (uint32_t)__builtin_ctzll(a->ready[a->low]);
}

static uint32_t take_ready(sl_arrange *a) {
  const uint32_t b = next_ready(a);
  a->ready[b / 64] &= ~(1ull << (b & 63)), a->n_ready--;
  return b;
}

static void place_block(sl_arrange *a, uint32_t b) {
  a->order[a->n_order++] = b;
  if (a->loops[b].body) a->open[a->n_open++] = b;
  for (uint32_t k = 0; k < a->n_open; k++) a->loops[a->open[k]].left -= has(&a->loops[a->open[k]], b);
  while (a->n_open && !a->loops[a->open[a->n_open - 1]].left) a->n_open--;
  for (uint32_t k = 0; k < sl__flow_count(&a->flow, b); k++) {
    uint32_t s = sl__flow_succ(&a->flow, b, k);
    if (s < a->n && !goes_back(a, b, s) && --a->wait[s] == 0) make_ready(a, s);
  }
}

// Fills a->order: the blocks that are reached, then the others as in the text.
static bool arrange(sl_arrange *a, sl_error *e) {
  search(a);
  count_waits(a);
  for (uint32_t b = 0; b < a->n; b++)
    if (a->open_at[b] && !find_loop(a, b, e)) return false;
  for (place_block(a, 0); a->n_ready;) place_block(a, take_ready(a));
  for (uint32_t b = 0; b < a->n; b++)
    if (!a->open_at[b]) a->order[a->n_order++] = b;
  return a->n_order == a->n ||
         sl_fail(e, SL_EXIT_INFRA, NULL, "the blocks of %s have no order", a->flow.f->name);
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

bool sl__layout(const sl_ptx_func *f, sl_flow_place **out, uint32_t *n, sl_error *e) {
  sl_arrange a;
  *out = NULL, *n = 0;
  bool ok = !f->n_insns || (make(&a, f, e) && arrange(&a, e));
  if (!f->n_insns) return true;
  if (ok && !(*out = malloc(a.n * sizeof **out)))
    ok = sl_fail(e, SL_EXIT_INFRA, NULL, OUT_OF_MEMORY, f->name);
  for (; ok && *n < a.n; ++*n) (*out)[*n] = flow_place_of(&a, *n);
  drop_arrange(&a);
  return ok;
}
