// The engine inside: registers, warps, decoded instructions. Included by every op_*.c and by the core.
//
// Registers. A register is a vector of 32 lanes, dense in memory: 32 x 4 bytes for 8-, 16- and 32-bit
// registers (of an 8- or 16-bit register the upper bits are undefined: readers truncate), 32 x 8 bytes for
// 64-bit ones, two such (lower half first) for 128-bit ones, one uint32_t bit mask for a predicate (bit l =
// lane l). An operand is a *slot*: byte offset (a multiple of 4) | bank. Banks: registers of the frame,
// constants of the function (literals broadcast to 32 lanes; a predicate literal is a mask), special
// registers of the warp, parameters of the launch (broadcast). So no handler asks what an operand is.
//
// Execution. A warp is a list of splits, sets of lanes with a common pc. The split with the smallest pc comes
// first, as code is laid out so that loops come before what follows them. Lanes meet again when their pcs are
// equal. A handler runs exactly the lanes in w->mask; `w->full` says that these are all 32. m[l] of the
// expanded mask is 0 or 0xffffffff.
//
// A handler returns SL_STEP (on to the next instruction), or another sl_step. Keep handlers under 25 lines.
#pragma once

#include "engine/gpu.h"

#define SL_FULL 0xffffffffu

typedef uint32_t sl_slot;
enum { SL_BANK_REG = 0, SL_BANK_CONST = 1, SL_BANK_SPECIAL = 2, SL_BANK_LAUNCH = 3 };

typedef struct sl_warp sl_warp;
typedef struct sl_xinsn sl_xinsn;
typedef struct sl_block sl_block;
typedef struct sl_grid sl_grid; // one launch in execution

typedef enum sl_step {
  SL_STEP = 0,   // next instruction
  SL_STEP_JUMP,  // w->pc was changed by the handler (branches, calls, returns)
  SL_STEP_SPLIT, // the set of splits changed: choose again
  // the split waits (barrier, warp-level synchronisation); pc stays as the handler set it
  SL_STEP_WAIT,
  SL_STEP_YIELD, // go on later: give other splits, warps and blocks a turn (nanosleep, spinning)
  SL_STEP_EXIT,  // lanes ended
  SL_STEP_FAULT  // the launch ends: a finding was made
} sl_step;

typedef sl_step (*sl_op_fn)(sl_warp *w, const sl_xinsn *i);

// A decoded instruction.
struct sl_xinsn {
  sl_op_fn fn;   // called by the loop: the handler, or the guard wrapper
  sl_op_fn body; // the handler behind a guard
  // destinations (d2: second, e.g. the predicate of shfl d|p, carry); SL_NO_SLOT when absent (sink)
  sl_slot d, d2;
  sl_slot s[4];    // sources
  sl_slot guard;   // predicate slot, SL_NO_SLOT: none
  uint32_t neg;    // bit k: source k is a negated predicate; bit 31: the guard is negated
  uint32_t target; // branch target, callee, barrier kind, ...: by family
  uint32_t aux;    // by family (e.g. element count, sub-operation, rounding)
  int64_t imm;     // by family (address offset, immediate)
  void *ext;       // by family: anything larger, in the module's arena
  uint32_t src;    // index of the sl_ptx_insn: messages and positions
  uint8_t cls;     // sl_class, for counters
  bool unwritten;  // added by the decoder (a jump, the return at the end): src is the previous instruction
};
#define SL_NO_SLOT 0xffffffffu
#define SL_HALF_128 256u // from the slot of a 128-bit register to that of its upper half

typedef enum sl_class { SL_CLS_OTHER, SL_CLS_ADD_FLOAT, SL_CLS_ADD_INT, SL_CLS_FMA, SL_CLS_COUNT_ } sl_class;

// What handlers see of a warp. Core state follows in core.h.
struct sl_warp {
  uint8_t *bank[4];
  uint32_t mask;                                         // lanes that execute this instruction
  bool full;                                             // mask == SL_FULL
  uint32_t lanes[SL_LANES] __attribute__((aligned(64))); // expanded mask: valid when !full
  uint32_t pc;
  uint32_t live; // lanes that have not ended
  sl_block *block;
  sl_grid *grid;
  uint32_t id; // number in the block
  uint32_t cc; // carry flags of the lanes (add.cc, addc, ..): bit l = lane l
};

// How many bits are set. Written out, for sl-gpu runs on processors that have no instruction for it; where
// there is one, the compiler takes it for this.
static inline uint32_t sl__ones(uint32_t m) {
  m -= m >> 1 & 0x55555555u;
  m = (m & 0x33333333u) + (m >> 2 & 0x33333333u);
  return ((m + (m >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
static inline uint32_t sl__ones64(uint64_t m) {
  return sl__ones((uint32_t)m) + sl__ones((uint32_t)(m >> 32));
}
// The lanes of a mask, which mostly is full.
static inline uint32_t sl__n_lanes(uint32_t mask) { return mask == SL_FULL ? SL_LANES : sl__ones(mask); }

static inline void *sl__at(const sl_warp *w, sl_slot s) { return w->bank[s & 3] + (s & ~3u); }
static inline uint32_t *sl__u32(const sl_warp *w, sl_slot s) { return (uint32_t *)sl__at(w, s); }
static inline uint64_t *sl__u64(const sl_warp *w, sl_slot s) { return (uint64_t *)sl__at(w, s); }
static inline uint32_t sl__pred(const sl_warp *w, sl_slot s) { return *(uint32_t *)sl__at(w, s); }
// Writes the lanes of the mask of a predicate.
static inline void sl__set_pred(sl_warp *w, sl_slot s, uint32_t v) {
  uint32_t *p = sl__u32(w, s);
  *p = (*p & ~w->mask) | (v & w->mask);
}

// decode: what a family's decoder gets. Helpers return false, with the error in dc, on wrong operands.
typedef struct sl_decoder sl_decoder;

// Each family's decoder: fills [x] (fn, slots, aux, cls; guard and src are filled by the caller) for
// instruction [in]. Returns false after sl__refuse when the form is not supported. decode.c finds it.
typedef bool (*sl_decode_fn)(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);
// op_int.c     add sub mul mad sad div rem abs neg min max carry dp4a dp2a; forwards float types
bool sl__decode_int(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);
// op_simd.c    vadd .. vset4, vmad
bool sl__decode_simd(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);
// op_float.c   f32 f64 forms of the above, fma, approximations; op_half.c f16 bf16
bool sl__decode_float(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);
bool sl__decode_bits(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x); // op_bits.c
bool sl__decode_set(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);  // op_set.c     set setp selp slct
// op_cvt.c     cvt (cvta and isspacep: op_mem.c)
bool sl__decode_cvt(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);
// op_mov.c     mov incl. vector pack/unpack, special registers, addresses
bool sl__decode_mov(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);
// The lane that each lane reads in a shuffle [in]; returns the lanes whose source is in range.
uint32_t sl__shfl_sources(const sl_warp *w, const sl_xinsn *i, const sl_ptx_insn *in, uint32_t *from);
// op_warp.c    shfl vote match activemask redux elect
bool sl__decode_warp(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);
bool sl__decode_mem(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);  // op_mem.c
bool sl__decode_atom(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x); // op_atom.c
bool sl__decode_bar(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);  // op_bar.c
bool sl__decode_ctl(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);  // op_ctl.c
bool sl__decode_misc(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x); // op_misc.c

// decode.c, for the decoders. `type` is the sl_ptx_mod of the instruction's type (literals have it).
bool sl__dst(sl_decoder *dc, const sl_operand *o, sl_slot *out); // register or sink
// register, literal, special register, address
bool sl__src(sl_decoder *dc, const sl_operand *o, sl_ptx_mod type, sl_slot *out);
// predicate source k: x->s[k], x->neg
bool sl__src_pred(sl_decoder *dc, const sl_operand *o, unsigned k, sl_xinsn *x);
// register behind the bar, or SL_NO_SLOT
bool sl__dst_pair(sl_decoder *dc, const sl_operand *o, sl_slot *out);
// 1, 16, 32, 64 of a register operand; 0 otherwise
unsigned sl__operand_bits(sl_decoder *dc, const sl_operand *o);
// element k of a vector operand
const sl_operand *sl__elem(sl_decoder *dc, const sl_operand *vec, uint32_t k);
// zeroed, lives as long as the module
void *sl__decode_alloc(sl_decoder *dc, size_t bytes);
// returns false
bool sl__refuse(sl_decoder *dc, const sl_ptx_insn *in, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// Value of a predicate source: mask with the negation applied.
static inline uint32_t sl__pred_src(const sl_warp *w, const sl_xinsn *i, unsigned k) {
  uint32_t v = sl__pred(w, i->s[k]);
  return (i->neg >> k) & 1 ? ~v : v;
}

// converge.c: for instructions with a member mask (.sync forms). [member]: mask operand of the executing
// lanes (of one lane where they differ). SL_STEP when every live lane of it executes the instruction now,
// SL_STEP_WAIT when the split has to wait for others, SL_STEP_FAULT when they can never come. A handler calls
// it first and returns at once unless SL_STEP.
sl_step sl__converge(sl_warp *w, const sl_xinsn *i, uint32_t member);

// Masked store of a computed 32-lane vector (for handlers that compute into a temporary).
static inline void sl__put32(sl_warp *w, sl_slot d, const uint32_t *r) {
  uint32_t *o = sl__u32(w, d);
  if (w->full) {
    memcpy(o, r, 32 * 4);
    return;
  }
  for (int l = 0; l < SL_LANES; l++) o[l] = (r[l] & w->lanes[l]) | (o[l] & ~w->lanes[l]);
}
static inline void sl__put64(sl_warp *w, sl_slot d, const uint64_t *r) {
  uint64_t *o = sl__u64(w, d);
  if (w->full) {
    memcpy(o, r, 32 * 8);
    return;
  }
  for (int l = 0; l < SL_LANES; l++) {
    uint64_t m = (uint64_t)(int64_t)(int32_t)w->lanes[l];
    o[l] = (r[l] & m) | (o[l] & ~m);
  }
}

// Gives each lane of the mask the value EXPR of type D, after LOAD. ivdep: a destination may be a source.
#define SL_EACH_LANE(D, LOAD, EXPR)                                                                          \
  if (w->full) {                                                                                             \
    _Pragma("GCC ivdep") for (int l = 0; l < SL_LANES; l++) { LOAD d[l] = (D)(EXPR); }                       \
  } else {                                                                                                   \
    _Pragma("GCC ivdep") for (int l = 0; l < SL_LANES; l++) {                                                \
      LOAD D r_ = (D)(EXPR);                                                                                 \
      d[l] = w->lanes[l] ? r_ : d[l];                                                                        \
    }                                                                                                        \
  }

// A handler for an elementwise operation: NAME is the function, D the destination's lane type, A.. the source
// lane types, EXPR the value from a, b, c of lane l. Masked lanes keep their value.
#define SL_NULLARY(NAME, D, EXPR)                                                                            \
  sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                                              \
    D *d = sl__at(w, i->d);                                                                                  \
    SL_EACH_LANE(D, , EXPR)                                                                                  \
    return SL_STEP;                                                                                          \
  }
#define SL_UNARY(NAME, D, A, EXPR)                                                                           \
  sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                                              \
    D *d = sl__at(w, i->d);                                                                                  \
    const A *pa = sl__at(w, i->s[0]);                                                                        \
    SL_EACH_LANE(D, A a = pa[l];, EXPR)                                                                      \
    return SL_STEP;                                                                                          \
  }
#define SL_BINARY(NAME, D, A, B, EXPR)                                                                       \
  sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                                              \
    D *d = sl__at(w, i->d);                                                                                  \
    const A *pa = sl__at(w, i->s[0]);                                                                        \
    const B *pb = sl__at(w, i->s[1]);                                                                        \
    SL_EACH_LANE(D, A a = pa[l]; B b = pb[l];, EXPR)                                                         \
    return SL_STEP;                                                                                          \
  }
#define SL_TERNARY(NAME, D, A, B, C, EXPR)                                                                   \
  sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                                              \
    D *d = sl__at(w, i->d);                                                                                  \
    const A *pa = sl__at(w, i->s[0]);                                                                        \
    const B *pb = sl__at(w, i->s[1]);                                                                        \
    const C *pc_ = sl__at(w, i->s[2]);                                                                       \
    SL_EACH_LANE(D, A a = pa[l]; B b = pb[l]; C c = pc_[l];, EXPR)                                           \
    return SL_STEP;                                                                                          \
  }
