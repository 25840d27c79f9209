// What is wrong with two accesses that nothing orders, and what to do: by who the two threads are, and by the
// lines and trips of a loop in which they stand.
//
// Interface: sl__meeting_why, sl__meeting_advice (observers.h). The first access was the other one's, but not
// always in the program's order: warps run ahead of each other.
#include "observers/observers.h"

static const struct {
  const char *why, *fix; // fix NULL: a barrier, as the finding's mend says
} MEETINGS[] = {
    [SL_MEET_EQUAL] = {"Nothing orders the two threads. It does no harm now, because both store the same "
                       "value; with other data they may not",
                       "Give each thread its own place (is the index the same for both by mistake?), or let "
                       "one thread store the value"},
    [SL_MEET_WARP] = {"Nothing orders the two: the lanes of a warp need not run in step", NULL},
    [SL_MEET_BLOCK] = {"No barrier orders the two threads of the block, so either may come first", NULL},
    [SL_MEET_GRID] =
        {"Nothing orders the two blocks, so either may come first",
         "Use an atomic, another kernel launch, or a volatile flag with __threadfence() on both sides"},
    [SL_MEET_LOOKED] =
        {"No loop waits here: this thread reads the word once, whatever it holds by then. volatile makes the "
         "access happen and orders nothing",
         "If the word is a flag, wait for its value in a loop (while, not if) and put __threadfence() "
         "behind; if it is data, wait for a flag first. To look once at what another thread has said, put "
         "__threadfence() between what this thread says and its look"},
    [SL_MEET_EARLY] =
        {"Nothing orders the two blocks: the wait of the reader is for something else",
         "Wait for the value that the writer of this element stores in a flag behind its write"},
    [SL_MEET_UPDATE] =
        {"Both threads read the word, change it and write it back: one of the two changes is lost",
         "Change it by one atomic operation (atomicAdd), or give each thread a word of its own"},
    [SL_MEET_UNFENCED] =
        {"This thread has seen the other's flag, or has taken its lock, but no fence stands between that and "
         "this access, so it may see what was there before; volatile orders nothing",
         "Put __threadfence() (within a block __threadfence_block()) behind the loop that waits for the flag "
         "or takes the lock"},
    [SL_MEET_LAUNCHES] = {"The two launches are in different streams and nothing orders them, so they may "
                          "run at the same time or in either order",
                          "Record an event after the first launch (cudaEventRecord) and let the second "
                          "stream wait for it (cudaStreamWaitEvent), or launch both in one stream"},
    [SL_MEET_POLLED] = {"A loop waits for this word, so it is a flag. The compiler may load a plain word "
                        "once, in front of the loop, which then never ends",
                        "Read and write the flag through a volatile pointer or by atomics, with "
                        "__threadfence() between the data and the flag on both sides"},
    [SL_MEET_WIDTHS] = {"The two accesses have different widths, so they are not atomic to each other: a "
                        "reader may get one part old and the other new",
                        "Store and load the whole word at once, by one access of its full width (64 bits, or "
                        "a vector type)"}};

const char *sl__meeting_why(sl_meeting m) { return MEETINGS[m].why; }

// The pair that is told is of one warp, another one is not.
static void advise_block(sl_finding *f) { f->mend.among = SL_AMONG_BLOCK, f->mend.across = true; }

static bool of_this_launch(const sl_gpu *g, const sl_finding *f) { return f->launch == g->launches - 1; }

// Another pair of the launch is of two warps: its races of lanes are advised anew.
static void advise_across_warps(sl_gpu *g) {
  for (size_t k = 0; k < g->n_findings; k++)
    if (of_this_launch(g, &g->findings[k]) && g->findings[k].mend.among == SL_AMONG_WARP)
      advise_block(&g->findings[k]);
}

// One barrier mends all races of a launch between whose accesses it stands.
static void share_barrier(sl_gpu *g, sl_finding *f) {
  sl_mending *m = &f->mend;
  for (size_t k = 0; k < g->n_findings && m->how == SL_MEND_BARRIER; k++) {
    sl_mending *o = &g->findings[k].mend;
    const uint32_t from = o->from > m->from ? o->from : m->from, to = o->to < m->to ? o->to : m->to;
    if (!of_this_launch(g, &g->findings[k]) || o->how != SL_MEND_BARRIER || from >= to ||
        strcmp(f->file, g->findings[k].file))
      continue;
    m->from = o->from = from, m->to = o->to = to;
  }
}

void sl__meeting_advice(const sl_story *s, sl_finding *f) {
  const sl_warp *w = s->a->w;
  sl_seen_grid *g = sl__seen_grid(w->grid);
  f->rank = sl__meeting_rank(s);
  if (s->meeting == SL_MEET_BLOCK && !g->across_warps)
    g->across_warps = true, advise_across_warps(w->grid->gpu);
  f->mend = sl__mend_race(s);
  // A launch with one warp a block does not show whether a larger one needs more.
  if (f->mend.among == SL_AMONG_WARP && w->block->n_warps == 1) f->mend.among = SL_AMONG_BLOCK;
  if (strcmp(f->file, f->other_file)) f->mend.how = SL_MEND_NOTHING;
  share_barrier(w->grid->gpu, f);
  const char *fix = s->fix ? s->fix : MEETINGS[s->meeting].fix;
  snprintf(f->advice, sizeof f->advice, "%s", fix ? fix : "");
  if (f->mend.among == SL_AMONG_WARP && g->across_warps) advise_block(f);
}
