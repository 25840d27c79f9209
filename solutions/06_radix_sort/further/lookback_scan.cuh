// Step 2: decoupled look-back, one tile a block. Blocks draw tickets for their tiles, publish their tile's
// sum, and add up what the tiles before them have published: lookback.cuh.
//
// Interface: lookback_scan_kernel; scan.cuh launches it.
#ifndef FURTHER_LOOKBACK_SCAN_CUH
#define FURTHER_LOOKBACK_SCAN_CUH

#include "tile.cuh"

/* Kernel:   lookback_scan_kernel — exclusive scan of in by Op, one tile a block
 * Launch:   grid = layout.tiles, block = WARPS*32
 * Shared:   dynamic, STAGE_BYTES (14 warps, 5 vectors: 36064); static, WARPS + 1 elements and the ticket
 * Work:     2*TILE combinations and O(WARPS*32) a tile   Steps: O(ITEMS), then one look-back   Barriers: 3
 * Valid in: out[0..n)   In-place: yes (out may be in)
 * Source:   Merrill and Garland, NVR-2016-002 */
template <class Op, class S, int READS>
__global__ void __launch_bounds__(S::WARPS * 32)
    lookback_scan_kernel(const typename S::T *in, typename S::T *out, scan_layout layout,
                         unsigned long long *counter, tile_state<typename S::T> *states) {
  typedef typename S::T T;
  extern __shared__ uint4 s_dynamic[];
  __shared__ T s_sum[S::WARPS], s_before;
  __shared__ ticket s_ticket;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool alone = layout.tiles == 1; // nobody to take turns with or to look back at
  if (threadIdx.x == 0) s_ticket = alone ? ticket() : draw_ticket(counter, layout.tiles);
  __syncthreads();
  const uint32_t tile = s_ticket.number, epoch = s_ticket.epoch;
  const int64_t first = int64_t(tile) * S::TILE - layout.head + warp * S::CHUNK;
  const bool whole = layout.shift == 0 && !at_edge<S>(layout, tile);

  T *slot = reinterpret_cast<T *>(reinterpret_cast<char *>(s_dynamic) + warp * S::SLOT_BYTES);
  if (whole)
    load_whole<S>(slot, in + first);
  else
    load_edge<Op, S>(slot, in, first, layout.n);
  T item[S::ITEMS], inclusive;
  read_items<S>(item, slot);
  T before = lane_prefix<Op, S>(item, &inclusive);
  if (lane == 31) s_sum[warp] = inclusive;
  __syncthreads();

  T left = Op::identity(); // the warps before this one
  for (int w = 0; w < warp; w++) left = Op::combine(left, s_sum[w]);
  before = Op::combine(left, before);
  if (warp == S::WARPS - 1) { // its sum is the last to be combined, so it knows the tile's
    T prefix = Op::identity();
    if (!alone) {
      const T total = Op::combine(left, s_sum[warp]);
      if (lane == 0) publish(&states[tile], tag_of(epoch, SUM), total);
      prefix = look_back<Op, READS>(states, tile, epoch);
      if (lane == 0) publish(&states[tile], tag_of(epoch, PREFIX), Op::combine(prefix, total));
    }
    if (lane == 0) s_before = prefix;
  }
  __syncthreads();
  scan_items<Op, S>(item, Op::combine(s_before, before));
  write_items<S>(slot, item);
  if (whole)
    store_whole<S>(out + first, slot);
  else
    store_edge<S>(out, slot, first, layout.n);
}

#endif
