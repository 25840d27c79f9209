// What race.shared, race.global and order.fence tell: how the two threads meet, and what may be wrong with
// that.
//
// Interface: sl__tell_race, which race.c calls. advice.c words it, report.c makes the finding.
#include "observers/observers.h"

static uint32_t line_at(const sl_access *a, uint32_t pc) {
  sl_src_pos pos;
  const sl_ptx_insn *in = sl__insn_of(a->w->grid->m, &a->w->grid->code[pc], NULL);
  return in && sl_ptx_position(a->w->grid->m->ptx, in, &pos) ? pos.line : 0;
}

static bool same_file(const sl_grid *g, uint32_t x, uint32_t y) {
  sl_src_pos a, b;
  const sl_ptx_insn *p = sl__insn_of(g->m, &g->code[x], NULL), *q = sl__insn_of(g->m, &g->code[y], NULL);
  return p && q && sl_ptx_position(g->m->ptx, p, &a) && sl_ptx_position(g->m->ptx, q, &b) &&
         !strcmp(a.file, b.file);
}

// Has the reader seen the flag of a writer whose fence was good, of whichever of its block's threads, and
// made none?
static bool reader_lacks(const sl_access *a, uint32_t l, const sl_touch *o) {
  return sl__time_unfenced(&sl__seen_block(a->w->block)->time, sl__thread_of(a->w, l), o->block, o->thread,
                           o->stamp);
}

static const char FREED[] =
    "Memory operations of a GPU take effect in any order, so the read may come after the "
    "write that the flag allows, and get the next data";

// A fence is missing, or does not reach far enough: in the writer, before its flag, or in the reader, behind
// its wait.
static void tell_order(const sl_access *a, uint32_t l, uint64_t addr, const sl_touch *o, const char *verb,
                       const char *other_verb, const sl_post *p, const sl_look *look) {
  const uint32_t flag = line_at(a, p->pc), data = line_at(a, o->pc), wait = line_at(a, look->pc);
  const bool writer = !sl__post_fenced(p, o, 1) && !reader_lacks(a, l, o),
             of_block = writer && sl__post_fenced(p, o, 0);
  const bool freed = other_verb[0] == 'r';
  char fix[300], of_flag[80];
  snprintf(of_flag, sizeof of_flag, "the flag written at line %u", flag);
  if (of_block)
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
             wait, line_at(a, a->pc));
  sl__tell(&(sl_story){.id = SL_FOUND_ORDER_FENCE,
                       .a = a,
                       .lane = l,
                       .addr = addr,
                       .verb = verb,
                       .other_verb = other_verb,
                       .other = o,
                       .other_first = writer,
                       .title = freed ? "data given free without a fence" : NULL,
                       .why = freed ? FREED : NULL,
                       .fix = flag && data && wait ? fix : NULL,
                       .flag = flag ? of_flag : "a flag"});
}

// Has this thread read the word that it stores, and does the other one store it by the same instruction?
static bool both_update(const sl_access *a, uint32_t l, const sl_touch *me, const sl_touch *o,
                        const sl_cell *c) {
  bool has_read = false;
  for (int k = 0; k < 2; k++)
    has_read |= c->r[k].stamp && c->r[k].block == me->block && c->r[k].thread == me->thread;
  const uint32_t lane = o->thread % SL_LANES;
  const bool same_warp = o->block == me->block && o->thread / SL_LANES == me->thread / SL_LANES;
  return a->kind == SL_SEE_STORE && has_read &&
         ((o->pc == me->pc && sl__trip_at(a->w, a->pc, l) == sl__trip_then(a->w->grid, o)) ||
          (same_warp && a->mask >> lane & 1 && a->addr[lane] == a->addr[l]));
}

// Does one of the two wait for the other's store, with a plain load or store among them?
static bool plain_flag(const sl_access *a, const sl_touch *me, const sl_touch *o) {
  const sl_touch *read = a->kind == SL_SEE_LOAD ? me : o;
  const sl_gmodule *m = sl__touch_module(a, read);
  return (!me->strong || !o->strong) && m->patches[read->pc].kind == SL_SEE_LOAD &&
         (sl__sight(m, read->pc)->waits || sl__awaits(m, read->pc));
}

// The wait before a read, in the same file; NULL: none.
static const sl_look *wait_of(const sl_access *a, const sl_touch *read) {
  const sl_look *wait = sl__last_wait(a->w->grid, read);
  return wait && same_file(a->w->grid, wait->pc, read->pc) ? wait : NULL;
}

// Two blocks: the one that reads may look only once, or may have waited for the wrong thing.
static sl_meeting across_blocks(const sl_access *a, const sl_touch *me, const sl_touch *o, const sl_cell *c) {
  const sl_touch *read = a->kind == SL_SEE_LOAD ? me : o == &c->w ? NULL : o;
  if (!read || sl__touch_module(a, read)->patches[read->pc].kind != SL_SEE_LOAD) return SL_MEET_GRID;
  if (wait_of(a, read)) return SL_MEET_EARLY;
  return me->strong && o->strong ? SL_MEET_LOOKED : SL_MEET_GRID;
}

static sl_meeting meeting_of(const sl_access *a, uint32_t l, const sl_touch *me, const sl_touch *o,
                             const sl_cell *c) {
  bool block = o->block == me->block, writes = a->kind != SL_SEE_LOAD;
  if (me->strong && o->strong && sl__mixed_widths(a, o)) return SL_MEET_WIDTHS;
  if (plain_flag(a, me, o)) return SL_MEET_POLLED;
  if (sl__of_earlier(a, o)) return SL_MEET_LAUNCHES;
  if (sl__time_unfenced(&sl__seen_block(a->w->block)->time, me->thread, o->block, o->thread, o->stamp))
    return SL_MEET_UNFENCED;
  if (both_update(a, l, me, o, c)) return SL_MEET_UPDATE;
  if (writes && o == &c->w && !o->rmw && sl__same_value(a, l)) return SL_MEET_EQUAL;
  if (!block) return across_blocks(a, me, o, c);
  return o->thread / SL_LANES == me->thread / SL_LANES ? SL_MEET_WARP : SL_MEET_BLOCK;
}

// The writer raises its flag first, and writes the data behind it.
static bool word_raised(const sl_access *a, uint32_t reader, const sl_touch *write, uint32_t wait, char *why,
                        char *fix, size_t cap) {
  const sl_post *p = sl__raised_early(a->w->grid, reader, write);
  const uint32_t flag = p ? line_at(a, p->pc) : 0, data = p ? line_at(a, write->pc) : 0;
  if (!flag || !data) return false;
  snprintf(why, cap,
           "The flag is raised at line %u before the data is written at line %u, so a reader that has waited "
           "for it at line %u may still read the old data",
           flag, data, wait);
  snprintf(fix, cap, "Write the data (line %u) first, then __threadfence(), then the flag (line %u)", data,
           flag);
  return true;
}

// The reader has waited, and yet nothing orders it behind the writer.
static void word_early(const sl_access *a, const sl_touch *me, const sl_touch *o, sl_story *s, char *why,
                       char *fix, size_t cap) {
  const bool mine = a->kind == SL_SEE_LOAD;
  const sl_look *wait = wait_of(a, mine ? me : o);
  const uint32_t line = line_at(a, wait->pc), read = line_at(a, mine ? a->pc : o->pc);
  if (!line || !read) return;
  s->why = why, s->fix = fix;
  if (word_raised(a, mine ? me->block : o->block, mine ? o : me, line, why, fix, cap)) return;
  snprintf(why, cap,
           "Before line %u the reader waits at line %u, and went on when the flag there was %llu; the "
           "writer had not raised it to that behind this write, so the wait is no order between the two",
           read, line, (unsigned long long)wait->value);
  snprintf(fix, cap,
           "Look at what line %u waits for: the value that the writer of this element stores in the flag "
           "behind its "
           "write, or a later one; then at the index here, and at the order of data and flag in the writer",
           line);
}

void sl__tell_race(const sl_access *a, uint32_t l, uint64_t addr, const sl_touch *me, const sl_touch *o,
                   const sl_cell *c, const char *verb, const char *other_verb) {
  uint32_t checks = sl__seen_grid(a->w->grid)->checks;
  const sl_look *look;
  const sl_post *p = sl__flag_between(a, o, addr, &look);
  bool seen = p && (p->updates || p->value == look->value);
  if (!p) seen = (p = sl__flag_by_others(a, o, &look)) != NULL;
  if (seen && checks & SL_CHECK_ORDER_FENCE) {
    tell_order(a, l, addr, o, verb, other_verb, p, look);
    return;
  }
  bool shared = a->space == SL_SP_SHARED, behind, known;
  if (!(checks & (shared ? SL_CHECK_RACE_SHARED : SL_CHECK_RACE_GLOBAL))) return;
  char why[300], fix[300];
  sl_story s = {.id = shared ? SL_FOUND_RACE_SHARED : SL_FOUND_RACE_GLOBAL,
                .meeting = meeting_of(a, l, me, o, c),
                .apart = !sl__of_earlier(a, o) && sl__trips_part(a->w, a->pc, l, o, &behind, &known),
                .a = a,
                .lane = l,
                .addr = addr,
                .verb = verb,
                .other_verb = other_verb,
                .other = o};
  if (s.meeting == SL_MEET_EARLY) word_early(a, me, o, &s, why, fix, sizeof why);
  sl__tell(&s);
}
