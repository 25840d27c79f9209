// The instruction table: what each instruction does to registers, memory, order and control, and how its
// result depends on its operands. One row a mnemonic, in ops.def; decoder, liveness, observers, docs read it.
//
// To add one: its row in ops.def, a handler in its family's file, a form in harness/selftest/forms.def.
#pragma once

#include <stdint.h>

// Mnemonics: SL_OP_add, SL_OP_mov, ...
typedef enum sl_ptx_op {
#define SL_PTX_OP(name, ...) SL_OP_##name,
#include "ptx/ops.def"
#undef SL_PTX_OP
  SL_OP_COUNT_
} sl_ptx_op;

// Families: which decoder of the engine takes the instruction.
typedef enum sl_family {
  SL_FAM_INT,
  SL_FAM_VIDEO,
  SL_FAM_FLOAT,
  SL_FAM_BITS,
  SL_FAM_SET,
  SL_FAM_CVT,
  SL_FAM_ADDR,
  SL_FAM_MOV,
  SL_FAM_MEM,
  SL_FAM_ATOM,
  SL_FAM_WARP,
  SL_FAM_BAR,
  SL_FAM_CTL,
  SL_FAM_MISC
} sl_family;

// Value flow: how the result depends on the values of the operands.
typedef enum sl_value_flow {
  SL_FLOW_NOTHING,   // not at all, or there is no result
  SL_FLOW_MOVES,     // it is an operand, in another place or type
  SL_FLOW_BITS,      // it is made of bits of the operands
  SL_FLOW_COMPUTES,  // it is computed from them
  SL_FLOW_PICKS,     // it is one of the operands, by their own values: min, max
  SL_FLOW_CHOOSES,   // it is one of the first two, by the value of the third: selp, slct
  SL_FLOW_COMPARES,  // it says how they compare
  SL_FLOW_EXCHANGES, // it is an operand of another lane: shfl
  SL_FLOW_JOINS,     // it depends on operands of all lanes: votes, reductions, barriers
  SL_FLOW_MEMORY,    // through memory: the operands are addresses, or what is stored there
  SL_FLOW_DECIDES    // the operands decide where threads go on
} sl_value_flow;

// Effects: flags.
enum {
  SL_DOES_RESULT =
      1 << 0, // writes its first operand (unless that is an address) and what stands behind its bar
  SL_DOES_RESULT_IF_RED = 1 << 1, // writes its first operand only with .red
  SL_DOES_READ = 1 << 2,          // reads memory at its address
  SL_DOES_WRITE = 1 << 3,         // writes memory at its address; with READ: as one update
  SL_DOES_COPY = 1 << 4,          // asynchronous copies and what orders them
  SL_DOES_MBARRIER = 1 << 5,      // works on a barrier object in shared memory
  SL_DOES_FENCE = 1 << 6,         // orders accesses before it and behind it
  SL_DOES_BARRIER = 1 << 7,       // a barrier of the block, the warp or the cluster
  SL_DOES_MEET = 1 << 8,          // with .sync: waits for the lanes of a member mask
  SL_DOES_STEER = 1 << 9,         // may wait, jump or end: lanes whose guard fails go on without the others
  SL_DOES_TAKE_CARRY = 1 << 10,   // takes the carry flag as an operand
  SL_DOES_BRANCH = 1 << 11,       // goes on at a label
  SL_DOES_BRANCH_BY_TABLE = 1 << 12, // goes on at one of several labels
  SL_DOES_CALL = 1 << 13,            // goes on in a function, then behind the call
  SL_DOES_END = 1 << 14,             // does not go on in this function
  SL_DOES_UPDATE = SL_DOES_READ | SL_DOES_WRITE,
  SL_DOES_END_BLOCK = SL_DOES_BRANCH | SL_DOES_BRANCH_BY_TABLE | SL_DOES_END
};

typedef struct sl_ptx_op_row {
  uint8_t family, flow; // sl_family, sl_value_flow
  uint16_t effects;     // SL_DOES_..
  const char *operands; // "d, a{, b}": {} may be absent, [a] an address, p a predicate, d|p two results
  const char *chapters; // chapters of the PTX manual
  const char *synopsis;
} sl_ptx_op_row;

// ops.c
extern const sl_ptx_op_row sl_ptx_ops[SL_OP_COUNT_];

// What an instruction with its suffixes does to memory and order.
typedef enum sl_action {
  SL_ACT_NONE,
  SL_ACT_LOAD,
  SL_ACT_STORE,
  SL_ACT_UPDATE,    // an atomic
  SL_ACT_COPY,      // cp.async
  SL_ACT_BULK,      // cp.async.bulk, cp.reduce.async.bulk
  SL_ACT_GROUP,     // makes a group of copies, or waits for groups
  SL_ACT_REPORT,    // tells an mbarrier when the thread's copies are done
  SL_ACT_MBAR_INIT, // makes an mbarrier, or ends one
  SL_ACT_MBAR_WAIT, // test_wait, try_wait
  SL_ACT_MBAR,      // other operations on an mbarrier: arrivals
  SL_ACT_FENCE,
  SL_ACT_BARRIER,      // the block's or the cluster's
  SL_ACT_WARP_BARRIER, // bar.warp.sync
  SL_ACT_MEET,         // a .sync instruction of the warp
  SL_ACT_COUNT_
} sl_action;
