// Findings: what a launch did wrong, and where. The device keeps them until cleared, and counts equal ones.
//
// sl__finding_at composes a finding for a lane at an instruction; fault.c those of bad accesses.
#include "engine/core.h"

#define MAX_OF_A_KIND 10

size_t sl_gpu_findings(sl_gpu *g, const sl_finding **out) {
  sl_findings_sort(g->findings, g->n_findings);
  *out = g->findings;
  return g->n_findings;
}
void sl_gpu_clear_findings(sl_gpu *g) { g->n_findings = 0; }

// Counts the finding with the one of its place, and keeps the one that tells more.
static void join_findings(sl_finding *o, const sl_finding *f) {
  const sl_finding old = *o;
  if (f->rank > o->rank) {
    *o = *f;
    o->count = old.count, o->more = old.more;
    memcpy(o->replay, old.replay, sizeof o->replay);
  }
  o->count += f->count ? f->count : 1;
}

static bool same_kind(const sl_finding *a, const sl_finding *b) {
  return a->id == b->id && strcmp(a->kernel, b->kernel) == 0;
}

bool sl__finding_is_one_more(sl_gpu *g, const sl_finding *f) {
  size_t of_kind = 0;
  sl_finding *last = NULL;
  for (size_t k = 0; k < g->n_findings; k++) {
    sl_finding *o = &g->findings[k];
    if (!same_kind(o, f)) continue;
    if (o->line == f->line || o->other_line == f->line) return false;
    of_kind++, last = o;
  }
  if (of_kind < MAX_OF_A_KIND) return false;
  last->more++;
  return true;
}

sl_finding *sl_gpu_add_finding(sl_gpu *g, const sl_finding *f) {
  size_t of_kind = 0;
  sl_finding *last = NULL;
  for (size_t k = 0; k < g->n_findings; k++) {
    sl_finding *o = &g->findings[k];
    if (sl_finding_same_place(o, f)) {
      join_findings(o, f);
      return o;
    }
    if (same_kind(o, f)) of_kind++, last = o;
  }
  if (of_kind >= MAX_OF_A_KIND) {
    last->more++;
    return NULL;
  }
  if (!SL_ROOM(g->findings, g->n_findings)) return NULL;
  sl_finding *own = &g->findings[g->n_findings++];
  *own = *f;
  if (!f->replay[0] && g->cfg.replay) snprintf(own->replay, SL_REPLAY_MAX, "%s", g->cfg.replay);
  if (!f->count) own->count = 1;
  if (!f->grid[0]) own->launch = g->launches;
  return own;
}

// The place of an instruction. If its function is the toolkit's, or has no line numbers: the place of the
// call that led there. False: there is none.
bool sl__position(const sl_grid *g, const sl_frame *frame, const sl_xinsn *i, sl_src_pos *pos) {
  bool found = false;
  for (; i; i = frame ? frame->call : NULL, frame = frame ? frame->parent : NULL) {
    const sl_ptx_insn *in = sl__insn_of(g->m, i, NULL);
    sl_src_pos here;
    if (!in || !sl_ptx_position(g->m->ptx, in, &here)) continue;
    if (!found) *pos = here;
    found = true;
    if (here.in_toolkit) continue;
    *pos = here;
    return true;
  }
  return found;
}

void sl__mnemonic(const sl_ptx_insn *in, char *out, size_t cap) {
  size_t n = (size_t)snprintf(out, cap, "%s", sl_ptx_op_name((sl_ptx_op)in->op));
  for (uint32_t k = 0; k < in->n_mods && n < cap; k++)
    n += (size_t)snprintf(out + n, cap - n, ".%s", sl_ptx_mod_name((sl_ptx_mod)in->mods[k]));
  char *dot = n >= cap ? strrchr(out, '.') : NULL; // too long: whole modifiers
  if (dot) *dot = 0;
}

void sl__finding_launch(sl_finding *f, const sl_grid *g) {
  snprintf(f->kernel, sizeof f->kernel, "%s", g->k->fn->ir->name);
  f->launch = g->gpu->launches - 1;
  f->shared_bytes = g->l->shared_bytes;
  f->follows = g->astray;
  memcpy(f->grid, &g->l->grid, sizeof f->grid);
  memcpy(f->threads, &g->l->block, sizeof f->threads);
}

void sl__finding_begin(sl_finding *f, sl_warp *w, const sl_xinsn *i, int lane, sl_found id) {
  const sl_grid *g = w->grid;
  const sl_ptx_insn *in = sl__insn_of(g->m, i, NULL);
  sl_src_pos pos;
  *f = (sl_finding){.id = id, .count = 1};
  sl__finding_launch(f, g);
  if (in) sl__mnemonic(in, f->me.insn, sizeof f->me.insn);
  if (sl__position(g, sl__split(w)->frame, i, &pos)) {
    snprintf(f->file, sizeof f->file, "%s", pos.file);
    f->line = pos.line, f->me.col = pos.col;
  }
  memcpy(f->block, w->block->index, sizeof f->block);
  const uint8_t *sp = sl__core(w)->special;
  for (int d = 0; d < 3; d++) f->thread[d] = ((const uint32_t *)(sp + SL_SB_TID_X + 128 * d))[lane];
}

void sl__finding_made(sl_warp *w, const sl_xinsn *i, int lane, uint64_t addr) {
  enum { MOST = 1000 }; // notes a device
  sl_gpu *g = w->grid->gpu;
  sl_alloc *a = (sl_alloc *)sl__memory_find(&g->mem, addr);
  if (!(g->cfg.checks & SL_CHECK_MEMORY_LEAK) || !a || g->n_made >= MOST ||
      !(a->made = calloc(1, sizeof *a->made)))
    return;
  g->n_made++;
  sl__finding_begin(a->made, w, i, lane, SL_FOUND_MEMORY_LEAK);
}

static void place_text(const sl_finding *f, char *out, size_t cap) {
  snprintf(out, cap, "thread (%u,%u,%u) of block (%u,%u,%u)", f->thread[0], f->thread[1], f->thread[2],
           f->block[0], f->block[1], f->block[2]);
  if (f->line) sl_append(out, cap, "", " at %.300s:%u", f->file, f->line);
}

void sl__put_account(sl_finding *f, const char *fmt, va_list ap) {
  char text[600], where[400];
  vsnprintf(text, sizeof text, fmt, ap);
  place_text(f, where, sizeof where);
  snprintf(f->account, sizeof f->account, "%s, by %s", text, where);
  if (!f->what[0]) snprintf(f->what, sizeof f->what, "%.*s", (int)sizeof f->what - 1, text);
}

void sl__end_launch(sl_warp *w, sl_launch_status st, const sl_finding *f) {
  sl_gpu_add_finding(w->grid->gpu, f);
  if (w->grid->status != SL_LAUNCH_OK) return;
  w->grid->status = st;
  sl_fail(w->grid->err, SL_EXIT_FAILED, NULL, "%s: %s", sl_found_name(f->id), f->account);
}

// What a launch ends with that such a finding ends.
static sl_launch_status status_of(sl_found id) {
  switch (id) {
  case SL_FOUND_STACK_OVERFLOW: return SL_LAUNCH_FAULT;
  case SL_FOUND_KERNEL_ASSERT: return SL_LAUNCH_ASSERT;
  case SL_FOUND_KERNEL_TRAP:
  case SL_FOUND_MEMORY_FREED: // free() of it in a kernel
  case SL_FOUND_MEMORY_FREE: return SL_LAUNCH_TRAP;
  default: return SL_LAUNCH_ILLEGAL;
  }
}

void sl__finding_at(sl_warp *w, const sl_xinsn *i, int lane, sl_found id, const char *fmt, ...) {
  sl_finding f;
  va_list ap;
  sl__finding_begin(&f, w, i, lane, id);
  va_start(ap, fmt);
  sl__put_account(&f, fmt, ap);
  va_end(ap);
  sl__end_launch(w, status_of(id), &f);
}

// Sets the place of the last finding, if its instruction has none.
void sl__finding_place(sl_gpu *g, const char *file, uint32_t line) {
  sl_finding *f = g->n_findings ? &g->findings[g->n_findings - 1] : NULL;
  if (!f || f->line) return;
  snprintf(f->file, sizeof f->file, "%s", file);
  f->line = line;
}

void sl__finding_note(sl_warp *w, const sl_xinsn *i, int lane, sl_found id, const char *fmt, ...) {
  sl_finding f;
  va_list ap;
  sl__finding_begin(&f, w, i, lane, id);
  va_start(ap, fmt);
  vsnprintf(f.what, sizeof f.what, fmt, ap);
  va_end(ap);
  sl_gpu_add_finding(w->grid->gpu, &f);
}
