// Instruction vectors: every form of every instruction is executed on difficult operands. The results are
// compared with those computed here, in C, without a line of the engine, and with a real GPU's bits.
//
// Internal header: functions grouped by the file that defines them, in reading order.
#pragma once

#include "base/base.h"

typedef _Float128 st_quad; // 113 bits: holds every product of two doubles

// Types of operands: id, PTX suffix, bits, bits of a register for it.
// clang-format off
#define ST_KINDS(K)                                                                                          \
  K(PRED, "pred", 1, 1)                                                                                      \
  K(U8, "u8", 8, 32)        K(S8, "s8", 8, 32)          K(B8, "b8", 8, 32)                                   \
  K(U16, "u16", 16, 16)     K(S16, "s16", 16, 16)       K(B16, "b16", 16, 16)                                \
  K(U32, "u32", 32, 32)     K(S32, "s32", 32, 32)       K(B32, "b32", 32, 32)                                \
  K(U64, "u64", 64, 64)     K(S64, "s64", 64, 64)       K(B64, "b64", 64, 64)                                \
  K(F16, "f16", 16, 16)     K(BF16, "bf16", 16, 16)     K(TF32, "tf32", 32, 32)                              \
  K(F32, "f32", 32, 32)     K(F64, "f64", 64, 64)                                                            \
  K(F16X2, "f16x2", 32, 32) K(BF16X2, "bf16x2", 32, 32) K(U16X2, "u16x2", 32, 32) K(S16X2, "s16x2", 32, 32)
// clang-format on
typedef enum st_kind {
#define ST_KIND_ID(id, text, bits, reg) ST_##id,
  ST_KINDS(ST_KIND_ID) ST_NONE
} st_kind;

typedef enum st_round { ST_RN, ST_RZ, ST_RM, ST_RP, ST_RNA } st_round; // RNA: ties away from zero

// What an oracle says of one vector.
typedef enum st_said {
  ST_UNSPECIFIED, // PTX leaves the result open
  ST_EXACT,       // these bits and no others
  ST_ANY_NAN,     // these bits; if they are a NaN, any NaN will do
} st_said;

enum { ST_INS = 4, ST_OUTS = 4, ST_WARP = 32, ST_BLOCK = 128 };

typedef struct st_form st_form;
// Results: of one thread; of [n], a warp or a block (a row each); the true value of an approximation.
typedef st_said st_oracle(const st_form *f, const uint64_t *in, uint64_t *out);
typedef void st_group_oracle(const st_form *f, unsigned n, uint64_t (*in)[ST_INS], uint64_t (*out)[ST_OUTS],
                             st_said *said);
typedef st_quad st_true_value(const st_form *f, const st_quad *in);

// How an approximation's error is bounded: in ulps, absolutely, or as a share of the result.
typedef enum st_bound { ST_BOUND_NONE, ST_ULP, ST_ABS, ST_REL } st_bound;

// One row of forms.def.
typedef struct st_row {
  int arch;             // compute capability that has it: 75, 80, 90
  const char *pattern;  // instruction, {a,b} for alternatives; a C function's name
  const char *operands; // results:operands, one letter each (operand_kind in form.c)
  const char *code;     // PTX with $ for the instruction, NULL: "$ d, a, b, ..;"
  bool is_c;            // a CUDA C function
  st_oracle *oracle;
  st_group_oracle *group;
  unsigned threads; // threads of a group: 32 or 128
  st_true_value *value;
  st_bound bound;
  double limit;  // largest error
  double lo, hi; // the limit holds for operands between these
} st_row;

// One instruction of a row.
struct st_form {
  char text[96];
  const st_row *row;
  st_kind type, type2; // the last type among the suffixes, and the one before it
  int n_in, n_out;
  st_kind in[ST_INS], out[ST_OUTS];
  char letter[ST_INS];
  bool ftz, sat, relu;
  st_round round;
};

typedef struct st_forms {
  st_form *at;
  size_t n;
} st_forms;

// form.c ----------------------------------------------------------------------------------------------------

extern const st_row st_rows[];
extern const size_t st_n_rows;

// The forms that [row] spells in its [group]-th group: those whose operands have the same sizes share vectors
// and a kernel. None when there is no such group. Free .at.
st_forms st_expand(const st_row *row, unsigned group);
// What names a group of a row in files and programs.
static inline uint32_t st_row_id(const st_row *row, unsigned group) {
  return (uint32_t)(row - st_rows) * 16 + group;
}
// Is ".MOD" among the suffixes of [f] (or MOD its mnemonic)?
bool st_has(const st_form *f, const char *mod);
// Is [op] the mnemonic?
bool st_is(const st_form *f, const char *op);
const char *st_kind_text(st_kind k);
unsigned st_bits(st_kind k);
unsigned st_register_bits(st_kind k);
bool st_is_signed(st_kind k);
bool st_is_float(st_kind k); // one number, no pair
bool st_is_pair(st_kind k);
st_kind st_half_of(st_kind pair);

// vectors.c -------------------------------------------------------------------------------------------------

// Operands of all vectors of a row: at[i][k]; a multiple of ST_BLOCK. Equal seeds give equal operands.
typedef struct st_vectors {
  uint64_t (*at)[ST_INS];
  size_t n;
} st_vectors;
st_vectors st_make_vectors(const st_form *f, uint64_t seed);

// exact.c ---------------------------------------------------------------------------------------------------

st_quad st_value(st_kind k, uint64_t bits);             // what the bits mean
uint64_t st_pack(st_kind k, st_quad v, st_round round); // nearest (by the mode) bits
uint64_t st_nan(st_kind k);                             // the canonical one
bool st_bits_nan(st_kind k, uint64_t bits);
uint64_t st_flush(st_kind k, uint64_t bits); // a subnormal number becomes zero of its sign
bool st_is_tiny(st_kind k, st_quad v,
                st_round round);     // below all normal numbers, rounded with an exponent of any size
double st_ulp(st_kind k, st_quad v); // distance of neighbours of the type around v
// Results with one bit more than can matter: exact, or odd if digits are lost. So rounding again is right.
st_quad st_add(st_quad a, st_quad b, st_round round);
st_quad st_mul(st_quad a, st_quad b);
st_quad st_div(st_quad a, st_quad b);
st_quad st_sqrt(st_quad a);

// oracle_*.c: the functions that forms.def names ------------------------------------------------------------

unsigned __int128 st_wide(st_kind k, uint64_t bits); // extended by the type's sign
uint64_t st_cut(st_kind k, unsigned __int128 v);     // low bits, as they lie in a register of the type
uint64_t st_clamp(st_kind k, __int128 v);            // the nearest number of the integer type
uint64_t st_float_op(st_kind k, char op, st_round round, const uint64_t *in); // + - * f(ma) / s(qrt)

#define ST_ORACLE(name) st_said name(const st_form *f, const uint64_t *in, uint64_t *out)
#define ST_GROUP_ORACLE(name)                                                                                \
  void name(const st_form *f, unsigned n, uint64_t(*in)[ST_INS], uint64_t(*out)[ST_OUTS], st_said *said)
#include "selftest/oracles.h"
