// alloca, stacksave, stackrestore: local memory whose size is known only when it is asked for. Interface:
// sl__decode_stack. It lies behind the local variables of the function; each lane has its own height.
#include "engine/core.h"

static uint32_t start_of(const sl_frame *f) { return f->local_base + ((f->fn->local_bytes + 15) & ~15u); }

static void put_addresses(sl_warp *w, const sl_xinsn *i, const uint64_t *v) {
  uint32_t n[SL_LANES];
  if (i->aux == 64) {
    sl__put64(w, i->d, v);
    return;
  }
  for (int l = 0; l < SL_LANES; l++) n[l] = (uint32_t)v[l];
  sl__put32(w, i->d, n);
}

static uint64_t source(const sl_warp *w, const sl_xinsn *i, int l) {
  return i->aux == 64 ? sl__u64(w, i->s[0])[l] : sl__u32(w, i->s[0])[l];
}

// imm: alignment
static sl_step allocate(sl_warp *w, const sl_xinsn *i) {
  sl_frame *f = sl__split(w)->frame;
  uint64_t at[SL_LANES] = {0};
  SL_FOR_LANES(l, w->mask) {
    uint64_t low = (uint64_t)i->imm - 1, start = start_of(f), size = (source(w, i, l) + 15) & ~15ull;
    at[l] = (start + f->top[l] + low) & ~low;
    if (size <= 1u << 30 && sl__frame_grow(sl__core(w), f, (uint32_t)l, (uint32_t)(at[l] - start + size)))
      continue;
    sl__finding_at(w, i, l, SL_FOUND_STACK_OVERFLOW, "alloca of %llu bytes: the stack of a thread is used up",
                   (unsigned long long)source(w, i, l));
    return SL_STEP_FAULT;
  }
  put_addresses(w, i, at);
  return SL_STEP;
}

static sl_step save(sl_warp *w, const sl_xinsn *i) {
  const sl_frame *f = sl__split(w)->frame;
  uint64_t at[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) at[l] = start_of(f) + f->top[l];
  put_addresses(w, i, at);
  return SL_STEP;
}

static sl_step restore(sl_warp *w, const sl_xinsn *i) {
  sl_frame *f = sl__split(w)->frame;
  SL_FOR_LANES(l, w->mask) {
    uint64_t at = source(w, i, l) - start_of(f);
    if (at <= f->top[l]) f->top[l] = (uint32_t)at;
  }
  return SL_STEP;
}

bool sl__decode_stack(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  sl_ptx_mod type = sl__type_mod(in);
  x->aux = sl_ptx_type_bits(type);
  x->imm = 16;
  dc->fn->allocas = true;
  x->fn = in->op == SL_OP_alloca ? allocate : in->op == SL_OP_stacksave ? save : restore;
  if (in->op == SL_OP_stacksave) return in->n_ops == 1 && sl__dst(dc, &in->ops[0], &x->d);
  if (in->op == SL_OP_stackrestore) return in->n_ops == 1 && sl__src(dc, &in->ops[0], type, &x->s[0]);
  if (in->n_ops == 3 && in->ops[2].imm > 16) x->imm = in->ops[2].imm;
  if (in->n_ops < 2 || x->imm > 4096 || (x->imm & (x->imm - 1)))
    return sl__refuse(dc, in, "the alignment must be a power of two up to 4096");
  return sl__dst(dc, &in->ops[0], &x->d) && sl__src(dc, &in->ops[1], type, &x->s[0]);
}
