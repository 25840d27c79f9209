// Clusters of one block, as every launch without cluster dimensions has them: mapa, getctarank,
// barrier.cluster. Interface: sl__decode_cluster.
//
// The block is rank 0 of its cluster and owns all of the cluster's shared memory, so no address of another
// rank can be made. A barrier of the cluster is a barrier of the block. As arrive and wait are separate
// instructions, it is a barrier of its own beside the block's sixteen.
#include "engine/core.h"

// rank (s[1]) must be 0
static bool own_rank(sl_warp *w, const sl_xinsn *i) {
  const uint32_t *rank = sl__u32(w, i->s[1]);
  SL_FOR_LANES(l, w->mask) {
    if (!rank[l]) continue;
    sl__finding_at(w, i, l, SL_FOUND_KERNEL_ILLEGAL, "mapa for block %u of a cluster of one block", rank[l]);
    return false;
  }
  return true;
}

static sl_step map_address(sl_warp *w, const sl_xinsn *i) {
  if (!own_rank(w, i)) return SL_STEP_FAULT;
  if (i->aux == 64) sl__put64(w, i->d, sl__u64(w, i->s[0]));
  else sl__put32(w, i->d, sl__u32(w, i->s[0]));
  return SL_STEP;
}

static SL_NULLARY(rank_zero, uint32_t, 0)

bool sl__decode_cluster(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  bool map = in->op == SL_OP_mapa;
  sl_ptx_mod type = sl__type_mod(in);
  x->aux = sl_ptx_type_bits(type);
  x->fn = map ? map_address : rank_zero;
  if (in->n_ops != (map ? 3 : 2)) return sl__refuse(dc, in, "the number of operands is wrong");
  return sl__dst(dc, &in->ops[0], &x->d) && sl__src(dc, &in->ops[1], type, &x->s[0]) &&
         (!map || sl__src(dc, &in->ops[2], SL_M_u32, &x->s[1]));
}
