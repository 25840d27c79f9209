// Work on the data: operations of a launch's threads on values that come from the judge's arrays.
//
// A scan operates on the data only where the algorithm has an addition: indices do not depend on the data. So
// work cannot hide. However it is written (adders of xor and and, integers that stand for floats, sums looked
// up in tables, packed halves), it takes operations on the data; each lane of each operation counts one in
// data_ops. Data are values loaded from an allocation that another program shares (the judge's arrays), and
// every result of data, through registers, calls, shared, local and global memory and from launch to launch.
// Moving is free: loads, stores, shuffles, conversions, selections that data do not decide.  To be on the
// safe side, a copy within the device writes data, and makes constants data; a vote or a shuffle passes on
// the data of any lane; after a jump through a table or a call that data chose, everything is; once a kernel
// has allocated memory as data said, the places that malloc gives are data; everything, once data have moved
// the stack. What is not written tells as much as what is: all memory is data once data have said where to
// write, and after copies of bulk memory. Who is there, and when, tells something, too: everything is data
// once a thread has slept as long as data said; what barriers and votes say, and which lanes are active, once
// barriers have counted data or data have decided a branch. An operation on 64 bits may be several in one:
// whole numbers count three. Interface: sl__data_after, sl__data_wrote (meter.h).
#include "observers/meter.h"

enum {
  EVERYTHING = UINT32_MAX /* a register that stands for all */,
  REDUCTION = 4096 /* operations, of bulk memory */,
  ROW = 128 /* bytes of memory whose marks lie together, a byte for each word */
};

typedef struct sl_data_marks {
  sl_table memory; // (number of a row, 0: global, else whose): of each word a bit for each of its bytes
  struct {
    uint64_t row, owner;
    size_t n; // entries of the table then: with another one, values may lie elsewhere
    uint8_t *words;
  } last; // a warp mostly touches words of one row
  bool all_memory;
  bool copied;   // something within the device: constants may hold data
  bool all_heap; // the addresses that malloc gives in kernels
  bool all;      // whatever is computed: a thread has slept for as long as data said
  bool barriers; // what barriers count
  bool branched; // which lanes are there
} sl_data_marks;

static const sl_mark_kind DATA = {.bytes = sizeof(uint32_t)};

static sl_data_marks *marks_of(sl_gpu *g) {
  sl_data_marks **at = &sl__meter_gpu(g)->data;
  if (*at) return *at;
  *at = sl_must(calloc(1, sizeof **at));
  (*at)->memory.value_bytes = ROW / 4;
  return *at;
}

void sl__data_free(sl_gpu *g) {
  sl_data_marks *m = sl__meter_gpu(g)->data;
  sl__table_free(&sl__meter_gpu(g)->sums);
  if (!m) return;
  sl__table_free(&m->memory);
  free(m);
  sl__meter_gpu(g)->data = NULL;
}

static sl_trail *registers_of(const sl_block *b) { return &sl__meter_block(b)->data; }

// Registers die with their block.
void sl__data_block(sl_block *b) {
  sl__trail_free(registers_of(b));
  sl__trail_begin(registers_of(b), &DATA);
  memset(sl__meter_block(b)->ops, 0, sizeof(uint32_t) * SL_BLOCK_THREADS);
}

void sl__data_block_free(sl_block *b) { sl__trail_free(registers_of(b)); }

static uint32_t lanes_of(const sl_executed *x, const void *frame, uint32_t reg) {
  const uint32_t *lanes = sl__marks_at(registers_of(x->w->block), frame, reg);
  return lanes ? *lanes : 0;
}

uint32_t sl__data_lanes(const sl_executed *x, uint32_t reg) { return lanes_of(x, x->frame, reg); }

// An executed instruction, and the lanes with an operand that is data.
typedef struct sl_data_flow {
  sl_data_marks *m;
  const sl_executed *x;
  sl_flowing *at;
  uint32_t data;
} sl_data_flow;

// Memory ----------------------------------------------------------------------------------------------------

// The space of a lane's address; sets the address and the other key of its words in the table.
static uint8_t executed_place(const sl_executed *x, uint32_t lane, uint64_t *at, uint64_t *owner) {
  const sl_memop *op = x->i->ext;
  uint64_t a = x->addr[lane];
  bool local = op->space == SL_SP_LOCAL || a - SL_LOCAL_BASE < 1ull << 32;
  bool shared = op->space == SL_SP_SHARED || a - SL_SHARED_BASE < 1ull << 32;
  uint8_t space = local ? SL_SP_LOCAL : shared ? SL_SP_SHARED : SL_SP_GLOBAL;
  *at = space == SL_SP_GLOBAL ? a : space == SL_SP_LOCAL ? a % SL_LOCAL_ROOM : (uint32_t)a;
  *owner = sl__word_owner(x->w, space, lane);
  return space;
}

// The marks of a word. NULL: it has none, and [make] is not set.
static uint8_t *word_of(sl_data_marks *m, uint64_t at, uint64_t owner, bool make) {
  const uint64_t row = at / ROW;
  if (m->last.row != row || m->last.owner != owner || m->last.n != m->memory.n || (make && !m->last.words)) {
    m->last.words = make ? sl__table_put(&m->memory, row, owner) : sl__table_find(&m->memory, row, owner);
    m->last.row = row, m->last.owner = owner, m->last.n = m->memory.n;
  }
  return m->last.words ? m->last.words + at % ROW / 4 : NULL;
}

// Which bytes of the word at [word] lie in [from, end): a bit each.
static uint8_t bytes_within(uint64_t word, uint64_t from, uint64_t end) {
  uint8_t bytes = 0;
  for (uint64_t k = 0; k < 4; k++)
    if (word + k >= from && word + k < end) bytes |= (uint8_t)(1u << k);
  return bytes;
}

static bool is_data(const sl_data_flow *d, uint32_t lane) {
  uint64_t from, owner;
  uint8_t space = executed_place(d->x, lane, &from, &owner);
  const uint64_t end = from + ((const sl_memop *)d->x->i->ext)->bytes;
  if (d->m->all_memory) return true;
  const sl_alloc *a = space == SL_SP_GLOBAL ? sl__memory_find(&d->x->w->grid->gpu->mem, from) : NULL;
  if (a && a->n_with) return true;
  for (uint64_t at = from & ~3ull; at < end; at += 4) {
    const uint8_t *word = word_of(d->m, at, owner, false);
    if (word && *word & bytes_within(at, from, end)) return true;
  }
  return false;
}

static uint32_t memory_lanes(const sl_data_flow *d) {
  uint32_t lanes = 0;
  SL_FOR_LANES(l, d->x->lanes)
    if (is_data(d, l)) lanes |= 1u << l;
  return lanes;
}

// Byte by byte: a byte that is no data leaves the others of its word what they are.
static void set_bytes(sl_data_marks *m, uint64_t from, uint64_t end, uint64_t owner, bool data) {
  for (uint64_t at = from & ~3ull; at < end; at += 4) {
    uint8_t *word = word_of(m, at, owner, data);
    const uint8_t bytes = bytes_within(at, from, end);
    if (word) *word = data ? *word | bytes : *word & (uint8_t)~bytes;
    else at = at / ROW * ROW + ROW - 4; // nor have the others of its row
  }
}

static void store_data(const sl_data_flow *d, uint32_t data) {
  const uint32_t bytes = ((const sl_memop *)d->x->i->ext)->bytes;
  uint64_t at, owner;
  SL_FOR_LANES(l, d->x->lanes) {
    executed_place(d->x, l, &at, &owner);
    set_bytes(d->m, at, at + bytes, owner, data >> l & 1);
  }
}

void sl__data_wrote(sl_gpu *g, uint64_t addr, uint64_t len, bool copied) {
  const sl_data_marks *old = sl__meter_gpu(g)->data;
  if (copied ? !(g->cfg.record & SL_RECORD_DATA) : !old || !old->memory.n) return;
  sl_data_marks *m = marks_of(g);
  m->copied |= copied;
  set_bytes(m, addr, addr + len, 0, copied);
}

// Instructions ----------------------------------------------------------------------------------------------

// Each returns the lanes that operated on data.

static uint32_t accessed_data(sl_data_flow *d) {
  uint32_t base = d->at->used[SL_USE_ADDRESS], stored = base | d->at->used[SL_USE_VALUE];
  sl_action action = sl_ptx_action(d->at->in);
  if (action != SL_ACT_STORE) stored |= memory_lanes(d);
  if (action != SL_ACT_LOAD) store_data(d, stored);
  d->m->all_memory |= action != SL_ACT_LOAD && base & d->x->lanes;
  d->data |= stored;
  return action == SL_ACT_UPDATE ? d->data : base;
}

// Does the instruction only move a value, or change its type?
static bool only_moves(const sl_ptx_insn *in) {
  sl_value_flow flow = sl_ptx_flow(in);
  return flow == SL_FLOW_MEMORY || (flow == SL_FLOW_MOVES && in->n_ops <= 2);
}

static uint32_t registers(sl_data_flow *d) {
  const sl_ptx_insn *in = d->at->in;
  sl_value_flow flow = sl_ptx_flow(in);
  const bool exchanges = flow == SL_FLOW_EXCHANGES, chooses = in->op == SL_OP_selp;
  // Only copies write constants: one may have put data there.
  if (sl_ptx_action(in) == SL_ACT_LOAD && d->m->copied) d->data = d->x->lanes;
  uint32_t decides = exchanges || chooses ? d->at->used[SL_USE_CHOICE] : only_moves(in) ? 0 : d->data;
  if ((exchanges || flow == SL_FLOW_JOINS) && d->data & d->x->lanes) d->data = d->x->lanes;
  return decides;
}

// The lanes in which a call learns more from data than its parameters say: which function a register names,
// and what it takes or gives in registers. nvcc writes no call with such operands; marks follow variables.
static uint32_t called_by_data(const sl_data_flow *d) {
  const sl_flowing *at = d->at;
  for (uint32_t k = 0; k < at->in->n_ret; k++)
    if (at->f->elems[at->in->ret_first + k].kind == SL_O_REG) return d->x->mask;
  return at->used[SL_USE_VALUE];
}

// Branches: a jump through a table, and some calls, learn more than one bit.
static uint32_t control(const sl_data_flow *d) {
  const sl_ptx_insn *in = d->at->in;
  if (sl_ptx_does(in, SL_DOES_END)) return 0;
  uint32_t more = sl_ptx_does(in, SL_DOES_BRANCH_BY_TABLE) ? d->data
                  : sl_ptx_does(in, SL_DOES_CALL)          ? called_by_data(d)
                                                           : 0;
  if (more & d->x->mask) sl__marks_set(d->at->trail, d->x->w, EVERYTHING, d->x->mask, &more);
  d->m->branched |= (d->data & d->x->mask) != 0;
  return d->data;
}

// The words of a parameter of a call, from [first] on; returns how many.
static uint32_t words_of(const sl_data_flow *d, const sl_operand *o, uint32_t *first) {
  const sl_gmodule *m = d->x->w->grid->m;
  if (o->kind != SL_O_VAR) return 0;
  *first = SL_PARAM_WORD | (uint32_t)(m->var_addr[o->var] / 4);
  return (uint32_t)((m->ptx->vars[o->var].size + 3) / 4);
}

// A function of the device's runtime has run: the instruction was a call, and entered no frame.
static void runtime_call(sl_data_flow *d) {
  const sl_flowing *x = d->at;
  const sl_operand *args = x->f->elems + x->in->arg_first, *rets = x->f->elems + x->in->ret_first;
  uint32_t at = 0;
  for (uint32_t k = 0; k < x->in->n_arg; k++)
    for (uint32_t n = words_of(d, &args[k], &at); n--; at++)
      d->m->all_heap |= (lanes_of(d->x, x->frame, at) & x->lanes) != 0;
  const uint32_t given = d->m->all_heap ? x->lanes : 0;
  for (uint32_t k = 0; k < x->in->n_ret; k++)
    for (uint32_t n = words_of(d, &rets[k], &at); n--; at++)
      sl__marks_set(x->trail, x->frame, at, x->lanes, &given);
}

// Does it say which lanes are there?
static bool tells_lanes(const sl_ptx_insn *in) { return in->op == SL_OP_activemask || in->op == SL_OP_vote; }

// What data tell but by a result: how long to sleep, what a barrier counts, who takes part, the stack's end.
static void tell(sl_data_flow *d) {
  const sl_ptx_insn *in = d->at->in;
  const bool data = (d->data & d->x->lanes) != 0, mbarrier = sl_ptx_does(in, SL_DOES_MBARRIER);
  const bool barrier = mbarrier || sl_ptx_does(in, SL_DOES_BARRIER);
  d->m->all |= data && in->op == SL_OP_nanosleep;
  d->m->barriers |= (data || d->m->branched) && barrier;
  d->m->all_memory |= data && mbarrier;
  if (data && in->op == SL_OP_alloca)
    sl__marks_set(d->at->trail, d->x->w, EVERYTHING, d->x->lanes, &d->x->lanes);
  if ((d->m->branched && tells_lanes(in)) || (d->m->barriers && barrier)) d->data = d->x->lanes;
}

// How many operations one on these bits may be: whole numbers that lie side by side are added at once. To put
// floats side by side takes more operations than it spares, and doubles are a fair way to add.
static uint64_t operations_in_one(const sl_ptx_insn *in) {
  enum { OF_NUMBERS = 3 };
  const sl_ptx_mod type = sl__type_mod(in);
  return sl_ptx_type_bits(type) < 64 || type == SL_M_f64 ? 1 : OF_NUMBERS;
}

// One thread that does it all is found in any company: others may compute as much, but not with its data.
static void note_threads(const sl_data_flow *d, uint32_t lanes) {
  sl_meter_block *b = sl__meter_block(d->x->w->block);
  uint64_t *most = &d->x->w->grid->cnt->busiest_thread;
  for (; lanes; lanes &= lanes - 1) {
    const uint64_t ops = ++b->ops[sl__thread_of(d->x->w, (uint32_t)__builtin_ctz(lanes))];
    if (*most < ops) *most = ops;
  }
}

static uint64_t operations(sl_data_flow *d) {
  const sl_ptx_insn *in = d->at->in;
  bool steers = sl_ptx_flow(in) == SL_FLOW_DECIDES, copies = sl_ptx_does(in, SL_DOES_COPY);
  bool param = sl_ptx_does(in, SL_DOES_UPDATE) && sl__space_mod(in) == SL_SP_PARAM;
  uint32_t decided = 0;
  if (d->x->cell->access) decided = accessed_data(d);
  else if (copies) d->m->all_memory = true;
  else if (!param) decided = steers ? control(d) : registers(d);
  tell(d);
  if (!steers && !copies) sl__follow_put(d->at);
  if (!steers) decided |= d->at->used[SL_USE_GUARD];
  if (copies && sl_ptx_has_mod(in, SL_M_reduce)) return REDUCTION;
  note_threads(d, decided & d->x->lanes);
  const uint64_t each = d->x->cell->access || steers ? 1 : operations_in_one(in);
  return each * (uint64_t)__builtin_popcount(decided & d->x->lanes);
}

void sl__data_after(const sl_executed *x) {
  const sl_func *fn = NULL;
  sl_data_flow d = {.m = marks_of(x->w->grid->gpu), .x = x};
  sl_trail *regs = registers_of(x->w->block);
  sl_flowing at = {.trail = regs, .w = x->w, .i = x->i, .frame = x->frame, .lanes = x->lanes, .out = &d.data};
  d.data = d.m->all ? x->lanes : lanes_of(x, x->w, EVERYTHING);
  at.in = sl__insn_of(x->w->grid->m, x->i, &fn), at.f = fn->ir;
  d.at = &at;
  sl__follow(&at);
  d.data |= at.used[SL_USE_ADDRESS];
  if (x->cell->selected) sl__dropped_after(x, at.f);
  x->w->grid->cnt->data_ops += operations(&d);
  if (!sl_ptx_does(at.in, SL_DOES_CALL)) return;
  if (sl__split(x->w)->frame == x->frame) runtime_call(&d);
  else sl__trail_enter(at.trail, &at), sl__dropped_enter(x);
}
