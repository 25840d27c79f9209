// Loads whose value does not matter to every lane. `if (threadIdx.x == 5 && !found)`: the compiler loads a
// word of a known place early, for all lanes, and drops the value where the rest of the condition has
// decided. As the program is written, such a lane has not read the word, so it takes no part in a race.
//
// Interface: sl__moot_find, sl__moot_needed. The value is followed along the path of code that every lane
// goes behind the load, up to the first branch that may divide them. On it stand gates: `or`, `and`, selp and
// setp.bool whose other operand decides in some lanes. So does a word in (flag | threadIdx.x) != 0. What the
// lanes that a gate has decided for may still come to must not read the value either. The other operand is
// computed at the load, by the instructions on the path that make it; then their results are put back.
#include "observers/observers.h"

enum { REACH = 24, CHAIN = 8, UNKNOWN = 2 };

typedef struct sl_moot_path {
  const sl_gmodule *m;
  const sl_func *fn;
  uint32_t pc[REACH], n; // behind the load
  uint32_t end;          // the instruction that ends it
} sl_moot_path;

// The value, then what is computed from it: registers, each made of the one before.
typedef struct sl_moot_value {
  uint32_t reg[CHAIN], n;
  sl_gate gate[SL_GATES];
  uint32_t input[SL_GATES]; // which of the registers the gate reads
  uint8_t forced[SL_GATES]; // what the last register is where the gate has decided: 0, 1, UNKNOWN
  uint32_t n_gates;
  bool word; // the last gate is a word, which a test for zero has to follow
} sl_moot_value;

static const sl_ptx_insn *at(const sl_gmodule *m, uint32_t pc) {
  return m->code[pc].unwritten ? NULL : sl__insn_of(m, &m->code[pc], NULL);
}

typedef struct sl_uses {
  uint32_t reg, reads, writes;
} sl_uses;

static void count(void *ctx, uint32_t reg, bool is_def) {
  sl_uses *c = ctx;
  c->reads += reg == c->reg && !is_def, c->writes += reg == c->reg && is_def;
}

static sl_uses counted(const sl_func *fn, const sl_ptx_insn *in, uint32_t reg) {
  sl_uses c = {.reg = reg};
  if (in) sl__visit_regs(fn->ir, in, count, &c);
  return c;
}

// Only registers change, in the lanes that execute it.
static bool is_pure(const sl_ptx_insn *in) {
  static const uint32_t flows = 1u << SL_FLOW_MOVES | 1u << SL_FLOW_BITS | 1u << SL_FLOW_COMPUTES |
                                1u << SL_FLOW_PICKS | 1u << SL_FLOW_CHOOSES | 1u << SL_FLOW_COMPARES;
  return sl_ptx_action(in) == SL_ACT_NONE && flows >> sl_ptx_flow(in) & 1 &&
         !sl_ptx_does(in, SL_DOES_STEER | SL_DOES_TAKE_CARRY);
}

// The path -------------------------------------------------------------------------------------------------

static bool always_jumps(const sl_gmodule *m, uint32_t pc) {
  const sl_ptx_insn *in = at(m, pc);
  return in ? sl_ptx_does(in, SL_DOES_BRANCH) && !in->guard : sl__is_added_jump(m->patches[pc].own);
}

// Goes on from [pc].
static void walk(sl_moot_path *p, uint32_t pc) {
  uint32_t jumps = 0;
  for (p->end = pc; p->n < REACH && p->end < p->m->n_code;) {
    const sl_ptx_insn *in = at(p->m, p->end);
    if (always_jumps(p->m, p->end) && jumps++ < 2) p->end = p->m->code[p->end].target;
    else if (in && is_pure(in)) p->pc[p->n++] = p->end++;
    else return;
  }
}

// What is read later ---------------------------------------------------------------------------------------

// The decoder leaves out copies, so that another register stands for this one.
static bool has_copies(const sl_moot_path *p, uint32_t reg) {
  const sl_func *fn = p->fn;
  uint32_t written = 0, decoded = 0;
  for (uint32_t k = 0; k < fn->ir->n_insns; k++) written += counted(fn, &fn->ir->insns[k], reg).reads;
  for (uint32_t k = 0; k < fn->n_code; k++) decoded += counted(fn, at(p->m, fn->first_pc + k), reg).reads;
  return written != decoded;
}

// Places of a function that are still to be looked at. Each branch adds one at most.
typedef struct sl_moot_search {
  bool *seen;
  uint32_t *pc, n;
} sl_moot_search;

// Looks at the code from [pc] to its end or what was seen. May it read the register before it writes it?
static bool is_read_from(const sl_moot_path *p, uint32_t pc, uint32_t reg, sl_moot_search *s) {
  const uint32_t first = p->fn->first_pc;
  while (pc - first < p->fn->n_code && !s->seen[pc - first]) {
    const sl_ptx_insn *in = at(p->m, pc);
    const sl_uses c = counted(p->fn, in, reg);
    s->seen[pc - first] = true;
    if (c.reads || (in && sl_ptx_does(in, SL_DOES_BRANCH_BY_TABLE))) return true;
    if ((c.writes && !in->guard) || (in && sl_ptx_does(in, SL_DOES_END) && !in->guard)) return false;
    const bool jumps = always_jumps(p->m, pc);
    if (in && !jumps && sl_ptx_does(in, SL_DOES_BRANCH)) s->pc[s->n++] = p->m->code[pc].target;
    pc = jumps ? p->m->code[pc].target : pc + 1;
  }
  return false;
}

static bool is_dead_from(const sl_moot_path *p, uint32_t pc, uint32_t reg) {
  sl_moot_search s = {.seen = sl_must(calloc(p->fn->n_code + 1, sizeof *s.seen)),
                      .pc = sl_must(malloc((p->fn->n_code + 1) * sizeof *s.pc))};
  bool read = false;
  for (s.pc[s.n++] = pc; s.n && !read;) {
    pc = s.pc[--s.n];
    read = is_read_from(p, pc, reg, &s);
  }
  free(s.seen), free(s.pc);
  return !read;
}

// Where do the lanes go on for which gate [k] has decided?
static uint32_t goes_on(const sl_moot_path *p, const sl_moot_value *c, uint32_t k) {
  const sl_ptx_insn *in = at(p->m, p->end);
  if (!in || !sl_ptx_does(in, SL_DOES_BRANCH) || !in->guard || in->guard - 1 != c->reg[c->n - 1] ||
      c->forced[k] == UNKNOWN)
    return p->end;
  return c->forced[k] != in->guard_neg ? p->m->code[p->end].target : p->end + 1;
}

// The registers of the chain that the gate's lanes may read later. Copies stand for the register unseen.
static uint32_t read_later(const sl_moot_path *p, const sl_moot_value *c, uint32_t k) {
  uint32_t regs = 0;
  for (uint32_t r = 0; r <= c->input[k]; r++)
    regs |= (uint32_t)(has_copies(p, c->reg[r]) || !is_dead_from(p, goes_on(p, c, k), c->reg[r])) << r;
  return regs;
}

// Gates ----------------------------------------------------------------------------------------------------

static bool is_reg(const sl_operand *o, uint32_t reg) { return o->kind == SL_O_REG && o->reg == reg; }

static bool fits(const sl_moot_path *p, const sl_ptx_insn *in) {
  const sl_operand *d = &in->ops[0];
  return !in->guard && d->kind == SL_O_REG && !d->pair && p->fn->ir->regs[d->reg].cls <= SL_R_32;
}

// The instructions before place [k] of the path that make register [reg]. False: too many, or of the value.
static bool slice(const sl_moot_path *p, const sl_moot_value *c, uint32_t k, uint32_t reg, sl_gate *g) {
  for (uint32_t r = 0; r < c->n; r++)
    if (c->reg[r] == reg) return false;
  while (k-- > 0) {
    const sl_ptx_insn *in = at(p->m, p->pc[k]);
    if (!counted(p->fn, in, reg).writes) continue;
    if (!fits(p, in)) return false;
    for (uint32_t s = 1; s < in->n_ops; s++)
      if (in->ops[s].kind == SL_O_REG ? !slice(p, c, k, in->ops[s].reg, g) : in->ops[s].kind == SL_O_VEC)
        return false;
    for (uint32_t n = 0; n < g->n_made; n++)
      if (g->made[n] == p->pc[k]) return true;
    if (g->n_made == SL_MADE) return false;
    g->made[g->n_made++] = p->pc[k];
    return true;
  }
  return true;
}

static bool is_known(const sl_moot_path *p, const sl_moot_value *c, uint32_t k, uint32_t operand,
                     sl_gate *g) {
  const sl_operand *o = &at(p->m, p->pc[k])->ops[operand + 1];
  g->at = p->pc[k], g->operand = (uint8_t)operand;
  if (o->kind != SL_O_REG) return false;
  if ((p->m->code[g->at].s[operand] & 3) != SL_BANK_REG) return true;
  return slice(p, c, k, o->reg, g);
}

// Makes *g of the instruction at place [k], which reads the value in [reg]. False: it is no gate.
static bool make_gate(const sl_moot_path *p, const sl_moot_value *c, uint32_t k, uint32_t reg, sl_gate *g) {
  const sl_ptx_insn *in = at(p->m, p->pc[k]);
  const bool joins = (in->op == SL_OP_or || in->op == SL_OP_and) && sl_ptx_has_mod(in, SL_M_pred);
  *g = (sl_gate){.word = in->op == SL_OP_or && sl_ptx_has_mod(in, SL_M_b32),
                 .when = in->op == SL_OP_and || sl_ptx_has_mod(in, SL_M_and)};
  if (joins || g->word) return is_known(p, c, k, is_reg(&in->ops[1], reg) ? 1 : 0, g);
  if (in->op == SL_OP_setp && in->n_ops == 4 && (g->when || sl_ptx_has_mod(in, SL_M_or)))
    return !is_reg(&in->ops[3], reg) && is_known(p, c, k, 2, g);
  if (in->op != SL_OP_selp || is_reg(&in->ops[3], reg)) return false;
  g->when = is_reg(&in->ops[1], reg);
  return is_known(p, c, k, 2, g);
}

static bool tests_zero(const sl_ptx_insn *in) {
  return in->op == SL_OP_setp && in->n_ops == 3 && in->ops[2].kind == SL_O_IMM && !in->ops[2].imm &&
         (sl_ptx_has_mod(in, SL_M_eq) || sl_ptx_has_mod(in, SL_M_ne));
}

// What becomes of a predicate that gate has forced, in the next instruction.
static uint8_t force(uint8_t forced, const sl_ptx_insn *in) {
  if (forced == UNKNOWN || !sl_ptx_has_mod(in, SL_M_pred)) return UNKNOWN;
  if (in->op == SL_OP_not) return !forced;
  return (in->op == SL_OP_or && forced) || (in->op == SL_OP_and && !forced) ? forced : UNKNOWN;
}

static bool negates(const sl_ptx_insn *in) {
  bool any = false;
  for (uint32_t s = 1; s < in->n_ops; s++) any |= in->ops[s].negated;
  return any;
}

// The instruction at place [k] reads the last register of the chain.
static void extend(const sl_moot_path *p, sl_moot_value *c, uint32_t k) {
  const sl_ptx_insn *in = at(p->m, p->pc[k]);
  for (uint32_t g = 0; g < c->n_gates; g++) c->forced[g] = negates(in) ? UNKNOWN : force(c->forced[g], in);
  if (c->word && tests_zero(in)) c->forced[c->n_gates - 1] = sl_ptx_has_mod(in, SL_M_ne);
  else if (c->word) c->n_gates--;
  c->word = false;
  if (c->n_gates < SL_GATES && make_gate(p, c, k, c->reg[c->n - 1], &c->gate[c->n_gates])) {
    const sl_gate *g = &c->gate[c->n_gates];
    c->word = g->word, c->input[c->n_gates] = c->n - 1;
    c->forced[c->n_gates++] = in->op == SL_OP_or && !g->word ? 1 : in->op == SL_OP_and ? 0 : UNKNOWN;
  }
  c->reg[c->n++] = in->ops[0].reg;
}

// Does the instruction read or write a register of the chain, other than the last one by reading it?
static bool disturbs(const sl_moot_path *p, const sl_moot_value *c, const sl_ptx_insn *in) {
  for (uint32_t r = 0; r < c->n; r++) {
    const sl_uses n = counted(p->fn, in, c->reg[r]);
    if (n.writes || (n.reads && r + 1 < c->n) || n.reads > 1) return true;
  }
  return false;
}

// Follows the value from place [k] of the path on. False: it is used in another way.
static bool follow(const sl_moot_path *p, sl_moot_value *c, uint32_t k) {
  for (; k < p->n && c->n < CHAIN; k++) {
    const sl_ptx_insn *in = at(p->m, p->pc[k]);
    if (disturbs(p, c, in)) return false;
    if (!counted(p->fn, in, c->reg[c->n - 1]).reads) continue;
    if (!fits(p, in)) return false;
    extend(p, c, k);
  }
  c->n_gates -= c->word; // nothing tests it
  return true;
}

// Is the value dropped in the lanes for which gate [k] has decided? They may come to a further gate, which
// has to decide, too. Appends these gates to gates[0..*n).
static bool drops(const sl_moot_path *p, const sl_moot_value *c, uint32_t k, sl_gate *gates, uint32_t *n) {
  const uint32_t later = read_later(p, c, k);
  if (*n == SL_GATES) return false;
  gates[(*n)++] = c->gate[k];
  if (!later) return true;
  sl_moot_path on = *p;
  sl_moot_value again = {.reg = {c->reg[0]}, .n = 1};
  walk(&on, goes_on(p, c, k));
  if (later != 1 || c->forced[k] == UNKNOWN || has_copies(p, c->reg[0]) || !follow(&on, &again, p->n))
    return false;
  for (uint32_t g = 0, had = *n; g < again.n_gates; g++, *n = had)
    if (drops(&on, &again, g, gates, n)) return gates[had - 1].with_next = true;
  return false;
}

uint32_t sl__moot_find(const sl_gmodule *m, uint32_t load, sl_gate gates[SL_GATES]) {
  sl_moot_path p = {.m = m};
  const sl_ptx_insn *in = sl__insn_of(m, &m->code[load], &p.fn);
  sl_moot_value c = {.reg = {in->ops[0].reg}, .n = 1};
  uint32_t n = 0;
  if (in->guard || in->ops[0].kind != SL_O_REG || in->ops[1].base_kind != SL_O_VAR) return 0;
  walk(&p, load + 1);
  if (!follow(&p, &c, 0)) return 0;
  for (uint32_t k = 0; k < c.n_gates; k++) {
    uint32_t with = n;
    if (drops(&p, &c, k, gates, &with)) n = with;
  }
  return n;
}

// In a launch ----------------------------------------------------------------------------------------------

static uint32_t nonzero(const sl_warp *w, const uint32_t *v) {
  uint32_t lanes = 0;
  SL_FOR_LANES(l, w->mask) lanes |= (uint32_t)(v[l] != 0) << l;
  return lanes;
}

static uint32_t condition(const sl_warp *w, const sl_gate *g) {
  const sl_xinsn *x = &w->grid->m->code[g->at];
  return g->word ? nonzero(w, sl__u32(w, x->s[g->operand])) : sl__pred_src(w, x, g->operand);
}

// Computes [g]'s operand from its instruction [k] on, and puts back what that has written.
static uint32_t computed(sl_warp *w, const sl_gate *g, uint32_t k) {
  const sl_gmodule *m = w->grid->m;
  if (k == g->n_made) return condition(w, g);
  const sl_xinsn *x = &m->code[g->made[k]];
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = sl__insn_of(m, x, &fn);
  const bool pred = fn->ir->regs[in->ops[0].reg].cls == SL_R_PRED;
  const size_t bytes = pred ? sizeof(uint32_t) : SL_LANES * sizeof(uint32_t);
  uint32_t before[SL_LANES];
  memcpy(before, sl__u32(w, x->d), bytes);
  m->patches[g->made[k]].own(w, x);
  const uint32_t c = computed(w, g, k + 1);
  memcpy(sl__u32(w, x->d), before, bytes);
  return c;
}

uint32_t sl__moot_needed(const sl_access *a) {
  const sl_sight *s = sl__sight(a->w->grid->m, a->pc);
  uint32_t needed = a->mask, dropped = SL_FULL;
  for (uint32_t k = 0; k < s->n_gates; k++) {
    const sl_gate *g = &s->gates[k];
    const uint32_t c = computed(a->w, g, 0);
    dropped &= g->when ? ~c : c;
    if (g->with_next) continue;
    needed &= ~dropped, dropped = SL_FULL;
  }
  return needed;
}
