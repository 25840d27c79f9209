// What a thread in a loop waits for, for the report on a kernel that is stuck. The loop's loads with a fixed
// address show which places the thread looks at, and memory shows what it sees there.
//
// Interface: sl__awaited, sl__loop_reads.
#include "engine/core.h"

typedef struct sl_looked_at {
  const sl_xinsn *at; // as executed, its ext a memop
  const sl_ptx_insn *in;
} sl_looked_at;

// The last branch back to the head of the loop.
static uint32_t tail_of(const sl_grid *g, const sl_func *fn, uint32_t head) {
  uint32_t tail = head;
  for (uint32_t pc = head; pc < fn->first_pc + fn->n_code; pc++) {
    const sl_ptx_insn *in = sl__insn_of(g->m, &g->code[pc], NULL);
    bool jump = g->code[pc].unwritten ? sl__is_added_jump(sl__handler(g->m, pc))
                                      : in && sl_ptx_does(in, SL_DOES_BRANCH);
    if (jump && g->code[pc].target == head) tail = pc;
  }
  return tail;
}

static bool looks(const sl_ptx_insn *in) {
  sl_space sp = sl__space_mod(in);
  if (sl_ptx_action(in) == SL_ACT_MBAR_WAIT) return true;
  if (!sl_ptx_does(in, SL_DOES_READ) || !sl_ptx_does(in, SL_DOES_RESULT)) return false;
  return sp == SL_SP_GLOBAL || sp == SL_SP_SHARED || sp == SL_SP_NONE;
}

static bool is_volatile(const sl_ptx_insn *in) {
  return sl__order_flags(in) != 0 || sl_ptx_does(in, SL_DOES_WRITE | SL_DOES_MBARRIER);
}

// Does the register still hold the address at the end of the loop? Then nothing behind the load writes to it.
static bool keeps_address(const sl_grid *g, uint32_t pc, uint32_t tail) {
  sl_slot slot = g->code[pc].s[0];
  for (uint32_t k = pc; k <= tail; k++)
    if (g->code[k].d == slot || g->code[k].d2 == slot) return false;
  return true;
}

// The loop's first volatile load or atomic, else its first load.
static sl_looked_at find_looked_at(const sl_grid *g, const sl_split *s) {
  uint32_t tail = tail_of(g, s->frame->fn, s->pc);
  sl_looked_at best = {0};
  for (uint32_t pc = s->pc; pc <= tail; pc++) {
    const sl_ptx_insn *in = g->code[pc].unwritten ? NULL : sl__insn_of(g->m, &g->code[pc], NULL);
    if (!in || !looks(in) || !g->code[pc].ext || !keeps_address(g, pc, tail)) continue;
    if (!best.in || (is_volatile(in) && !is_volatile(best.in))) best = (sl_looked_at){&g->code[pc], in};
  }
  return best;
}

static const uint8_t *memory_at(const sl_grid *g, const sl_block *b, const sl_memop *op, uint64_t *a,
                                sl_space *sp) {
  *sp = (sl_space)op->space;
  if (op->addr32) *a = (uint32_t)*a;
  if (op->space == SL_SP_NONE) *sp = *a - SL_SHARED_BASE < SL_WINDOW ? SL_SP_SHARED : SL_SP_GLOBAL;
  if (op->space == SL_SP_NONE && *sp == SL_SP_SHARED) *a -= SL_SHARED_BASE;
  if (*sp == SL_SP_SHARED) return sl__in_shared(b, *a, op->bytes) ? b->shared + *a : NULL;
  *a = sl__device_address(&g->gpu->mem, g->l->owner, *a);
  const sl_alloc *al = sl__memory_find(&g->gpu->mem, *a);
  return al && !al->freed && *a + op->bytes <= al->base + al->size ? sl__host(&g->gpu->mem, *a) : NULL;
}

static void value_text(const uint8_t *p, uint32_t bytes, char *out, size_t cap) {
  uint64_t v = 0;
  memcpy(&v, p, bytes < 8 ? bytes : 8);
  snprintf(out, cap, v < 1000000000 ? "%llu" : "0x%llx", (unsigned long long)v);
}

// Comparisons, as what has to hold of the loaded value for the loop to end.
typedef struct sl_relation {
  sl_ptx_mod cmp, opposite, turned; // turned: with its operands exchanged
  const char *words;
} sl_relation;
static const sl_relation RELATIONS[] = {
    {SL_M_eq, SL_M_ne, SL_M_eq, "to be"},           {SL_M_ne, SL_M_eq, SL_M_ne, "to change"},
    {SL_M_lt, SL_M_ge, SL_M_gt, "to be less than"}, {SL_M_le, SL_M_gt, SL_M_ge, "to be at most"},
    {SL_M_gt, SL_M_le, SL_M_lt, "to be more than"}, {SL_M_ge, SL_M_lt, SL_M_le, "to be at least"}};

static const sl_relation *relation_of(sl_ptx_mod cmp) {
  for (size_t k = 0; k < sizeof RELATIONS / sizeof *RELATIONS; k++)
    if (RELATIONS[k].cmp == cmp) return &RELATIONS[k];
  return NULL;
}

// A loop in the code, and the function.
typedef struct sl_round {
  const sl_grid *g;
  const sl_ptx_func *f;
  uint32_t head, tail;
} sl_round;

static const sl_ptx_insn *written_at(const sl_round *r, uint32_t pc) {
  return r->g->code[pc].unwritten ? NULL : sl__insn_of(r->g->m, &r->g->code[pc], NULL);
}

// Does the loop go on when predicate [reg] holds? -1: it decides nothing.
static int goes_on_if(const sl_round *r, uint32_t reg) {
  for (uint32_t pc = r->head; pc <= r->tail; pc++) {
    const sl_ptx_insn *in = written_at(r, pc);
    if (!in || !sl_ptx_does(in, SL_DOES_BRANCH) || in->guard != reg + 1 || !in->n_ops) continue;
    bool inside = false;
    for (uint32_t k = r->head; k <= r->tail; k++)
      inside |= written_at(r, k) == &r->f->insns[in->ops[0].label];
    return inside != in->guard_neg;
  }
  return -1;
}

// What has to become true of the value that [at] loads: the loop compares it with an unchanging value.
static void find_wanted(const sl_round *r, const sl_warp *w, uint32_t lane, const sl_looked_at *at,
                        sl_awaited *out) {
  const uint32_t loaded = at->in->ops[0].reg;
  for (uint32_t pc = r->head; pc <= r->tail && at->in->ops[0].kind == SL_O_REG; pc++) {
    const sl_ptx_insn *in = written_at(r, pc);
    if (!in || in->op != SL_OP_setp || in->n_ops != 3 || in->ops[0].kind != SL_O_REG) continue;
    const bool first = in->ops[1].kind == SL_O_REG && in->ops[1].reg == loaded,
               second = in->ops[2].kind == SL_O_REG && in->ops[2].reg == loaded;
    const int goes_on = goes_on_if(r, in->ops[0].reg);
    const sl_relation *how = relation_of((sl_ptx_mod)in->mods[0]);
    const unsigned bits = sl_ptx_type_bits((sl_ptx_mod)in->mods[in->n_mods - 1]);
    if (first == second || goes_on < 0 || !how || (bits != 32 && bits != 64)) continue;
    if (second) how = relation_of(how->turned);
    if (goes_on) how = relation_of(how->opposite);
    const sl_slot *s = r->g->code[pc].s, other = s[0] == at->at->d ? s[1] : s[0];
    const uint64_t v = bits == 64 ? sl__u64(w, other)[lane] : sl__u32(w, other)[lane];
    out->changed = how->cmp == SL_M_ne;
    if (!out->changed)
      snprintf(out->wanted, sizeof out->wanted, "%s %llu", how->words, (unsigned long long)v);
    return;
  }
}

bool sl__awaited(const sl_grid *g, const sl_block *b, const sl_cwarp *c, const sl_split *s, sl_awaited *out) {
  sl_looked_at at = s->state == SL_SPINNING && s->frame ? find_looked_at(g, s) : (sl_looked_at){0};
  *out = (sl_awaited){0};
  if (!at.in) return false;
  const sl_memop *op = at.at->ext;
  sl_warp w = c->w;
  sl_space sp;
  w.bank[SL_BANK_REG] = s->frame->regs;
  uint32_t l = (uint32_t)__builtin_ctz(s->mask);
  uint64_t a =
      (op->addr32 ? sl__u32(&w, at.at->s[0])[l] : sl__u64(&w, at.at->s[0])[l]) + (uint64_t)at.at->imm;
  const uint8_t *p = memory_at(g, b, op, &a, &sp);
  if (!p) return false;
  if (sp == SL_SP_GLOBAL) out->addr = a;
  out->object = sl__object_of(&w, NULL, sp, a, op->elem_bytes, op->bytes);
  if (sl_ptx_does(at.in, SL_DOES_MBARRIER)) sl__mbar_text(p, out->value, sizeof out->value);
  else value_text(p, op->elem_bytes, out->value, sizeof out->value);
  snprintf(out->wanted, sizeof out->wanted, "to change from %s", out->value);
  out->changed = true;
  const sl_round round = {g, s->frame->fn->ir, s->pc, tail_of(g, s->frame->fn, s->pc)};
  if (!sl_ptx_does(at.in, SL_DOES_MBARRIER)) find_wanted(&round, &w, l, &at, out);
  return out->object.space[0] || out->object.name[0];
}

bool sl__loop_reads(const sl_grid *g, const sl_split *s) {
  uint32_t tail = s->frame ? tail_of(g, s->frame->fn, s->pc) : s->pc;
  for (uint32_t pc = s->pc; pc <= tail; pc++) {
    const sl_ptx_insn *in = g->code[pc].unwritten ? NULL : sl__insn_of(g->m, &g->code[pc], NULL);
    if (in && (looks(in) || sl_ptx_does(in, SL_DOES_CALL))) return true;
  }
  return false;
}
