// Instructions and whole modules as PTX text in one canonical form.
//
// Interface: sl_ptx_disasm (ir.h) writes one instruction with the names of the original text; sl_ptx_print
// (print.h) writes a module that parses to the same tables again. Labels are "$L" and the number of the
// instruction that they stand before.
#include "ptx/print.h"

// A buffer that fills up and stays NUL-ended.
typedef struct out {
  char *to;
  size_t n, cap;
  const sl_ptx_module *m;
  const sl_ptx_func *f;
  bool unique; // registers, variables and prototypes carry their index: names may repeat in nested { }
} out;

__attribute__((format(printf, 2, 3))) static void put(out *o, const char *fmt, ...) {
  if (o->n + 1 >= o->cap) return;
  va_list args;
  va_start(args, fmt);
  int n = vsnprintf(o->to + o->n, o->cap - o->n, fmt, args);
  va_end(args);
  o->n = n < 0 ? o->n : o->n + (size_t)n < o->cap ? o->n + (size_t)n : o->cap - 1;
}

int sl__ptx_base_len(const char *name) {
  size_t n = strlen(name), digits = n;
  while (digits > 1 && name[digits - 1] >= '0' && name[digits - 1] <= '9') digits--;
  return (int)(digits < n && digits > 1 && name[digits - 1] == '$' ? digits - 1 : n);
}

static void put_unique(out *o, const char *name, uint32_t index) {
  put(o, "%.*s$%u", sl__ptx_base_len(name), name, index);
}

static void put_reg(out *o, uint32_t reg) {
  if (reg >= o->f->n_regs) put(o, "?");
  else if (o->unique) put_unique(o, o->f->regs[reg].name, reg);
  else put(o, "%s", o->f->regs[reg].name);
}

static void put_var(out *o, uint32_t var) {
  if (var >= o->m->n_vars) put(o, "?");
  else if (o->unique && o->m->vars[var].func) put_unique(o, o->m->vars[var].name, var);
  else put(o, "%s", o->m->vars[var].name);
}

static void put_offset(out *o, int64_t offset) {
  if (offset) put(o, "%+lld", (long long)offset);
}

static void put_reg_operand(out *o, const sl_operand *x) {
  put_reg(o, x->reg);
  if (x->part) put(o, ".%c", x->part);
  for (int k = x->part ? x->n_parts : 0; k-- > 0;) put(o, "%d", x->parts >> 4 * k & 15);
}
static void put_imm(out *o, const sl_operand *x) { put(o, "%lld", (long long)x->imm); }
static void put_f32(out *o, const sl_operand *x) { put(o, "0f%08X", (unsigned)x->imm); }
static void put_f64(out *o, const sl_operand *x) { put(o, "0d%016llX", (unsigned long long)x->imm); }
static void put_sreg(out *o, const sl_operand *x) { put(o, "%s", sl_ptx_sreg_name(x->sreg)); }
static void put_label(out *o, const sl_operand *x) { put(o, "$L%u", x->label); }
static void put_sink(out *o, const sl_operand *) { put(o, "_"); }

static void put_symbol(out *o, const sl_operand *x) {
  if (x->generic) put(o, "generic(");
  if (x->kind == SL_O_FUNC) put(o, "%s", x->func < o->m->n_funcs ? o->m->funcs[x->func].name : "?");
  else put_var(o, x->var);
  if (x->generic) put(o, ")");
  put_offset(o, x->imm);
}

static void put_mem(out *o, const sl_operand *x) {
  put(o, "[");
  if (x->base_kind == SL_O_REG) put_reg(o, x->reg);
  else if (x->base_kind == SL_O_VAR) put_var(o, x->var);
  if (x->base_kind) put_offset(o, x->imm);
  else put_imm(o, x);
  put(o, "]");
}

static void put_operand(out *o, const sl_operand *x);

static void put_list(out *o, uint32_t first, uint32_t n) {
  for (uint32_t i = 0; i < n && first + i < o->f->n_elems; i++) {
    if (i) put(o, ", ");
    put_operand(o, &o->f->elems[first + i]);
  }
}

static void put_vec(out *o, const sl_operand *x) {
  put(o, "{");
  put_list(o, x->first, x->n_elems);
  put(o, "}");
}

static void (*const writers[])(out *, const sl_operand *) = {
    [SL_O_REG] = put_reg_operand, [SL_O_IMM] = put_imm,     [SL_O_F32] = put_f32,     [SL_O_F64] = put_f64,
    [SL_O_SREG] = put_sreg,       [SL_O_VAR] = put_symbol,  [SL_O_FUNC] = put_symbol, [SL_O_MEM] = put_mem,
    [SL_O_VEC] = put_vec,         [SL_O_LABEL] = put_label, [SL_O_SINK] = put_sink};

static void put_operand(out *o, const sl_operand *x) {
  if (x->kind == SL_O_NONE || x->kind >= sizeof writers / sizeof writers[0]) return;
  if (x->negated) put(o, "!");
  if (x->minus) put(o, "-");
  writers[x->kind](o, x);
  if (!x->pair) return;
  put(o, "|");
  if (x->pair == UINT32_MAX) put(o, "_");
  else put_reg(o, x->pair - 1);
}

static void put_proto(out *o, uint32_t index) {
  if (o->unique) put(o, "$P%u", index);
  else put(o, "%s", index < o->m->n_protos ? o->m->protos[index].name : "?");
}

// (rets), callee, (args), prototype
static void put_call(out *o, const sl_ptx_insn *i) {
  if (i->n_ret) put(o, " ("), put_list(o, i->ret_first, i->n_ret), put(o, "),");
  put(o, " ");
  put_operand(o, &i->ops[0]);
  if (i->n_arg || i->proto) put(o, ", ("), put_list(o, i->arg_first, i->n_arg), put(o, ")");
  if (i->proto) put(o, ", "), put_proto(o, i->proto - 1);
}

// index, table; the table of a single instruction is shown in full.
static void put_brx(out *o, const sl_ptx_insn *i) {
  put(o, " ");
  put_operand(o, &i->ops[0]);
  if (o->unique) {
    put(o, ", $T%u", (unsigned)(i - o->f->insns));
    return;
  }
  put(o, ", {");
  put_list(o, i->target_first, i->n_targets);
  put(o, "}");
}

static void put_insn(out *o, const sl_ptx_insn *i) {
  if (i->guard) put(o, i->guard_neg ? "@!" : "@"), put_reg(o, i->guard - 1), put(o, " ");
  put(o, "%s", sl_ptx_op_name(i->op));
  for (unsigned k = 0; k < i->n_mods; k++) put(o, ".%s", sl_ptx_mod_name(i->mods[k]));
  if (i->op == SL_OP_call) put_call(o, i);
  else if (i->op == SL_OP_brx) put_brx(o, i);
  else
    for (unsigned k = 0; k < i->n_ops; k++) put(o, k ? ", " : " "), put_operand(o, &i->ops[k]);
  put(o, ";");
}

static char *disasm(const sl_ptx_module *m, const sl_ptx_func *f, const sl_ptx_insn *i, bool unique, char *to,
                    size_t cap) {
  if (!cap) return to;
  out o = {.to = to, .cap = cap, .m = m, .f = f, .unique = unique};
  to[0] = 0;
  put_insn(&o, i);
  return to;
}

char *sl_ptx_disasm(const sl_ptx_module *m, const sl_ptx_func *f, const sl_ptx_insn *i, char *to,
                    size_t cap) {
  return disasm(m, f, i, false, to, cap);
}

char *sl__ptx_disasm_unique(const sl_ptx_module *m, const sl_ptx_func *f, const sl_ptx_insn *i, char *to,
                            size_t cap) {
  return disasm(m, f, i, true, to, cap);
}
