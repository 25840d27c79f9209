// Makes decoded code from PTX functions. First it finds the registers that always hold the same broadcast
// value (they cost nothing) and places the others. Then, block by block in the order of layout.c, the
// decoder of each instruction's family makes one sl_xinsn. At last it sets the branch targets.
//
// Every function of a module is decoded before anything runs. An instruction that is not supported is refused
// here with its text, its line in the PTX and its place in the source.
#include "engine/flow.h"
#include "engine/form.h"

static const sl_decode_fn FAMILIES[] = {
    [SL_FAM_INT] = sl__decode_int,   [SL_FAM_VIDEO] = sl__decode_simd, [SL_FAM_FLOAT] = sl__decode_float,
    [SL_FAM_BITS] = sl__decode_bits, [SL_FAM_SET] = sl__decode_set,    [SL_FAM_CVT] = sl__decode_cvt,
    [SL_FAM_ADDR] = sl__decode_cvta, [SL_FAM_MOV] = sl__decode_mov,    [SL_FAM_MEM] = sl__decode_mem,
    [SL_FAM_ATOM] = sl__decode_atom, [SL_FAM_WARP] = sl__decode_warp,  [SL_FAM_BAR] = sl__decode_bar,
    [SL_FAM_CTL] = sl__decode_ctl,   [SL_FAM_MISC] = sl__decode_misc,
};

void *sl__decode_alloc(sl_decoder *dc, size_t bytes) { return sl__arena(dc->m, bytes); }

static void statement(const sl_ptx_module *m, const sl_ptx_insn *in, char *out, size_t cap) {
  size_t n = in->text_len < cap - 1 ? in->text_len : cap - 1;
  memcpy(out, m->text + in->text, n);
  out[n] = 0;
  for (size_t k = 0; k < n; k++)
    if ((unsigned char)out[k] < ' ') out[k] = ' ';
}

bool sl__refuse(sl_decoder *dc, const sl_ptx_insn *in, const char *fmt, ...) {
  char why[300], text[200];
  sl_src_pos pos;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(why, sizeof why, fmt, ap);
  va_end(ap);
  statement(dc->m->ptx, in, text, sizeof text);
  dc->refused = true;
  if (dc->e) *dc->e = (sl_error){0}; // an operand's reason is part of why
  if (sl_ptx_position(dc->m->ptx, in, &pos)) sl_error_at(dc->e, pos.file, pos.line);
  return sl_fail(dc->e, SL_EXIT_INPUT,
                 "the simulated GPU lacks this PTX: compile for compute_75, or do without (tensor cores by "
                 "ordinary arithmetic, kernels launched from the host alone)",
                 "%s:%u: unsupported instruction `%s` in %s: %s", dc->m->name, in->ptx_line, text,
                 dc->f->name, why);
}

sl_ptx_mod sl__type_mod(const sl_ptx_insn *in) {
  for (uint32_t k = in->n_mods; k-- > 0;)
    if (sl_ptx_type_bits((sl_ptx_mod)in->mods[k])) return (sl_ptx_mod)in->mods[k];
  return SL_M_NONE;
}

// Aliases ---------------------------------------------------------------------------------------------------

static void count_def(void *ctx, uint32_t reg, bool is_def) {
  uint8_t *n = ctx;
  if (is_def && n[reg] < 2) n[reg]++;
}

static sl_slot param_value(sl_decoder *dc, uint64_t offset, sl_ptx_mod type, uint32_t reg) {
  sl_kernel *k = dc->kernel;
  sl_launch_value v = {.slot = k->launch_bytes,
                       .offset = (uint32_t)offset,
                       .bytes = (uint8_t)(sl_ptx_type_bits(type) / 8),
                       .wide = dc->f->regs[reg].cls == SL_R_64,
                       .is_signed = type >= SL_M_s8 && type <= SL_M_s64};
  for (uint32_t i = 0; i < k->n_values; i++) {
    const sl_launch_value *o = &k->values[i];
    if (o->offset == v.offset && o->bytes == v.bytes && o->wide == v.wide && o->is_signed == v.is_signed)
      return o->slot | SL_BANK_LAUNCH;
  }
  if ((k->n_values & (k->n_values - 1)) == 0) {
    sl_launch_value *n = sl__arena(dc->m, (k->n_values ? 2 * k->n_values : 1) * sizeof *n);
    if (k->n_values) memcpy(n, k->values, k->n_values * sizeof *n);
    k->values = n;
  }
  k->values[k->n_values++] = v;
  k->launch_bytes += v.wide ? 256 : 128;
  return v.slot | SL_BANK_LAUNCH;
}

// ld.param of an entry at a constant place.
static bool is_entry_param(const sl_decoder *dc, const sl_ptx_insn *in) {
  const sl_operand *mem = &in->ops[1];
  if (!dc->f->is_entry || in->op != SL_OP_ld || in->n_ops != 2 || sl__space_mod(in) != SL_SP_PARAM)
    return false;
  if (mem->kind != SL_O_MEM || mem->base_kind != SL_O_VAR) return false;
  const sl_ptx_var *v = &dc->m->ptx->vars[mem->var];
  return v->space == SL_SP_PARAM && sl__is_formal(dc->f, mem->var) && mem->imm >= 0;
}

// The slot that register [o] always equals if [in] is its only definition; SL_NO_SLOT: an ordinary register.
static sl_slot invariant(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, uint32_t elem) {
  sl_ptx_mod type = sl__type_mod(in);
  sl_slot s = SL_NO_SLOT;
  if (is_entry_param(dc, in)) {
    const sl_ptx_var *v = &dc->m->ptx->vars[in->ops[1].var];
    unsigned bytes = sl_ptx_type_bits(type) / 8;
    uint64_t off = v->offset + (uint64_t)in->ops[1].imm + (uint64_t)elem * bytes;
    if (bytes >= 1 && bytes <= 8 && off + bytes <= dc->f->param_bytes &&
        (bytes < 8 || dc->f->regs[o->reg].cls == SL_R_64))
      s = param_value(dc, off, type, o->reg);
    return s;
  }
  if (in->op == SL_OP_mov && in->n_ops == 2 && in->ops[0].kind == SL_O_REG) {
    const sl_operand *a = &in->ops[1];
    bool literal = a->kind == SL_O_IMM || a->kind == SL_O_F32 || a->kind == SL_O_F64 || a->kind == SL_O_FUNC;
    bool fixed = a->kind == SL_O_SREG && !sl__is_dynamic_sreg(a->sreg);
    sl_space sp = a->kind == SL_O_VAR ? (sl_space)dc->m->ptx->vars[a->var].space : SL_SP_NONE;
    bool addr = sp == SL_SP_PARAM ? dc->f->is_entry : sp != SL_SP_NONE && sp != SL_SP_LOCAL;
    if (a->kind == SL_O_REG && dc->alias[a->reg] != SL_NO_SLOT &&
        sl__operand_bits(dc, a) == sl__operand_bits(dc, o))
      return dc->alias[a->reg];
    sl_error saved = *dc->e;
    if ((literal || fixed || addr) && !sl__src(dc, a, type, &s)) s = SL_NO_SLOT, *dc->e = saved;
    return s;
  }
  if (in->op == SL_OP_cvta && in->n_ops == 2 && in->ops[1].kind == SL_O_REG && in->ops[0].kind == SL_O_REG) {
    sl_space sp = sl__space_mod(in);
    if (sp == SL_SP_GLOBAL || sp == SL_SP_CONST || sp == SL_SP_PARAM) return dc->alias[in->ops[1].reg];
  }
  return s;
}

// Finds invariant registers; skip[k]: instruction [k] is then superfluous.
static void find_aliases(sl_decoder *dc, bool *skip_insn) {
  const sl_ptx_func *f = dc->f;
  SL_FREED uint8_t *defs = sl_must(calloc(f->n_regs + 1, 1));
  for (uint32_t k = 0; k < f->n_insns; k++) sl__visit_regs(f, &f->insns[k], count_def, defs);
  for (uint32_t k = 0; k < f->n_insns; k++) {
    const sl_ptx_insn *in = &f->insns[k];
    if (in->guard || in->n_ops < 2 || !sl_ptx_writes_first(in)) continue;
    const sl_operand *d = &in->ops[0], *list = d->kind == SL_O_VEC ? &f->elems[d->first] : d;
    uint32_t n = d->kind == SL_O_VEC ? d->n_elems : 1, done = 0;
    if (d->kind == SL_O_SINK || (d->kind == SL_O_VEC && !is_entry_param(dc, in)))
      continue; // it may do more than compute a value
    for (uint32_t i = 0; i < n; i++) {
      if (list[i].kind == SL_O_SINK) {
        done++;
        continue;
      }
      if (list[i].kind != SL_O_REG || defs[list[i].reg] != 1) continue;
      sl_slot s = invariant(dc, in, &list[i], i);
      if (s != SL_NO_SLOT) dc->alias[list[i].reg] = s, done++;
    }
    skip_insn[k] = done == n;
    for (uint32_t i = 0; i < n && done != n; i++) // all or nothing
      if (list[i].kind == SL_O_REG) dc->alias[list[i].reg] = SL_NO_SLOT;
  }
}

// Code ------------------------------------------------------------------------------------------------------

static sl_xinsn *push(sl_gmodule *m) {
  if (!SL_ROOM(m->code, m->n_code)) abort();
  sl_xinsn *x = &m->code[m->n_code++];
  memset(x, 0, sizeof *x);
  x->d = x->d2 = x->guard = SL_NO_SLOT;
  return x;
}

static bool add_guard(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  if (!in->guard) return true;
  sl_operand g = {.kind = SL_O_REG, .reg = in->guard - 1};
  if (!sl__src(dc, &g, SL_M_pred, &x->guard)) return sl__refuse(dc, in, "its guard is no predicate");
  if (in->guard_neg) x->neg |= 1u << 31;
  if (sl_ptx_does(in, SL_DOES_BRANCH)) return true; // branches test their guard themselves
  x->body = x->fn;
  x->fn = sl_ptx_does(in, SL_DOES_STEER) ? sl__guarded_split : sl__guarded;
  return true;
}

static bool decode_insn(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  sl_decode_fn fn = FAMILIES[sl_ptx_family(in)];
  if (in->op == SL_OP_mov && in->n_ops == 2 && in->ops[1].kind == SL_O_SREG &&
      sl__is_dynamic_sreg(in->ops[1].sreg))
    fn = sl__decode_sreg;
  x->src = (uint32_t)(in - dc->f->insns);
  if (!sl__parts_fit(dc, in)) return false;
  if (fn(dc, in, x)) return add_guard(dc, in, x);
  if (dc->refused) return false;
  char why[200];
  snprintf(why, sizeof why, "%.190s", dc->e && dc->e->code ? dc->e->text : "this form is not known");
  return sl__refuse(dc, in, "%s", why);
}

static void patch_block(sl_decoder *dc, const sl_flow_place *p, const uint32_t *pc_of) {
  const sl_ptx_insn *in = &dc->f->insns[p->end - 1];
  uint32_t pc = pc_of[p->end - 1];
  sl_xinsn *x = &dc->m->code[pc];
  if (sl_ptx_does(in, SL_DOES_BRANCH)) {
    if (p->invert) x->neg ^= 1u << 31;
    sl__finish_branch(x, pc, pc_of[p->invert ? p->next : in->ops[0].label]);
  }
  if (sl_ptx_does(in, SL_DOES_BRANCH_BY_TABLE)) {
    uint32_t *t = x->ext;
    for (uint32_t k = 0; k < in->n_targets; k++) t[k] = pc_of[dc->f->elems[in->target_first + k].label];
  }
}

// Sets all targets, also of the jumps that the layout added, which have no instruction in the text.
static void patch_targets(sl_decoder *dc, const sl_flow_place *places, uint32_t n, const uint32_t *pc_of,
                          const uint32_t *jump_at) {
  for (uint32_t k = 0; k < n; k++) {
    patch_block(dc, &places[k], pc_of);
    if (places[k].jumps) sl__finish_jump(&dc->m->code[jump_at[k]], jump_at[k], pc_of[places[k].next]);
  }
}

static sl_xinsn *push_unwritten(sl_decoder *dc, uint32_t src) {
  sl_xinsn *x = push(dc->m);
  x->src = src;
  x->unwritten = true;
  return x;
}

static bool decode_place(sl_decoder *dc, const sl_flow_place *p, const bool *skip_insn, uint32_t *pc_of) {
  for (uint32_t k = p->first; k < p->end; k++) {
    pc_of[k] = dc->m->n_code;
    if (skip_insn[k]) continue;
    sl_xinsn x = *push(dc->m);
    if (!decode_insn(dc, &dc->f->insns[k], &x)) return false;
    dc->m->code[pc_of[k]] = x;
  }
  return true;
}

static bool decode_places(sl_decoder *dc, const sl_flow_place *places, uint32_t n, const bool *skip_insn,
                          uint32_t *pc_of, uint32_t *jump_at) {
  const sl_ptx_func *f = dc->f;
  for (uint32_t k = 0; k < n; k++) {
    if (!decode_place(dc, &places[k], skip_insn, pc_of)) return false;
    jump_at[k] = dc->m->n_code;
    if (places[k].jumps) push_unwritten(dc, places[k].end - 1);
  }
  pc_of[f->n_insns] = dc->m->n_code;
  sl_xinsn *end = push_unwritten(dc, f->n_insns ? f->n_insns - 1 : 0);
  end->fn = sl__op_ret;
  end->target = f->is_entry;
  end->aux = 1; // not in the text
  patch_targets(dc, places, n, pc_of, jump_at);
  return true;
}

static bool decode_body(sl_decoder *dc, const bool *skip_insn, uint32_t *pc_of) {
  SL_FREED sl_flow_place *places = NULL;
  uint32_t n;
  if (!sl__layout(dc->f, &places, &n, dc->e)) return false;
  SL_FREED uint32_t *jump_at = sl_must(malloc((n + 1) * sizeof *jump_at));
  return decode_places(dc, places, n, skip_insn, pc_of, jump_at);
}

bool sl__is_formal(const sl_ptx_func *f, uint32_t var) { return f->is_entry && sl__is_argument(f, var); }

static uint32_t place_params(sl_decoder *dc) {
  sl_func *fn = dc->fn;
  fn->param_skip = dc->f->is_entry ? (dc->f->param_bytes & ~3u) : 0;
  fn->param_base = 0;
  // Every .param variable but an entry's own parameters gets words of its own in the frame.
  uint32_t at = fn->param_skip;
  for (uint32_t v = 0; v < dc->m->ptx->n_vars; v++) {
    const sl_ptx_var *var = &dc->m->ptx->vars[v];
    if (var->space != SL_SP_PARAM || var->func != fn->index + 1 || sl__is_formal(dc->f, v)) continue;
    dc->m->var_addr[v] = at;
    at += (uint32_t)(var->size + 3) & ~3u;
  }
  return (at - fn->param_skip) * 32;
}

static void find_unset(sl_decoder *dc, const sl_lifetime *iv) {
  dc->fn->unset = sl__decode_alloc(dc, (dc->f->n_regs + 1) * sizeof *dc->fn->unset);
  for (uint32_t r = 0; r < dc->f->n_regs; r++)
    if (iv[r].unset && dc->slots[r] != SL_NO_SLOT) dc->fn->unset[dc->fn->n_unset++] = r;
}

static bool decode_function(sl_gmodule *m, uint32_t index, sl_kernel *kernel, sl_error *e) {
  const sl_ptx_func *f = &m->ptx->funcs[index];
  sl_decoder dc = {.m = m, .f = f, .fn = &m->funcs[index], .kernel = kernel, .e = e};
  bool *skip_insn = calloc(f->n_insns + 1, 1), *skip_reg = calloc(f->n_regs + 1, 1);
  uint32_t *pc_of = calloc(f->n_insns + 1, sizeof *pc_of);
  sl_lifetime *iv = calloc(f->n_regs + 1, sizeof *iv);
  dc.slots = malloc((f->n_regs + 1) * sizeof *dc.slots);
  dc.alias = malloc((f->n_regs + 1) * sizeof *dc.alias);
  bool ok = skip_insn && skip_reg && pc_of && iv && dc.slots && dc.alias;
  if (ok) {
    memset(dc.slots, 0xff, (f->n_regs + 1) * sizeof *dc.slots);
    memset(dc.alias, 0xff, (f->n_regs + 1) * sizeof *dc.alias);
    find_aliases(&dc, skip_insn);
    for (uint32_t r = 0; r < f->n_regs; r++) skip_reg[r] = dc.alias[r] != SL_NO_SLOT;
    ok = sl__liveness(f, skip_reg, iv, e);
  }
  if (ok) {
    dc.frame = place_params(&dc);
    dc.sink = dc.frame;
    dc.frame = sl__regalloc(f, skip_reg, iv, dc.slots, dc.frame + 2 * SL_HALF_128);
    find_unset(&dc, iv);
    dc.fn->first_pc = m->n_code;
    dc.fn->local_bytes = f->local_bytes;
    dc.fn->reg_slots = sl__decode_alloc(&dc, (f->n_regs + 1) * sizeof *dc.slots);
    for (uint32_t r = 0; r < f->n_regs; r++) dc.fn->reg_slots[r] = sl__reg_slot(&dc, r);
    ok = decode_body(&dc, skip_insn, pc_of);
    dc.fn->n_code = m->n_code - dc.fn->first_pc;
    dc.fn->frame_bytes = (dc.frame + 127) & ~127u;
    dc.fn->timed = sl__timed_words(m, f, dc.slots, dc.sink + 2 * SL_HALF_128, dc.fn->frame_bytes);
  }
  free(skip_insn), free(skip_reg), free(pc_of), free(iv), free(dc.slots), free(dc.alias);
  return ok;
}

static sl_builtin builtin(const char *name) {
  static const struct {
    const char *name;
    sl_builtin b;
  } T[] = {
      {"vprintf", SL_BUILTIN_VPRINTF},
      {"__assertfail", SL_BUILTIN_ASSERTFAIL},
      {"malloc", SL_BUILTIN_MALLOC},
      {"__cuda_syscall_aligned_malloc", SL_BUILTIN_ALIGNED_MALLOC}, // size, alignment: 256 bytes always are
      {"free", SL_BUILTIN_FREE}};
  for (size_t k = 0; k < sizeof T / sizeof *T; k++)
    if (strcmp(T[k].name, name) == 0) return T[k].b;
  return SL_BUILTIN_NONE;
}

static bool find_functions(sl_gmodule *m) {
  if (!(m->func_at = calloc(m->n_code + 1, sizeof(*m->func_at)))) return false;
  for (uint32_t k = 0; k < m->ptx->n_funcs; k++)
    for (uint32_t i = 0; i < m->funcs[k].n_code; i++) m->func_at[m->funcs[k].first_pc + i] = &m->funcs[k];
  return true;
}

bool sl__decode_module(sl_gmodule *m, sl_error *e) {
  sl_ptx_module *p = m->ptx;
  for (uint32_t k = 0; k < p->n_funcs; k++) {
    m->funcs[k].ir = &p->funcs[k];
    m->funcs[k].index = k;
    if (p->funcs[k].is_extern) m->funcs[k].builtin = builtin(p->funcs[k].name);
  }
  uint32_t entry = 0;
  sl__timed_functions(m);
  for (uint32_t k = 0; k < p->n_funcs; k++) {
    if (p->funcs[k].is_extern) continue;
    const uint32_t *n = p->funcs[k].cluster;
    if (n[0] > 1 || n[1] > 1 || n[2] > 1)
      return sl_fail(e, SL_EXIT_INPUT, "launch single blocks",
                     "%s: %s: clusters of more than one block do not run here", m->name, p->funcs[k].name);
    if (!decode_function(m, k, p->funcs[k].is_entry ? &m->kernels[entry++] : NULL, e)) return false;
  }
  return find_functions(m) || sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
}

static const sl_func *func_of(const sl_gmodule *m, uint32_t pc) {
  if (m->func_at && pc < m->n_code) return m->func_at[pc];
  for (uint32_t k = 0; k < m->ptx->n_funcs; k++)
    if (pc - m->funcs[k].first_pc < m->funcs[k].n_code) return &m->funcs[k];
  return NULL;
}

const sl_ptx_insn *sl__insn_of(const sl_gmodule *m, const sl_xinsn *i, const sl_func **out) {
  bool inside = (uintptr_t)i - (uintptr_t)m->code < m->n_code * sizeof *i; // else part of one: see op_addr.c
  const sl_func *fn = func_of(m, inside ? (uint32_t)(i - m->code) : i->target);
  if (out) *out = fn;
  return fn && i->src < fn->ir->n_insns ? &fn->ir->insns[i->src] : NULL;
}
