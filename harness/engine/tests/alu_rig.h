// A bench for single ALU instructions: PTX text through the parser and a family's decoder, operands and masks
// of the test's choice, the handler run once. It brings its own operands (no frame layout, no scheduler), so
// a failure here is one of the instruction alone.
#ifndef SL_TESTS_ALU_RIG_H
#define SL_TESTS_ALU_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include "engine/engine.h"

// Loads one statement over the registers %p0.., %h0.. (16 bits), %r0.. (32), %d0.. (64). False: refused, see
// rig_error.
bool rig_load(const char *statement);
extern char rig_error[512];
extern sl_warp rig_warp;
extern sl_xinsn rig_insn;
extern uint32_t rig_converged; // member mask of the last call of sl__converge, and how many there were
extern unsigned rig_converge_calls;
extern sl_step rig_converge_step; // what sl__converge answers

void rig_set(const char *reg, int lane, uint64_t v); // a predicate: 0 or 1
uint64_t rig_get(const char *reg, int lane);
sl_step rig_run(uint32_t mask);

// Where test values come from, for each source: i integers of the register's width, s shift amounts, f f32, g
// f64, e f16, b bf16, p predicates, P pairs of f16, B pairs of bf16.
uint64_t rig_value(char pool, unsigned bits, uint64_t n);
unsigned rig_edges(char pool);
uint64_t rig_random(void);

// One instruction against an oracle. operands: one letter a register: destination, then sources ("rrr",
// "drr"); a second destination behind a bar stands as "r|p". want: value of the destination from those of the
// sources.
typedef uint64_t (*rig_oracle)(uint64_t a, uint64_t b, uint64_t c, uint64_t d);
typedef struct rig_case {
  const char *op, *operands, *pools;
  rig_oracle want;
  rig_oracle want2; // of the second destination
} rig_case;
// Edge values of each source against those of the others, then random ones; full and partial masks,
// destination in place of a source. Fails the test at the first wrong lane.
void rig_check(const rig_case *c);
void rig_check_all(const rig_case *c, size_t n);
#define RIG_CHECK_ALL(table) rig_check_all(table, sizeof(table) / sizeof *(table))
// How far apart two f32 are, in units of the last place.
uint64_t rig_ulps(uint32_t a, uint32_t b);

// a * b + c to 113 bits; the last one is set when something was lost, so that rounding once more gives the
// nearest.
typedef __float128 f128;
f128 rig_fused(f128 a, f128 b, f128 c);

#define ORACLE(NAME, EXPR)                                                                                   \
  static uint64_t NAME(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {                                     \
    (void)a, (void)b, (void)c, (void)d;                                                                      \
    return (uint64_t)(EXPR);                                                                                 \
  }

typedef __int128 i128;
typedef unsigned __int128 u128;
static inline i128 sx(uint64_t v, unsigned bits) {
  i128 top = (i128)1 << (bits - 1), low = (i128)((u128)v & (((u128)1 << bits) - 1));
  return low >= top ? low - 2 * top : low;
}
static inline i128 zx(uint64_t v, unsigned bits) { return (i128)((u128)v & (((u128)1 << bits) - 1)); }

int alu_int_test(void);
int alu_bits_test(void);
int alu_float_test(void);
int alu_half_test(void);
int alu_cvt_test(void);
int alu_set_test(void);
int alu_warp_test(void);

#endif
