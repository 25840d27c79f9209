// Basic blocks of a function and where control goes from each: for liveness.c and layout.c. Block n_bb stands
// for the end of the text, where every function returns.
#include "engine/flow.h"

#define OUT_OF_MEMORY "out of memory for the branches of %s"
enum { MOST_EDGES = 1 << 24 };

static bool ends_block(const sl_ptx_insn *in) { return sl_ptx_does(in, SL_DOES_END_BLOCK); }

static bool has_label(const sl_ptx_insn *in) { return sl_ptx_does(in, SL_DOES_BRANCH) && in->n_ops; }

static void mark_leaders(const sl_ptx_func *f, bool *leader) {
  leader[0] = true;
  for (uint32_t k = 0; k < f->n_insns; k++) {
    const sl_ptx_insn *in = &f->insns[k];
    if (ends_block(in)) leader[k + 1] = true;
    if (has_label(in)) leader[in->ops[0].label] = true;
    for (uint32_t t = 0; sl_ptx_does(in, SL_DOES_BRANCH_BY_TABLE) && t < in->n_targets; t++)
      leader[f->elems[in->target_first + t].label] = true;
  }
}

static void cut(sl_flow *w, const bool *leader) {
  for (uint32_t k = 0; k < w->f->n_insns; k++) {
    if (leader[k]) w->bb[w->n_bb++].first = k;
    w->bb[w->n_bb - 1].end = k + 1;
    w->bb_of[k] = w->n_bb - 1;
  }
  w->bb_of[w->f->n_insns] = w->n_bb;
}

static void link_block(sl_flow *w, uint32_t b) {
  sl_bb *bb = &w->bb[b];
  const sl_ptx_insn *in = &w->f->insns[bb->end - 1];
  bb->falls = !ends_block(in) || in->guard != 0;
  if (bb->falls) bb->succ[bb->n_succ++] = b + 1;
  if (has_label(in)) bb->succ[bb->n_succ++] = w->bb_of[in->ops[0].label];
  if (sl_ptx_does(in, SL_DOES_BRANCH_BY_TABLE)) bb->many_first = in->target_first, bb->n_many = in->n_targets;
}

// Many branches may share one table: a short text can hold more edges than anybody has memory for.
static bool count_edges(sl_flow *w, sl_error *e) {
  uint64_t n = 0;
  for (uint32_t b = 0; b < w->n_bb; b++) n += sl__flow_count(w, b);
  w->n_edges = (uint32_t)n;
  if (n <= MOST_EDGES) return true;
  return sl_fail(e, SL_EXIT_INPUT, "make its tables of labels (.branchtargets) smaller, or share them less",
                 "the branches of %s have %llu targets; the simulated GPU follows at most %u", w->f->name,
                 (unsigned long long)n, MOST_EDGES);
}

bool sl__flow_make(sl_flow *w, const sl_ptx_func *f, sl_error *e) {
  *w = (sl_flow){.f = f};
  SL_FREED bool *leader = calloc(f->n_insns + 2, 1);
  w->bb = calloc(f->n_insns + 1, sizeof *w->bb);
  w->bb_of = calloc(f->n_insns + 1, sizeof *w->bb_of);
  if (!leader || !w->bb || !w->bb_of) return sl_fail(e, SL_EXIT_INFRA, NULL, OUT_OF_MEMORY, f->name);
  mark_leaders(f, leader);
  cut(w, leader);
  for (uint32_t b = 0; b < w->n_bb; b++) link_block(w, b);
  return count_edges(w, e);
}

bool sl__flow_preds(sl_flow *w, sl_error *e) {
  w->pred_first = calloc(w->n_bb + 3, sizeof *w->pred_first);
  w->pred = calloc(w->n_edges + 1, sizeof *w->pred);
  if (!w->pred_first || !w->pred) return sl_fail(e, SL_EXIT_INFRA, NULL, OUT_OF_MEMORY, w->f->name);
  for (int fill = 0; fill < 2; fill++) {
    for (uint32_t b = 0; b < w->n_bb; b++)
      for (uint32_t k = 0; k < sl__flow_count(w, b); k++) {
        uint32_t s = sl__flow_succ(w, b, k);
        if (s == w->n_bb) continue;
        if (fill) w->pred[w->pred_first[s + 1]++] = b;
        else w->pred_first[s + 2]++;
      }
    for (uint32_t b = 0; !fill && b < w->n_bb; b++) w->pred_first[b + 2] += w->pred_first[b + 1];
  }
  return true;
}

void sl__flow_free(sl_flow *w) { free(w->bb), free(w->bb_of), free(w->pred), free(w->pred_first); }

uint32_t sl__flow_count(const sl_flow *w, uint32_t b) { return w->bb[b].n_succ + w->bb[b].n_many; }

uint32_t sl__flow_succ(const sl_flow *w, uint32_t b, uint32_t k) {
  const sl_bb *bb = &w->bb[b];
  return k < bb->n_succ ? bb->succ[k] : w->bb_of[w->f->elems[bb->many_first + k - bb->n_succ].label];
}
