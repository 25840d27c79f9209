// The instruction table (ops.def), and what suffixes make of its rows.
//
// Interface: sl_ptx_ops; sl_ptx_action, sl_ptx_writes_first.
#include "ptx/ir.h"

const sl_ptx_op_row sl_ptx_ops[SL_OP_COUNT_] = {
#define SL_PTX_OP(name, ...) {__VA_ARGS__},
#include "ptx/ops.def"
#undef SL_PTX_OP
};

// The first row with an effect of the instruction, and with one of its suffixes, says what it does.
static const struct {
  uint16_t effect;
  uint8_t mod; // SL_M_NONE: any
  uint8_t action;
} ACTIONS[] = {{SL_DOES_COPY, SL_M_mbarrier, SL_ACT_REPORT},
               {SL_DOES_COPY, SL_M_commit_group, SL_ACT_GROUP},
               {SL_DOES_COPY, SL_M_wait_group, SL_ACT_GROUP},
               {SL_DOES_COPY, SL_M_wait_all, SL_ACT_GROUP},
               {SL_DOES_COPY, SL_M_prefetch, SL_ACT_NONE},
               {SL_DOES_COPY, SL_M_bulk, SL_ACT_BULK},
               {SL_DOES_COPY, SL_M_NONE, SL_ACT_COPY},
               {SL_DOES_MBARRIER, SL_M_pending_count, SL_ACT_NONE},
               {SL_DOES_MBARRIER, SL_M_init, SL_ACT_MBAR_INIT},
               {SL_DOES_MBARRIER, SL_M_inval, SL_ACT_MBAR_INIT},
               {SL_DOES_MBARRIER, SL_M_test_wait, SL_ACT_MBAR_WAIT},
               {SL_DOES_MBARRIER, SL_M_try_wait, SL_ACT_MBAR_WAIT},
               {SL_DOES_MBARRIER, SL_M_NONE, SL_ACT_MBAR},
               {SL_DOES_FENCE, SL_M_NONE, SL_ACT_FENCE},
               {SL_DOES_BARRIER, SL_M_warp, SL_ACT_WARP_BARRIER},
               {SL_DOES_BARRIER, SL_M_NONE, SL_ACT_BARRIER},
               {SL_DOES_MEET, SL_M_sync, SL_ACT_MEET}};

sl_action sl_ptx_action(const sl_ptx_insn *in) {
  static const uint8_t ACCESSES[] = {SL_ACT_NONE, SL_ACT_LOAD, SL_ACT_STORE, SL_ACT_UPDATE};
  unsigned effects = sl_ptx_ops[in->op].effects;
  if (effects & SL_DOES_UPDATE) return (sl_action)ACCESSES[(effects & SL_DOES_UPDATE) / SL_DOES_READ];
  for (size_t k = 0; k < sizeof ACTIONS / sizeof *ACTIONS; k++)
    if (effects & ACTIONS[k].effect && (!ACTIONS[k].mod || sl_ptx_has_mod(in, (sl_ptx_mod)ACTIONS[k].mod)))
      return (sl_action)ACTIONS[k].action;
  return SL_ACT_NONE;
}

bool sl_ptx_writes_first(const sl_ptx_insn *in) {
  unsigned effects = sl_ptx_ops[in->op].effects;
  return in->n_ops > 0 &&
         (effects & SL_DOES_RESULT || (effects & SL_DOES_RESULT_IF_RED && sl_ptx_has_mod(in, SL_M_red)));
}
