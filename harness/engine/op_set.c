// Comparisons: setp (predicates), set (numbers), and choices: selp slct. Interface: sl__decode_set. A
// comparison has a core that gives a mask of lanes. Few cores are needed: gt and ge are lt and le with
// exchanged operands, and a comparison that is true for unordered operands is the complement of another (ltu
// = not ge, ..). The decoder settles both (x->aux holds the mask to complement with).

// clang-format off
#include "engine/form.h"
#include "engine/half.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef uint32_t (*set_core)(const sl_warp *w, const sl_xinsn *i);

// The mask of the lanes that are not 0 in [v], whose lanes are 0 or ~0.
static inline uint32_t lane_mask32(const uint32_t v[SL_LANES]) {
  uint32_t m = 0;
#ifdef __AVX2__
  for (int k = 0; k < 4; k++)
    m |= (uint32_t)_mm256_movemask_ps(_mm256_loadu_ps((const float *)(v + 8 * k))) << 8 * k;
#else
  for (int l = 0; l < SL_LANES; l++) m |= (v[l] & 1) << l;
#endif
  return m;
}
static inline uint32_t lane_mask64(const uint64_t v[SL_LANES]) {
  uint32_t m = 0;
#ifdef __AVX2__
  for (int k = 0; k < 8; k++)
    m |= (uint32_t)_mm256_movemask_pd(_mm256_loadu_pd((const double *)(v + 4 * k))) << 4 * k;
#else
  for (int l = 0; l < SL_LANES; l++) m |= (uint32_t)(v[l] & 1) << l;
#endif
  return m;
}

// A CORE and the handler OP of a plain setp with it. A: lane type; M, MASK: unsigned of that width, its mask.
#define SL_COMPARE(CORE, OP, A, M, MASK, EXPR)                                \
  static inline uint32_t CORE(const sl_warp *w, const sl_xinsn *i) {          \
    const A *pa = sl__at(w, i->s[0]), *pb = sl__at(w, i->s[1]);               \
    M r[SL_LANES];                                                            \
    for (int l = 0; l < SL_LANES; l++) {                                      \
      A a = pa[l], b = pb[l];                                                 \
      r[l] = (EXPR) ? (M)~(M)0 : 0;                                           \
    }                                                                         \
    return MASK(r) ^ i->aux;                                                  \
  }                                                                           \
  static sl_step OP(sl_warp *w, const sl_xinsn *i) {                          \
    sl__set_pred(w, i->d, CORE(w, i));                                        \
    return SL_STEP;                                                           \
  }

// Opcode: setp.cmp.type p, a, b     Synopsis: p = a cmp b
SL_COMPARE(eq_b16, op_setp_eq_b16, uint32_t, uint32_t, lane_mask32, (uint16_t)a == (uint16_t)b)
SL_COMPARE(lt_u16, op_setp_lt_u16, uint32_t, uint32_t, lane_mask32, (uint16_t)a < (uint16_t)b)
SL_COMPARE(lt_s16, op_setp_lt_s16, uint32_t, uint32_t, lane_mask32, (int16_t)a < (int16_t)b)
SL_COMPARE(eq_b32, op_setp_eq_b32, uint32_t, uint32_t, lane_mask32, a == b)
SL_COMPARE(lt_u32, op_setp_lt_u32, uint32_t, uint32_t, lane_mask32, a < b)
SL_COMPARE(lt_s32, op_setp_lt_s32, int32_t, uint32_t, lane_mask32, a < b)
SL_COMPARE(eq_b64, op_setp_eq_b64, uint64_t, uint64_t, lane_mask64, a == b)
SL_COMPARE(lt_u64, op_setp_lt_u64, uint64_t, uint64_t, lane_mask64, a < b)
SL_COMPARE(lt_s64, op_setp_lt_s64, int64_t, uint64_t, lane_mask64, a < b)
SL_COMPARE(eq_f32, op_setp_eq_f32, float, uint32_t, lane_mask32, a == b)
SL_COMPARE(ne_f32, op_setp_ne_f32, float, uint32_t, lane_mask32, a < b || a > b)
SL_COMPARE(lt_f32, op_setp_lt_f32, float, uint32_t, lane_mask32, a < b)
SL_COMPARE(le_f32, op_setp_le_f32, float, uint32_t, lane_mask32, a <= b)
SL_COMPARE(num_f32, op_setp_num_f32, float, uint32_t, lane_mask32, a == a && b == b)
SL_COMPARE(eq_f64, op_setp_eq_f64, double, uint64_t, lane_mask64, a == b)
SL_COMPARE(ne_f64, op_setp_ne_f64, double, uint64_t, lane_mask64, a < b || a > b)
SL_COMPARE(lt_f64, op_setp_lt_f64, double, uint64_t, lane_mask64, a < b)
SL_COMPARE(le_f64, op_setp_le_f64, double, uint64_t, lane_mask64, a <= b)
SL_COMPARE(num_f64, op_setp_num_f64, double, uint64_t, lane_mask64, a == a && b == b)

// The cores by what they compare: index CMP_, then kind of operand.
enum { CMP_EQ, CMP_LT, CMP_LE, CMP_NE, CMP_NUM, CMPS };
enum { KIND_U16, KIND_S16, KIND_U32, KIND_S32, KIND_U64, KIND_S64, KIND_F32, KIND_F64, KINDS };
static const struct { set_core core; sl_op_fn fn; } cores[KINDS][CMPS] = {
    [KIND_U16] = {{eq_b16, op_setp_eq_b16}, {lt_u16, op_setp_lt_u16}},
    [KIND_S16] = {{eq_b16, op_setp_eq_b16}, {lt_s16, op_setp_lt_s16}},
    [KIND_U32] = {{eq_b32, op_setp_eq_b32}, {lt_u32, op_setp_lt_u32}},
    [KIND_S32] = {{eq_b32, op_setp_eq_b32}, {lt_s32, op_setp_lt_s32}},
    [KIND_U64] = {{eq_b64, op_setp_eq_b64}, {lt_u64, op_setp_lt_u64}},
    [KIND_S64] = {{eq_b64, op_setp_eq_b64}, {lt_s64, op_setp_lt_s64}},
    [KIND_F32] = {{eq_f32, op_setp_eq_f32}, {lt_f32, op_setp_lt_f32}, {le_f32, op_setp_le_f32},
                  {ne_f32, op_setp_ne_f32}, {num_f32, op_setp_num_f32}},
    [KIND_F64] = {{eq_f64, op_setp_eq_f64}, {lt_f64, op_setp_lt_f64}, {le_f64, op_setp_le_f64},
                  {ne_f64, op_setp_ne_f64}, {num_f64, op_setp_num_f64}},
};

// x->ext, for forms that need more than a core.
typedef struct set_ext {
  set_core core;
  uint8_t combine;   // SL_M_and, or, xor; 0: no third operand
  bool ftz;          // flush inputs
  bool half, pair;   // operands are f16 or bf16 (x->imm: the type), two to a register
  uint32_t one;      // what set gives for true, in each half of a pair: 1.0 or all ones
} set_ext;

// Runs [core] on changed operands: floats flushed, halves widened to float. k: which half.
static uint32_t compare_changed(sl_warp *w, const sl_xinsn *i, const set_ext *e, unsigned k) {
  _Alignas(64) float v[2][SL_LANES];
  sl_warp view = *w;
  sl_xinsn x = *i;
  for (unsigned s = 0; s < 2; s++) {
    const uint32_t *in = sl__u32(w, i->s[s]);
    for (int l = 0; l < SL_LANES; l++) {
      v[s][l] = e->half ? sl__half_to_float((uint16_t)(in[l] >> 16 * k), (sl_ptx_mod)i->imm) : sl__f32(in[l]);
      if (e->ftz) v[s][l] = e->half ? sl__half_flush(v[s][l], (sl_ptx_mod)i->imm) : sl__flush(v[s][l]);
    }
    x.s[s] = s * sizeof v[0];
  }
  view.bank[SL_BANK_REG] = (uint8_t *)v;
  return e->core(&view, &x);
}

static uint32_t compare_lanes(sl_warp *w, const sl_xinsn *i, const set_ext *e, unsigned k) {
  return e->ftz || e->half ? compare_changed(w, i, e, k) : e->core(w, i);
}

static uint32_t combine(const set_ext *e, uint32_t r, uint32_t c) {
  return e->combine == SL_M_and ? r & c : e->combine == SL_M_or ? r | c : e->combine == SL_M_xor ? r ^ c : r;
}

// Opcode: setp.cmp.bool.type p|q, a, b, c   Synopsis: p = (a cmp b) bool c; q = !(a cmp b) bool c
static sl_step op_setp_bool(sl_warp *w, const sl_xinsn *i) {
  const set_ext *e = i->ext;
  uint32_t r = compare_lanes(w, i, e, 0), c = e->combine ? sl__pred_src(w, i, 2) : 0;
  uint32_t q = e->pair ? compare_lanes(w, i, e, 1) : ~r;
  sl__set_pred_opt(w, i->d, combine(e, r, c));
  sl__set_pred_opt(w, i->d2, combine(e, q, c));
  return SL_STEP;
}

// Opcode: set.cmp{.bool}.dtype.stype d, a, b{, c}   Synopsis: d = (a cmp b) bool c ? all ones or 1.0 : 0
static sl_step op_set(sl_warp *w, const sl_xinsn *i) {
  const set_ext *e = i->ext;
  uint32_t c = e->combine ? sl__pred_src(w, i, 2) : 0, r[SL_LANES];
  uint32_t p = combine(e, compare_lanes(w, i, e, 0), c), q = e->pair ? combine(e, compare_lanes(w, i, e, 1), c) : 0;
  for (int l = 0; l < SL_LANES; l++) r[l] = (p >> l & 1 ? e->one : 0) | (q >> l & 1 ? e->one << 16 : 0);
  sl__put32(w, i->d, r);
  return SL_STEP;
}

static const uint32_t lane_bit[SL_LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};
// Opcode: selp.type d, a, b, p      Synopsis: d = p ? a : b
#define SL_SELECT(NAME, T, PUT)                                             \
  static sl_step NAME(sl_warp *w, const sl_xinsn *i) {                      \
    const T *a = sl__at(w, i->s[0]), *b = sl__at(w, i->s[1]);               \
    uint32_t p = sl__pred_src(w, i, 2);                                     \
    T r[SL_LANES];                                                          \
    for (int l = 0; l < SL_LANES; l++) r[l] = p & lane_bit[l] ? a[l] : b[l]; \
    PUT(w, i->d, r);                                                        \
    return SL_STEP;                                                         \
  }
SL_SELECT(op_selp_b32, uint32_t, sl__put32)
SL_SELECT(op_selp_b64, uint64_t, sl__put64)

// Opcode: slct.type.ctype d, a, b, c   Synopsis: d = c >= 0 ? a : b (c: s32 or f32)
static SL_TERNARY(op_slct_b16_s32, uint32_t, uint32_t, uint32_t, int32_t, c >= 0 ? a : b)
static SL_TERNARY(op_slct_b64_s32, uint64_t, uint64_t, uint64_t, int32_t, c >= 0 ? a : b)
static SL_TERNARY(op_slct_b32_f32, uint32_t, uint32_t, uint32_t, float, (i->aux ? sl__flush(c) : c) >= 0 ? a : b)
static SL_TERNARY(op_slct_b64_f32, uint64_t, uint64_t, uint64_t, float, (i->aux ? sl__flush(c) : c) >= 0 ? a : b)

static const sl_form select_forms[] = {
    {"selp.{b16,u16,s16,f16,bf16,b32,u32,s32,f32,f16x2,bf16x2}", "dttp", op_selp_b32, 0},
    {"selp.{b64,u64,s64,f64}", "dttp", op_selp_b64, 0},
    {"slct.{b16,u16,s16,b32,u32,s32,f32}.s32", "dttu", op_slct_b16_s32, 0},
    {"slct.{b64,u64,s64,f64}.s32", "dttu", op_slct_b64_s32, 0},
    {"slct{,.ftz}.{b16,u16,s16,b32,u32,s32,f32}.f32", "dttu", op_slct_b32_f32, 0},
    {"slct{,.ftz}.{b64,u64,s64,f64}.f32", "dttu", op_slct_b64_f32, 0},
};

#define ANY_CMP "{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}"
#define INT_CMP "{eq,ne,lt,le,gt,ge,lo,ls,hi,hs}"
#define BOOL "{,.and,.or,.xor}"
static const sl_form set_forms[] = {
    {"setp." INT_CMP BOOL ".{u16,s16,u32,s32,u64,s64}", NULL, op_setp_bool, 0},
    {"setp.{eq,ne}" BOOL ".{b16,b32,b64}", NULL, op_setp_bool, 0},
    {"setp." ANY_CMP BOOL "{,.ftz}.{f32,f16,f16x2}", NULL, op_setp_bool, 0},
    {"setp." ANY_CMP BOOL ".{f64,bf16,bf16x2}", NULL, op_setp_bool, 0},
    {"set." INT_CMP BOOL ".{u32,s32,f32,f16}.{u16,s16,u32,s32,u64,s64}", NULL, op_set, 0},
    {"set.{eq,ne}" BOOL ".{u32,s32,f32,f16}.{b16,b32,b64}", NULL, op_set, 0},
    {"set." ANY_CMP BOOL "{,.ftz}.{u32,s32,f32,f16}.f32", NULL, op_set, 0},
    {"set." ANY_CMP BOOL "{,.ftz}.{u16,s16,u32,s32,f16,f32}.f16", NULL, op_set, 0},
    {"set." ANY_CMP BOOL ".{u16,s16,u32,s32,bf16}.bf16", NULL, op_set, 0},
    {"set." ANY_CMP BOOL "{,.ftz}.{u32,s32,f16x2}.f16x2", NULL, op_set, 0},
    {"set." ANY_CMP BOOL ".{u32,s32,bf16x2}.bf16x2", NULL, op_set, 0},
    {"set." ANY_CMP BOOL ".{u32,s32,f32,f16}.f64", NULL, op_set, 0},
};

// A comparison as core, complement and exchange of operands. Floats have a core for le; for integers le is
// the complement of lt with exchanged operands.
typedef struct cmp_how { uint8_t mod, core, invert, swap; } cmp_how;
static const cmp_how float_cmps[] = {
    {SL_M_eq, CMP_EQ, 0, 0},  {SL_M_ne, CMP_NE, 0, 0},  {SL_M_lt, CMP_LT, 0, 0},  {SL_M_le, CMP_LE, 0, 0},
    {SL_M_gt, CMP_LT, 0, 1},  {SL_M_ge, CMP_LE, 0, 1},  {SL_M_equ, CMP_NE, 1, 0}, {SL_M_neu, CMP_EQ, 1, 0},
    {SL_M_ltu, CMP_LE, 1, 1}, {SL_M_leu, CMP_LT, 1, 1}, {SL_M_gtu, CMP_LE, 1, 0}, {SL_M_geu, CMP_LT, 1, 0},
    {SL_M_num, CMP_NUM, 0, 0}, {SL_M_nan, CMP_NUM, 1, 0}};
static const cmp_how int_cmps[] = {
    {SL_M_eq, CMP_EQ, 0, 0}, {SL_M_ne, CMP_EQ, 1, 0}, {SL_M_lt, CMP_LT, 0, 0}, {SL_M_le, CMP_LT, 1, 1},
    {SL_M_gt, CMP_LT, 0, 1}, {SL_M_ge, CMP_LT, 1, 0}, {SL_M_lo, CMP_LT, 0, 0}, {SL_M_ls, CMP_LT, 1, 1},
    {SL_M_hi, CMP_LT, 0, 1}, {SL_M_hs, CMP_LT, 1, 0}};

static const cmp_how *find_cmp(sl_ptx_mod mod, bool is_float) {
  const cmp_how *t = is_float ? float_cmps : int_cmps;
  size_t n = is_float ? SL_COUNT(float_cmps) : SL_COUNT(int_cmps);
  for (size_t k = 0; k < n; k++)
    if (t[k].mod == mod) return &t[k];
  return t;
}

static unsigned kind_of_type(sl_ptx_mod type) {
  static const uint8_t kind[SL_M_COUNT_] = {
      [SL_M_b16] = KIND_U16, [SL_M_u16] = KIND_U16, [SL_M_s16] = KIND_S16, [SL_M_b32] = KIND_U32, [SL_M_u32] = KIND_U32,
      [SL_M_s32] = KIND_S32, [SL_M_b64] = KIND_U64, [SL_M_u64] = KIND_U64, [SL_M_s64] = KIND_S64, [SL_M_f32] = KIND_F32,
      [SL_M_f64] = KIND_F64, [SL_M_f16] = KIND_F32, [SL_M_bf16] = KIND_F32, [SL_M_f16x2] = KIND_F32,
      [SL_M_bf16x2] = KIND_F32};
  return kind[type];
}

static uint8_t boolean_of(const sl_ptx_insn *in) {
  uint8_t m = in->n_mods > 1 ? in->mods[1] : 0;
  return m == SL_M_and || m == SL_M_or || m == SL_M_xor ? m : 0;
}

// What set gives for true, by its destination type.
static uint32_t true_value(const sl_ptx_insn *in, bool pair) {
  switch (in->n_mods > 1 ? in->mods[in->n_mods - 2] : SL_M_NONE) {
  case SL_M_f32: return 0x3f800000;
  case SL_M_f16: case SL_M_f16x2: return 0x3c00;
  case SL_M_bf16: case SL_M_bf16x2: return 0x3f80;
  default: return pair ? 0xffff : SL_FULL;
  }
}

// Fills x->ext and x->aux; sets the plain handler if that is enough.
static void choose_core(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, sl_ptx_mod type) {
  unsigned kind = kind_of_type(type);
  const cmp_how *how = find_cmp(in->mods[0], kind >= KIND_F32);
  set_ext *e = sl__decode_alloc(dc, sizeof *e);
  bool pair = type == SL_M_f16x2 || type == SL_M_bf16x2;
  *e = (set_ext){.core = cores[kind][how->core].core, .combine = boolean_of(in), .ftz = sl_ptx_has_mod(in, SL_M_ftz),
                 .half = sl__is_half(type), .pair = pair, .one = true_value(in, pair)};
  bool plain = in->op == SL_OP_setp && !e->combine && !e->ftz && !e->half && x->d != SL_NO_SLOT && x->d2 == SL_NO_SLOT;
  if (plain) x->fn = cores[kind][how->core].fn;
  x->aux = how->invert ? SL_FULL : 0;
  x->imm = type;
  x->ext = e;
  if (how->swap) { sl_slot s = x->s[0]; x->s[0] = x->s[1]; x->s[1] = s; }
}

static bool decode_compare(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  const sl_form *f = sl__find_form(in, set_forms, SL_COUNT(set_forms));
  if (!f) return sl__refuse(dc, in, "this comparison is not supported");
  sl_ptx_mod type = sl__form_type(in);
  bool third = boolean_of(in);
  char letters[] = "!ttp";
  if (!third) letters[3] = 0;
  if (in->op == SL_OP_set) letters[0] = sl_ptx_type_bits(in->mods[in->n_mods - 2]) == 16 ? 'h' : 'w';
  x->fn = f->fn;
  if (!sl__decode_operands(dc, in, x, letters, type)) return false;
  choose_core(dc, in, x, type);
  return true;
}

// slct: the last suffix is the type of c; a, b and d have the one before it.
static bool decode_slct(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  const sl_form *f = sl__find_form(in, select_forms, SL_COUNT(select_forms));
  if (!f) return sl__refuse(dc, in, "this form of slct is not supported");
  x->fn = f->fn;
  x->aux = sl_ptx_has_mod(in, SL_M_ftz);
  return sl__decode_operands(dc, in, x, f->operands, in->mods[in->n_mods - 2]);
}

bool sl__decode_set(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  if (in->op == SL_OP_slct) return decode_slct(dc, in, x);
  if (in->op == SL_OP_selp) return sl__decode_form(dc, in, x, select_forms, SL_COUNT(select_forms));
  return decode_compare(dc, in, x);
}
