// Parameters of calls: ld.param and st.param on the .param variables of a function. Each is a row of 32-bit
// words in the frame of the function, laid out as registers are, so a 32-bit access is a move. Narrow
// accesses take or replace bytes of a word; 64-bit ones use two words.
#include "engine/core.h"

static sl_step
param_in(sl_warp *w,
         const sl_xinsn *i) { // aux: bytes; target: bit 0 signed, bit 1 wide register; imm: byte in the word
  const uint32_t *lo = sl__u32(w, i->s[0]), *hi = sl__u32(w, i->s[0] + 128);
  uint64_t v[SL_LANES];
  unsigned shift = (unsigned)i->imm * 8, keep = 64 - 8 * i->aux;
  for (int l = 0; l < SL_LANES; l++) {
    uint64_t x =
        i->aux == 8 || shift ? (((uint64_t)(i->aux == 8 ? hi[l] : 0) << 32 | lo[l]) >> shift) : lo[l];
    x <<= keep;
    v[l] = i->target & 1 ? (uint64_t)((int64_t)x >> keep) : x >> keep;
  }
  if (i->target & 2) {
    sl__put64(w, i->d, v);
    return SL_STEP;
  }
  uint32_t n[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) n[l] = (uint32_t)v[l];
  sl__put32(w, i->d, n);
  return SL_STEP;
}

static sl_step param_out(sl_warp *w, const sl_xinsn *i) {
  bool wide = i->target & 2;
  const uint64_t *s64 = sl__at(w, i->s[0]);
  const uint32_t *s32 = sl__at(w, i->s[0]), *old = sl__u32(w, i->d);
  uint32_t lo[SL_LANES], hi[SL_LANES], shift = (uint32_t)i->imm * 8,
                                       keep = i->aux >= 4 ? SL_FULL : ((1u << 8 * i->aux) - 1) << shift;
  for (int l = 0; l < SL_LANES; l++) {
    uint64_t v = wide ? s64[l] : s32[l];
    lo[l] = (old[l] & ~keep) | ((uint32_t)(v << shift) & keep);
    hi[l] = (uint32_t)(v >> 32);
  }
  sl__put32(w, i->d, lo);
  if (i->aux == 8) sl__put32(w, i->d + 128, hi);
  return SL_STEP;
}

static bool decode_param(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, bool write) {
  const sl_operand *mem = &in->ops[write ? 0 : 1], *val = &in->ops[write ? 1 : 0];
  sl_ptx_mod type = sl__type_mod(in);
  unsigned bytes = sl_ptx_type_bits(type) / 8;
  uint32_t n;
  const sl_operand *o = sl__elements(dc, val, &n);
  uint64_t off = dc->m->var_addr[mem->var] + (uint64_t)mem->imm;
  if (n != 1) return false;
  if (mem->imm < 0 || (uint64_t)mem->imm + bytes > dc->m->ptx->vars[mem->var].size || bytes < 1 ||
      bytes > 8 || off % 4 + bytes > (bytes == 8 ? 8 : 4))
    return sl__refuse(dc, in, "an access outside of the parameter");
  if (!sl__value_slot(dc, in, o, write, type, write ? &x->s[0] : &x->d)) return false;
  sl_slot place = sl__param_slot(dc, off);
  if (write) x->d = place;
  else x->s[0] = place;
  if (x->d == SL_NO_SLOT) x->d = dc->sink;
  x->fn = write ? param_out : param_in;
  x->aux = bytes, x->imm = (int64_t)(off % 4);
  x->target = (type >= SL_M_s8 && type <= SL_M_s64 ? 1u : 0) | (sl__value_is_wide(dc, o, type) ? 2u : 0);
  return true;
}

// Vectors of parameters: makes a chain with one instruction for each element.
typedef struct sl_chain {
  uint32_t n;
  sl_xinsn at[8];
} sl_chain;

static sl_step run_chain(sl_warp *w, const sl_xinsn *i) {
  const sl_chain *c = i->ext;
  for (uint32_t k = 0; k < c->n; k++) c->at[k].fn(w, &c->at[k]);
  return SL_STEP;
}

bool sl__decode_call_param(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, bool write) {
  uint32_t n, vec = write ? 1 : 0;
  const sl_operand *o = sl__elements(dc, &in->ops[vec], &n);
  if (n == 1 && in->ops[vec].kind != SL_O_VEC) return decode_param(dc, in, x, write);
  sl_chain *c = sl__decode_alloc(dc, sizeof *c);
  if (n > 8) return false;
  for (c->n = 0; c->n < n; c->n++) {
    sl_ptx_insn one = *in;
    one.ops[vec] = o[c->n];
    one.ops[1 - vec].imm += (int64_t)c->n * (int64_t)(sl_ptx_type_bits(sl__type_mod(in)) / 8);
    c->at[c->n].d = SL_NO_SLOT;
    if (!decode_param(dc, &one, &c->at[c->n], write)) return false;
  }
  x->fn = run_chain;
  x->ext = c;
  return true;
}
