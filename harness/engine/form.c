// Forms: matches an instruction against the rows of a family and decodes its operands. The notation of a row
// is in form.h. Interface: sl__decode_form (whole instruction), sl__find_form and sl__decode_operands (its
// two halves, for families with a twist), sl__src_exact and sl__dst_exact (one operand).
//
// The spelling is compared as text: "setp" rows cost a few hundred compares an instruction, at load.
#include "engine/form.h"

#include <ctype.h>

#define FORM_TEXT 160

// "add.sat.s32" of [in]. A spelling longer than any real one is cut and then matches nothing.
static void form_text(const sl_ptx_insn *in, char out[FORM_TEXT]) {
  size_t n = 0;
  const char *part = sl_ptx_op_name(in->op);
  for (unsigned k = 0; part; part = k < in->n_mods ? sl_ptx_mod_name(in->mods[k]) : NULL, k++) {
    if (n && n < FORM_TEXT - 1) out[n++] = '.';
    for (; *part && n < FORM_TEXT - 1; part++) out[n++] = (char)tolower((unsigned char)*part);
  }
  out[n] = 0;
}

// Does [spelling] stand for [text]?
static bool spells(const char *spelling, const char *text) {
  for (; *spelling != '{'; spelling++, text++) {
    if (*spelling != *text) return false;
    if (!*text) return true;
  }
  const char *rest = strchr(spelling, '}') + 1;
  while (*spelling != '}') {
    size_t n = strcspn(++spelling, ",}");
    if (strncmp(spelling, text, n) == 0 && spells(rest, text + n)) return true;
    spelling += n;
  }
  return false;
}

const sl_form *sl__find_form(const sl_ptx_insn *in, const sl_form *forms, size_t n) {
  char text[FORM_TEXT];
  form_text(in, text);
  for (size_t k = 0; k < n; k++)
    if (spells(forms[k].spelling, text)) return &forms[k];
  return NULL;
}

sl_ptx_mod sl__form_type(const sl_ptx_insn *in) {
  for (unsigned k = in->n_mods; k-- > 0;)
    if (sl_ptx_type_bits(in->mods[k])) return in->mods[k];
  return SL_M_NONE;
}

uint32_t sl__form_flags(const sl_ptx_insn *in) {
  static const uint8_t flag[SL_M_COUNT_] = {[SL_M_rz] = SL_F_RZ,
                                            [SL_M_rm] = SL_F_RM,
                                            [SL_M_rp] = SL_F_RP,
                                            [SL_M_rzi] = SL_F_RZ,
                                            [SL_M_rmi] = SL_F_RM,
                                            [SL_M_rpi] = SL_F_RP,
                                            [SL_M_ftz] = SL_F_FTZ,
                                            [SL_M_sat] = SL_F_SAT,
                                            [SL_M_relu] = SL_F_RELU,
                                            [SL_M_NaN] = SL_F_NAN,
                                            [SL_M_rna] = SL_F_RNA,
                                            [SL_M_xorsign] = SL_F_XORSIGN,
                                            [SL_M_xorsign_abs] = SL_F_XORSIGN};
  uint32_t all = 0;
  for (unsigned k = 0; k < in->n_mods; k++) all |= flag[in->mods[k]];
  return all;
}

// The untyped mod of a width, for operands whose type does not matter.
static sl_ptx_mod bits_type(unsigned bits) {
  return bits == 64 ? SL_M_u64 : bits == 32 ? SL_M_u32 : SL_M_u16;
}

static unsigned register_bits(unsigned bits) { return bits == 8 ? 16 : bits; }

// Bits of a register operand or special register; 0 for any other operand.
static unsigned operand_bits(sl_decoder *dc, const sl_operand *o) {
#define SL_PTX_SREG(id, text, cls) [SL_SR_##id] = (cls) == SL_R_64 ? 64 : 32,
  static const uint8_t sreg_bits[SL_SR_COUNT_] = {
#include "ptx/sregs.def"
  };
#undef SL_PTX_SREG
  return o->kind == SL_O_SREG ? sreg_bits[o->sreg] : sl__operand_bits(dc, o);
}

static bool check_width(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, unsigned bits) {
  unsigned have = operand_bits(dc, o);
  if (have == 0 || have == register_bits(bits)) return true;
  return sl__refuse(dc, in, "operand %u is a register of %u bits where the instruction works on %u",
                    (unsigned)(o - in->ops) + 1, have, bits);
}

bool sl__src_exact(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, sl_ptx_mod type,
                   sl_slot *out) {
  return check_width(dc, in, o, sl_ptx_type_bits(type)) && sl__src(dc, o, type, out);
}

bool sl__dst_exact(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, unsigned bits, sl_slot *out) {
  if (o->kind != SL_O_REG) return sl__refuse(dc, in, "the destination must be a register");
  return check_width(dc, in, o, bits) && sl__dst(dc, o, out);
}

static bool dst_pred(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, sl_slot *out) {
  if (o->kind == SL_O_SINK) {
    *out = SL_NO_SLOT;
    return true;
  }
  if (sl__operand_bits(dc, o) != 1) return sl__refuse(dc, in, "the destination must be a predicate");
  return sl__dst(dc, o, out);
}

// d, d|p, or _|p: only the predicate is wanted.
static bool decode_pair(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, unsigned bits,
                        sl_xinsn *x) {
  x->d = SL_NO_SLOT;
  return (o->kind == SL_O_SINK || sl__dst_exact(dc, in, o, bits, &x->d)) && sl__dst_pair(dc, o, &x->d2);
}

static bool decode_literal(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, sl_xinsn *x) {
  if (o->kind != SL_O_IMM) return sl__refuse(dc, in, "the last operand must be an integer literal");
  x->imm = o->imm;
  return true;
}

typedef struct decoding {
  sl_decoder *dc;
  const sl_ptx_insn *in;
  sl_ptx_mod type;
  sl_xinsn *x;
  unsigned n; // sources so far
} decoding;

static bool decode_operand(decoding *d, const sl_operand *o, char letter) {
  sl_decoder *dc = d->dc;
  const sl_ptx_insn *in = d->in;
  const sl_ptx_mod type = d->type;
  sl_xinsn *x = d->x;
  unsigned bits = sl_ptx_type_bits(type);
  switch (letter) {
  case 'd': return sl__dst_exact(dc, in, o, bits, &x->d);
  case 'D': return sl__dst_exact(dc, in, o, 2 * bits, &x->d);
  case 'h': return sl__dst_exact(dc, in, o, 16, &x->d);
  case 'w': return sl__dst_exact(dc, in, o, 32, &x->d);
  case 'W': return sl__dst_exact(dc, in, o, 64, &x->d);
  case 'v': return decode_pair(dc, in, o, 32, x);
  case 'P': return dst_pred(dc, in, o, &x->d);
  case '!': return dst_pred(dc, in, o, &x->d) && sl__dst_pair(dc, o, &x->d2);
  case 't': return sl__src_exact(dc, in, o, type, &x->s[d->n++]);
  case 'T': return sl__src_exact(dc, in, o, bits_type(2 * bits), &x->s[d->n++]);
  case 'u': return sl__src_exact(dc, in, o, SL_M_u32, &x->s[d->n++]);
  case 'U': return sl__src_exact(dc, in, o, SL_M_u64, &x->s[d->n++]);
  case 'p': return check_width(dc, in, o, 1) && sl__src_pred(dc, o, d->n++, x);
  default: return decode_literal(dc, in, o, x);
  }
}

bool sl__decode_operands(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, const char *letters,
                         sl_ptx_mod type) {
  decoding d = {dc, in, type, x, 0};
  x->d2 = SL_NO_SLOT;
  if (strlen(letters) != in->n_ops)
    return sl__refuse(dc, in, "it takes %zu operands, not %u", strlen(letters), in->n_ops);
  for (unsigned k = 0; k < in->n_ops; k++) {
    if (in->ops[k].pair && letters[k] != 'v' && letters[k] != '!')
      return sl__refuse(dc, in, "operand %u has no second part behind a bar in this form", k + 1);
    if (!decode_operand(&d, &in->ops[k], letters[k])) return false;
  }
  return true;
}

bool sl__decode_form(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, const sl_form *forms, size_t n) {
  const sl_form *f = sl__find_form(in, forms, n);
  if (!f)
    return sl__refuse(dc, in, "this combination of %s and its suffixes is not supported",
                      sl_ptx_op_name(in->op));
  x->fn = f->fn;
  x->cls = f->cls;
  x->aux = sl__form_flags(in);
  return sl__decode_operands(dc, in, x, f->operands, sl__form_type(in));
}

bool sl__parts_fit(sl_decoder *dc, const sl_ptx_insn *in) {
  bool video = sl_ptx_family(in) == SL_FAM_VIDEO;
  for (uint32_t k = 0; k < in->n_ops && !video; k++)
    if (in->ops[k].part) return sl__refuse(dc, in, "operand %u is a part of a register", k + 1);
  for (uint32_t k = 0; in->op != SL_OP_vmad && k < in->n_ops; k++)
    if (in->ops[k].minus) return sl__refuse(dc, in, "operand %u is a register with a sign", k + 1);
  return true;
}
