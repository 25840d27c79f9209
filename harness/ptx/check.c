// The last step of parsing: settles names that were used before they were declared, then proves that every
// index in the module is in range, so that the engine need not check.
//
// Interface: sl__settle.
#include "ptx/ptx_int.h"

static void settle_operand(sl_operand *o, const sl__sym *s) {
  if (s->kind == SL_K_VAR) o->var = s->index;
  else o->kind = SL_O_FUNC, o->func = s->index;
}

static void settle_reloc(sl_ptx_reloc *r, const sl__sym *s) {
  r->is_func = s->kind == SL_K_FUNC;
  r->index = s->index;
}

static void settle(sl__parser *p, const sl__global_ref *g) {
  const sl__sym *s = sl__find(p, g->w, SL_C_NAME);
  if (!s || (s->kind != SL_K_VAR && s->kind != SL_K_FUNC))
    sl__bad_at(p, g->line, g->stmt, "'%.*s' is not declared", (int)g->w.len, g->w.at);
  if (g->o && g->o->kind == SL_O_MEM && s->kind == SL_K_FUNC)
    sl__bad_at(p, g->line, g->stmt, "a function is no address of data");
  if (g->o) settle_operand(g->o, s);
  else settle_reloc(g->r, s);
}

typedef struct check {
  sl__parser *p;
  const sl_ptx_module *m;
  const sl_ptx_func *f;
  const sl_ptx_insn *i;
} check;

static void insist(const check *c, bool ok, const char *what) {
  if (!ok) sl__bad_at(c->p, c->i->ptx_line, c->i->text, "%s", what);
}

static void range(const check *c, uint32_t first, uint32_t n) {
  insist(c, first <= c->f->n_elems && n <= c->f->n_elems - first, "a list of operands out of range");
}

static void operand(const check *c, const sl_operand *o) {
  const sl_ptx_func *f = c->f;
  uint8_t kind = o->kind == SL_O_MEM ? o->base_kind : o->kind;
  if (kind == SL_O_REG) insist(c, o->reg < f->n_regs, "a register out of range");
  if (kind == SL_O_VAR) insist(c, o->var < c->m->n_vars, "a variable out of range");
  if (kind == SL_O_FUNC) insist(c, o->func < c->m->n_funcs, "a function out of range");
  if (kind == SL_O_LABEL) insist(c, o->label <= f->n_insns, "a label out of range");
  if (kind == SL_O_VEC) range(c, o->first, o->n_elems);
  if (o->pair && o->pair != UINT32_MAX) insist(c, o->pair <= f->n_regs, "a register out of range");
}

static void instruction(const check *c) {
  const sl_ptx_insn *i = c->i;
  for (uint32_t k = 0; k < i->n_ops; k++) operand(c, &i->ops[k]);
  range(c, i->ret_first, i->n_ret);
  range(c, i->arg_first, i->n_arg);
  range(c, i->target_first, i->n_targets);
  insist(c, i->guard <= c->f->n_regs && i->loc <= c->m->n_locs && i->proto <= c->m->n_protos,
         "an index out of range");
  if (i->op == SL_OP_call)
    insist(c, i->ops[0].kind == SL_O_FUNC || i->ops[0].kind == SL_O_REG, "a variable cannot be called");
}

static void function(check *c) {
  for (uint32_t k = 0; k < c->f->n_insns; k++) {
    c->i = &c->f->insns[k];
    instruction(c);
  }
  for (uint32_t k = 0; k < c->f->n_elems; k++) operand(c, &c->f->elems[k]);
}

void sl__settle(sl__parser *p) {
  for (uint32_t i = 0; i < p->global_refs.n; i++) settle(p, &SL__AT(p, global_refs, sl__global_ref, i));
  check c = {.p = p, .m = p->m};
  for (uint32_t i = 0; i < p->m->n_funcs; i++) {
    c.f = &p->m->funcs[i];
    function(&c);
  }
}
