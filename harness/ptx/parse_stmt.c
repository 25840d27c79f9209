// Bodies of functions: nested { }, labels, declarations in between, and instructions.
//
// Interface: sl__body. An instruction is
//   [@[!]p] mnemonic{.suffix} operand, operand, ... ;
// but for bra, brx.idx and call, whose operands have forms of their own.
#include "ptx/ptx_int.h"

// The instruction that is being read: the newest one of the function.
static sl_ptx_insn *current(sl__parser *p) { return &SL__AT(p, insns, sl_ptx_insn, p->insns.n - 1); }

static void guard(sl__parser *p) {
  if (!sl__take(p, '@')) return;
  bool neg = sl__take(p, '!');
  uint32_t reg;
  sl__word w = sl__want_word(p, "a predicate");
  if (!sl__find_reg(p, w, &reg)) sl__bad(p, "'%.*s' is no register", (int)w.len, w.at);
  if (SL__AT(p, regs, sl_ptx_reg, reg).cls != SL_R_PRED)
    sl__bad(p, "'%.*s' is no predicate", (int)w.len, w.at);
  current(p)->guard = reg + 1;
  current(p)->guard_neg = neg;
}

static void suffixes(sl__parser *p, sl_ptx_insn *i) {
  while (p->tok.kind == SL_T_DOT) {
    int mod = sl__mod_of(p->tok.w);
    if (mod < 0) sl__bad(p, "the suffix '.%.*s' is not known", (int)p->tok.w.len, p->tok.w.at);
    if (i->n_mods == SL_PTX_MAX_MODS) sl__bad(p, "more than %d suffixes", SL_PTX_MAX_MODS);
    i->mods[i->n_mods++] = (uint8_t)mod;
    sl__next(p);
  }
}

static void add_operand(sl__parser *p, const sl_operand *o) {
  sl_ptx_insn *i = current(p);
  i->ops[i->n_ops++] = *o;
}

static void next_operand(sl__parser *p) {
  uint32_t slot = current(p)->n_ops;
  if (slot == SL_PTX_MAX_OPS) sl__bad(p, "more than %d operands", SL_PTX_MAX_OPS);
  sl_operand o = sl__operand(p, (sl__slot){.at = slot});
  add_operand(p, &o);
}

static void plain(sl__parser *p) {
  if (sl__is(p, ';')) return;
  do next_operand(p);
  while (sl__take(p, ','));
}

static void branch(sl__parser *p) {
  sl_operand o;
  sl__label_operand(p, &o, (sl__slot){.at = 0});
  add_operand(p, &o);
}

// brx.idx index, table; the table is a .branchtargets above it.
static void branch_table(sl__parser *p) {
  next_operand(p);
  sl__want(p, ',', "before the table of targets");
  sl__word w = sl__want_word(p, "a table of targets");
  const sl__sym *s = sl__find(p, w, SL_C_NAME);
  if (!s || s->kind != SL_K_TARGETS)
    sl__bad(p, "'%.*s' is no .branchtargets declared before", (int)w.len, w.at);
  current(p)->target_first = s->index;
  current(p)->n_targets = s->count;
}

// "prototype_5" behind the arguments of an indirect call.
static void call_prototype(sl__parser *p) {
  sl__word w = sl__want_word(p, "the prototype of the call");
  const sl__sym *s = sl__find(p, w, SL_C_NAME);
  if (!s || s->kind != SL_K_PROTO) sl__bad(p, "'%.*s' is no prototype declared before", (int)w.len, w.at);
  current(p)->proto = s->index + 1;
}

// call (rets), callee, (args), prototype; each part but the callee may be missing.
static void parse_call(sl__parser *p) {
  uint32_t first;
  if (sl__take(p, '(')) {
    uint32_t n = sl__operand_list(p, ')', &first);
    current(p)->ret_first = first, current(p)->n_ret = n;
    sl__want(p, ',', "before the function to call");
  }
  next_operand(p);
  uint8_t kind = current(p)->ops[0].kind;
  if (kind != SL_O_REG && kind != SL_O_FUNC && kind != SL_O_VAR) sl__bad(p, "this cannot be called");
  if (sl__take(p, ',')) {
    if (sl__take(p, '(')) {
      uint32_t n = sl__operand_list(p, ')', &first);
      current(p)->arg_first = first, current(p)->n_arg = n;
      if (sl__take(p, ',')) call_prototype(p);
    } else call_prototype(p);
  }
  if (kind == SL_O_REG && !current(p)->proto) sl__bad(p, "an indirect call without its prototype");
}

static void operands(sl__parser *p, sl_ptx_op op) {
  if (op == SL_OP_bra) branch(p);
  else if (op == SL_OP_brx) branch_table(p);
  else if (op == SL_OP_call) parse_call(p);
  else plain(p);
}

// Reads what follows the mnemonic. That has been taken already, because it could have been a label.
static void after_mnemonic(sl__parser *p, sl__word mnemonic) {
  int op = sl__op_of(mnemonic);
  if (op < 0) sl__bad(p, "the instruction '%.*s' is not known", (int)mnemonic.len, mnemonic.at);
  sl_ptx_insn *i = current(p);
  i->op = (uint16_t)op;
  suffixes(p, i);
  operands(p, (sl_ptx_op)op);
  uint32_t end = p->tok.pos + 1;
  sl__want(p, ';', "after an instruction");
  i = current(p);
  i->text_len = end - i->text;
}

static void new_insn(sl__parser *p) {
  if (p->n_insns++ == SL__MAX_INSNS) sl__bad(p, "more than %d instructions", SL__MAX_INSNS);
  sl_ptx_insn *i = SL__PUSH(p, insns, sl_ptx_insn);
  i->loc = p->loc;
  i->ptx_line = p->stmt_line;
  i->text = p->stmt;
}

static void branch_targets(sl__parser *p, sl__word label) {
  uint32_t first = p->elems.n;
  do {
    uint32_t slot = sl__new_elem(p);
    sl_operand o;
    sl__label_operand(p, &o, (sl__slot){true, slot});
    SL__AT(p, elems, sl_operand, slot) = o;
  } while (sl__take(p, ','));
  sl__want(p, ';', "after .branchtargets");
  sl__sym *s = sl__define(p, label, SL_C_NAME, SL_K_TARGETS, p->depth);
  s->index = first;
  s->count = p->elems.n - first;
}

// Reads the directive behind "label:". Without one it is a plain label.
static void labelled(sl__parser *p, sl__word label) {
  if (sl__take_dot(p, "callprototype")) sl__call_prototype(p, label);
  else if (sl__take_dot(p, "calltargets")) sl__call_targets(p, label);
  else if (sl__take_dot(p, "branchtargets")) branch_targets(p, label);
  else sl__define(p, label, SL_C_NAME, SL_K_LABEL, p->depth)->index = p->insns.n;
}

static void directive(sl__parser *p) {
  sl_space space;
  if (sl__take_dot(p, "loc")) sl__loc(p);
  else if (sl__take_dot(p, "reg")) sl__registers(p);
  else if (sl__file_directive(p)) return;
  else if ((space = sl__take_space(p)) != SL_SP_NONE) sl__variables(p, space, (sl__linkage){0});
  else sl__bad(p, "'.%.*s' is not known inside a function", (int)p->tok.w.len, p->tok.w.at);
}

static void instruction(sl__parser *p) {
  if (p->tok.kind == SL_T_WORD) {
    sl__word w = sl__want_word(p, "an instruction");
    if (sl__take(p, ':')) {
      labelled(p, w);
      return;
    }
    new_insn(p);
    after_mnemonic(p, w);
    return;
  }
  new_insn(p);
  guard(p);
  after_mnemonic(p, sl__want_word(p, "an instruction"));
}

// Counts nested { } without recursion.
void sl__body(sl__parser *p) {
  uint32_t outer = p->depth;
  for (;;) {
    p->stmt = p->tok.pos;
    p->stmt_line = p->tok.line;
    if (sl__take(p, '{')) sl__scope_open(p);
    else if (sl__is(p, '}') && p->depth == outer) break;
    else if (sl__take(p, '}')) sl__scope_close(p);
    else if (p->tok.kind == SL_T_DOT) directive(p);
    else if (!sl__take(p, ';')) instruction(p);
  }
  sl__next(p);
}
