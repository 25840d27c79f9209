// The words for what mends a race: a barrier and where it belongs, a statement in two, or another index.
//
// Interface: sl__mend_what, sl__mend_advice, sl__across_warps (findings.h). Found by observers/mends.c.
#include "findings/findings.h"

const char sl__across_warps[] = "No barrier orders the threads of the block: these two are lanes of one "
                                "warp, which need not run in step, and threads of other warps race, too";

static const char *barrier_of(const sl_finding *f) {
  return f->mend.among == SL_AMONG_WARP ? "__syncwarp()" : "__syncthreads()";
}

static const char *who_passes(const sl_finding *f) {
  return f->mend.among == SL_AMONG_WARP ? ": all threads that race in this launch share a warp"
                                        : ", where all threads of the block pass it";
}

// Are the two accesses in one line, with no room for a barrier?
static bool in_one_line(const sl_mending *m) { return m->from == m->to; }

char *sl__mend_what(const sl_finding *f, char *out, size_t cap) {
  const sl_mending *m = &f->mend;
  const char *barrier = barrier_of(f);
  out[0] = 0;
  if (m->how == SL_MEND_BARRIER && !in_one_line(m))
    snprintf(out, cap, "; no %s between line %u and line %u", barrier, m->from, m->to);
  if (m->how == SL_MEND_LOOP_START) snprintf(out, cap, "; no %s before line %u, in the loop", barrier, m->to);
  if (m->how == SL_MEND_LOOP_END) snprintf(out, cap, "; no %s after line %u, in the loop", barrier, m->from);
  if (m->how == SL_MEND_INDEX) snprintf(out, cap, "; an element needs one writer");
  if (m->how == SL_MEND_SPLIT) snprintf(out, cap, "; a wrong index, or one step that needs to be two");
  return out;
}

static void advise_line(const sl_finding *f, char *out, size_t cap) {
  const sl_mending *m = &f->mend;
  if (m->how == SL_MEND_LOOP_START || m->how == SL_MEND_LOOP_END)
    snprintf(
        out, cap,
        "Put %s into the loop around line %u, so that one trip is over before any thread begins the next%s",
        barrier_of(f), m->from, who_passes(f));
  else
    snprintf(out, cap,
             "Split line %u, if one thread is to read there what another writes: read into a variable, then "
             "%s, then write. If each is to use elements of its own, an index is wrong",
             m->from, barrier_of(f));
}

static void advise_lines(const sl_finding *f, char *out, size_t cap) {
  const sl_mending *m = &f->mend;
  const char *barrier = barrier_of(f), *who = who_passes(f);
  if (m->how == SL_MEND_LOOP_START)
    snprintf(out, cap, "Put %s before line %u, so that every trip of the loop begins with it%s", barrier,
             m->to, who);
  else if (m->how == SL_MEND_LOOP_END)
    snprintf(out, cap, "Put %s after line %u, before the next trip of the loop gets to line %u%s", barrier,
             m->from, m->to, who);
  else if (m->how == SL_MEND_SPLIT)
    snprintf(out, cap,
             "If two threads are meant to use this element, put %s between line %u and line %u, where all "
             "threads pass it: where one branch holds both, read into a variable before the barrier, and "
             "write behind it in a second branch. If each thread has elements of its own, an index is wrong",
             barrier, m->from, m->to);
  else snprintf(out, cap, "Put %s between line %u and line %u%s", barrier, m->from, m->to, who);
}

static void advise_index(const sl_finding *f, char *out, size_t cap) {
  const sl_mending *m = &f->mend;
  char where[80];
  snprintf(where, sizeof where, m->from == m->to ? "in line %u" : "in line %u and line %u", m->from, m->to);
  if (m->among == SL_AMONG_COPIES)
    snprintf(out, cap,
             "Look at the launch and at the index %s: it does not depend on blockIdx, so each of the %u "
             "blocks writes the same elements",
             where, f->grid[0] * f->grid[1] * f->grid[2]);
  else if (f->object.scalar)
    snprintf(out, cap,
             "Let one thread do it %s, by a guard such as if (threadIdx.x == 0), and put %s behind it", where,
             barrier_of(f));
  else
    snprintf(out, cap,
             "Look at the index and the guard %s: two threads write one element and nobody reads it in "
             "between, so one of the two values is lost, with a barrier or without",
             where);
}

// Where no line for the barrier is known.
static void advise_between(const sl_finding *f, char *out, size_t cap) {
  snprintf(out, cap, "Put %s between the two%s", barrier_of(f),
           f->mend.among == SL_AMONG_WARP ? "" : ", where all threads of the block pass it");
}

char *sl__mend_advice(const sl_finding *f, char *out, size_t cap) {
  out[0] = 0;
  if (f->mend.how == SL_MEND_INDEX) advise_index(f, out, cap);
  else if (f->mend.how && in_one_line(&f->mend)) advise_line(f, out, cap);
  else if (f->mend.how) advise_lines(f, out, cap);
  else if (!f->advice[0] && (f->mend.among == SL_AMONG_BLOCK || f->mend.among == SL_AMONG_WARP))
    advise_between(f, out, cap);
  return out;
}
