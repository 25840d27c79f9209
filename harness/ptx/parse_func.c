// Functions: headers with parameters and launch bounds, prototypes of indirect calls, aliases.
//
// Interface: sl__function, sl__alias, sl__call_prototype, sl__call_targets. A function may be declared any
// number of times and defined once; the definition's parameters replace those of the declarations.
#include "ptx/ptx_int.h"

typedef struct param {
  sl__word name;
  uint32_t type, align;
  uint64_t size;
} param;

// .param .align 8 .b8 name[16]
static param read_param(sl__parser *p) {
  if (!sl__take_dot(p, "param")) sl__bad(p, "parameters in registers do not run here; .param is expected");
  sl__type t = sl__decl_type(p);
  param r = {.type = (uint32_t)t.elem, .align = t.align};
  r.name = sl__want_word(p, "the name of a parameter");
  uint64_t dims[4], bytes = (uint64_t)sl_ptx_type_bits(t.elem) / 8 * t.lanes;
  uint32_t n;
  uint64_t count = sl__dims(p, dims, &n);
  if (count > SL__MAX_PARAM) sl__bad(p, "a parameter of more than %d bytes", SL__MAX_PARAM);
  r.size = count * bytes;
  return r;
}

// Adds a parameter to the variables, or puts it at [old], the place that an earlier declaration gave it.
static uint32_t add_param(sl__parser *p, const param *r, const uint32_t *old) {
  uint32_t index = old ? *old : p->vars.n;
  uint64_t offset = sl__place(p, SL_SP_PARAM, r->size, r->align);
  if (!sl__word_is(r->name, "_")) {
    sl__sym *s = sl__define(p, r->name, SL_C_NAME, SL_K_VAR, p->depth);
    s->index = index;
  }
  const char *name = sl__name(p, r->name);
  if (!old) SL__PUSH(p, vars, sl_ptx_var);
  SL__AT(p, vars, sl_ptx_var, index) = (sl_ptx_var){.name = name,
                                                    .space = SL_SP_PARAM,
                                                    .type = (uint8_t)r->type,
                                                    .func = p->func,
                                                    .align = r->align,
                                                    .size = r->size,
                                                    .offset = offset,
                                                    .is_unsized = !r->size};
  return index;
}

// "(.param .., .param ..)", if there is one: appended to [out].
static void read_params(sl__parser *p, sl__vec *out) {
  if (!sl__take(p, '(') || sl__take(p, ')')) return;
  do *(param *)sl__push(p, out, sizeof(param)) = read_param(p);
  while (sl__take(p, ','));
  sl__want(p, ')', "after the parameters");
}

static uint32_t *add_params(sl__parser *p, uint32_t from, uint32_t n, const uint32_t *old) {
  uint32_t *index = sl__alloc(p, (size_t)n * sizeof *index + 1);
  for (uint32_t i = 0; i < n; i++) {
    param r = SL__AT(p, params, param, from + i);
    index[i] = add_param(p, &r, old ? &old[i] : NULL);
  }
  return index;
}

static void triple(sl__parser *p, uint32_t out[3]) {
  out[0] = out[1] = out[2] = 1;
  int i = 0;
  do out[i++] = (uint32_t)sl__want_uint(p, UINT32_MAX, "a launch bound");
  while (i < 3 && sl__take(p, ','));
}

static const char *const ignored[] = {"noinline", "unified", "explicitcluster", "blocksareclusters",
                                      "abi_preserve"};
static const char *const ignored_numbers[] = {"maxnreg", "maxnctapersm", "maxclusterrank",
                                              "abi_preserve_control"};

static bool ignored_bound(sl__parser *p) {
  uint32_t unused[3];
  for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
    if (sl__take_dot(p, ignored[i])) return true;
  for (size_t i = 0; i < sizeof ignored_numbers / sizeof ignored_numbers[0]; i++)
    if (sl__take_dot(p, ignored_numbers[i])) {
      triple(p, unused);
      return true;
    }
  return sl__file_directive(p); // .pragma
}

// What stands between the parameters and the body.
static void bounds(sl__parser *p, sl_ptx_func *f) {
  while (p->tok.kind == SL_T_DOT) {
    if (sl__take_dot(p, "maxntid")) triple(p, f->maxntid);
    else if (sl__take_dot(p, "reqntid")) triple(p, f->reqntid);
    else if (sl__take_dot(p, "minnctapersm"))
      f->minnctapersm = (uint32_t)sl__want_uint(p, UINT32_MAX, "a launch bound");
    else if (sl__take_dot(p, "reqnctapercluster")) triple(p, f->cluster);
    else if (sl__take_dot(p, "noreturn")) f->noreturn = true;
    else if (sl__is_dot(p, "attribute")) sl__bad(p, "an attribute that does not run here");
    else if (!ignored_bound(p)) sl__bad(p, "'.%.*s' is not known here", (int)p->tok.w.len, p->tok.w.at);
  }
}

// The function's entry in the table: an earlier declaration's, or a new one.
static uint32_t entry_of(sl__parser *p, sl__word name) {
  sl__sym *s = sl__find(p, name, SL_C_NAME);
  if (!s) {
    s = sl__define(p, name, SL_C_NAME, SL_K_FUNC, 0);
    s->index = p->funcs.n;
    SL__PUSH(p, funcs, sl_ptx_func);
    SL__AT(p, funcs, sl_ptx_func, s->index).name = sl__name(p, name);
    SL__AT(p, funcs, sl_ptx_func, s->index).is_extern = true;
  } else if (s->kind != SL_K_FUNC) sl__bad(p, "'%.*s' is declared twice", (int)name.len, name.at);
  return s->index;
}

// Moves what the body left in the parser's vectors into the function.
static void keep_body(sl__parser *p, sl_ptx_func *f) {
  f->n_regs = p->regs.n, f->regs = sl__freeze(p, &p->regs, sizeof(sl_ptx_reg));
  f->n_insns = p->insns.n, f->insns = sl__freeze(p, &p->insns, sizeof(sl_ptx_insn));
  f->n_elems = p->elems.n, f->elems = sl__freeze(p, &p->elems, sizeof(sl_operand));
  for (uint32_t i = 0; i < p->refs.n; i++) {
    const sl__ref *r = &SL__AT(p, refs, sl__ref, i);
    if (r->label) sl__bad_at(p, r->line, r->stmt, "the label '%.*s' is not defined", (int)r->w.len, r->w.at);
    sl_operand *o = r->slot.elem ? &f->elems[r->slot.at] : &f->insns[r->insn].ops[r->slot.at];
    *SL__PUSH(p, global_refs, sl__global_ref) =
        (sl__global_ref){.o = o, .w = r->w, .line = r->line, .stmt = r->stmt};
  }
  p->refs.n = 0;
  f->is_extern = false;
}

// Parameters first, then returned values, both in the function's .param frame.
static void define_params(sl__parser *p, uint32_t n_rets) {
  uint32_t n = p->params.n - n_rets;
  const sl_ptx_func *f = &SL__AT(p, funcs, sl_ptx_func, p->func - 1);
  const uint32_t *old_params = f->params, *old_rets = f->rets;
  if (old_params && (f->n_params != n || f->n_rets != n_rets))
    sl__bad(p, "an earlier declaration has other parameters");
  uint32_t *params = add_params(p, n_rets, n, old_params);
  uint32_t bytes = p->param_top;
  uint32_t *rets = add_params(p, 0, n_rets, old_rets);
  sl_ptx_func *now = &SL__AT(p, funcs, sl_ptx_func, p->func - 1);
  now->params = params, now->n_params = n;
  now->rets = rets, now->n_rets = n_rets;
  now->param_bytes = bytes;
}

static void header(sl__parser *p, bool entry, sl__linkage l, sl__vec *params, uint32_t *n_rets) {
  read_params(p, params);
  *n_rets = params->n;
  if (entry && *n_rets) sl__bad(p, "an .entry returns nothing");
  sl__word name = sl__want_word(p, "the name of a function");
  p->func = entry_of(p, name) + 1;
  sl_ptx_func *f = &SL__AT(p, funcs, sl_ptx_func, p->func - 1);
  f->is_entry = entry;
  f->is_visible |= l.visible;
  read_params(p, params);
  bounds(p, &SL__AT(p, funcs, sl_ptx_func, p->func - 1));
}

void sl__function(sl__parser *p, bool entry, sl__linkage l) {
  uint32_t n_rets;
  p->params.n = 0;
  p->param_top = p->local_top = p->loc = 0;
  header(p, entry, l, &p->params, &n_rets);
  bool defined = !SL__AT(p, funcs, sl_ptx_func, p->func - 1).is_extern, body = sl__is(p, '{');
  if (body && defined) sl__bad(p, "the function is defined twice");
  if (!defined) {
    sl_ptx_func *f = &SL__AT(p, funcs, sl_ptx_func, p->func - 1);
    f->frame_param_bytes = f->local_bytes = 0;
    sl__scope_open(p);
    define_params(p, n_rets);
    if (body) {
      sl__next(p);
      sl__body(p);
    }
    sl__scope_close(p);
    if (body) keep_body(p, &SL__AT(p, funcs, sl_ptx_func, p->func - 1));
  }
  p->func = 0;
  if (!body && !sl__take(p, ';')) sl__bad(p, "expected ';' or '{' after the head of a function");
}

// .alias name, function; both are declared before.
void sl__alias(sl__parser *p) {
  sl__word w[2];
  uint32_t f[2];
  for (int i = 0; i < 2; i++) {
    w[i] = sl__want_word(p, "the name of a function");
    const sl__sym *s = sl__find(p, w[i], SL_C_NAME);
    if (!s || s->kind != SL_K_FUNC)
      sl__bad(p, "'%.*s' is no function declared before", (int)w[i].len, w[i].at);
    f[i] = s->index;
    if (!i) sl__want(p, ',', "between the names of an alias");
  }
  sl__want(p, ';', "after .alias");
  sl_ptx_func *to = &SL__AT(p, funcs, sl_ptx_func, f[0]);
  const char *name = to->name;
  if (!to->is_extern) sl__bad(p, "the alias is defined itself");
  *to = SL__AT(p, funcs, sl_ptx_func, f[1]);
  to->name = name;
}

// Prototypes of indirect calls ------------------------------------------------------------------------------

enum { MAX_PROTO_PARAMS = sizeof((sl_ptx_proto *)0)->param_size / sizeof(uint32_t) };

static sl_ptx_proto *add_proto(sl__parser *p, sl__word label) {
  sl__define(p, label, SL_C_NAME, SL_K_PROTO, p->depth)->index = p->protos.n;
  const char *name = sl__name(p, label);
  sl_ptx_proto *r = SL__PUSH(p, protos, sl_ptx_proto);
  r->name = name;
  return r;
}

static void proto_param(sl__parser *p, sl_ptx_proto *r, uint64_t size, uint32_t align) {
  if (r->n_params == MAX_PROTO_PARAMS)
    sl__bad(p, "more than %d parameters in an indirect call", MAX_PROTO_PARAMS);
  r->param_size[r->n_params] = (uint32_t)size;
  r->param_align[r->n_params++] = align;
}

// label: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _) .noreturn;
void sl__call_prototype(sl__parser *p, sl__word label) {
  sl_ptx_proto *r = add_proto(p, label);
  p->params.n = 0;
  read_params(p, &p->params);
  if (p->params.n > 1) sl__bad(p, "more than one returned value");
  const param *v = p->params.at;
  if (p->params.n) r->ret_size = (uint32_t)v[0].size, r->ret_align = v[0].align;
  sl__want_word(p, "'_' in a prototype");
  p->params.n = 0;
  read_params(p, &p->params);
  v = p->params.at;
  for (uint32_t i = 0; i < p->params.n; i++) proto_param(p, r, v[i].size, v[i].align);
  sl__take_dot(p, "noreturn");
  sl__want(p, ';', "after .callprototype");
}

// label: .calltargets f, g; all have the signature of the first.
void sl__call_targets(sl__parser *p, sl__word label) {
  sl_ptx_proto *r = add_proto(p, label);
  bool first = true;
  do {
    sl__word w = sl__want_word(p, "the name of a function");
    const sl__sym *s = sl__find(p, w, SL_C_NAME);
    if (!s || s->kind != SL_K_FUNC) sl__bad(p, "'%.*s' is no function declared before", (int)w.len, w.at);
    const sl_ptx_func *f = &SL__AT(p, funcs, sl_ptx_func, s->index);
    const sl_ptx_var *vars = p->vars.at;
    if (first && f->n_rets)
      r->ret_size = (uint32_t)vars[f->rets[0]].size, r->ret_align = vars[f->rets[0]].align;
    for (uint32_t i = 0; first && i < f->n_params; i++)
      proto_param(p, r, vars[f->params[i]].size, vars[f->params[i]].align);
    first = false;
  } while (sl__take(p, ','));
  sl__want(p, ';', "after .calltargets");
}
