// Findings of the observers: who did what to which element, who did what before, why that is wrong, what to
// do.
//
// A pair of places is reported once a launch and then counted.
#include <stdio.h>
#include "observers/observers.h"

void sl__past_party(const sl_past *p, const sl_touch *t, sl_finding *f) {
  const sl_ptx_insn *in = sl__insn_of(p->m, &p->m->code[t->pc], NULL);
  sl_src_pos pos;
  uint32_t b = t->block - p->first;
  snprintf(f->kernel, sizeof f->kernel, "%s", p->name);
  f->launch = p->launch;
  memcpy(f->grid, &p->grid, sizeof f->grid), memcpy(f->threads, &p->block, sizeof f->threads);
  memcpy(f->block, (uint32_t[]){b % p->grid.x, b / p->grid.x % p->grid.y, b / p->grid.x / p->grid.y},
         sizeof f->block);
  memcpy(f->thread,
         (uint32_t[]){t->thread % p->block.x, t->thread / p->block.x % p->block.y,
                      t->thread / p->block.x / p->block.y},
         sizeof f->thread);
  if (in) sl__mnemonic(in, f->me.insn, sizeof f->me.insn);
  if (!in || !sl_ptx_position(p->m->ptx, in, &pos)) return;
  snprintf(f->file, sizeof f->file, "%s", pos.file);
  f->line = pos.line, f->me.col = pos.col;
}

static void other_party(const sl_grid *g, const sl_touch *o, sl_other *out, sl_party *p) {
  const sl_past *past = sl__streams_past(g->gpu, o->block);
  const sl_gmodule *m = past ? past->m : g->m;
  const sl_dim3 *bd = past ? &past->block : &g->l->block, *gd = past ? &past->grid : &g->l->grid;
  const sl_ptx_insn *in = sl__insn_of(m, &m->code[o->pc], NULL);
  sl_src_pos pos;
  uint32_t b = o->block - (past ? past->first : sl__seen_grid(g)->first);
  *out = (sl_other){.block = {b % gd->x, b / gd->x % gd->y, b / gd->x / gd->y},
                    .thread = {o->thread % bd->x, o->thread / bd->x % bd->y, o->thread / bd->x / bd->y}};
  if (in && sl_ptx_position(m->ptx, in, &pos)) {
    snprintf(out->file, sizeof out->file, "%s", pos.file);
    out->line = pos.line, p->col = pos.col;
  }
  if (in) sl__mnemonic(in, p->insn, sizeof p->insn);
}

// Makes "reader" from "reads".
static const char *role_of(const char *verb) {
  return verb[0] == 'r' ? "reader" : verb[0] == 'u' ? "updater" : verb[0] == 'b' ? "copier" : "writer";
}

static const char *passive(const char *verb) {
  return verb[0] == 'r' ? "read" : verb[0] == 'u' ? "updated" : "written";
}

void sl__finding_other(sl_finding *f, const sl_grid *g, const sl_touch *t) {
  sl_other o;
  other_party(g, t, &o, &f->other);
  f->other_line = o.line;
  if (t->block >= sl__seen_grid(g)->first) f->other.trip = sl__trip_then(g, t);
  snprintf(f->other_file, sizeof f->other_file, "%s", o.file);
  memcpy(f->other_block, o.block, sizeof o.block);
  memcpy(f->other_thread, o.thread, sizeof o.thread);
}

static void tell_other(sl_finding *f, const sl_story *s, const char *where) {
  const sl_touch *t = s->other;
  sl__finding_other(f, s->a->w->grid, t);
  snprintf(f->me.role, sizeof f->me.role, "%s", role_of(s->verb));
  snprintf(f->other.role, sizeof f->other.role, "%s", role_of(s->other_verb));
  if (s->flag)
    snprintf(f->what, sizeof f->what,
             "%s: " SL_THE_OBJECT " is %s here after %s, and was %s before that flag", s->title,
             passive(s->verb), s->flag, passive(s->other_verb));
  else if (s->other_verb[0] == 'b') // began to copy
    snprintf(f->what, sizeof f->what, "%s: " SL_THE_OBJECT " is %s here", s->title, passive(s->verb));
  else
    snprintf(f->what, sizeof f->what, "race on " SL_THE_OBJECT ": %s here, %s by %s", passive(s->verb),
             passive(s->other_verb),
             t->block < sl__seen_grid(s->a->w->grid)->first ? "a launch in another stream"
                                                            : "another thread");
  snprintf(f->message, sizeof f->message,
           "%s: %s is %s here; thread (%u,%u,%u) of block (%u,%u,%u) %s it at line %u%s%s. %s. %s", s->title,
           where, passive(s->verb), f->other_thread[0], f->other_thread[1], f->other_thread[2],
           f->other_block[0], f->other_block[1], f->other_block[2], s->other_verb, f->other_line,
           s->flag ? ", before " : "", s->flag ? s->flag : "", s->why, s->fix);
}

// Counts the pair of places.
static bool told_before(const sl_story *s) {
  uint64_t other = s->other ? s->other->pc + 1ull : s->work ? UINT32_MAX : 0;
  uint32_t *count = sl__table_put(&sl__seen_grid(s->a->w->grid)->reports, s->a->pc,
                                  other << 24 | (uint64_t)s->a->space << 8 | s->id);
  return !count || (*count)++ >= 1;
}

static void compose_story(const sl_story *s, sl_finding *f) {
  static const sl_telling NO_SOURCE = {.source = ""};
  const sl_access *a = s->a;
  char where[600];
  sl__finding_begin(f, a->w, a->i, (int)s->lane, s->id);
  f->me.trip = sl__trip_at(a->w, a->pc, s->lane);
  sl__object_at(a->w, (sl_space)a->space, s->addr, ((const sl_memop *)a->i->ext)->elem_bytes, a->bytes,
                &f->object);
  sl_finding_object(f, &NO_SOURCE, where, sizeof where);
  snprintf(f->why, sizeof f->why, "%s", s->why);
  snprintf(f->advice, sizeof f->advice, "%s", s->fix);
  if (s->work) {
    sl__work_party(a->w->grid->gpu, s->of, f);
    snprintf(f->me.role, sizeof f->me.role, "%s", role_of(s->verb));
    snprintf(f->what, sizeof f->what, "race on " SL_THE_OBJECT ": %s here, %s by %s", passive(s->verb),
             s->other_verb, s->work);
    snprintf(f->message, sizeof f->message, "%s: %s is %s here and %s by %s. %s. %s", s->title, where,
             passive(s->verb), s->other_verb, s->work, s->why, s->fix);
  } else if (s->other) {
    tell_other(f, s, where);
  } else {
    snprintf(f->what, sizeof f->what, "%s: " SL_THE_OBJECT, s->title);
    snprintf(f->message, sizeof f->message, "%s: %s. %s. %s", s->title, where, s->why, s->fix);
  }
}

void sl__tell(const sl_story *story) {
  const sl_finding_kind *kind = sl_finding_kind_of(story->id);
  sl_story s = *story;
  sl_finding f;
  if (told_before(&s)) return;
  if (!s.title) s.title = kind->title;
  if (!s.why) s.why = kind->why;
  if (!s.fix) s.fix = kind->advice;
  compose_story(&s, &f);
  sl_gpu_add_finding(s.a->w->grid->gpu, &f);
}
