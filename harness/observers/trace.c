// The trace: every instruction that a chosen warp executes, with its lanes, source line and the values that
// it reads and writes, as text on stderr or in a file.
//
// It stands in front of every instruction, outside of the meter, and only in launches that are traced.
#include "observers/observers.h"

typedef struct sl_tracer {
  FILE *to;
  int64_t left;    // lines that may still be printed
  char text[2048]; // the line in progress
  size_t n;
} sl_tracer;

__attribute__((format(printf, 2, 3))) static void put(sl_tracer *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(t->text + t->n, sizeof t->text - t->n, fmt, ap);
  va_end(ap);
  if (n > 0) t->n = t->n + (size_t)n < sizeof t->text ? t->n + (size_t)n : sizeof t->text - 1;
}

// Values ----------------------------------------------------------------------------------------------------

typedef struct view { // registers of an instruction, those read or those written
  sl_tracer *t;
  sl_warp *w;
  const sl_func *fn;
  const sl_ptx_insn *in;
  int lane;
  bool defs;
  uint32_t seen[16], n_seen;
} view;

// cvt reads another type than it writes: its last suffix.
static sl_ptx_mod type_of(const sl_ptx_insn *in, bool def) {
  for (uint32_t k = 0; def && k < in->n_mods; k++)
    if (sl_ptx_type_bits((sl_ptx_mod)in->mods[k])) return (sl_ptx_mod)in->mods[k];
  return sl__type_mod(in);
}

static bool is_address(const sl_ptx_insn *in, uint32_t reg) {
  for (uint32_t k = 0; k < in->n_ops; k++)
    if (in->ops[k].kind == SL_O_MEM && in->ops[k].base_kind == SL_O_REG && in->ops[k].reg == reg) return true;
  return false;
}

static void put_value(view *v, sl_slot s, uint8_t cls, sl_ptx_mod type) {
  uint32_t l = (uint32_t)v->lane, a = cls == SL_R_PRED || cls >= SL_R_64 ? 0 : sl__u32(v->w, s)[l];
  double d;
  float f;
  if (cls == SL_R_PRED) put(v->t, "%s", (sl__pred(v->w, s) >> l) & 1 ? "true" : "false");
  else if (cls == SL_R_16) put(v->t, "%u", a & 0xffff);
  else if (cls == SL_R_32 && type == SL_M_f32) memcpy(&f, &a, 4), put(v->t, "%.9g", (double)f);
  else if (cls == SL_R_32) put(v->t, type == SL_M_u32 ? "%u" : "%d", a);
  else if (cls == SL_R_64 && type == SL_M_f64) memcpy(&d, &sl__u64(v->w, s)[l], 8), put(v->t, "%.17g", d);
  else if (cls == SL_R_64) put(v->t, "0x%llx", (unsigned long long)sl__u64(v->w, s)[l]);
  else
    put(v->t, "0x%016llx%016llx", (unsigned long long)sl__u64(v->w, s + SL_HALF_128)[l],
        (unsigned long long)sl__u64(v->w, s)[l]);
}

static void put_reg(void *ctx, uint32_t reg, bool is_def) {
  view *v = ctx;
  sl_slot s = v->fn->reg_slots[reg];
  if (is_def != v->defs || s == SL_NO_SLOT || v->n_seen == 16) return;
  for (uint32_t k = 0; k < v->n_seen; k++)
    if (v->seen[k] == reg) return;
  v->seen[v->n_seen++] = reg;
  put(v->t, " %s=", v->fn->ir->regs[reg].name);
  put_value(v, s, v->fn->ir->regs[reg].cls, is_address(v->in, reg) ? SL_M_b64 : type_of(v->in, is_def));
}

typedef struct executed { // what is told of
  sl_tracer *t;
  sl_warp *w;
  const sl_func *fn;
  const sl_ptx_insn *in;
  uint32_t shown; // lanes
} executed;

static void put_regs(const executed *x, int lane, bool defs) {
  view v = {.t = x->t, .w = x->w, .fn = x->fn, .in = x->in, .lane = lane, .defs = defs};
  sl__visit_regs(x->fn->ir, x->in, put_reg, &v);
}

// One instruction -------------------------------------------------------------------------------------------

static void put_trace_head(const executed *x, const sl_xinsn *i, uint32_t lanes) {
  sl_warp *w = x->w;
  char text[256];
  sl_src_pos pos;
  const char *file = "?";
  bool known = sl__position(w->grid, sl__split(w)->frame, i, &pos);
  if (known) file = sl_base_name(pos.file);
  x->t->n = 0;
  put(x->t, "block (%u,%u,%u) warp %u  %4u  %08x  %s:%-4u  %s", w->block->index[0], w->block->index[1],
      w->block->index[2], w->id, sl__pc(w, i), lanes, file, known ? pos.line : 0,
      sl_ptx_disasm(w->grid->m->ptx, x->fn->ir, x->in, text, sizeof text));
}

static bool shown_lane(const sl_trace_options *o, uint32_t lanes, int l) {
  if (!((lanes >> l) & 1)) return false;
  return o->lane == SL_TRACE_ALL || (o->lane == SL_TRACE_FIRST ? l == __builtin_ctz(lanes) : o->lane == l);
}

typedef struct parts { // what the lanes read, kept until the instruction has written its results
  char text[SL_LANES][384];
} parts;

static void read_parts(const executed *x, parts *p) {
  for (int l = 0; l < SL_LANES; l++) {
    if (!shown_lane(&x->w->grid->gpu->cfg.trace, x->shown, l)) continue;
    x->t->n = 0, x->t->text[0] = 0;
    put_regs(x, l, false);
    snprintf(p->text[l], sizeof p->text[l], "%.*s", (int)sizeof p->text[l] - 1, x->t->text);
  }
}

static void tell_executed(const executed *x, const parts *p, bool same) {
  const sl_trace_options *o = &x->w->grid->gpu->cfg.trace;
  sl_tracer *t = x->t;
  for (int l = 0; l < SL_LANES; l++) {
    if (!shown_lane(o, x->shown, l)) continue;
    size_t start = t->n;
    put(t, o->lane == SL_TRACE_ALL ? "\n    lane %d:%s" : "  lane %d:%s", l, p->text[l]);
    size_t before = t->n;
    put(t, " ->");
    size_t arrow = t->n;
    if (same) put_regs(x, l, true);
    if (t->n == arrow) t->n = *p->text[l] ? before : start, t->text[t->n] = 0;
    if (o->lane == SL_TRACE_ALL) fputs(t->text, t->to), t->n = 0, t->text[0] = 0;
  }
  fprintf(t->to, "%s\n", t->text);
}

static sl_step execute(sl_warp *w, const sl_xinsn *i, sl_op_fn rest) {
  sl_grid *g = w->grid;
  sl_tracer *t = g->kept[SL_PROBE_trace];
  const sl_trace_options *o = &g->gpu->cfg.trace;
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = i->unwritten ? NULL : sl__insn_of(g->m, i, &fn);
  bool chosen = (o->block < 0 || (uint64_t)o->block == w->block->linear) && (o->warp < 0 || o->warp == w->id);
  if (!chosen || !in || !fn || t->left <= 0) return rest(w, i);
  const uint64_t before = g->instructions;
  const uint32_t lanes = sl__taken_lanes(w, i);
  // no lane takes part: the guard is worth seeing
  const executed x = {.t = t, .w = w, .fn = fn, .in = in, .shown = lanes ? lanes : w->mask};
  uint8_t *regs = w->bank[SL_BANK_REG];
  char head[sizeof t->text];
  parts p;
  read_parts(&x, &p);
  put_trace_head(&x, i, lanes);
  memcpy(head, t->text, t->n + 1);
  sl_step s = rest(w, i);
  if (g->instructions != before) return s; // it will be executed again
  t->n = 0, put(t, "%s", head);
  tell_executed(&x, &p, lanes && regs == w->bank[SL_BANK_REG]);
  if (--t->left == 0)
    fprintf(t->to, "trace: %lld instructions shown, the limit (--trace-limit)\n", (long long)o->limit);
  return s;
}

// Launches --------------------------------------------------------------------------------------------------

static bool trace_joins(const sl_grid *g) {
  const sl_trace_options *o = &g->gpu->cfg.trace;
  char name[512];
  return o->on && strstr(sl_ptx_demangle(g->k->fn->ir->name, name, sizeof name), o->kernel);
}

static void trace_launch(sl_grid *g) {
  const sl_trace_options *o = &g->gpu->cfg.trace;
  sl_tracer *t = g->kept[SL_PROBE_trace];
  char name[512];
  if (!(t->to = *o->file ? fopen(o->file, "a") : stderr)) return;
  t->left = o->limit;
  fprintf(t->to, "trace: %s, grid (%u,%u,%u), block (%u,%u,%u)\n",
          sl_ptx_demangle(g->k->fn->ir->name, name, sizeof name), g->l->grid.x, g->l->grid.y, g->l->grid.z,
          g->l->block.x, g->l->block.y, g->l->block.z);
}

static void trace_launch_end(sl_grid *g) {
  const sl_tracer *t = g->kept[SL_PROBE_trace];
  if (t->to == stderr) fflush(stderr);
  else if (t->to) fclose(t->to);
}

const sl_probe sl__probe_trace = {.name = "trace",
                                  .joins = trace_joins,
                                  .launch_bytes = sizeof(sl_tracer),
                                  .launch = trace_launch,
                                  .launch_end = trace_launch_end,
                                  .outer = execute};
