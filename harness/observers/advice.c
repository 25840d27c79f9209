// What is wrong with two accesses that nothing orders, and what to do: by who the two threads are, and by the
// lines and trips of a loop in which they stand.
//
// Interface: sl__meeting_why, sl__meeting_advice (observers.h). The first access was the other one's, but not always in
// the program's order: warps run ahead of each other.
#include "observers/observers.h"

static const struct {
  const char *why, *fix; // fix NULL: a barrier, and where it belongs
} MEETINGS[] = {
    [SL_MEET_EQUAL] =
        {"Nothing orders the two threads. It does no harm now, because both store the same value; "
         "with other data they may not",
         "Give each thread its own place (is the index the same for both by mistake?), or let one "
         "thread store the value"},
    [SL_MEET_WARP] = {"Nothing orders the two: the lanes of a warp need not run in step", NULL},
    [SL_MEET_BLOCK] = {"No barrier orders the two threads of the block, so either may come first", NULL},
    [SL_MEET_GRID] =
        {"Nothing orders the two blocks, so either may come first",
         "Use an atomic, another kernel launch, or a volatile flag with __threadfence() on both sides"},
    [SL_MEET_UPDATE] =
        {"Both threads read the word, change it and write it back: one of the two changes is lost",
         "Change it by one atomic operation (atomicAdd), or give each thread a word of its own"},
    [SL_MEET_UNFENCED] =
        {"This thread has seen the other's flag, or has taken its lock, but no fence stands between that and "
         "this access, so it may see what was there before; volatile orders nothing",
         "Put __threadfence() (within a block __threadfence_block()) behind the loop that waits for the flag "
         "or takes the lock"},
    [SL_MEET_LAUNCHES] =
        {"The two launches are in different streams and nothing orders them, so they may run at "
         "the same time or in either order",
         "Record an event after the first launch (cudaEventRecord) and let the second stream wait "
         "for it (cudaStreamWaitEvent), or launch both in one stream"},
    [SL_MEET_POLLED] =
        {"A loop waits for this word, so it is a flag. The compiler may load a plain word once, in "
         "front of the loop, which then never ends",
         "Read and write the flag through a volatile pointer or by atomics, with __threadfence() "
         "between the data and the flag on both sides"},
    [SL_MEET_WIDTHS] = {
        "The two accesses have different widths, so they are not atomic to each other: a reader "
        "may get one part old and the other new",
        "Store and load the whole word at once, by one access of its full width (64 bits, or a "
        "vector type)"}};

const char *sl__meeting_why(sl_meeting m) { return MEETINGS[m].why; }

static bool writes(const sl_party *p) { return p->role[0] == 'w'; }

static void advise_one_line(const char *barrier, bool apart, sl_finding *f) {
  if (apart)
    snprintf(
        f->advice, sizeof f->advice,
        "Put %s into the loop around line %u, so that one trip is over before any thread begins the next",
        barrier, f->line);
  else if (writes(&f->me) && writes(&f->other))
    snprintf(f->advice, sizeof f->advice,
             "Look at the index in line %u: two threads write one element there, and only one of them may",
             f->line);
  else
    snprintf(
        f->advice, sizeof f->advice,
        "Split line %u, as one thread reads there what another writes: read into a variable, then %s, then "
        "write",
        f->line, barrier);
}

static uint32_t smaller(uint32_t x, uint32_t y) { return x < y ? x : y; }

// "between line 21 and line 27": threads get there in that order, unless a loop leads back.
static void advise_two_lines(const char *barrier, bool apart, sl_finding *f) {
  const uint32_t first = smaller(f->line, f->other_line), last = f->line + f->other_line - first;
  const bool back = apart && f->me.trip && (f->me.trip > f->other.trip) == (f->line < f->other_line);
  snprintf(f->advice, sizeof f->advice,
           back ? "Put %s after line %u, before the next trip of the loop gets to line %u"
                : "Put %s between line %u and line %u",
           barrier, back ? last : first, back ? first : last);
}

static void advise_barrier(bool warp, bool apart, sl_finding *f) {
  const char *barrier = warp ? "__syncwarp()" : "__syncthreads()";
  if (!f->line || !f->other_line || strcmp(f->file, f->other_file))
    snprintf(f->advice, sizeof f->advice, "Put %s between the two", barrier);
  else if (f->line == f->other_line) advise_one_line(barrier, apart, f);
  else advise_two_lines(barrier, apart, f);
  const size_t used = strlen(f->advice);
  if (!strncmp(f->advice, "Put ", 4))
    snprintf(f->advice + used, sizeof f->advice - used, "%s",
             warp ? ": all threads that race in this launch share a warp"
                  : ", where all threads of the block pass it");
}

// Another pair of the launch is of two warps: its races of lanes are advised anew.
static void advise_across_warps(sl_gpu *g) {
  for (size_t k = 0; k < g->n_findings; k++) {
    sl_finding *f = &g->findings[k];
    if (f->launch == g->launches - 1 && f->rank / 2 == SL_MEET_WARP) advise_barrier(false, f->rank % 2, f);
  }
}

void sl__meeting_advice(const sl_story *s, sl_finding *f) {
  const sl_warp *w = s->a->w;
  sl_seen_grid *g = sl__seen_grid(w->grid);
  f->rank = sl__meeting_rank(s);
  if (s->meeting == SL_MEET_BLOCK && !g->across_warps)
    g->across_warps = true, advise_across_warps(w->grid->gpu);
  if (MEETINGS[s->meeting].fix) snprintf(f->advice, sizeof f->advice, "%s", MEETINGS[s->meeting].fix);
  // A launch with one warp a block does not show whether a larger one needs more.
  else advise_barrier(s->meeting == SL_MEET_WARP && w->block->n_warps > 1 && !g->across_warps, s->apart, f);
}
