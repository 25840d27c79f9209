// What code costs a warp that is alone, in cycles: sl_gmodule.costs, by pc the sum over the code before it.
//
// Interface: sl__path_launch, sl__is_strong (core.h).
//
// Code is cut into pieces where nothing is moved across: at barriers, fences, strong accesses, where loops
// begin and end. A piece costs its steps, or the longest chain of latencies in it, so loads on their way
// together cost one latency. The machine code of a small loop holds four turns of it, so loads of four turns
// are on their way together unless one needs the other.
#include "engine/path.h"

// What code costs -------------------------------------------------------------------------------------------

bool sl__is_strong(const sl_ptx_insn *in) {
  const uint8_t flags = sl__order_flags(in);
  return (flags && !sl_ptx_has_mod(in, SL_M_cta)) || sl_ptx_has_mod(in, SL_M_cv) ||
         sl_ptx_has_mod(in, SL_M_cg);
}

// Cycles until the result of [in] is there, beyond those of a step.
static uint32_t latency(const sl_ptx_insn *in) {
  const sl_space sp = sl__space_mod(in);
  const bool global = sp == SL_SP_GLOBAL || sp == SL_SP_NONE;
  switch ((int)sl_ptx_action(in)) {
  case SL_ACT_LOAD:
    return sp == SL_SP_SHARED ? FROM_SHARED - STEP
           : !global          ? 0
                              : (sl__is_strong(in) ? FROM_L2 : FROM_MEMORY) - STEP;
  case SL_ACT_UPDATE: return (sp == SL_SP_SHARED ? AT_SHARED : AT_L2) - STEP;
  case SL_ACT_MEET: return FROM_LANE - STEP;
  default: return 0;
  }
}

// Cycles in which the warp itself stands still. [stored]: there is a store between the last fence and [in].
static uint32_t stop(const sl_ptx_insn *in, bool stored) {
  if (sl_ptx_action(in) != SL_ACT_FENCE || sl_ptx_has_mod(in, SL_M_cta)) return STEP;
  return stored ? STORE_FENCE : FENCE;
}

// The code between two places that no instruction is moved across. In it the compiler moves loads ahead, so
// what counts is the longest chain of results that need each other, or the steps if they take longer.
typedef struct sl_costing {
  const sl_gmodule *m;
  const sl_func *fn;
  uint32_t *tail;        // by pc: 1 + the pc of the last branch back to it; 0: no loop begins there
  uint32_t *taint, turn; // by register: is it what turns() follows in this turn?
  bool tainted;          // .. and whether the present instruction reads such a register
  uint64_t *ready, now;  // by register: when its value is there; when the piece of code starts
  uint32_t sum, start;   // cycles of the code so far; of the code before the piece
  uint32_t needed, all; // when the piece's stores and branches have their operands; when all values are there
  uint32_t operands, done; // the present instruction: when it has its operands, and its result
  bool stored;             // since the last fence
} sl_costing;

static void see_use(void *ctx, uint32_t reg, bool is_def) {
  sl_costing *c = ctx;
  if (!is_def && c->now + c->operands < c->ready[reg]) c->operands = (uint32_t)(c->ready[reg] - c->now);
}

static void see_result(void *ctx, uint32_t reg, bool is_def) {
  sl_costing *c = ctx;
  if (is_def) c->ready[reg] = c->now + c->done;
}

// Ends the piece of code after [length] cycles, or after its steps. The rest arrives in the next one.
static void end_piece(sl_costing *c, uint32_t length) {
  const uint32_t steps = c->sum - c->start;
  if (length < steps) length = steps;
  c->sum = c->start += length;
  c->now += length;
  c->all -= c->all < length ? c->all : length;
  c->needed = 0;
}

// Finds the loops.
static void find_loops(sl_costing *c) {
  const sl_func *fn = c->fn;
  for (uint32_t pc = fn->first_pc; pc < fn->first_pc + fn->n_code; pc++) {
    const sl_xinsn *x = &c->m->code[pc];
    const sl_ptx_insn *in = sl__insn_of(c->m, x, NULL);
    bool jump =
        x->unwritten ? sl__is_added_jump(sl__handler(c->m, pc)) : in && sl_ptx_does(in, SL_DOES_BRANCH);
    if (jump && x->target <= pc && x->target >= fn->first_pc) c->tail[x->target] = pc + 1;
  }
}

// May other threads see what was done before [in], or does it wait itself?
static bool ends_piece(const sl_ptx_insn *in) {
  const int act = sl_ptx_action(in);
  return act == SL_ACT_BARRIER || act == SL_ACT_WARP_BARRIER || act == SL_ACT_FENCE ||
         (act == SL_ACT_UPDATE && sl__space_mod(in) != SL_SP_SHARED) ||
         ((act == SL_ACT_LOAD || act == SL_ACT_STORE) && sl__is_strong(in));
}

static void cost_instruction(sl_costing *c, const sl_ptx_insn *in) {
  c->operands = 0;
  sl__visit_regs(c->fn->ir, in, see_use, c);
  c->done = c->operands + STEP + latency(in);
  sl__visit_regs(c->fn->ir, in, see_result, c);
  if (c->all < c->done) c->all = c->done;
  if (!sl_ptx_does(in, SL_DOES_RESULT) && c->needed < c->operands) c->needed = c->operands;
  c->sum += stop(in, c->stored);
  if (sl_ptx_action(in) == SL_ACT_FENCE) c->stored = false;
  if (sl_ptx_does(in, SL_DOES_WRITE) && sl__space_mod(in) != SL_SP_SHARED) c->stored = true;
}

static const sl_ptx_insn *insn_at(const sl_costing *c, uint32_t pc) {
  return c->m->code[pc].unwritten ? NULL : sl__insn_of(c->m, &c->m->code[pc], NULL);
}

static void see_taint(void *ctx, uint32_t reg, bool is_def) {
  sl_costing *c = ctx;
  c->tainted |= !is_def && c->taint[reg] == c->turn;
}

static void see_tainted(void *ctx, uint32_t reg, bool is_def) {
  sl_costing *c = ctx;
  if (is_def) c->taint[reg] = c->tainted ? c->turn : 0;
}

// Follows registers through the loop; [loads]: from its loads on. False: a load or branch needs one of them.
static bool follow(sl_costing *c, uint32_t head, uint32_t tail, bool loads) {
  for (uint32_t pc = head; pc <= tail; pc++) {
    const sl_ptx_insn *in = insn_at(c, pc);
    if (!in) continue;
    const bool load = sl_ptx_action(in) == SL_ACT_LOAD;
    c->tainted = false;
    sl__visit_regs(c->fn->ir, in, see_taint, c);
    if (c->tainted && (loads ? sl_ptx_does(in, SL_DOES_BRANCH) : load)) return false;
    c->tainted |= loads && load;
    sl__visit_regs(c->fn->ir, in, see_tainted, c);
  }
  return true;
}

// How many turns of a loop are on their way together: one where a turn needs what another one loads, ends the
// loop by it, or does what ends a piece.
static uint32_t turns(sl_costing *c, uint32_t head, uint32_t tail) {
  for (uint32_t pc = head; pc <= tail; pc++) {
    const sl_ptx_insn *in = insn_at(c, pc);
    if ((pc > head && c->tail[pc]) || (in && (ends_piece(in) || sl_ptx_does(in, SL_DOES_CALL)))) return 1;
  }
  c->turn++;
  return follow(c, head, tail, true) && follow(c, head, tail, false) ? TURNS : 1;
}

// Where a loop begins or ends nothing stays on its way.
static void end_at_loop(sl_costing *c, uint32_t at_once) {
  const uint32_t steps = c->sum - c->start;
  end_piece(c, c->all > steps ? steps + (c->all - steps) / at_once : 0);
  c->now += c->all, c->all = 0;
}

static void cost_code(sl_costing *c, uint32_t *costs) {
  uint32_t end = c->fn->first_pc + c->fn->n_code, tail = UINT32_MAX, at_once = 1;
  for (uint32_t pc = c->fn->first_pc; pc < end; pc++) {
    const sl_ptx_insn *in = insn_at(c, pc);
    if (c->tail[pc]) {
      end_at_loop(c, 1);
      tail = c->tail[pc] - 1, at_once = turns(c, pc, tail);
    }
    if (pc == tail) end_at_loop(c, at_once);
    else if (in && sl_ptx_does(in, SL_DOES_CALL)) end_at_loop(c, 1);
    else if (in && (ends_piece(in) || sl_ptx_does(in, SL_DOES_END))) end_piece(c, c->needed);
    costs[pc] = c->sum;
    if (in) cost_instruction(c, in);
    else c->sum += STEP;
  }
  costs[end] = c->sum;
}

static void cost_function(sl_gmodule *m, const sl_func *fn, uint32_t *tail) {
  const size_t n = fn->ir->n_regs + 1;
  sl_costing c = {m, fn, tail, .ready = calloc(n, sizeof *c.ready), .taint = calloc(n, sizeof *c.taint)};
  c.sum = c.start = m->costs[fn->first_pc];
  if (c.ready && c.taint) find_loops(&c), cost_code(&c, m->costs);
  free(c.ready), free(c.taint);
}

static void cost_module(sl_gmodule *m) {
  SL_FREED uint32_t *tail = calloc(m->n_code + 1, sizeof *tail);
  m->costs = calloc(m->n_code + 2, sizeof *m->costs);
  for (uint32_t k = 0; tail && m->costs && k < m->ptx->n_funcs; k++) cost_function(m, &m->funcs[k], tail);
}

void sl__path_launch(sl_grid *g) {
  sl_gmodule *m = g->k->m;
  if (!g->detailed) return;
  if (!m->costs) cost_module(m);
  g->costs = m->costs;
}
