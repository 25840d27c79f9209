// Handlers before an instruction's own. Only this file puts them in, by sl_layer, or takes them out.
//
// Interface: sl__patch_launch brings the code of a module into the state that a launch wants. Every handler
// finds the next one in sl_patch.below. The code has few states (which layers, which kinds of events), so
// most launches find the code as they want it.
#include "engine/probe.h"

sl_op_fn *sl__handler_place(sl_xinsn *x) { return x->guard != SL_NO_SLOT && x->body ? &x->body : &x->fn; }

sl_op_fn sl__handler(const sl_gmodule *m, uint32_t pc) {
  return m->patches ? m->patches[pc].own : *sl__handler_place(&m->code[pc]);
}

void sl__patch_make(sl_gmodule *m) {
  if (m->patches) return;
  m->patches = sl_must(calloc(m->n_code + 1, sizeof *m->patches));
  for (uint32_t pc = 0; pc < m->n_code; pc++) {
    const sl_func *fn = NULL;
    const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], &fn);
    sl_patch *p = &m->patches[pc];
    p->own = *sl__handler_place(&m->code[pc]), p->front = m->code[pc].fn;
    if ((p->written = in && fn && !m->code[pc].unwritten)) sl__classify(fn->ir, in, p);
  }
}

void sl__see_branch(sl_gmodule *m, uint32_t pc) { m->patches[pc].kind = SL_SEE_BACK; }
void sl__see_constant(sl_gmodule *m, uint32_t pc) { m->patches[pc].kind = SL_SEE_CONSTANT; }

// Handlers of the layers of probes --------------------------------------------------------------------------

static sl_step run_inner(sl_warp *w, const sl_xinsn *i) {
  return w->grid->heard->inner(w, i, sl__patch_at(w, i)->below[SL_LAYER_INNER]);
}

#define RUN_OUTER(k)                                                                                         \
  static sl_step run_outer_##k(sl_warp *w, const sl_xinsn *i) {                                              \
    return w->grid->heard->outer[k](w, i, sl__patch_at(w, i)->below[SL_LAYER_OUTER + k]);                    \
  }
RUN_OUTER(0)
RUN_OUTER(1)
RUN_OUTER(2)
static const sl_op_fn OUTER[] = {run_outer_0, run_outer_1, run_outer_2};

// The state of the code -------------------------------------------------------------------------------------

// The state of the code as one number: kinds of events, layers, outer probes.
enum { KINDS = SL_SEE_KINDS, OUTERS = KINDS + 2 };

static sl_op_fn handler_of(sl_gmodule *m, uint32_t pc, sl_layer layer, uint32_t state) {
  const sl_patch *p = &m->patches[pc];
  if (layer == SL_LAYER_WEAK) return state >> KINDS & SL_PATCH_WEAK ? sl__weak_handler(m, pc) : NULL;
  if (layer == SL_LAYER_INNER) return state >> KINDS & SL_PATCH_INNER && p->written ? run_inner : NULL;
  return state >> p->kind & 1 ? sl__emitter(p->kind) : NULL;
}

static void link_handlers(sl_gmodule *m, uint32_t pc, uint32_t state) {
  sl_xinsn *x = &m->code[pc];
  sl_patch *p = &m->patches[pc];
  sl_op_fn at = p->own, h;
  for (sl_layer layer = 0; layer < SL_LAYER_OUTER; layer++)
    if ((h = handler_of(m, pc, layer, state))) p->below[layer] = at, at = h;
  *sl__handler_place(x) = at;
  if (p->front != p->own) at = p->front;
  for (uint32_t k = 0; k < state >> OUTERS; k++) p->below[SL_LAYER_OUTER + k] = at, at = OUTER[k];
  x->fn = at;
}

static void bring_into(sl_gmodule *m, uint32_t state) {
  if (m->patched == state) return;
  for (uint32_t pc = 0; pc < m->n_code; pc++) link_handlers(m, pc, state);
  m->patched = state;
}

void sl__patch_launch(sl_grid *g, uint32_t how) {
  sl_gmodule *m = g->k->m;
  const sl_listeners *h = g->heard;
  uint32_t state = how << KINDS | (h ? h->kinds | h->n_outer << OUTERS : 0);
  if (state) sl__patch_make(m);
  bring_into(m, state);
}

void sl__see_inner(sl_grid *g) { bring_into(g->k->m, g->k->m->patched | SL_PATCH_INNER << KINDS); }
