// Operands: registers, literals, special registers, [addresses], {vectors}, labels, variables and functions.
//
// Interface: sl__operand, sl__operand_list, sl__new_elem, sl__label_operand. A name that is not known yet
// leaves a sl__ref with the place of the operand: an index into the function's elems, or a slot of the
// instruction that is being read.
#include "ptx/ptx_int.h"

static void later(sl__parser *p, sl__word w, bool label, sl__slot to) {
  *SL__PUSH(p, refs, sl__ref) = (sl__ref){
      .slot = to, .label = label, .insn = p->insns.n - 1, .w = w, .line = p->stmt_line, .stmt = p->stmt};
}

void sl__label_operand(sl__parser *p, sl_operand *o, sl__slot to) {
  *o = (sl_operand){.kind = SL_O_LABEL};
  later(p, sl__want_word(p, "a label"), true, to);
}

static int64_t offset(sl__parser *p) {
  return sl__is(p, '+') || sl__is(p, '-') ? sl__want_int(p, "an offset") : 0;
}

// A variable (SL_O_VAR) or function (SL_O_FUNC). If its name is not known yet, sl__settle decides which.
static void symbol(sl__parser *p, sl__word w, sl_operand *o, sl__slot to) {
  const sl__sym *s = sl__find(p, w, SL_C_NAME);
  o->kind = SL_O_VAR;
  if (s && s->kind == SL_K_VAR) o->var = s->index;
  else if (s && s->kind == SL_K_FUNC) o->kind = SL_O_FUNC, o->func = s->index;
  else if (s) sl__bad(p, "'%.*s' cannot be used as a value", (int)w.len, w.at);
  else later(p, w, false, to);
}

static void generic(sl__parser *p, sl_operand *o, sl__slot to) {
  sl__next(p);
  symbol(p, sl__want_word(p, "a name inside generic()"), o, to);
  o->generic = true;
  sl__want(p, ')', "after the name");
}

// %tid.x is a word and a dot word with nothing between.
static bool special(sl__parser *p, sl__word w, sl_operand *o) {
  if (w.at[0] != '%' && w.at[0] != 'W') return false;
  sl__word whole = w;
  bool dotted = p->tok.kind == SL_T_DOT && p->tok.pos == p->last_end;
  if (dotted) whole.len = (uint32_t)(p->tok.w.at + p->tok.w.len - w.at);
  int sreg = sl__sreg_of(whole);
  if (sreg < 0) return false;
  if (dotted) sl__next(p);
  o->kind = SL_O_SREG;
  o->sreg = (uint8_t)sreg;
  return true;
}

// The part behind the bar of "d|p".
static void pair(sl__parser *p, sl_operand *o) {
  if (!sl__take(p, '|')) return;
  sl__word w = sl__want_word(p, "a register behind '|'");
  if (sl__word_is(w, "_")) o->pair = UINT32_MAX;
  else if (sl__find_reg(p, w, &o->pair)) o->pair++;
  else sl__bad(p, "'%.*s' is no register", (int)w.len, w.at);
}

// ".b0", ".b3210", ".h1": the part of a register that a video instruction reads or writes.
static void part(sl__parser *p, sl_operand *o) {
  sl__word w = p->tok.w;
  if (p->tok.kind != SL_T_DOT || p->tok.pos != p->last_end || w.len < 2 || w.len > 5) return;
  if (w.at[0] != 'b' && w.at[0] != 'h') return;
  for (uint32_t k = 1; k < w.len; k++)
    if (w.at[k] < '0' || w.at[k] > '7') return;
  o->part = (uint8_t)w.at[0];
  o->n_parts = (uint8_t)(w.len - 1);
  for (uint32_t k = 1; k < w.len; k++) o->parts = (uint16_t)(o->parts << 4 | (w.at[k] - '0'));
  sl__next(p);
}

static void word(sl__parser *p, sl_operand *o, sl__slot to) {
  sl__word w = sl__want_word(p, "an operand");
  if (sl__word_is(w, "_")) o->kind = SL_O_SINK;
  else if (sl__find_reg(p, w, &o->reg)) o->kind = SL_O_REG;
  else if (special(p, w, o)) return;
  else if (sl__word_is(w, "generic") && sl__is(p, '(')) generic(p, o, to);
  else if (w.at[0] == '%')
    sl__bad(p, "'%.*s' is neither a declared register nor a special register that runs here", (int)w.len,
            w.at);
  else symbol(p, w, o, to);
  if (o->kind == SL_O_REG && !to.elem) part(p, o);
  if (o->kind == SL_O_REG || o->kind == SL_O_SINK) pair(p, o);
  else o->imm = offset(p);
}

// [reg], [reg+4], [name+4], [4]
static void memory(sl__parser *p, sl_operand *o, sl__slot to) {
  o->base_kind = SL_O_NONE;
  if (p->tok.kind == SL_T_WORD) {
    sl__word w = sl__want_word(p, "an address");
    if (sl__find_reg(p, w, &o->reg)) o->base_kind = SL_O_REG;
    else {
      symbol(p, w, o, to);
      if (o->kind != SL_O_VAR) sl__bad(p, "a function is no address of data");
      o->base_kind = SL_O_VAR;
    }
  }
  o->kind = SL_O_MEM;
  o->imm = o->base_kind ? offset(p) : sl__want_int(p, "an address");
  sl__want(p, ']', "after an address");
}

// A number, whose sign was taken: 7, -7, 0f3F800000, -0.5
static void literal(sl__parser *p, sl_operand *o, bool minus) {
  if (p->tok.kind == SL_T_F32 || p->tok.kind == SL_T_F64) {
    bool narrow = p->tok.kind == SL_T_F32;
    o->kind = narrow ? SL_O_F32 : SL_O_F64;
    o->imm = (int64_t)(p->tok.value ^ (minus ? 1ull << (narrow ? 31 : 63) : 0));
    sl__next(p);
    return;
  }
  if (minus && p->tok.kind != SL_T_INT) sl__bad(p, "expected a number after '-'");
  o->kind = SL_O_IMM;
  o->imm = sl__want_int(p, "an operand");
  if (minus) o->imm = (int64_t) - (uint64_t)o->imm;
}

uint32_t sl__new_elem(sl__parser *p) {
  if (p->elems.n == SL__MAX_ELEMS) sl__bad(p, "more than %d operands in lists", SL__MAX_ELEMS);
  SL__PUSH(p, elems, sl_operand);
  return p->elems.n - 1;
}

uint32_t sl__operand_list(sl__parser *p, char close, uint32_t *first) {
  *first = p->elems.n;
  if (!sl__take(p, close)) {
    do {
      uint32_t slot = sl__new_elem(p);
      sl_operand o = sl__operand(p, (sl__slot){true, slot});
      if (o.kind == SL_O_VEC || o.kind == SL_O_MEM) sl__bad(p, "a list inside a list, or an address in one");
      SL__AT(p, elems, sl_operand, slot) = o;
    } while (sl__take(p, ','));
    sl__want(p, close, "after a list of operands");
  }
  return p->elems.n - *first;
}

sl_operand sl__operand(sl__parser *p, sl__slot to) {
  sl_operand o = {0};
  o.negated = sl__take(p, '!');
  bool minus = sl__take(p, '-');
  o.minus = minus && !to.elem && p->tok.kind == SL_T_WORD;
  if (p->tok.kind == SL_T_WORD && o.minus == minus) word(p, &o, to);
  else if (!minus && sl__is(p, '[')) sl__next(p), memory(p, &o, to);
  else if (!minus && !to.elem && sl__is(p, '{')) {
    o.kind = SL_O_VEC;
    sl__next(p);
    o.n_elems = sl__operand_list(p, '}', &o.first);
  } else literal(p, &o, minus);
  if (o.negated && o.kind != SL_O_REG) sl__bad(p, "'!' stands before predicate registers only");
  if (o.minus && (o.kind != SL_O_REG || o.negated || o.pair))
    sl__bad(p, "'-' stands before numbers and registers only");
  return o;
}
