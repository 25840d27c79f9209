// Findings of the observers: who did what to which element, who before, why that is wrong, what to do.
//
// A pair of places is reported once a launch, and again when the threads that meet tell more (sl_meeting).
#include "engine/depends.h"
#include "observers/observers.h"

// Block [k] of a launch, and thread [k] of a block, as coordinates.
static void split_index(uint32_t k, sl_dim3 dim, uint32_t out[3]) {
  out[0] = k % dim.x, out[1] = k / dim.x % dim.y, out[2] = k / dim.x / dim.y;
}

bool sl__place_at(const sl_gmodule *m, uint32_t pc, sl_src_pos *pos) {
  const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], NULL);
  return in && sl_ptx_position(m->ptx, in, pos);
}

uint32_t sl__line_at(const sl_gmodule *m, uint32_t pc) {
  sl_src_pos pos;
  return sl__place_at(m, pc, &pos) ? pos.line : 0;
}

static void name_place(const sl_gmodule *m, uint32_t pc, sl_party *p, char file[512], uint32_t *line) {
  const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], NULL);
  sl_src_pos pos;
  if (in) sl__mnemonic(in, p->insn, sizeof p->insn);
  if (!in || !sl_ptx_position(m->ptx, in, &pos)) return;
  snprintf(file, 512, "%s", pos.file);
  *line = pos.line, p->col = pos.col;
}

void sl__past_party(const sl_past *p, const sl_touch *t, sl_finding *f) {
  snprintf(f->kernel, sizeof f->kernel, "%s", p->name);
  f->launch = p->launch;
  memcpy(f->grid, &p->grid, sizeof f->grid), memcpy(f->threads, &p->block, sizeof f->threads);
  split_index(t->block - p->first, p->grid, f->block);
  split_index(t->thread, p->block, f->thread);
  name_place(p->m, t->pc, &f->me, f->file, &f->line);
}

// Who does it, and what becomes of the place.
static const struct {
  const char *role, *passive;
} DEEDS[] = {[SL_DID_NOTHING] = {"", ""},
             [SL_DID_READ] = {"reader", "read"},
             [SL_DID_WRITE] = {"writer", "written"},
             [SL_DID_UPDATE] = {"updater", "updated"},
             [SL_DID_BEGIN_COPY] = {"copier", "written"},
             [SL_DID_FREE] = {"", "freed"},
             [SL_DID_ALLOCATE] = {"", "allocated"}};
const char *sl__passive(sl_did did) { return DEEDS[did].passive; }

void sl__finding_other(sl_finding *f, const sl_grid *g, const sl_touch *t) {
  const sl_past *past = sl__streams_past(g->gpu, t->block);
  const uint32_t first = past ? past->first : sl__seen_grid(g)->first;
  split_index(t->block - first, past ? past->grid : g->l->grid, f->other_block);
  split_index(t->thread, past ? past->block : g->l->block, f->other_thread);
  name_place(past ? past->m : g->m, t->pc, &f->other, f->other_file, &f->other_line);
  if (t->block >= sl__seen_grid(g)->first) f->other.trip = sl__trip_then(g, t);
}

#define SWAP(x, y)                                                                                           \
  do {                                                                                                       \
    char kept[sizeof(x)];                                                                                    \
    memcpy(kept, &(x), sizeof kept), memcpy(&(x), &(y), sizeof kept), memcpy(&(y), kept, sizeof kept);       \
  } while (0)

static void swap_parties(sl_finding *f) {
  SWAP(f->me, f->other);
  SWAP(f->file, f->other_file);
  SWAP(f->line, f->other_line);
  SWAP(f->block, f->other_block);
  SWAP(f->thread, f->other_thread);
}

static void tell_other(sl_finding *f, const sl_story *s) {
  const sl_touch *t = s->other;
  sl__finding_other(f, s->a->w->grid, t);
  snprintf(f->me.role, sizeof f->me.role, "%s", DEEDS[s->did].role);
  snprintf(f->other.role, sizeof f->other.role, "%s", DEEDS[s->other_did].role);
  if (s->meeting) sl__meeting_advice(s, f);
  if (s->flag && s->other_first) {
    swap_parties(f);
    snprintf(f->what, sizeof f->what,
             "%s: " SL_THE_OBJECT " is %s here before %s, and is %s at line %u behind that flag", s->title,
             sl__passive(s->other_did), s->flag, sl__passive(s->did), f->other_line);
  } else if (s->flag)
    snprintf(f->what, sizeof f->what,
             "%s: " SL_THE_OBJECT " is %s here after %s, and was %s before that flag", s->title,
             sl__passive(s->did), s->flag, sl__passive(s->other_did));
  else if (s->other_did == SL_DID_BEGIN_COPY)
    snprintf(f->what, sizeof f->what, "%s: " SL_THE_OBJECT " is %s here", s->title, sl__passive(s->did));
  else {
    f->cause = t->block < sl__seen_grid(s->a->w->grid)->first ? SL_CAUSE_STREAM : SL_CAUSE_NOTHING;
    snprintf(f->what, sizeof f->what, "race on " SL_THE_OBJECT ": %s here, %s by %s", sl__passive(s->did),
             sl__passive(s->other_did), f->cause ? "a launch in another stream" : "another thread");
  }
}

static uint64_t told_as(const sl_story *s, sl_found id) {
  const uint64_t other = s->other ? s->other->pc + 1ull : s->work ? UINT32_MAX : 0;
  return other << 24 | (uint64_t)s->a->space << 8 | id;
}

// Was the pair of places told, by a meeting that says as much? Later races follow from a missing fence.
static bool told_before(const sl_story *s) {
  sl_table *t = &sl__seen_grid(s->a->w->grid)->reports;
  if (s->id == SL_FOUND_RACE_GLOBAL && sl__table_find(t, s->a->pc, told_as(s, SL_FOUND_ORDER_FENCE)))
    return true;
  uint32_t *count = sl__table_put(t, s->a->pc, told_as(s, s->id));
  if (!count || *count > sl__meeting_rank(s)) return true;
  *count = sl__meeting_rank(s) + 1;
  return false;
}

static void tell_beside(sl_finding *f, const sl_story *s) {
  sl__finding_other(f, s->a->w->grid, s->beside);
  snprintf(f->me.role, sizeof f->me.role, "reader");
  snprintf(f->other.role, sizeof f->other.role, "beside");
  if (f->other_line)
    snprintf(f->advice, sizeof f->advice,
             "Write this element first. The nearest one that was written is stored at line %u: look at the "
             "index and the guard there, and at the index here",
             f->other_line);
}

// Is the element behind where another argument's array begins, in the same allocation or another? The index
// then went too far, and nobody needs to write it.
static void tell_astray(sl_finding *f, const sl_story *s) {
  if (s->id != SL_FOUND_MEMORY_UNINIT || s->a->space != SL_SP_GLOBAL || !f->object.argument) return;
  const sl_object near = sl__object_of(s->a->w, NULL, SL_SP_GLOBAL, s->addr, f->object.elem, s->a->bytes);
  if (!near.argument || near.index < 0 || near.index >= f->object.index) return;
  snprintf(f->advice, sizeof f->advice,
           "Look at the index and the guard here: another array that the kernel was given begins before this "
           "element. If it is meant, write it first");
}

// Threads that had ended before the block's last barrier write nothing any more: one that has no element of
// its own may still have one to write. Those that ended behind it may just be done.
static void tell_ended(sl_finding *f, const sl_story *s) {
  const sl_block *b = s->a->w->block;
  if (s->id != SL_FOUND_MEMORY_UNINIT || s->a->space != SL_SP_SHARED || !b->phase || b->met == b->n_threads)
    return;
  snprintf(f->advice, sizeof f->advice,
           "%u of the block's %u threads had ended before the last barrier. Let all threads stay, and guard "
           "their accesses instead: a thread that returns early writes nothing",
           b->n_threads - b->met, b->n_threads);
}

// [f] says already who, where and what kind.
static void compose_story(const sl_story *s, sl_finding *f) {
  const sl_access *a = s->a;
  f->me.trip = sl__trip_at(a->w, a->pc, s->lane);
  f->object = sl__object_of(a->w, a->i, (sl_space)a->space, s->addr,
                            ((const sl_memop *)a->i->ext)->elem_bytes, a->bytes);
  snprintf(f->why, sizeof f->why, "%s", s->why);
  snprintf(f->advice, sizeof f->advice, "%s", s->fix ? s->fix : sl_finding_kind_of(s->id)->advice);
  f->early = s->early || s->meeting == SL_MEET_POLLED;
  if (s->work) {
    f->cause = sl__work_cause(s->of);
    sl__work_party(a->w->grid->gpu, s->of, f);
    snprintf(f->me.role, sizeof f->me.role, "%s", DEEDS[s->did].role);
    snprintf(f->what, sizeof f->what, "race on " SL_THE_OBJECT ": %s here, %s by %s", sl__passive(s->did),
             sl__passive(s->other_did), s->work);
  } else if (s->other) {
    tell_other(f, s);
  } else {
    snprintf(f->what, sizeof f->what, "%s: " SL_THE_OBJECT, s->title);
    if (s->beside && !sl__is_fixed(a->w->grid->m, a->i)) tell_beside(f, s);
    tell_astray(f, s);
    tell_ended(f, s);
  }
}

void sl__tell(const sl_story *story) {
  const sl_finding_kind *kind = sl_finding_kind_of(story->id);
  sl_story s = *story;
  sl_finding f;
  sl__steps_told(&s);
  if (told_before(&s)) return;
  if (!s.title) s.title = kind->title;
  if (s.meeting && !s.why) s.why = sl__meeting_why(s.meeting);
  if (!s.why) s.why = kind->why;
  sl__finding_begin(&f, s.a->w, s.a->i, (int)s.lane, s.id);
  if (sl__finding_is_one_more(s.a->w->grid->gpu, &f)) return;
  compose_story(&s, &f);
  sl_gpu_add_finding(s.a->w->grid->gpu, &f);
}
