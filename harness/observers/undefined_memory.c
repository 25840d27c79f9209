// Undefined values and memory: loads mark the bytes that nobody has written, stores make bytes unwritten
// again, parameters of calls carry marks from frame to frame. Also reports what such a value decided.
//
// Two kinds of stores are reported: of undefined bytes alone, to global memory; of a value that was computed
// from undefined bytes, to global or shared memory. When part of a struct is filled and all of it is stored,
// the rest just stays unwritten.
//
// Interface: sl__undef_load, sl__undef_store, sl__undef_tell of observers.h; the rest in undefined.h.
#include "observers/undefined.h"

// Telling ---------------------------------------------------------------------------------------------------

static uint32_t line_of_pc(const sl_warp *w, uint32_t pc) {
  sl_src_pos pos;
  const sl_grid *g = w->grid;
  return sl__position(g, sl__split((sl_warp *)w)->frame, &g->code[pc], &pos) ? pos.line : 0;
}

// [a]: the access that read it. [use]: what it is used for, at [pc].
void sl__undef_tell(const sl_access *a, uint32_t lane, const char *use, uint32_t pc) {
  static const char *const where[] = {
      [SL_SP_GLOBAL] = "global", [SL_SP_SHARED] = "shared", [SL_SP_LOCAL] = "local"};
  static const char *const fix[] = {
      [SL_SP_GLOBAL] = NULL,
      [SL_SP_SHARED] = "Let the kernel write this element first: each block begins with shared memory that "
                       "holds anything, and the host cannot set it. Look at the index and at the guard of "
                       "the store that should have done it",
      [SL_SP_LOCAL] = "Give the variable a value before it is used, on every way that leads there"};
  char title[64], why[160];
  sl_touch beside;
  if (a->space == SL_SP_SHARED && sl__in_zone(a->w->grid, a->addr[lane])) return; // reported as memory.bounds
  snprintf(title, sizeof title, "read of %s memory that nobody has written", where[a->space]);
  snprintf(why, sizeof why, "The value %s at line %u; on hardware it is whatever was there before", use,
           line_of_pc(a->w, pc));
  sl__tell(&(sl_story){.id = SL_FOUND_MEMORY_UNINIT,
                       .title = title,
                       .a = a,
                       .lane = lane,
                       .addr = a->addr[lane],
                       .beside = sl__race_beside(a, lane, &beside) ? &beside : NULL,
                       .early = a->space == SL_SP_LOCAL || !strcmp(use, SL_USED_AS_ADDRESS) ||
                                !strcmp(use, SL_USED_IN_ATOMIC),
                       .why = why,
                       .fix = fix[a->space]});
}

void sl__undef_use(sl_warp *w, const sl_origin *from, const char *use, uint32_t pc) {
  if (from->space == SL_SP_NONE) {
    sl__absent_tell(w, from, use, line_of_pc(w, pc));
    return;
  }
  if (from->space == SL_SP_CONST) {
    sl__constant_tell(w, from);
    return;
  }
  if (from->space == SL_SP_PARAM) {
    sl__unset_tell(w, from, use, pc);
    return;
  }
  sl_access a = {.w = w, .i = &w->grid->code[from->pc], .pc = from->pc, .space = from->space};
  a.bytes = ((const sl_memop *)a.i->ext)->bytes;
  a.addr[from->lane] = from->addr;
  sl__undef_tell(&a, from->lane, use, pc);
}

// The first key of the table `undef`. The second says whose memory, the entry where it was first read.
static uint64_t first_word(const sl_access *a, uint32_t lane, uint32_t bytes) {
  return (a->addr[lane] + (uint32_t)__builtin_ctz(bytes)) & ~3ull;
}

// Loads -----------------------------------------------------------------------------------------------------

static sl_origin origin_of(const sl_access *a, uint32_t lane, uint32_t bytes) {
  uint64_t at = first_word(a, lane, bytes);
  const sl_origin *o =
      sl__table_find(&sl__seen_grid(a->w->grid)->undef, at, sl__word_owner(a->w, a->space, lane));
  uint32_t elem = ((const sl_memop *)a->i->ext)->elem_bytes;
  uint64_t element = a->addr[lane] + (uint32_t)__builtin_ctz(bytes) / elem * elem;
  bool whole = bytes == (a->bytes >= 32 ? ~0u : (1u << a->bytes) - 1);
  return o ? *o
           : (sl_origin){
                 .addr = element, .pc = a->pc, .space = a->space, .lane = (uint8_t)lane, .whole = whole};
}

// The undefined bytes of element [k] of a load, as they lie in the register.
static sl_undef element(const sl_access *a, const sl_ptx_insn *in, uint32_t lanes, const uint32_t *bytes,
                        uint32_t k) {
  uint32_t n = ((const sl_memop *)a->i->ext)->elem_bytes;
  sl_ptx_mod type = sl__type_mod(in);
  sl_undef u = {0};
  SL_FOR_LANES(l, lanes) {
    uint32_t part = bytes[l] >> k * n & ((1u << n) - 1);
    if (!part) continue;
    if (type >= SL_M_s8 && type <= SL_M_s64 && part >> (n - 1)) part |= 0xffu << n & 0xff; // the sign
    u.bytes[l] = (uint8_t)part, u.lanes |= 1u << l;
  }
  return u;
}

void sl__undef_load(const sl_access *a, uint32_t lanes, const uint32_t *bytes) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = sl__insn_of(a->w->grid->m, &a->w->grid->code[a->pc], &fn);
  const sl_operand *d = &in->ops[0];
  sl_trail *trail = &sl__seen_block(a->w->block)->undef;
  uint32_t n = d->kind == SL_O_VEC ? d->n_elems : 1, first = (uint32_t)__builtin_ctz(lanes);
  sl_frame *frame = sl__split(a->w)->frame;
  sl__see_inner(a->w->grid);
  for (uint32_t k = 0; k < n; k++) {
    const sl_operand *o = d->kind == SL_O_VEC ? &fn->ir->elems[d->first + k] : d;
    if (o->kind != SL_O_REG) continue;
    sl_undef u = element(a, in, lanes, bytes, k);
    const sl_undef *old = sl__marks_at(trail, frame, o->reg); // for lanes that read another space
    SL_FOR_LANES(l, old ? old->lanes & ~a->mask : 0) u.bytes[l] = old->bytes[l], u.lanes |= 1u << l;
    u.from = origin_of(a, first, bytes[first]);
    sl__marks_set(trail, frame, o->reg, a->w->mask, &u);
  }
}

// Stores ----------------------------------------------------------------------------------------------------

// Which bytes of the stored values are undefined, and in which lanes some of them were computed.
static uint32_t stored(const sl_access *a, uint32_t *bytes, uint32_t *computed, sl_undef *out) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = sl__insn_of(a->w->grid->m, &a->w->grid->code[a->pc], &fn);
  const sl_operand *v = &in->ops[1];
  uint32_t n = v->kind == SL_O_VEC ? v->n_elems : 1, size = ((const sl_memop *)a->i->ext)->elem_bytes,
           any = 0;
  for (uint32_t k = 0; k < n; k++) {
    const sl_operand *o = v->kind == SL_O_VEC ? &fn->ir->elems[v->first + k] : v;
    const sl_trail *trail = &sl__seen_block(a->w->block)->undef;
    const sl_undef *u = o->kind == SL_O_REG ? sl__marks_at(trail, sl__split(a->w)->frame, o->reg) : NULL;
    SL_FOR_LANES(l, u ? u->lanes & a->mask : 0) {
      uint32_t part = u->bytes[l] & ((1u << size) - 1);
      if (!part) continue;
      bytes[l] |= part << k * size;
      any |= 1u << l, *computed |= u->computed & 1u << l;
      sl__undef_note(out, u, a->w->mask);
    }
  }
  return any;
}

static void remember(const sl_access *a, uint32_t lanes, const uint32_t *bytes, const sl_origin *from) {
  SL_FOR_LANES(l, lanes) {
    for (uint32_t k = 0; k < a->bytes; k += 4) {
      uint32_t part = a->bytes < 4 ? bytes[l] : bytes[l] >> k & 0xf;
      uint64_t at = (a->addr[l] + k) & ~3ull;
      sl_origin *o =
          part ? sl__table_put(&sl__seen_grid(a->w->grid)->undef, at, sl__word_owner(a->w, a->space, l))
               : NULL;
      if (o) *o = *from;
    }
  }
}

void sl__undef_store(const sl_access *a, uint32_t bytes[SL_LANES]) {
  sl_undef out = {0};
  uint32_t computed = 0, told = 0, all = a->bytes >= 32 ? ~0u : (1u << a->bytes) - 1;
  memset(bytes, 0, SL_LANES * sizeof *bytes);
  uint32_t lanes = sl__seen_block(a->w->block)->undef.n ? stored(a, bytes, &computed, &out) : 0;
  SL_FOR_LANES(l, a->space == SL_SP_GLOBAL && out.from.whole ? lanes : 0)
    if (bytes[l] == all) told |= 1u << l;
  bool global = told;
  if (a->space != SL_SP_LOCAL) told |= computed;
  if (told)
    sl__undef_use(a->w, &out.from,
                  global ? "is stored to global memory" : "is computed with, and the result stored,", a->pc);
  SL_FOR_LANES(l, told) bytes[l] = 0;
  remember(a, lanes & ~told, bytes, &out.from);
}

// Parameters of calls ---------------------------------------------------------------------------------------

// Element [k] of a ld.param or st.param: [at] is its byte among the parameters of the frame.
static void param_element(sl_flowing *x, const sl_frame *f, uint32_t reg, uint64_t at, uint32_t size,
                          bool write) {
  uint32_t words = size > 4 ? 2 : 1, shift = (uint32_t)at % 4;
  sl_undef all = {0};
  const sl_undef *u = write ? sl__marks_at(x->trail, x->frame, reg) : NULL;
  for (uint32_t k = 0; k < words; k++) {
    uint32_t key = SL_PARAM_WORD | ((uint32_t)(at / 4) + k),
             keep = size >= 4 ? 0 : ((1u << size) - 1) << shift;
    const sl_undef *old = sl__marks_at(x->trail, f, key);
    sl_undef part = {0};
    SL_FOR_LANES(l, x->lanes) {
      uint32_t have = old && old->lanes >> l & 1 ? old->bytes[l] : 0;
      if (!write) all.bytes[l] |= (uint8_t)((have >> shift & ((1u << (size < 4 ? size : 4)) - 1)) << 4 * k);
      else
        part.bytes[l] =
            (uint8_t)((size < 4 ? have & ~keep : 0) |
                      ((u && u->lanes >> l & 1 ? u->bytes[l] >> 4 * k << shift : 0) & (keep ? keep : 0xf)));
      if (part.bytes[l]) part.lanes |= 1u << l;
      if (all.bytes[l]) all.lanes |= 1u << l;
    }
    if (old && !write) all.from = old->from, all.computed |= old->computed;
    part.from = u ? u->from : old ? old->from : part.from, part.computed = u ? u->computed : 0;
    if (write) sl__marks_set(x->trail, f, key, x->lanes, &part);
  }
  if (!write) sl__marks_set(x->trail, x->frame, reg, x->lanes, &all);
}

void sl__undef_param(sl_flowing *x, const sl_param_words *p) {
  for (uint32_t k = 0; k < p->n; k++) {
    const sl_operand *o = p->value->kind == SL_O_VEC ? &x->f->elems[p->value->first + k] : p->value;
    uint32_t reg = o->kind == SL_O_REG ? o->reg : UINT32_MAX;
    if (p->write || o->kind == SL_O_REG)
      param_element(x, p->frame, reg, p->at + k * p->size, p->size, p->write);
  }
}
