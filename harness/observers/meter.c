// The meter: counts what every instruction does, for launches that are recorded.
//
// It stands in front of every instruction of the launch's module. It reads what an access cost from the
// launch's own counters, before and after, so lines and launches cannot disagree. Others run without it.
#include "observers/meter.h"

const char *sl_line_counter_name(unsigned k) {
  static const char *const names[] = {
#define X(name, how) #name,
      SL_LINE_COUNTERS(X)
#undef X
  };
  return k < SL_LN_COUNT ? names[k] : NULL;
}

// Classes ---------------------------------------------------------------------------------------------------

static bool on_floats(const sl_ptx_insn *in) {
  static const sl_ptx_mod floats[] = {SL_M_f32, SL_M_f64, SL_M_f16, SL_M_f16x2, SL_M_bf16, SL_M_bf16x2};
  for (size_t k = 0; k < sizeof floats / sizeof *floats; k++)
    if (sl_ptx_has_mod(in, floats[k])) return true;
  return false;
}

static uint8_t class_of(const sl_ptx_insn *in) {
  static const uint8_t classes[] = {
      [SL_FAM_INT] = SL_LN_integer,     [SL_FAM_VIDEO] = SL_LN_integer, [SL_FAM_FLOAT] = SL_LN_floating,
      [SL_FAM_BITS] = SL_LN_integer,    [SL_FAM_SET] = SL_LN_integer,   [SL_FAM_CVT] = SL_LN_conversion,
      [SL_FAM_ADDR] = SL_LN_conversion, [SL_FAM_MOV] = SL_LN_move,      [SL_FAM_MEM] = SL_LN_memory,
      [SL_FAM_ATOM] = SL_LN_memory,     [SL_FAM_WARP] = SL_LN_warp,     [SL_FAM_BAR] = SL_LN_barrier,
      [SL_FAM_CTL] = SL_LN_control,     [SL_FAM_MISC] = SL_LN_other};
  sl_family f = sl_ptx_family(in);
  return classes[f] == SL_LN_integer && on_floats(in) ? SL_LN_floating : classes[f];
}

static bool is_access(const sl_ptx_insn *in) {
  sl_space sp = sl__space_mod(in);
  return sl_ptx_does(in, SL_DOES_UPDATE) && sp != SL_SP_PARAM && sp != SL_SP_CONST;
}

// Measuring one instruction ---------------------------------------------------------------------------------

// The growth of the launch's counters during an instruction.
typedef struct growth {
  uint64_t ld, st, ld_replays, st_replays, gld, gst, gld_sectors, gst_sectors, barriers, redone;
} growth;

static growth reading(const sl_grid *g) {
  const sl_counters *c = g->cnt;
  return (growth){c->shared_ld_requests, c->shared_st_requests, c->shared_ld_replays, c->shared_st_replays,
                  c->global_ld_requests, c->global_st_requests, c->global_ld_sectors, c->global_st_sectors,
                  c->barriers,           g->instructions};
}

static growth since(const growth *a, const sl_grid *g) {
  growth b = reading(g);
  return (growth){b.ld - a->ld,
                  b.st - a->st,
                  b.ld_replays - a->ld_replays,
                  b.st_replays - a->st_replays,
                  b.gld - a->gld,
                  b.gst - a->gst,
                  b.gld_sectors - a->gld_sectors,
                  b.gst_sectors - a->gst_sectors,
                  b.barriers - a->barriers,
                  a->redone - b.redone};
}

static void add_to_cell(sl_meter_cell *c, sl_line_counter k, uint64_t v) { c->c[k] += v; }
static void most(sl_meter_cell *c, sl_line_counter k, uint64_t v) {
  if (c->c[k] < v) c->c[k] = v;
}

// How many parts the access is served in, by the lanes' offsets if they are known.
static uint32_t parts(const sl_meter_cell *c, const sl_executed *x, bool write) {
  uint32_t off[SL_LANES];
  if (!c->access) return 1;
  for (int l = 0; l < SL_LANES; l++) off[l] = (uint32_t)x->addr[l];
  return sl__shared_parts(off, ((const sl_memop *)x->i->ext)->bytes, x->lanes, write);
}

static void count_shared(sl_meter_cell *c, const sl_executed *x, const growth *d) {
  uint64_t n = parts(c, x, d->st > 0), replays = d->ld_replays + d->st_replays;
  add_to_cell(c, SL_LN_shared_ld_requests, d->ld);
  add_to_cell(c, SL_LN_shared_st_requests, d->st);
  add_to_cell(c, SL_LN_shared_ld_replays, d->ld_replays);
  add_to_cell(c, SL_LN_shared_st_replays, d->st_replays);
  add_to_cell(c, SL_LN_shared_ld_wavefronts, d->ld ? n + d->ld_replays : 0);
  add_to_cell(c, SL_LN_shared_st_wavefronts, d->st ? n + d->st_replays : 0);
  most(c, SL_LN_shared_degree, 1 + (replays + n - 1) / (n ? n : 1));
}

static void count_global(sl_meter_cell *c, const sl_executed *x, const growth *d) {
  uint32_t bytes = c->access ? ((const sl_memop *)x->i->ext)->bytes : 4;
  uint64_t all = (uint64_t)bytes * (uint32_t)__builtin_popcount(x->lanes),
           sectors = d->gld_sectors + d->gst_sectors, ideal = (all + 31) / 32;
  add_to_cell(c, SL_LN_global_ld_requests, d->gld);
  add_to_cell(c, SL_LN_global_st_requests, d->gst);
  add_to_cell(c, SL_LN_global_ld_sectors, d->gld_sectors);
  add_to_cell(c, SL_LN_global_st_sectors, d->gst_sectors);
  add_to_cell(c, SL_LN_global_bytes, all);
  add_to_cell(c, SL_LN_global_ideal_sectors,
              ideal < sectors ? ideal : sectors); // lanes may share what they read
}

static void count_atomic(sl_meter_cell *c, const sl_executed *x) {
  const sl_memop *op = x->i->ext;
  uint64_t first = x->addr[__builtin_ctz(x->lanes)];
  bool shared =
      op->space == SL_SP_SHARED || (op->space != SL_SP_GLOBAL && first - SL_SHARED_BASE < UINT32_MAX);
  uint32_t off[SL_LANES];
  add_to_cell(c, SL_LN_atomics, 1);
  most(c, SL_LN_atomic_lanes, sl__lanes_at_one_place(x->addr, x->lanes));
  if (!shared) {
    add_to_cell(c, SL_LN_atomic_sectors, sl__atomic_sectors(x->addr, x->lanes));
    return;
  }
  for (int l = 0; l < SL_LANES; l++) off[l] = (uint32_t)x->addr[l];
  add_to_cell(c, SL_LN_shared_atomics, 1);
  add_to_cell(c, SL_LN_atomic_wavefronts,
              c->counts ? sl__shared_wavefronts(off, op->bytes, x->lanes)
                        : sl__atomic_passes(x->addr, x->lanes));
}

static void count_executed(sl_meter_cell *c, const sl_executed *x, const growth *d, bool split) {
  uint64_t lanes = (uint64_t)__builtin_popcount(x->lanes);
  add_to_cell(c, SL_LN_warp_instructions, 1);
  add_to_cell(c, SL_LN_thread_instructions, (uint64_t)__builtin_popcount(x->mask));
  add_to_cell(c, (sl_line_counter)c->kind, lanes);
  add_to_cell(c, SL_LN_adds_float, x->i->cls == SL_CLS_ADD_FLOAT ? lanes : 0);
  add_to_cell(c, SL_LN_adds_int, x->i->cls == SL_CLS_ADD_INT ? lanes : 0);
  add_to_cell(c, SL_LN_barriers, d->barriers);
  if (d->ld + d->st) count_shared(c, x, d);
  if (d->gld + d->gst) count_global(c, x, d);
  if (c->access && sl_ptx_action(c->in) == SL_ACT_UPDATE && x->lanes) count_atomic(c, x);
  if (sl_ptx_does(c->in, SL_DOES_BRANCH) && c->in->guard)
    add_to_cell(c, SL_LN_branches, 1), add_to_cell(c, SL_LN_divergent, split);
}

static sl_step measure(sl_warp *w, const sl_xinsn *i, sl_op_fn rest) {
  sl_grid *g = w->grid;
  sl_meter *m = sl__meter_of(g);
  sl_meter_cell *c = &m->cells[sl__pc(w, i)];
  if (!c->in) return rest(w, i);
  sl_executed x = {.w = w,
                   .i = i,
                   .cell = c,
                   .mask = w->mask,
                   .lanes = sl__taken_lanes(w, i),
                   .phase = w->block->phase,
                   .frame = sl__split(w)->frame,
                   .chosen = c->in->op == SL_OP_selp ? sl__pred_src(w, i, 2) : 0,
                   .addr = m->addr};
  uint32_t splits = sl__core(w)->n_splits;
  growth before = reading(g);
  g->left_out = 0;
  if (m->record & SL_RECORD_STEPS) sl__steps_before(m, &x);
  sl_step s = rest(w, i);
  growth d = since(&before, g);
  if (d.redone) return s; // it will be executed again
  if (c->access) x.lanes &= ~g->left_out;
  count_executed(c, &x, &d, sl__core(w)->n_splits > splits);
  x.replays = d.ld_replays + d.st_replays, x.opened = d.barriers;
  if (m->record & SL_RECORD_DATA && s != SL_STEP_FAULT) sl__data_after(&x);
  if (m->record & SL_RECORD_STEPS && s != SL_STEP_FAULT) sl__steps_after(m, &x);
  return s;
}

// The addresses of an access, while the instruction runs: only lanes whose guard holds get here.
static void note_addresses(sl_warp *w, const uint64_t *addr) {
  sl_meter *m = sl__meter_of(w->grid);
  memcpy(m->addr, addr, sizeof m->addr);
}

// Launches --------------------------------------------------------------------------------------------------

static void describe_cell(const sl_grid *g, sl_meter_cell *c, uint32_t pc) {
  const sl_xinsn *i = &g->code[pc];
  const sl_func *f = NULL;
  c->in = i->unwritten ? NULL : sl__insn_of(g->m, i, &f);
  if (!c->in) return;
  c->kind = class_of(c->in);
  c->access = is_access(c->in) && i->ext;
  c->counts = c->access && sl__counts_lanes(f->ir, c->in);
}

static bool meter_joins(const sl_grid *g) { return g->gpu->cfg.record && g->detailed; }

static void meter_launch(sl_grid *g) {
  sl_meter_gpu *all = sl__meter_gpu(g->gpu);
  sl_meter *m = sl__meter_of(g);
  SL_GROW(all->recorded, all->n_recorded);
  all->recorded[all->n_recorded] = (sl_recorded){0};
  m->cells = sl_must(calloc(g->m->n_code + 1, sizeof *m->cells));
  m->record = g->gpu->cfg.record;
  m->out = &all->recorded[all->n_recorded++];
  sl__steps_begin(m);
  for (uint32_t pc = 0; pc < g->m->n_code; pc++) describe_cell(g, &m->cells[pc], pc);
  if (m->record & SL_RECORD_DATA) sl__dropped_launch(g, m->cells);
}

static void meter_launch_end(sl_grid *g) {
  sl_meter *m = sl__meter_of(g);
  if (m->record & SL_RECORD_LINES) sl__lines_add(g, m);
  sl__trail_free(&m->sources);
  free(m->cells);
}

static void meter_block(sl_block *b) {
  sl__data_block(b);
  sl__steps_block(b);
}

const sl_probe sl__probe_meter = {.name = "meter",
                                  .joins = meter_joins,
                                  .kinds = SL_SEES_WORDS,
                                  .gpu_bytes = sizeof(sl_meter_gpu),
                                  .launch_bytes = sizeof(sl_meter),
                                  .block_bytes = sizeof(sl_meter_block),
                                  .gone = sl_gpu_clear_recorded,
                                  .wrote = sl__data_wrote,
                                  .launch = meter_launch,
                                  .launch_end = meter_launch_end,
                                  .block = meter_block,
                                  .block_free = sl__data_block_free,
                                  .request = note_addresses,
                                  .outer = measure};

size_t sl_gpu_recorded(const sl_gpu *g, const sl_recorded **out) {
  *out = sl__meter_gpu(g)->recorded;
  return sl__meter_gpu(g)->n_recorded;
}

void sl_gpu_clear_recorded(sl_gpu *g) {
  sl_meter_gpu *all = sl__meter_gpu(g);
  for (size_t k = 0; k < all->n_recorded; k++) {
    sl_recorded *r = &all->recorded[k];
    for (size_t l = 0; l < r->n_lines; l++) free(r->lines[l].file);
    free(r->lines), free(r->arrays), free(r->events);
  }
  free(all->recorded);
  all->recorded = NULL, all->n_recorded = 0;
  sl__data_free(g);
}
