// Print a module, parse the print, compare the two modules in content.
//
// Interface: sl__round_trip. Registers and variables are compared by name (without the index that printing
// appends), class, type, size and initial value; source positions by their whole chain.
#include "ptx/print.h"
#include "ptx/tests/round_trip.h"

typedef struct side {
  const sl_ptx_module *m;
  const sl_ptx_func *f;
} side;

static char why[400];
static bool differ(const char *what, const char *name) {
  if (!why[0]) snprintf(why, sizeof why, "%s differs in %s", what, name);
  return false;
}

static bool same_name(const char *a, const char *b) {
  int n = sl__ptx_base_len(a);
  return n == sl__ptx_base_len(b) && strncmp(a, b, (size_t)n) == 0;
}

static bool same_var(const side *a, uint32_t i, const side *b, uint32_t j) {
  const sl_ptx_var *x = &a->m->vars[i], *y = &b->m->vars[j];
  bool same = same_name(x->name, y->name) && x->space == y->space && x->type == y->type &&
              x->size == y->size && x->align == y->align && x->is_extern == y->is_extern &&
              x->is_managed == y->is_managed && x->is_unsized == y->is_unsized && !x->func == !y->func &&
              x->n_relocs == y->n_relocs && !x->init == !y->init;
  if (!same || (x->init && memcmp(x->init, y->init, x->size))) return differ("a variable", x->name);
  for (uint32_t k = 0; k < x->n_relocs; k++) {
    const sl_ptx_reloc *r = &x->relocs[k], *s = &y->relocs[k];
    const char *to = r->is_func ? a->m->funcs[r->index].name : a->m->vars[r->index].name;
    const char *also = s->is_func ? b->m->funcs[s->index].name : b->m->vars[s->index].name;
    if (r->offset != s->offset || r->size != s->size || r->addend != s->addend || r->shift != s->shift ||
        r->generic != s->generic || r->is_func != s->is_func || strcmp(to, also))
      return differ("an address in a variable", x->name);
  }
  return true;
}

static bool same_reg(const side *a, uint32_t i, const side *b, uint32_t j) {
  const sl_ptx_reg *x = &a->f->regs[i], *y = &b->f->regs[j];
  return i == j && same_name(x->name, y->name) && x->cls == y->cls && x->type == y->type;
}

static bool same_lists(const side *a, uint32_t i, uint32_t n, const side *b, uint32_t j, uint32_t m);

static bool same_operand(const side *a, const sl_operand *x, const side *b, const sl_operand *y) {
  if (x->kind != y->kind || x->base_kind != y->base_kind || x->negated != y->negated ||
      x->minus != y->minus || x->part != y->part || (x->part && x->parts != y->parts) ||
      x->generic != y->generic || x->imm != y->imm || x->pair != y->pair || x->sreg != y->sreg ||
      x->label != y->label)
    return false;
  uint8_t kind = x->kind == SL_O_MEM ? x->base_kind : x->kind;
  if (kind == SL_O_REG) return same_reg(a, x->reg, b, y->reg);
  if (kind == SL_O_VAR) return same_var(a, x->var, b, y->var);
  if (kind == SL_O_FUNC) return strcmp(a->m->funcs[x->func].name, b->m->funcs[y->func].name) == 0;
  return kind != SL_O_VEC || same_lists(a, x->first, x->n_elems, b, y->first, y->n_elems);
}

static bool same_lists(const side *a, uint32_t i, uint32_t n, const side *b, uint32_t j, uint32_t m) {
  bool same = n == m;
  for (uint32_t k = 0; same && k < n; k++)
    same = same_operand(a, &a->f->elems[i + k], b, &b->f->elems[j + k]);
  return same;
}

static bool same_loc(const side *a, uint32_t i, const side *b, uint32_t j) {
  for (; i && j; i = a->m->locs[i - 1].inlined, j = b->m->locs[j - 1].inlined) {
    const sl_ptx_loc *x = &a->m->locs[i - 1], *y = &b->m->locs[j - 1];
    if (x->file != y->file || x->line != y->line || x->col != y->col || !x->func != !y->func) return false;
    if (x->func && strcmp(x->func, y->func)) return false;
  }
  return !i == !j;
}

static bool same_proto(const side *a, uint32_t i, const side *b, uint32_t j) {
  if (!i || !j) return i == j;
  const sl_ptx_proto *x = &a->m->protos[i - 1], *y = &b->m->protos[j - 1];
  return x->ret_size == y->ret_size && x->ret_align == y->ret_align && x->n_params == y->n_params &&
         memcmp(x->param_size, y->param_size, sizeof x->param_size) == 0 &&
         memcmp(x->param_align, y->param_align, sizeof x->param_align) == 0;
}

static bool same_insn(const side *a, const sl_ptx_insn *x, const side *b, const sl_ptx_insn *y) {
  bool same = x->op == y->op && x->n_mods == y->n_mods && x->n_ops == y->n_ops && x->guard == y->guard &&
              x->guard_neg == y->guard_neg && memcmp(x->mods, y->mods, x->n_mods) == 0 &&
              same_loc(a, x->loc, b, y->loc) && same_proto(a, x->proto, b, y->proto) &&
              same_lists(a, x->ret_first, x->n_ret, b, y->ret_first, y->n_ret) &&
              same_lists(a, x->arg_first, x->n_arg, b, y->arg_first, y->n_arg) &&
              same_lists(a, x->target_first, x->n_targets, b, y->target_first, y->n_targets);
  for (uint32_t k = 0; same && k < x->n_ops; k++) same = same_operand(a, &x->ops[k], b, &y->ops[k]);
  return same;
}

static bool same_func(const side *a, const side *b) {
  const sl_ptx_func *x = a->f, *y = b->f;
  if (strcmp(x->name, y->name) || x->is_entry != y->is_entry || x->is_extern != y->is_extern ||
      x->noreturn != y->noreturn || x->param_bytes != y->param_bytes || x->n_params != y->n_params ||
      x->n_rets != y->n_rets || x->n_regs != y->n_regs || x->n_insns != y->n_insns ||
      memcmp(x->maxntid, y->maxntid, sizeof x->maxntid) ||
      memcmp(x->reqntid, y->reqntid, sizeof x->reqntid) || x->minnctapersm != y->minnctapersm)
    return differ("the head", x->name);
  for (uint32_t i = 0; i < x->n_params; i++)
    if (!same_var(a, x->params[i], b, y->params[i]) ||
        a->m->vars[x->params[i]].offset != b->m->vars[y->params[i]].offset)
      return differ("a parameter", x->name);
  for (uint32_t i = 0; i < x->n_insns; i++)
    if (!same_insn(a, &x->insns[i], b, &y->insns[i])) {
      char text[200];
      return differ(sl_ptx_disasm(a->m, x, &x->insns[i], text, sizeof text), x->name);
    }
  return true;
}

static bool same_module(const sl_ptx_module *m, const sl_ptx_module *n) {
  side a = {.m = m}, b = {.m = n};
  if (m->n_funcs != n->n_funcs || m->n_vars != n->n_vars || m->sm != n->sm || strcmp(m->target, n->target))
    return differ("the heading", "the module");
  for (uint32_t i = 0, j = 0; i < m->n_vars; i++) {
    if (m->vars[i].func) continue;
    if (!same_var(&a, i, &b, j++)) return false; // printed first
  }
  for (uint32_t i = 0; i < m->n_funcs; i++) {
    a.f = &m->funcs[i], b.f = &n->funcs[i];
    if (!same_func(&a, &b)) return false;
  }
  return true;
}

const char *sl__round_trip(const sl_ptx_module *m) {
  SL_FREED char *text = NULL;
  size_t n = 0;
  why[0] = 0;
  FILE *to = open_memstream(&text, &n);
  if (!to) return "no memory";
  sl_ptx_print(m, to);
  fclose(to);
  sl_error e = {0};
  MODULE *again = sl_ptx_parse("printed", text, n, &e);
  if (!again) snprintf(why, sizeof why, "the print does not parse: %.300s", e.text);
  else same_module(m, again);
  return why[0] ? why : NULL;
}
