// Flags: words by which threads tell each other that data are there. Which strong accesses (volatile,
// relaxed, atomic) may meet without being a race, and which flag could have ordered two accesses.
//
// Atomics and relaxed accesses of global memory may meet each other; in shared memory a load must be of a
// flag, too. `volatile` is a word to the compiler and orders nothing between threads, so a volatile access
// may meet a strong write at a flag only: a word that somebody in this launch has waited for, by a loop or by
// an atomic whose old value decides a branch. A load whose own value decides a branch (polled.c) reads a
// flag, too. A volatile load may always meet an atomic update.
//
// A thread that says something of its own, and then behind a fence looks at what another says, need not wait
// (store buffering: `*mine = 1; __threadfence(); seen = *other;`): either value is an answer. So a load
// beside a fence may meet the store of a value that does not depend on the data, if no other access follows
// that without a fence (beside.c).
//
// Interface: sl__flag_allows, sl__flag_between, sl__last_wait, sl__raised_early, sl__flag_follow.
#include "observers/observers.h"

static bool is_polled(const sl_access *a, const sl_touch *t) {
  return sl__sight(sl__touch_module(a, t), t->pc)->polled;
}

static bool is_volatile(const sl_access *a, const sl_touch *t) {
  return sl__sight(sl__touch_module(a, t), t->pc)->is_volatile;
}

// Is a plain read the first guess of a loop of compare-and-swap? It may meet the swap, which checks it.
static bool first_guess(const sl_access *a, const sl_touch *swap) {
  return sl__touch_module(a, swap)->patches[swap->pc].flags & SL_IS_CAS;
}

bool sl__mixed_widths(const sl_access *a, const sl_touch *o) {
  const sl_gmodule *m = sl__touch_module(a, o);
  uint8_t kind = m->patches[o->pc].kind;
  if ((kind != SL_SEE_LOAD && kind != SL_SEE_STORE) || (a->kind != SL_SEE_LOAD && a->kind != SL_SEE_STORE))
    return false;
  return ((const sl_memop *)m->code[o->pc].ext)->elem_bytes != ((const sl_memop *)a->i->ext)->elem_bytes;
}

// Could what is stored there tell anybody anything?
static bool is_heard(const sl_access *a, uint64_t key, uint8_t who) {
  return a->space != SL_SP_GLOBAL || sl__is_heard(&sl__seen_grid(a->w->grid)->heard, key, who);
}

// Words of global memory are kept by address, words of shared memory by address and block.
static uint64_t owner_of(const sl_access *a) {
  return a->space == SL_SP_GLOBAL ? 0 : sl__seen_block(a->w->block)->time.block + 1ull;
}

static bool is_awaited(const sl_access *a, uint64_t addr) {
  return sl__table_find(&sl__seen_grid(a->w->grid)->awaited, addr & ~3ull, owner_of(a));
}

// Does a load beside a fence take what a flag says at the moment?
static bool looks_once(const sl_access *a, const sl_touch *read, const sl_touch *write) {
  const sl_gmodule *m = sl__touch_module(a, write), *other = sl__touch_module(a, read);
  return other->patches[read->pc].kind == SL_SEE_LOAD && sl__sight(other, read->pc)->beside &&
         m->patches[write->pc].kind == SL_SEE_STORE && sl__sight(m, write->pc)->beside &&
         sl__stores_fixed(&m->code[write->pc]);
}

bool sl__flag_allows(const sl_access *a, uint64_t addr, const sl_touch *me, const sl_touch *o,
                     const sl_touch *read) {
  const sl_touch *write = read == me ? o : me;
  if (read && first_guess(a, write)) return true;
  if (!me->strong || !o->strong || sl__mixed_widths(a, o)) return false;
  if (read && is_polled(a, read)) return true;
  if (read && looks_once(a, read, write)) return true;
  if (read && !read->rmw && (write->rmw || a->space == SL_SP_SHARED)) return write->rmw;
  return !(is_volatile(a, me) || is_volatile(a, o)) || is_awaited(a, addr);
}

static const sl_look *look_at(const sl_seen_block *s, size_t k) {
  return &((const sl_look *)s->watched.values)[k];
}

// Of several flags the one that was raised first behind the access is its own.
const sl_post *sl__flag_between(const sl_access *a, const sl_touch *o, uint64_t addr, const sl_look **look) {
  const sl_seen_block *s = sl__seen_block(a->w->block);
  const sl_post *first = NULL;
  if (a->space != SL_SP_GLOBAL || o->block == s->time.block) return NULL;
  for (size_t k = 0; k < s->watched.cap; k++) {
    if (!s->watched.used[k] || s->watched.keys[k][0] == (addr & ~3ull)) continue;
    const sl_post *p = sl__table_find(&sl__seen_grid(a->w->grid)->posts, s->watched.keys[k][0], o->block);
    if (!p || p->stamp <= o->stamp || (p->thread != o->thread && o->stamp > p->all)) continue;
    if (look_at(s, k)->when > p->when && (!first || p->when < first->when)) first = p, *look = look_at(s, k);
  }
  return first;
}

bool sl__post_fenced(const sl_post *p, const sl_touch *o, int scope) {
  const sl_release *r = &p->fenced[scope];
  return r->stamp && (o->stamp <= r->all || (o->thread == p->thread && o->stamp < r->stamp));
}

// How the block [s] had heard, before the moment [when], of what [o]'s block did behind its access: by
// its flag, or by one of another resident block that had heard. At most [ways] others. *look: its own look.
static const sl_post *heard_by(const sl_grid *grid, const sl_seen_block *s, uint64_t when, const sl_touch *o,
                               int ways, const sl_look **look) {
  const sl_seen_grid *g = sl__seen_grid(grid);
  const sl_look *further;
  for (size_t k = 0; k < s->watched.cap; k++) {
    if (!s->watched.used[k] || look_at(s, k)->when > when) continue;
    *look = look_at(s, k);
    const sl_post *p = sl__table_find(&g->posts, s->watched.keys[k][0], o->block);
    if (p && p->when < (*look)->when && p->stamp > o->stamp && (p->thread == o->thread || o->stamp <= p->all))
      return p;
    for (uint32_t b = 0; ways && b < grid->n_resident; b++) {
      const sl_seen_block *x = sl__seen_block(grid->resident[b]);
      p = x == s ? NULL : sl__table_find(&g->posts, s->watched.keys[k][0], x->time.block);
      if (p && p->when < (*look)->when && (p = heard_by(grid, x, p->when, o, ways - 1, &further))) return p;
    }
  }
  return NULL;
}

const sl_post *sl__flag_by_others(const sl_access *a, const sl_touch *o, const sl_look **look) {
  enum { WAYS = 2, MOST = 256 }; // searches of a launch: each goes through all flags
  sl_seen_grid *g = sl__seen_grid(a->w->grid);
  const sl_seen_block *s = sl__seen_block(a->w->block);
  if (a->space != SL_SP_GLOBAL || o->block == s->time.block || sl__of_earlier(a, o) || g->ways++ >= MOST)
    return NULL;
  const sl_post *p = heard_by(a->w->grid, s, UINT64_MAX, o, WAYS, look);
  return p && !sl__post_fenced(p, o, 1) && !sl__others_fenced(a->w->grid, o, p) ? p : NULL;
}

const sl_look *sl__last_wait(const sl_grid *g, const sl_touch *t) {
  const sl_look *last = NULL;
  for (uint32_t b = 0; b < g->n_resident; b++) {
    const sl_seen_block *s = sl__seen_block(g->resident[b]);
    for (size_t k = 0; k < s->watched.cap && s->time.block == t->block; k++) {
      const sl_look *x = s->watched.used[k] ? look_at(s, k) : NULL;
      if (x && x->waits && x->stamp <= t->stamp && (!last || last->when < x->when)) last = x;
    }
  }
  return last;
}

// Had the thread that wrote raised the watched flag [k] before, and has the block waited for that value?
static const sl_post *raised_before(const sl_seen_block *s, size_t k, const sl_seen_grid *g,
                                    const sl_touch *write) {
  const sl_look *look = look_at(s, k);
  const sl_post *p = look->waits ? sl__table_find(&g->posts, s->watched.keys[k][0], write->block) : NULL;
  return p && p->thread == write->thread && p->stamp <= write->stamp && p->when < look->when &&
                 (p->updates || p->value == look->value)
             ? p
             : NULL;
}

const sl_post *sl__raised_early(const sl_grid *g, uint32_t reader, const sl_touch *write) {
  const sl_post *p = NULL;
  for (uint32_t b = 0; b < g->n_resident && !p; b++) {
    const sl_seen_block *s = sl__seen_block(g->resident[b]);
    for (size_t k = 0; k < s->watched.cap && s->time.block == reader && !p; k++)
      if (s->watched.used[k]) p = raised_before(s, k, sl__seen_grid(g), write);
  }
  return p;
}

// What is in memory there: a flag has a word or two of four bytes.
static uint64_t value_at(const sl_access *a, uint64_t addr) {
  uint64_t v = 0;
  memcpy(&v, sl__host(&a->w->grid->gpu->mem, addr), a->bytes < 8 ? a->bytes : 8);
  return v;
}

// Notes that the block has seen the value of the word.
static void watch(const sl_access *a, uint32_t l, uint64_t key) {
  if (a->kind != SL_SEE_LOAD && !(a->flags & SL_IS_RESULT)) return;
  sl_seen_grid *g = sl__seen_grid(a->w->grid);
  const sl_sight *s = sl__sight(a->w->grid->m, a->pc);
  if (!s->polled && (a->kind != SL_SEE_RMW || s->is_place)) return;
  sl_look *seen =
      a->space == SL_SP_GLOBAL ? sl__table_put(&sl__seen_block(a->w->block)->watched, key, 0) : NULL;
  if (seen)
    *seen = (sl_look){++g->moment, value_at(a, a->addr[l]), a->pc, sl__seen_block(a->w->block)->time.now,
                      s->waits};
  if (s->waits || (s->polled && a->kind == SL_SEE_RMW)) sl__table_put(&g->awaited, key, owner_of(a));
}

static uint64_t stored_value(const sl_access *a, uint32_t l) {
  const sl_memop *op = a->i->ext;
  return op->elem_bytes == 8 ? sl__u64(a->w, op->elem[0])[l] : sl__u32(a->w, op->elem[0])[l];
}

static void post(const sl_access *a, uint32_t l, uint64_t key, uint32_t thread) {
  sl_seen_grid *g = sl__seen_grid(a->w->grid);
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  const sl_release *fence = t->thread[thread].rel;
  if (a->kind == SL_SEE_LOAD || a->space != SL_SP_GLOBAL) return;
  const bool updates = a->kind != SL_SEE_STORE;
  sl_post *p = sl__table_put(&g->posts, key, t->block);
  if (!p) return;
  *p = (sl_post){thread,
                 t->now,
                 t->all,
                 a->pc,
                 ++g->moment,
                 updates ? 0 : stored_value(a, l),
                 updates,
                 !t->fenced[1] && !t->thread[thread].fenced[1],
                 {fence[0], fence[1]}};
  p->fenced[0].know = p->fenced[1].know = NULL;
}

// Where too many words have told something, it is no longer known what one block knows of another.
static sl_flag *make_flag(const sl_access *a, uint64_t key) {
  sl_seen_grid *g = sl__seen_grid(a->w->grid);
  sl_flag *f = sl__table_put(&g->flags, key, owner_of(a));
  if (!f) g->deaf = true, sl__watch_state(a->w->grid->gpu)->shadow.missed++;
  return f;
}

static void order(const sl_access *a, uint64_t key, uint32_t thread) {
  sl_seen_grid *g = sl__seen_grid(a->w->grid);
  sl_block_time *t = &sl__seen_block(a->w->block)->time;
  bool rmw = a->kind == SL_SEE_RMW, writes = rmw || a->kind == SL_SEE_STORE,
       reads = a->kind == SL_SEE_LOAD || a->flags & SL_IS_RESULT;
  sl_flag *f = sl__table_find(&g->flags, key, owner_of(a));
  if (a->flags & SL_IS_RELEASE) sl__time_release(t, thread, a->flags & SL_IS_CTA);
  if (f && reads) sl__time_observe(t, thread, f, rmw && !(a->flags & SL_IS_CAS));
  const bool tells = f || (sl__time_has_released(t, thread) && is_heard(a, key, SL_HEARS_STRONG));
  if (writes && tells && (f || (f = make_flag(a, key)))) sl__time_publish(t, thread, f, rmw);
  if (a->flags & SL_IS_ACQUIRE && reads) sl__time_acquire(t, thread, a->flags & SL_IS_CTA);
}

void sl__flag_follow(const sl_access *a, uint32_t l, const sl_touch *me) {
  uint64_t key = a->addr[l] & ~3ull;
  bool writes = a->kind == SL_SEE_STORE || a->kind == SL_SEE_RMW;
  order(a, key, me->thread);
  if (!is_heard(a, key, SL_HEARS_FLAGS)) return;
  if (a->space == SL_SP_GLOBAL && sl__seen_grid(a->w->grid)->checks & SL_CHECK_REPEAT_STATE &&
      (writes || (sl__sight(a->w->grid->m, a->pc)->waits && !sl__sight(a->w->grid->m, a->pc)->walks)))
    (writes ? sl__stale_store : sl__stale_wait)(a, l, me);
  watch(a, l, key);
  post(a, l, key, me->thread);
}
