// What race.shared, race.global and order.fence tell: how the two threads meet, and what may be wrong there.
//
// Interface: sl__tell_race, which race.c calls. advice.c words it, report.c makes the finding.
#include "observers/observers.h"

static bool same_file(const sl_grid *g, uint32_t x, uint32_t y) {
  sl_src_pos a, b;
  return sl__place_at(g->m, x, &a) && sl__place_at(g->m, y, &b) && !strcmp(a.file, b.file);
}

// Has the reader seen the flag of a writer whose fence was good, any thread's of its block, and made none?
static bool reader_lacks(const sl_race *r) {
  const sl_touch *o = r->other;
  return sl__time_unfenced(&sl__seen_block(r->a->w->block)->time, r->me->thread, o->block, o->thread,
                           o->stamp);
}

static const char FREED[] =
    "Memory operations of a GPU take effect in any order, so the read may come after the "
    "write that the flag allows, and get the next data";

// A fence is missing or too narrow: in the writer before its flag, or in the reader behind its wait.
static void tell_order(const sl_race *r, const sl_post *p, const sl_look *look) {
  const sl_access *a = r->a;
  const sl_touch *o = r->other;
  const uint32_t flag = sl__line_at(a->w->grid->m, p->pc), data = sl__line_at(a->w->grid->m, o->pc),
                 wait = sl__line_at(a->w->grid->m, look->pc);
  const bool writer = !sl__post_fenced(p, o, 1) && !reader_lacks(r),
             of_block = writer && sl__post_fenced(p, o, 0);
  const bool freed = r->other_did == SL_DID_READ;
  char fix[300], of_flag[80];
  snprintf(of_flag, sizeof of_flag, "the flag written at line %u", flag);
  if (of_block && a->w->grid->m->patches[p->pc].flags & SL_IS_RELEASE)
    snprintf(fix, sizeof fix,
             "Release the flag in line %u in the scope of the device (cuda::thread_scope_device, or .gpu in "
             "PTX), and acquire it so in line %u: the scope of the block is for threads of one block only",
             flag, wait);
  else if (of_block)
    snprintf(fix, sizeof fix,
             "Make it __threadfence() between line %u and line %u: __threadfence_block() is for threads of "
             "one block only",
             data, flag);
  else if (writer && freed)
    snprintf(
        fix, sizeof fix,
        "Put __threadfence() between line %u, which reads the data, and line %u, which says that they may be "
        "overwritten",
        data, flag);
  else if (writer)
    snprintf(
        fix, sizeof fix,
        "Put __threadfence() between line %u, which writes the data, and line %u, which raises the flag; the "
        "reader needs one behind line %u, too",
        data, flag, wait);
  else
    snprintf(fix, sizeof fix,
             "Put __threadfence() (of the whole device, not of the block) between line %u, which looks at "
             "the flag, and line %u, which reads the data",
             wait, sl__line_at(a->w->grid->m, a->pc));
  sl__tell(&(sl_story){.id = SL_FOUND_ORDER_FENCE,
                       .a = a,
                       .lane = r->lane,
                       .addr = r->addr,
                       .did = r->did,
                       .other_did = r->other_did,
                       .other = o,
                       .other_first = writer,
                       .title = freed ? "data given free without a fence" : NULL,
                       .why = freed ? FREED : NULL,
                       .fix = flag && data && wait ? fix : NULL,
                       .flag = flag ? of_flag : "a flag"});
}

// The store of `*p += 1` for its load: to the same place, further on in straight code; 0: none.
static uint32_t update_of(const sl_gmodule *m, uint32_t load) {
  enum { NEAR = 8 };
  const sl_ptx_insn *first = sl__insn_of(m, &m->code[load], NULL);
  for (uint32_t pc = load + 1; pc < m->n_code && pc <= load + NEAR && !m->code[pc].unwritten; pc++) {
    const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], NULL);
    if (!in || sl_ptx_flow(in) == SL_FLOW_DECIDES) return 0;
    if (sl_ptx_action(in) == SL_ACT_STORE && sl__same_place(&in->ops[0], &first->ops[1])) return pc;
  }
  return 0;
}

// Do both stand in the same trip of their loop? Where the data says which word is updated, as in
// `bins[in[i]]++`, two threads may meet at any word in any trip, so it does not matter.
static bool same_trip(const sl_race *r, uint32_t store) {
  return sl__trip_at(r->a->w, r->a->pc, r->lane) == sl__trip_then(r->a->w->grid, r->other) ||
         sl__scatters(r->a->w->grid->m, store);
}

// Does one of the two read the word to update it, and the other one store it by the same statement?
static bool one_updates(const sl_race *r) {
  const sl_access *a = r->a;
  const bool mine = a->kind == SL_SEE_LOAD;
  const sl_touch *load = mine ? r->me : r->other, *store = mine ? r->other : r->me;
  const sl_gmodule *m = a->w->grid->m;
  return (mine || (a->kind == SL_SEE_STORE && r->other_did == SL_DID_READ)) &&
         sl__touch_module(a, load) == m && m->patches[load->pc].kind == SL_SEE_LOAD &&
         update_of(m, load->pc) == store->pc && same_trip(r, store->pc);
}

// Has this thread read the word that it stores, since the last barrier of the block, and does the other one
// store it by the same instruction?
static bool both_update(const sl_race *r) {
  const sl_access *a = r->a;
  const sl_touch *me = r->me, *o = r->other;
  const sl_cell *c = r->cell;
  const uint32_t barrier = sl__seen_block(a->w->block)->time.all;
  bool has_read = false;
  for (int k = 0; k < 2; k++)
    has_read |= c->r[k].stamp > barrier && c->r[k].block == me->block && c->r[k].thread == me->thread;
  const uint32_t lane = o->thread % SL_LANES;
  const bool same_warp = o->block == me->block && o->thread / SL_LANES == me->thread / SL_LANES;
  return a->kind == SL_SEE_STORE && has_read &&
         ((o->pc == me->pc && same_trip(r, me->pc)) ||
          (same_warp && a->mask >> lane & 1 && a->addr[lane] == a->addr[r->lane]));
}

// Does one thread change the word by an atomic, and the other one by a load and a store?
static bool updates_plainly(const sl_race *r) {
  const sl_touch *plain = r->me->rmw ? r->other : r->me;
  const sl_gmodule *m = sl__touch_module(r->a, plain);
  return r->me->rmw != r->other->rmw && m->patches[plain->pc].kind == SL_SEE_LOAD && !plain->strong &&
         update_of(m, plain->pc);
}

// Does one of the two wait for the other's store, with a plain load or store among them?
static bool plain_flag(const sl_race *r) {
  const sl_touch *read = r->a->kind == SL_SEE_LOAD ? r->me : r->other;
  const sl_gmodule *m = sl__touch_module(r->a, read);
  uint32_t loop;
  return (!r->me->strong || !r->other->strong) && m->patches[read->pc].kind == SL_SEE_LOAD &&
         (sl__sight(m, read->pc)->waits || sl__awaits(m, read->pc, &loop));
}

// A word that is stored as a flag and read in a loop, but plainly, is not data behind another flag.
static bool polls_plainly(const sl_race *r) {
  const bool mine = r->a->kind == SL_SEE_LOAD;
  const sl_touch *read = mine ? r->me : r->other, *write = mine ? r->other : r->me;
  return !read->strong && write->strong && plain_flag(r);
}

// The wait before a read, in the same file; NULL: none.
static const sl_look *wait_of(const sl_access *a, const sl_touch *read) {
  const sl_look *wait = sl__last_wait(a->w->grid, read);
  return wait && same_file(a->w->grid, wait->pc, read->pc) ? wait : NULL;
}

// Two blocks: the one that reads may look only once, or may have waited for the wrong thing.
static sl_meeting across_blocks(const sl_race *r) {
  const sl_touch *o = r->other, *read = r->a->kind == SL_SEE_LOAD ? r->me : o == &r->cell->w ? NULL : o;
  if (!read || sl__touch_module(r->a, read)->patches[read->pc].kind != SL_SEE_LOAD) return SL_MEET_GRID;
  if (wait_of(r->a, read)) return SL_MEET_EARLY;
  return r->me->strong && o->strong ? SL_MEET_LOOKED : SL_MEET_GRID;
}

static sl_meeting meeting_of(const sl_race *r) {
  const sl_access *a = r->a;
  const sl_touch *me = r->me, *o = r->other;
  bool block = o->block == me->block, writes = a->kind != SL_SEE_LOAD;
  if (me->strong && o->strong && sl__mixed_widths(a, o)) return SL_MEET_WIDTHS;
  if (plain_flag(r)) return SL_MEET_POLLED;
  if (sl__of_earlier(a, o)) return SL_MEET_LAUNCHES;
  if (reader_lacks(r)) return SL_MEET_UNFENCED;
  if (both_update(r) || one_updates(r) || updates_plainly(r)) return SL_MEET_UPDATE;
  if (writes && o == &r->cell->w && !o->rmw && sl__same_value(a, r->lane)) return SL_MEET_EQUAL;
  if (!block) return across_blocks(r);
  return o->thread / SL_LANES == me->thread / SL_LANES ? SL_MEET_WARP : SL_MEET_BLOCK;
}

enum { SENTENCE = 300 };

// The writer raises its flag first, and writes the data behind it.
static bool word_raised(const sl_race *r, uint32_t wait, char why[SENTENCE], char fix[SENTENCE]) {
  const bool mine = r->a->kind == SL_SEE_LOAD;
  const sl_touch *write = mine ? r->other : r->me;
  const sl_post *p = sl__raised_early(r->a->w->grid, mine ? r->me->block : r->other->block, write);
  const uint32_t flag = p ? sl__line_at(r->a->w->grid->m, p->pc) : 0,
                 data = p ? sl__line_at(r->a->w->grid->m, write->pc) : 0;
  if (!flag || !data) return false;
  snprintf(why, SENTENCE,
           "The flag is raised at line %u before the data is written at line %u, so a reader that has waited "
           "for it at line %u may still read the old data",
           flag, data, wait);
  snprintf(fix, SENTENCE, "Write the data (line %u) first, then __threadfence(), then the flag (line %u)",
           data, flag);
  return true;
}

// The compiler makes the load in front of the loop, at another line: then the loop is named.
static void word_polled(const sl_access *a, uint32_t read, sl_story *s, char why[SENTENCE]) {
  uint32_t loop = read;
  const bool awaits = sl__awaits(a->w->grid->m, read, &loop) && same_file(a->w->grid, loop, read);
  const uint32_t line = awaits ? sl__line_at(a->w->grid->m, loop) : 0;
  if (!line || line == sl__line_at(a->w->grid->m, read)) return;
  snprintf(
      why, SENTENCE,
      "The loop in line %u waits for this word, so it is a flag. The compiler may load a plain word once, "
      "in front of the loop, which then never ends",
      line);
  s->why = why;
}

static bool has_fence_between(const sl_gmodule *m, uint32_t from, uint32_t to) {
  for (uint32_t pc = from; pc < to; pc++)
    if (m->patches[pc].kind == SL_SEE_FENCE &&
        !sl_ptx_has_mod(sl__insn_of(m, &m->code[pc], NULL), SL_M_acq_rel))
      return true;
  return false;
}

// Under weak visibility: the reader's store to a flag that others wait for, passed by its look at theirs.
static const sl_post *passed_store(const sl_grid *g, const sl_touch *read, const sl_look *wait) {
  sl_seen_grid *s = sl__seen_grid(g);
  for (size_t k = 0; g->weak && k < s->posts.cap; k++) {
    const sl_post *p = &((const sl_post *)s->posts.values)[k];
    if (s->posts.used[k] && s->posts.keys[k][1] == read->block && p->thread == read->thread &&
        p->when < wait->when && p->pc < wait->pc && sl__table_find(&s->awaited, s->posts.keys[k][0], 0) &&
        !has_fence_between(g->m, p->pc, wait->pc))
      return p;
  }
  return NULL;
}

// Each of the two says that it comes, and then looks for the other.
static bool word_passed(const sl_grid *g, const sl_touch *read, const sl_look *wait, char why[SENTENCE],
                        char fix[SENTENCE]) {
  const sl_post *p = passed_store(g, read, wait);
  const uint32_t stored = p ? sl__line_at(g->m, p->pc) : 0, looked = sl__line_at(g->m, wait->pc);
  if (!stored) return false;
  snprintf(why, SENTENCE,
           "A thread stores its flag at line %u and looks at the other's at line %u. A load may pass a store "
           "to another word, release and acquire or not, so each of the two may miss the other's flag",
           stored, looked);
  snprintf(
      fix, SENTENCE,
      "Put __threadfence() (a fence of memory_order_seq_cst) between line %u and line %u, in both threads",
      stored, looked);
  return true;
}

// The reader has waited, and yet nothing orders it behind the writer.
static void word_early(const sl_race *r, sl_story *s, char why[SENTENCE], char fix[SENTENCE]) {
  const bool mine = r->a->kind == SL_SEE_LOAD;
  const sl_look *wait = wait_of(r->a, mine ? r->me : r->other);
  const uint32_t line = sl__line_at(r->a->w->grid->m, wait->pc),
                 read = sl__line_at(r->a->w->grid->m, mine ? r->a->pc : r->other->pc);
  if (!line || !read) return;
  s->why = why, s->fix = fix;
  if (word_raised(r, line, why, fix) || word_passed(r->a->w->grid, mine ? r->me : r->other, wait, why, fix))
    return;
  snprintf(
      why, SENTENCE,
      "The reader waits at line %u before it reads at line %u. It went on when the flag was %llu, and the "
      "writer had not set the flag to that after this write, so the wait does not order the two",
      line, read, (unsigned long long)wait->value);
  snprintf(fix, SENTENCE,
           "Look at line %u: it must wait for the value that the writer of this element stores in the flag "
           "after its write, or for a later one. Then look at the index here, and at the order of data and "
           "flag in the writer",
           line);
}

void sl__tell_race(const sl_race *r) {
  const sl_access *a = r->a;
  const sl_touch *o = r->other;
  const sl_seen_grid *g = sl__seen_grid(a->w->grid);
  const uint32_t checks = g->checks;
  const sl_look *look;
  if (g->deaf && a->space == SL_SP_GLOBAL && o->block != r->me->block) return;
  const sl_post *p = sl__flag_between(a, o, r->addr, &look);
  bool seen = p && (p->updates || p->value == look->value);
  if (!p) seen = (p = sl__flag_by_others(a, o, &look)) != NULL;
  if (seen && checks & SL_CHECK_ORDER_FENCE && !polls_plainly(r)) {
    tell_order(r, p, look);
    return;
  }
  bool shared = a->space == SL_SP_SHARED, behind, known;
  if (!(checks & (shared ? SL_CHECK_RACE_SHARED : SL_CHECK_RACE_GLOBAL))) return;
  char why[SENTENCE], fix[SENTENCE];
  sl_story s = {.id = shared ? SL_FOUND_RACE_SHARED : SL_FOUND_RACE_GLOBAL,
                .meeting = meeting_of(r),
                .apart = !sl__of_earlier(a, o) && sl__trips_part(a->w, a->pc, r->lane, o, &behind, &known),
                .a = a,
                .lane = r->lane,
                .addr = r->addr,
                .did = r->did,
                .other_did = r->other_did,
                .other = o};
  if (s.meeting == SL_MEET_POLLED && sl__touch_module(a, o) == a->w->grid->m)
    word_polled(a, a->kind == SL_SEE_LOAD ? a->pc : o->pc, &s, why);
  if (s.meeting == SL_MEET_EARLY) word_early(r, &s, why, fix);
  if (s.meeting == SL_MEET_UPDATE && (look = wait_of(a, r->me)) &&
      word_passed(a->w->grid, r->me, look, why, fix))
    s.why = why, s.fix = fix;
  sl__tell(&s);
}
