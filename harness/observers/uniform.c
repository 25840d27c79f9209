// Which parts of a function do all threads pass? A part behind a branch that depends on the thread is passed
// by some only, up to where both ways meet again. A barrier belongs elsewhere.
//
// Interface: sl__uniform (gap.h). A value depends on the thread if it is computed from the thread's number,
// or comes from an atomic, from another lane or from local memory.
#include "observers/gap.h"

static bool names_thread(uint8_t sreg) {
  return sreg <= SL_SR_tid_z || sreg == SL_SR_warpid || (sreg >= SL_SR_laneid && sreg <= SL_SR_lanemask_gt);
}
_Static_assert(SL_SR_tid_x == 0 && SL_SR_tid_z == 2, "the first special registers are the thread's number");

static sl_spread follow_thread(const sl_depends *, const sl_ptx_insn *in, uint32_t, bool touched) {
  const bool lanes = sl_ptx_flow(in) == SL_FLOW_EXCHANGES ||
                     (sl_ptx_flow(in) == SL_FLOW_JOINS && !sl_ptx_does(in, SL_DOES_BARRIER));
  bool own = lanes || sl_ptx_action(in) == SL_ACT_UPDATE ||
             (sl_ptx_action(in) == SL_ACT_LOAD && sl__space_mod(in) == SL_SP_LOCAL);
  for (uint32_t o = 0; o < in->n_ops; o++)
    own |= in->ops[o].kind == SL_O_SREG && names_thread(in->ops[o].sreg);
  return own || touched ? SL_SPREAD_ON : SL_SPREAD_NO;
}

static bool has(const uint64_t *set, uint32_t k) { return set[k / 64] >> (k % 64) & 1; }

// By basic block: those that every way from it to the end passes, itself among them.
static bool keep_common(const sl_flow *w, uint64_t *set, uint32_t words, uint32_t b) {
  const uint32_t n = sl__flow_count(w, b);
  bool changed = false;
  for (uint32_t k = 0; k < words; k++) {
    uint64_t all = n ? UINT64_MAX : set[(size_t)w->n_bb * words + k];
    for (uint32_t s = 0; s < n; s++) all &= set[(size_t)sl__flow_succ(w, b, s) * words + k];
    if (k == b / 64) all |= 1ull << (b % 64);
    changed |= all != set[(size_t)b * words + k];
    set[(size_t)b * words + k] = all;
  }
  return changed;
}

static uint64_t *find_meetings(const sl_flow *w, uint32_t words) {
  uint64_t *set = sl_must(malloc(((size_t)w->n_bb + 1) * words * sizeof *set));
  memset(set, 0xff, (size_t)w->n_bb * words * sizeof *set);
  memset(set + (size_t)w->n_bb * words, 0, words * sizeof *set);
  set[(size_t)w->n_bb * words + w->n_bb / 64] |= 1ull << (w->n_bb % 64);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = w->n_bb; b-- > 0;) changed |= keep_common(w, set, words, b);
  }
  return set;
}

// Does the block only end the thread? Barriers do not wait for threads that have ended.
static bool only_ends(const sl_flow *w, uint32_t b) {
  return b == w->n_bb ||
         (w->bb[b].end == w->bb[b].first + 1 && sl_ptx_does(&w->f->insns[w->bb[b].first], SL_DOES_END));
}

static void mark_some(const sl_flow *w, const uint64_t *meetings, uint32_t b, bool *uniform) {
  SL_FREED uint32_t *todo = sl_must(malloc((w->n_bb + 1) * sizeof *todo));
  SL_FREED bool *seen = sl_must(calloc(w->n_bb + 1, sizeof *seen));
  uint32_t n = 0;
  seen[b] = true;
  for (uint32_t at = b;; at = todo[--n]) {
    for (uint32_t s = 0; s < sl__flow_count(w, at); s++) {
      const uint32_t to = sl__flow_succ(w, at, s);
      if (to == b) uniform[b] = false; // a loop that threads leave one by one
      if (seen[to] || has(meetings, to)) continue;
      seen[to] = true, uniform[to] = false, todo[n++] = to;
    }
    if (!n) return;
  }
}

bool *sl__uniform(const sl_flow *w, bool ends_count) {
  const uint32_t words = w->n_bb / 64 + 1;
  SL_FREED uint64_t *meetings = find_meetings(w, words);
  bool *uniform = sl_must(malloc((w->n_bb + 1) * sizeof *uniform));
  sl_depends d = {.f = w->f, .n = w->f->n_insns, .rule = follow_thread};
  memset(uniform, true, (w->n_bb + 1) * sizeof *uniform);
  sl__depends_begin(&d);
  sl__depends_search(&d);
  for (uint32_t b = 0; b < w->n_bb; b++) {
    const sl_ptx_insn *last = &w->f->insns[w->bb[b].end - 1];
    const uint32_t n = sl__flow_count(w, b);
    bool ends = false;
    for (uint32_t s = 0; s < n; s++) ends |= only_ends(w, sl__flow_succ(w, b, s));
    if (n < 2 || !last->guard || !d.reg[last->guard - 1] || (ends && !ends_count)) continue;
    mark_some(w, meetings + (size_t)b * words, b, uniform);
  }
  free(d.reg);
  return uniform;
}
