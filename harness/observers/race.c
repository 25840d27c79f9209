// race.shared, race.global, order.fence: two threads touch the same byte, one of them writes, and nothing
// orders them. These are no races:
// - strong accesses of a flag, and atomics with each other (flags.c says which);
// - a read that meets a compare-and-swap: the first guess of the usual loop;
// - one value that several lanes write in one instruction: one of them does it (CUDA C++ Programming Guide,
//   SIMT architecture);
// - a constant that several threads write, and nobody writes anything else: `*found = 1`. PTX defines races
//   of accesses of one size, so the constant is there whoever comes last. Values that are equal only because
//   of the data are a race;
// - a write to a place that another block has read before it raised a flag that this block has seen, with or
//   without fences, if the flag depends on the value read: then the read is over (scans in place, over.c).
// order.fence: the writer raised a flag after it wrote, the reader has seen that flag, but a fence is missing
// on one of the two sides. It is also reported if both data accesses are strong, a store or atomicExch and a
// load or an atomic whose result is used, unless a loop waits for the value that is read.
#include "observers/observers.h"

#define STAMP_MAX ((1u << 30) - 1)

static sl_touch touch_of(const sl_access *a, uint32_t l) {
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  return (sl_touch){.block = t->block,
                    .thread = sl__thread_of(a->w, l),
                    .pc = a->pc & ((1u << 22) - 1),
                    .stamp = t->now < STAMP_MAX ? t->now : STAMP_MAX,
                    .strong = a->flags & SL_IS_STRONG || a->kind == SL_SEE_MBARRIER,
                    .rmw = a->kind == SL_SEE_RMW || a->kind == SL_SEE_MBARRIER};
}

bool sl__of_earlier(const sl_access *a, const sl_touch *o) {
  return o->block < sl__seen_grid(a->w->grid)->first;
}

const sl_gmodule *sl__touch_module(const sl_access *a, const sl_touch *t) {
  const sl_past *p = sl__of_earlier(a, t) ? sl__streams_past(a->w->grid->gpu, t->block) : NULL;
  return p ? p->m : a->w->grid->m;
}

// Is a touch over once the lanes have met?
static bool ends(const sl_access *a, const sl_touch *o) {
  return o->rmw || sl__touch_module(a, o)->patches[o->pc].kind == SL_SEE_LOAD;
}

static bool ordered(const sl_access *a, const sl_touch *me, const sl_touch *o) {
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  return sl__time_ordered(t, me->thread, o->block, o->thread, o->stamp) ||
         (me->strong && sl__time_heard(t, me->thread, o->block, o->thread, o->stamp)) ||
         (sl__time_met(t, me->thread, o->block, o->thread, o->stamp) && ends(a, o));
}

static inline bool by_other_thread(const sl_touch *o, const sl_touch *me) {
  return o->word[0] != me->word[0] || (o->word[1] ^ me->word[1]) & SL_THREAD_BITS;
}

static inline bool by_other_warp(const sl_touch *o, const sl_touch *me) {
  return o->word[0] != me->word[0] || (o->word[1] ^ me->word[1]) & SL_THREAD_BITS & ~31u;
}

// Is it a look at a flag that a loop waits for? It may meet any strong store, and is made again and again.
static bool waits_for(const sl_access *a, const sl_touch *me, const sl_touch *o) {
  return me->strong && o->strong && sl__sight(a->w->grid->m, a->pc)->waits && !sl__mixed_widths(a, o);
}

// Does a flag say that what was stored there, by a plain store or by atomicExch, may be read, and no fence?
// An acquiring read that decides a branch looks at a flag itself: it takes an old value for what it is.
static bool is_unfenced(const sl_access *a, uint64_t addr, const sl_touch *o) {
  const sl_look *look;
  if (a->kind == SL_SEE_LOAD && a->flags & SL_IS_ACQUIRE && sl__sight(a->w->grid->m, a->pc)->polled)
    return false;
  bool stores = !o->rmw || sl__touch_module(a, o)->patches[o->pc].flags & SL_IS_EXCHANGE;
  return sl__seen_grid(a->w->grid)->checks & SL_CHECK_ORDER_FENCE && stores &&
         sl__flag_between(a, o, addr, &look);
}

// Does a compare-and-swap change the word if it finds what it hopes for? Of two locks that a thread needs,
// one may have been given back before the other: an old value only makes it try again.
static bool swaps(const sl_access *a, uint32_t l) {
  if (!(a->flags & SL_IS_CAS)) return false;
  if (a->bytes == 8) return sl__u64(a->w, a->i->s[1])[l] != sl__u64(a->w, a->i->s[2])[l];
  return sl__u32(a->w, a->i->s[1])[l] != sl__u32(a->w, a->i->s[2])[l];
}

// Does an atomic read what a flag says is there, and no fence? `x = atomicAdd(&data, 0)`
static bool reads_unfenced(const sl_access *a, uint32_t l, uint64_t addr, const sl_touch *me,
                           const sl_touch *o) {
  return me->rmw && a->flags & SL_IS_RESULT && o->stamp && o->block != me->block &&
         !sl__sight(a->w->grid->m, a->pc)->tries && !ordered(a, me, o) && !swaps(a, l) &&
         is_unfenced(a, addr, o) && sl__caller_reads(a->w);
}

// Two readers are kept: one of another warp, if there is one, and never twice the same thread.
static void read_cell(const sl_access *a, uint32_t l, uint64_t addr, const sl_touch *me, sl_cell *c) {
  const sl_touch *o = &c->w;
  bool foreign = o->stamp && (o->thread != me->thread || o->block != me->block);
  if (foreign && !waits_for(a, me, o) && !ordered(a, me, o) &&
      (!sl__flag_allows(a, addr, me, o, me) || is_unfenced(a, addr, o)))
    sl__tell_race(&(sl_race){a, l, addr, me, o, c, SL_DID_READ, SL_DID_WRITE});
  if (c->r[0].stamp && by_other_thread(&c->r[0], me) &&
      (!c->r[1].stamp || by_other_warp(&c->r[0], me) || !by_other_thread(&c->r[1], me)))
    c->r[1] = c->r[0];
  c->r[0] = *me;
}

static bool conflict(const sl_access *a, uint64_t addr, const sl_touch *me, const sl_touch *o,
                     const sl_touch *read) {
  if (!o->stamp || (o->thread == me->thread && o->block == me->block)) return false;
  return !ordered(a, me, o) && !sl__flag_allows(a, addr, me, o, read);
}

// Does a flag say that the place that was read may be overwritten?
static bool is_over(const sl_access *a, uint64_t addr, const sl_touch *read) {
  const sl_look *look;
  const sl_post *p = sl__flag_between(a, read, addr, &look);
  return p && (!(sl__seen_grid(a->w->grid)->checks & SL_CHECK_ORDER_FENCE) || sl__read_is_over(a, read, p));
}

// The read that stands between two writes: a flag says that it is over, but without a fence. NULL: none does.
static sl_touch *freed_early(const sl_access *a, uint64_t addr, const sl_touch *me, sl_cell *c) {
  const sl_look *look;
  for (int k = 0; k < 2; k++)
    if (c->r[k].stamp != me->stamp && conflict(a, addr, me, &c->r[k], &c->r[k]) &&
        sl__flag_between(a, &c->r[k], addr, &look) && !is_over(a, addr, &c->r[k]))
      return &c->r[k];
  return NULL;
}

static void write_cell(const sl_access *a, uint32_t l, uint64_t addr, const sl_touch *me, sl_cell *c) {
  const sl_touch *o = &c->w;
  const sl_did change = me->rmw ? SL_DID_UPDATE : SL_DID_WRITE;
  if (o->block == me->block && o->stamp == me->stamp &&
      o->thread / 32 == me->thread / 32) { // one instruction
    if (o->thread != me->thread && !me->rmw && !sl__same_registers(a, l, o->thread % 32))
      sl__tell_race(&(sl_race){a, l, addr, me, o, c, SL_DID_WRITE, SL_DID_WRITE});
  } else if (conflict(a, addr, me, o, me->rmw ? me : NULL) && !sl__same_constant(a, l, o)) {
    const sl_touch *read = freed_early(a, addr, me, c);
    sl__tell_race(&(sl_race){a, l, addr, me, read ? read : o, c, change, read ? SL_DID_READ : SL_DID_WRITE});
  } else if (reads_unfenced(a, l, addr, me, o)) {
    sl__tell_race(&(sl_race){a, l, addr, me, o, c, SL_DID_READ, SL_DID_WRITE});
  } else {
    for (int k = 0; k < 2; k++)
      if (c->r[k].stamp != me->stamp && conflict(a, addr, me, &c->r[k], &c->r[k]) &&
          !is_over(a, addr, &c->r[k])) {
        sl__tell_race(&(sl_race){a, l, addr, me, &c->r[k], c, change, SL_DID_READ});
        break;
      }
  }
  bool own = o->thread == me->thread && o->block == me->block;
  if (!(own && me->rmw && !o->strong && o->stamp > sl__seen_block(a->w->block)->time.all)) c->w = *me;
}

static sl_page *page_of(const sl_access *a, uint64_t page) {
  sl_seen_block *s = sl__seen_block(a->w->block);
  if (a->space == SL_SP_SHARED) return page < s->n_pages ? &s->pages[page] : NULL;
  return sl__shadow_page(&sl__watch_state(a->w->grid->gpu)->shadow, page * SL_PAGE_BYTES);
}

// Most accesses meet nobody: the touch in the cell is left over, or happened before the last barrier of the
// block or the last synchronisation of the warp.
typedef struct sl_present {
  uint32_t block, all;
  uint32_t warp_all; // the same among the lanes of the warp
  uint32_t first;    // a touch by another block with a serial number below is left over
} sl_present;

static inline bool left_over(const sl_touch *o, const sl_present *p) {
  return o->word[0] != p->block && o->word[0] < p->first;
}

static inline bool past(const sl_touch *o, const sl_present *p) {
  return o->word[0] == p->block ? o->stamp <= p->all : o->word[0] < p->first;
}

static inline bool quiet(const sl_touch *o, const sl_touch *me, const sl_present *p) {
  if (o->word[0] != p->block) return o->word[0] < p->first;
  const uint32_t apart = (o->word[1] ^ me->word[1]) & SL_THREAD_BITS;
  return o->stamp <= p->all || !apart || (apart < SL_LANES && o->stamp <= p->warp_all);
}

static inline void put_touch(sl_touch *to, const sl_touch *t) {
  for (int k = 0; k < 3; k++) to->word[k] = t->word[k];
}

static inline bool quiet_read(sl_cell *c, const sl_touch *me, const sl_present *p) {
  sl_touch *r = c->r;
  if (!quiet(&c->w, me, p)) return false;
  if (!left_over(&r[0], p) && by_other_thread(&r[0], me) &&
      (by_other_warp(&r[0], me) || left_over(&r[1], p) || !by_other_thread(&r[1], me)))
    put_touch(&r[1], &r[0]);
  put_touch(&r[0], me);
  return true;
}

// An atomic behind a plain store does not hide it: others' may meet it (a counter that one thread clears).
static inline bool hides(const sl_touch *me, const sl_touch *o, const sl_present *p) {
  return me->rmw && !o->strong && !past(o, p);
}

// Atomics of one block may always meet: sl__flag_allows says the same, slowly.
static inline bool both_atomic(const sl_touch *o, const sl_touch *me, const sl_present *p) {
  return o->word[0] == p->block && o->rmw && me->rmw && o->strong && me->strong;
}

static inline bool quiet_write(sl_cell *c, const sl_touch *me, const sl_present *p) {
  if (hides(me, &c->w, p)) return false;
  if (!quiet(&c->w, me, p) && !both_atomic(&c->w, me, p)) return false;
  if (!quiet(&c->r[0], me, p) || !quiet(&c->r[1], me, p)) return false;
  put_touch(&c->w, me);
  return true;
}

// Is the launch of the touch ordered before the present one, perhaps by a flag that it raised?
static bool comes_before(const sl_access *a, const sl_touch *me, const sl_touch *o, bool wrote) {
  sl_gpu *g = a->w->grid->gpu;
  bool reads = a->kind == SL_SEE_LOAD || a->flags & SL_IS_RESULT;
  if (!o->stamp || !sl__streams_meet(g, o->block)) return true;
  if (!wrote || !reads || !me->strong || !o->strong) return false;
  sl__streams_heard(g, o->block);
  return true;
}

static void meet(const sl_access *a, uint32_t l, uint64_t addr, const sl_touch *me, const sl_present *p,
                 sl_cell *c) {
  sl_touch *all[] = {&c->w, &c->r[0], &c->r[1]};
  if (c->w.block == SL_NO_ARRAY) {
    sl__zone_tell(a, l);
    return;
  }
  for (int k = 0; k < 3; k++)
    if (left_over(all[k], p) || (sl__of_earlier(a, all[k]) && comes_before(a, me, all[k], k == 0)))
      *all[k] = (sl_touch){0};
  if (a->kind == SL_SEE_LOAD) read_cell(a, l, addr, me, c);
  else write_cell(a, l, addr, me, c);
}

// The general case of one lane: any width, any kind of page.
static __attribute__((noinline)) void lane_access(const sl_access *a, uint32_t l, const sl_present *now,
                                                  uint32_t era) {
  sl_shadow *s = a->space == SL_SP_SHARED ? NULL : &sl__watch_state(a->w->grid->gpu)->shadow;
  bool write = a->kind != SL_SEE_LOAD;
  uint32_t n = 0;
  sl_page *p = page_of(a, a->addr[l] / SL_PAGE_BYTES);
  sl_cell *c = sl__cells(s, p, era, (uint32_t)(a->addr[l] % SL_PAGE_BYTES), a->bytes, &n);
  sl_touch me = touch_of(a, l);
  for (uint32_t k = 0; c && k < n; k++)
    if (!(write ? quiet_write(&c[k], &me, now) : quiet_read(&c[k], &me, now)))
      meet(a, l, a->addr[l] + k * (a->bytes / n), &me, now, &c[k]);
}

void sl__race_written(const sl_access *a, uint32_t l) {
  const sl_seen_block *s = sl__seen_block(a->w->block);
  uint32_t n = 0, off = (uint32_t)(a->addr[l] % SL_PAGE_BYTES);
  sl_cell *c = sl__cells(NULL, page_of(a, a->addr[l] / SL_PAGE_BYTES), s->time.block, off, a->bytes, &n);
  for (uint32_t k = 0; c && k < n; k++) c[k].w = touch_of(a, l);
}

// The last store to the word at [addr], of this block or, in global memory, of a launch that is remembered.
static bool last_store(const sl_access *a, uint64_t addr, sl_touch *out) {
  const bool shared = a->space == SL_SP_SHARED;
  const sl_seen_grid *g = sl__seen_grid(a->w->grid);
  const uint32_t own = sl__seen_block(a->w->block)->time.block;
  uint32_t n = 0;
  sl_page *p = page_of(a, addr / SL_PAGE_BYTES);
  const sl_cell *c = sl__cells(shared ? NULL : &sl__watch_state(a->w->grid->gpu)->shadow, p,
                               shared ? own : g->era, (uint32_t)(addr % SL_PAGE_BYTES), 4, &n);
  if (!c || !n || !c->w.stamp || c->w.block == SL_NO_ARRAY || (shared && c->w.block != own)) return false;
  *out = c->w;
  return !sl__of_earlier(a, out) || sl__streams_past(a->w->grid->gpu, out->block);
}

bool sl__race_beside(const sl_access *a, uint32_t l, sl_touch *out) {
  enum { NEAR = 16 }; // words
  const uint64_t at = a->addr[l] & ~3ull;
  if (a->space == SL_SP_LOCAL) return false;
  for (uint64_t d = 4; d <= 4 * NEAR; d += 4) {
    sl_touch after;
    const bool one = d <= at && last_store(a, at - d, out), two = last_store(a, at + d, &after);
    if (two && (!one || after.stamp > out->stamp)) *out = after; // the later one of two
    if (one || two) return true;
  }
  return false;
}

// Handles a whole warp at once. False: the lanes must be looked at one by one.
static bool row_access(const sl_access *a, const sl_present *now, uint32_t era) {
  if (!a->row || a->addr[0] % SL_ROW_BYTES) return false;
  sl_page *p = page_of(a, a->addr[0] / SL_PAGE_BYTES);
  sl_cell *c = sl__row(p, era, (uint32_t)(a->addr[0] % SL_PAGE_BYTES));
  sl_touch me = touch_of(a, 0);
  return c && (a->kind != SL_SEE_LOAD ? quiet_write(c, &me, now) : quiet_read(c, &me, now));
}

// The cells of the row that starts at [row], NULL when its words have none of their own.
static inline sl_cell *row_cells(const sl_access *a, uint64_t row, uint32_t era) {
  const sl_page *p = page_of(a, row / SL_PAGE_BYTES);
  const uint64_t off = row % SL_PAGE_BYTES;
  return p && p->cells && !p->fine && p->rows[off / SL_ROW_BYTES].spread == era ? p->cells + off / 4 : NULL;
}

#define NO_ROW (1ull << 63) // no address is within a row of it

// Lane by lane; the usual case is a word with a cell of its own in which all is quiet.
static inline __attribute__((always_inline)) void lanes_access(const sl_access *a, const sl_present *now,
                                                               uint32_t era, bool write) {
  const sl_touch all = touch_of(a, 0); // lane 0's
  sl_cell *cells = NULL;               // cells of the row that starts at [row]
  uint64_t row = NO_ROW;
  SL_FOR_LANES(l, a->mask) {
    if (a->addr[l] - row >= SL_ROW_BYTES) {
      row = a->addr[l] / SL_ROW_BYTES * SL_ROW_BYTES;
      cells = a->bytes == 4 ? row_cells(a, row, era) : NULL;
    }
    if (cells) {
      sl_cell *c = &cells[(a->addr[l] - row) / 4];
      const sl_touch me = {.word = {all.word[0], all.word[1] + l, all.word[2]}};
      if (write ? quiet_write(c, &me, now) : quiet_read(c, &me, now)) continue;
    }
    lane_access(a, l, now, era);
    row = NO_ROW; // its words may have got cells by that
  }
}

// Handles a warp whose lanes all read one word that nobody has written lately. False: the lanes must be
// looked at one by one. A cell keeps two lanes of a warp that reads: the first or the second, and the last.
static bool word_access(const sl_access *a, const sl_present *now, uint32_t era) {
  const uint32_t first = (uint32_t)__builtin_ctz(a->mask), later = a->mask & (a->mask - 1);
  if (!a->one || a->kind != SL_SEE_LOAD || !later) return false;
  const uint64_t row = a->addr[first] / SL_ROW_BYTES * SL_ROW_BYTES;
  sl_cell *c = row_cells(a, row, era);
  if (!c || !past(&(c += (a->addr[first] - row) / 4)->w, now)) return false;
  const uint32_t lanes[] = {first, (uint32_t)__builtin_ctz(later), 31 - (uint32_t)__builtin_clz(later)};
  for (int k = 0; k < 3; k++) {
    const sl_touch me = touch_of(a, lanes[k]);
    quiet_read(c, &me, now);
  }
  return true;
}

static bool touched(const sl_cell *c, const sl_touch *me) {
  return !by_other_thread(&c->w, me) || !by_other_thread(&c->r[0], me) || !by_other_thread(&c->r[1], me);
}

// Lanes that all store to one word: one that has not touched it before goes first. Else the store of the
// lane that has would stand for what it did earlier, and the others would not meet that.
static void word_store(const sl_access *a, const sl_present *now, uint32_t era) {
  sl_shadow *s = a->space == SL_SP_SHARED ? NULL : &sl__watch_state(a->w->grid->gpu)->shadow;
  const uint64_t addr = a->addr[__builtin_ctz(a->mask)];
  uint32_t n = 0;
  const sl_cell *c =
      sl__cells(s, page_of(a, addr / SL_PAGE_BYTES), era, (uint32_t)(addr % SL_PAGE_BYTES), 4, &n);
  for (uint32_t m = a->mask; c && n && m; m &= m - 1) {
    const sl_touch me = touch_of(a, (uint32_t)__builtin_ctz(m));
    if (touched(c, &me)) continue;
    lane_access(a, (uint32_t)__builtin_ctz(m), now, era);
    return;
  }
}

// Handles a warp whose lanes all look at one flag for which they wait: the first and the last stand for all.
static bool poll_access(const sl_access *a, const sl_present *now, uint32_t era) {
  const uint32_t first = (uint32_t)__builtin_ctz(a->mask), last = 31 - (uint32_t)__builtin_clz(a->mask);
  if (a->kind != SL_SEE_LOAD || !(a->flags & SL_IS_STRONG) || !sl__sight(a->w->grid->m, a->pc)->waits)
    return false;
  SL_FOR_LANES(l, a->mask)
    if (a->addr[l] != a->addr[first]) return false;
  lane_access(a, first, now, era);
  if (last != first) lane_access(a, last, now, era);
  return true;
}

// Atomics in the order in which the lanes are about to execute them: one sees what those before it have done.
static void follow_flags(const sl_access *a) {
  uint64_t dice = a->w->block->dice;
  for (uint32_t m = a->kind == SL_SEE_RMW ? a->w->mask : a->mask; m;) {
    const uint32_t l = (uint32_t)(a->kind == SL_SEE_RMW ? sl__take_lane(a->w, &dice, &m) : __builtin_ctz(m));
    m &= ~(1u << l);
    const sl_touch me = touch_of(a, l);
    if ((a->mask >> l) & 1) sl__flag_follow(a, l, &me);
  }
}

static void race_access(const sl_access *a) {
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  bool shared = a->space == SL_SP_SHARED;
  const sl_seen_grid *g = sl__seen_grid(a->w->grid);
  sl_present now = {t->block, t->all, t->warp_all[a->w->id], shared ? UINT32_MAX : g->low};
  uint32_t era = shared ? t->block : g->era;
  if (!shared && g->n_works) sl__copies_access(a);
  if (row_access(a, &now, era) || word_access(a, &now, era) || poll_access(a, &now, era))
    ;
  else if (a->kind == SL_SEE_LOAD) lanes_access(a, &now, era, false);
  else {
    if (a->one && a->kind == SL_SEE_STORE) word_store(a, &now, era);
    lanes_access(a, &now, era, true);
  }
  if (a->flags & SL_IS_STRONG) follow_flags(a);
}

static __attribute__((noinline)) void race_of(const sl_access *a, uint32_t lanes) {
  sl_access part = *a;
  part.row = part.one = false, part.mask = lanes;
  if (lanes) race_access(&part);
}

// Races of the lanes that race.async has not reported, and to which the value of a load matters.
static void see_access(const sl_access *a) {
  uint32_t lanes = a->mask;
  if (a->space == SL_SP_LOCAL) return;
  if (sl__seen_block(a->w->block)->async) lanes &= ~sl__async_access(a);
  if (sl__sight(a->w->grid->m, a->pc)->n_gates) lanes &= sl__moot_needed(a);
  if (lanes == a->mask) race_access(a);
  else race_of(a, lanes);
}

// Constant memory is global memory that no kernel writes: a copy of the host in another stream may.
static void race_look(sl_gmodule *m) { sl__constant_loads(m); }

static void race_constant(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *) {
  if (p->kind != SL_SEE_CONSTANT) return;
  sl_access a = sl__constant_access(w, i, p);
  a.space = SL_SP_GLOBAL;
  see_access(&a);
}

const sl_probe sl__probe_race = {.name = "race",
                                 .checks = SL_CHECK_RACE_SHARED | SL_CHECK_RACE_GLOBAL |
                                           SL_CHECK_ORDER_FENCE | SL_CHECK_RACE_ASYNC,
                                 .kinds = SL_SEES_MEMORY | SL_SEES(CONSTANT),
                                 .look = race_look,
                                 .access = see_access,
                                 .before = race_constant};
