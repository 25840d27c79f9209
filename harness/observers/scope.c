// race.global of accesses whose scope is the block: atomics, and relaxed, acquiring or releasing loads and
// stores. They are strong only for the threads of their own block. Threads of two blocks race if one writes a
// word that the other one accesses and at least one of the two does so in the scope of its block. race.c
// treats all such accesses as strong, whatever their scope.
//
// For each word this file keeps the last strong write of either scope. It keeps nothing for modules without
// strong accesses of block scope.
#include "observers/observers.h"

enum { BLOCK, WIDER };
typedef struct sl_updates { // by a word's last strong write of each scope; stamp 0: none
  sl_touch last[2];
} sl_updates;

static sl_table *words_of(const sl_grid *g) { return g->kept[SL_PROBE_scope]; }

static const char update_why[] = "An atomic of block scope is atomic for the threads of its own block only, "
                                 "so one of the two updates may be lost",
                  update_fix[] = "Use an atomic of device scope (atomicAdd instead of atomicAdd_block), or "
                                 "give each block a word of its own",
                  other_why[] = "A load or store of block scope counts for the threads of its own block "
                                "only, so a thread of another block may see an old value for ever",
                  other_fix[] = "Use device scope on both sides: cuda::thread_scope_device, or .gpu in PTX";

static const sl_did deeds[SL_SEE_KINDS] = {
    [SL_SEE_LOAD] = SL_DID_READ, [SL_SEE_STORE] = SL_DID_WRITE, [SL_SEE_RMW] = SL_DID_UPDATE};

static void compare(const sl_access *a, uint32_t l, const sl_touch *me, const sl_touch *o) {
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  if (!o->stamp || o->block == me->block || sl__time_ordered(t, me->thread, o->block, o->thread, o->stamp) ||
      sl__time_heard(t, me->thread, o->block, o->thread, o->stamp))
    return;
  const bool updates = me->rmw && o->rmw;
  sl__tell(&(sl_story){.id = SL_FOUND_RACE_GLOBAL,
                       .a = a,
                       .lane = l,
                       .addr = a->addr[l],
                       .did = deeds[a->kind],
                       .other_did = o->rmw ? SL_DID_UPDATE : SL_DID_WRITE,
                       .other = o,
                       .why = updates ? update_why : other_why,
                       .fix = updates ? update_fix : other_fix});
}

static bool is_strong(uint8_t kind, uint8_t flags) { return kind == SL_SEE_RMW || flags & SL_IS_STRONG; }

static void see_access(const sl_access *a) {
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  int scope = a->flags & SL_IS_CTA ? BLOCK : WIDER;
  if (a->space != SL_SP_GLOBAL || !is_strong(a->kind, a->flags)) return;
  SL_FOR_LANES(l, a->mask) {
    sl_updates *u = sl__table_put(words_of(a->w->grid), a->addr[l] & ~3ull, 0);
    if (!u) return;
    const sl_touch me = {.block = t->block,
                         .thread = sl__thread_of(a->w, l),
                         .pc = a->pc,
                         .stamp = t->now,
                         .strong = true,
                         .rmw = a->kind == SL_SEE_RMW};
    compare(a, l, &me, &u->last[BLOCK]);
    if (scope == BLOCK) compare(a, l, &me, &u->last[WIDER]);
    if (a->kind != SL_SEE_LOAD) u->last[scope] = me;
  }
}

typedef struct sl_scoped {
  bool any;
} sl_scoped;

static void look(sl_gmodule *m) {
  sl_scoped *s = m->kept[SL_PROBE_scope];
  for (uint32_t pc = 0; pc < m->n_code; pc++) {
    const uint8_t kind = m->patches[pc].kind, flags = m->patches[pc].flags;
    s->any |= kind <= SL_SEE_RMW && deeds[kind] && is_strong(kind, flags) && flags & SL_IS_CTA;
  }
}

static bool joins(const sl_grid *g) { return ((const sl_scoped *)g->m->kept[SL_PROBE_scope])->any; }

static void launch(sl_grid *g) {
  *words_of(g) = (sl_table){.value_bytes = sizeof(sl_updates), .limit = 1u << 20};
}

static void launch_end(sl_grid *g) { sl__table_free(words_of(g)); }

const sl_probe sl__probe_scope = {.name = "scope",
                                  .checks = SL_CHECK_RACE_GLOBAL,
                                  .joins = joins,
                                  .kinds = SL_SEES(LOAD) | SL_SEES(STORE) | SL_SEES(RMW),
                                  .module_bytes = sizeof(sl_scoped),
                                  .launch_bytes = sizeof(sl_table),
                                  .look = look,
                                  .launch = launch,
                                  .launch_end = launch_end,
                                  .access = see_access};
