// Declarations of variables and registers.
//
// Interface: sl__variables, sl__registers; for parse_func.c, which declares parameters, also sl__decl_type,
// sl__dims and sl__place. A variable inside a function has its place in the function's frame. A nested { }
// gives its frame space back when it ends, so a thousand calls share the space of their parameters.
#include "ptx/ptx_int.h"

static const struct {
  const char *word;
  sl_space space;
} spaces[] = {{"global", SL_SP_GLOBAL},
              {"shared", SL_SP_SHARED},
              {"const", SL_SP_CONST},
              {"local", SL_SP_LOCAL},
              {"param", SL_SP_PARAM}};

sl_space sl__take_space(sl__parser *p) {
  for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
    if (sl__take_dot(p, spaces[i].word)) return spaces[i].space;
  return SL_SP_NONE;
}

static sl_ptx_mod want_type(sl__parser *p) {
  int type = p->tok.kind == SL_T_DOT ? sl__mod_of(p->tok.w) : -1;
  if (type < 0 || !sl_ptx_type_bits((sl_ptx_mod)type))
    sl__bad(p, "'.%.*s' is no type that runs here", (int)p->tok.w.len, p->tok.w.at);
  sl__next(p);
  return (sl_ptx_mod)type;
}

static uint32_t alignment(sl__parser *p) {
  uint64_t a = sl__want_uint(p, 1 << 16, "an alignment");
  if (!a || (a & (a - 1))) sl__bad(p, "an alignment is a power of two");
  return (uint32_t)a;
}

// .attribute(.managed), .attribute(.unified(19, 95)): true if managed.
static bool attribute(sl__parser *p) {
  bool managed = false;
  unsigned depth = 0;
  do {
    if (sl__take_dot(p, "managed")) managed = true;
    else if (sl__take(p, '(')) depth++;
    else if (sl__take(p, ')')) depth -= depth > 0;
    else if (p->tok.kind == SL_T_END) sl__bad(p, "an .attribute that is never closed");
    else sl__next(p);
  } while (depth);
  return managed;
}

// What may stand behind the type of a parameter: .ptr .global .align 8
static void pointer_notes(sl__parser *p) {
  if (!sl__take_dot(p, "ptr")) return;
  sl__take_space(p);
  if (sl__take_dot(p, "align")) alignment(p);
}

sl__type sl__decl_type(sl__parser *p) {
  sl__type t = {.lanes = 1};
  for (;;) {
    if (sl__take_dot(p, "align")) t.align = alignment(p);
    else if (sl__take_dot(p, "attribute")) t.managed |= attribute(p);
    else if (sl__take_dot(p, "v2")) t.lanes = 2;
    else if (sl__take_dot(p, "v4")) t.lanes = 4;
    else break;
  }
  t.elem = want_type(p);
  if (t.elem == SL_M_pred) sl__bad(p, "a predicate cannot be a variable");
  pointer_notes(p);
  if (!t.align) t.align = sl_ptx_type_bits(t.elem) / 8 * t.lanes;
  return t;
}

uint64_t sl__dims(sl__parser *p, uint64_t dims[4], uint32_t *n) {
  uint64_t count = 1;
  for (*n = 0; sl__take(p, '['); (*n)++) {
    if (*n == 4) sl__bad(p, "more than 4 dimensions");
    dims[*n] = sl__is(p, ']') ? 0 : sl__want_uint(p, SL__MAX_SIZE, "the size of an array");
    sl__want(p, ']', "after the size of an array");
    if (dims[*n] && count > SL__MAX_SIZE / dims[*n]) sl__bad(p, "the array is too large");
    count *= dims[*n];
  }
  return count;
}

static const struct {
  const char *what;
  uint32_t max;
} frames[] = {[SL_SP_LOCAL] = {"local", SL__MAX_LOCAL}, [SL_SP_PARAM] = {"parameter", SL__MAX_PARAM}};

uint64_t sl__place(sl__parser *p, sl_space space, uint64_t size, uint32_t align) {
  sl_ptx_func *f = &SL__AT(p, funcs, sl_ptx_func, p->func - 1);
  uint32_t *top = space == SL_SP_LOCAL ? &p->local_top : &p->param_top;
  uint32_t *peak = space == SL_SP_LOCAL ? &f->local_bytes : &f->frame_param_bytes;
  uint64_t at = ((uint64_t)*top + align - 1) & ~(uint64_t)(align - 1);
  if (size > frames[space].max || at + size > frames[space].max)
    sl__bad(p, "the function needs more than %u bytes of %s memory", frames[space].max, frames[space].what);
  *top = (uint32_t)(at + size);
  if (*top > *peak) *peak = *top;
  return at;
}

// The variable of an earlier ".extern" of the same name, or a new one.
static uint32_t declare(sl__parser *p, sl__word name, bool is_extern) {
  sl__sym *s = p->func ? NULL : sl__find(p, name, SL_C_NAME);
  if (s && s->kind == SL_K_VAR && (is_extern || SL__AT(p, vars, sl_ptx_var, s->index).is_extern))
    return s->index;
  s = sl__define(p, name, SL_C_NAME, SL_K_VAR, p->depth);
  s->index = p->vars.n;
  SL__PUSH(p, vars, sl_ptx_var);
  return s->index;
}

static void one_variable(sl__parser *p, sl_space space, sl__linkage l, const sl__type *t) {
  uint64_t dims[4];
  uint32_t n_dims;
  sl__word name = sl__want_word(p, "the name of a variable");
  uint64_t count = sl__dims(p, dims, &n_dims), bytes = (uint64_t)sl_ptx_type_bits(t->elem) / 8 * t->lanes;
  if (count > SL__MAX_SIZE / bytes) sl__bad(p, "the variable is too large");
  uint32_t index = declare(p, name, l.is_extern);
  bool in_frame = space == SL_SP_LOCAL || space == SL_SP_PARAM;
  if (in_frame && !p->func) sl__bad(p, "a variable of this space stands outside a function");
  if (!(l.is_extern && SL__AT(p, vars, sl_ptx_var, index).name))
    SL__AT(p, vars, sl_ptx_var, index) =
        (sl_ptx_var){.name = sl__name(p, name),
                     .space = (uint8_t)space,
                     .type = (uint8_t)t->elem,
                     .is_extern = l.is_extern,
                     .is_visible = l.visible,
                     .is_managed = t->managed,
                     .is_unsized = !count,
                     .func = p->func,
                     .align = t->align,
                     .size = count * bytes,
                     .offset = in_frame ? sl__place(p, space, count * bytes, t->align) : 0};
  if (!sl__take(p, '=')) return;
  if (space != SL_SP_GLOBAL && space != SL_SP_CONST)
    sl__bad(p, "a variable of this space has no initial value");
  sl__initialiser(p, index, dims, n_dims);
}

void sl__variables(sl__parser *p, sl_space space, sl__linkage l) {
  if (space == SL_SP_CONST && sl__take(p, '[')) { // .const[2]: a bank, without meaning today
    sl__want_uint(p, 10, "the number of a constant bank");
    sl__want(p, ']', "after the number of a constant bank");
  }
  sl__type t = sl__decl_type(p);
  do one_variable(p, space, l, &t);
  while (sl__take(p, ','));
  sl__want(p, ';', "after the declaration of a variable");
}

static void one_register(sl__parser *p, sl_ptx_mod type) {
  sl__word name = sl__want_word(p, "the name of a register");
  bool range = sl__take(p, '<');
  sl__sym *s = sl__define(p, name, range ? SL_C_RANGE : SL_C_NAME, SL_K_REG, p->depth);
  s->type = (uint32_t)type;
  s->index = SL__NO_REG;
  if (!range) return;
  s->count = (uint32_t)sl__want_uint(p, UINT32_MAX, "the number of registers");
  p->scopes[p->depth].has_ranges = true;
  sl__want(p, '>', "after the number of registers");
}

void sl__registers(sl__parser *p) {
  if (!p->func) sl__bad(p, "registers are declared inside functions");
  if (sl__is_dot(p, "align")) sl__bad(p, "a register has no alignment");
  sl_ptx_mod type = want_type(p);
  do one_register(p, type);
  while (sl__take(p, ','));
  sl__want(p, ';', "after the declaration of registers");
}
