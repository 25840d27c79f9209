// Steps 3 and 4: a pipeline. One block a multiprocessor stays and takes tile after tile; loads, sums, the
// chain between tiles, and stores of different tiles run at the same time, each in warps of its own that hand
// tiles on through gates.
//
// What lies before a tile comes from a Chain:
//   publish_sum(tile, epoch, total)         a warp, as soon as the tile is loaded
//   before(tile, last, before_last, epoch)  a warp: what lies before the tile, in every lane; the block's
//                                           tile before it
//                                           was `last` (0 and the identity for the first)
//   publish_prefix(tile, epoch, prefix)     one thread, when all up to the end of the tile is known
//   LATER                                   is it better to ask when the block's next tile is loaded, too?
// Step 3 is look_back_chain, below; step 4 is window_chain, in windows.cuh.
// Interface: pipeline_scan_kernel; scan.cuh launches it.
#ifndef FURTHER_PIPELINE_CUH
#define FURTHER_PIPELINE_CUH

#include "gates.cuh"
#include "tile.cuh"

#ifndef SCAN_SKIP_LOOKBACK
#define SCAN_SKIP_LOOKBACK 0 // 1: an experiment, wrong sums: how fast would it be if nobody had to wait for others?
#endif
#ifndef SCAN_LOADS
#define SCAN_LOADS 2
#endif

enum { MAX_STAGES = 8, LOADS = SCAN_LOADS, NO_TILE = -1 };

// Step 3: a tile looks back to the nearest tile whose prefix is known.
template <class Op, int READS> struct look_back_chain {
  typedef typename Op::type T;
  static constexpr bool LATER = false;
  tile_state<T> *states;
  __device__ void publish_sum(int64_t tile, uint32_t epoch, T total) const {
    if (threadIdx.x % 32 == 31) publish(&states[tile], tag_of(epoch, tile == 0 ? PREFIX : SUM), total);
  }
  __device__ T before(int64_t tile, int64_t, T, uint32_t epoch) const {
    return shuffle_from(look_back<Op, READS>(states, uint32_t(tile), epoch), 0);
  }
  __device__ void publish_prefix(int64_t tile, uint32_t epoch, T prefix) const {
    publish(&states[tile], tag_of(epoch, PREFIX), prefix);
  }
};

// What the warps of a block share beside the slots. Stage s holds tiles s, s + stages, s + 2*stages, .. of
// the block.
template <class S> struct scan_stages {
  gate loaded[MAX_STAGES]; // loader -> all: tile[s] is known, and its elements are in the slots unless it is
                           // at an edge
  gate summed[MAX_STAGES]; // adders -> scout and finishers: sum[s] is complete, and the chunks are at the
                           // start of the slots
  gate published[MAX_STAGES]; // first adder -> scout: the others can see the sum of the tile
  gate known[MAX_STAGES];     // scout -> finishers: before[s] is complete
  gate empty[MAX_STAGES];     // finishers -> loader: the slots may be loaded again
  typename S::T sum[MAX_STAGES][S::WARPS], before[MAX_STAGES][S::WARPS];
  int64_t tile[MAX_STAGES]; // NO_TILE: there are no more
  uint32_t epoch[MAX_STAGES];
};

// Position in the ring of stages: which stage, and how often it has been used before.
struct ring {
  int stage, stages;
  uint32_t use;
  __device__ void next() {
    if (++stage == stages) {
      stage = 0;
      use++;
    }
  }
};

// The loader warp: draws tickets and starts the loads, as far ahead as there are empty stages, with at most
// LOADS on their way at a time: a longer queue at the memory would not be served sooner, and everything else
// would wait behind it.
template <class S>
__device__ inline void loader(const typename S::T *in, const scan_layout &l, unsigned long long *counter,
                              char *slots, scan_stages<S> *s, int stages) {
  const int lane = threadIdx.x % 32;
  const bool once = gridDim.x == l.tiles; // a block for every tile: each draws one ticket
  const uint32_t draws = once ? l.tiles : l.tiles + gridDim.x;
  ring at = {0, stages, 0};
  for (bool more = true; more; at.next()) {
    if (at.use > 0) gate_wait(&s->empty[at.stage], at.use - 1);
    if (at.use > 0 || at.stage >= LOADS) { // the load LOADS tiles ago
      const int ago = at.stage >= LOADS ? at.stage - LOADS : at.stage - LOADS + stages;
      gate_wait(&s->loaded[ago], ago < at.stage ? at.use : at.use - 1);
    }
    int64_t tile = NO_TILE;
    if (lane == 0) {
      ticket mine = {0, l.tiles};
      if (l.tiles == 1)
        mine.number = at.stage; // nobody to share with: no ticket, no state
      else if (!once || (at.use == 0 && at.stage == 0))
        mine = draw_ticket(counter, draws);
      if (mine.number < l.tiles) tile = mine.number;
      s->tile[at.stage] = tile;
      s->epoch[at.stage] = mine.epoch;
    }
    tile = __shfl_sync(~0u, int(tile), 0);
    more = tile != NO_TILE;
    const bool bulk = more && !at_edge<S>(l, tile);
    const uint32_t bytes = S::CHUNK * sizeof(typename S::T) + (l.shift ? 16 : 0);
#if HAS_BULK_COPY
    if (lane == 0) gate_arrive_expecting(&s->loaded[at.stage], bulk ? bytes * S::WARPS : 0);
    __syncwarp();
#endif
    if (bulk && lane < S::WARPS) {
      const typename S::T *from = in + (tile * S::TILE - l.head - l.shift + lane * S::CHUNK);
      bulk_load(slots + at.stage * S::STAGE_BYTES + lane * S::SLOT_BYTES, from, bytes, &s->loaded[at.stage]);
    }
#if !HAS_BULK_COPY
    __threadfence_block();
    __syncwarp();
    if (lane == 0) gate_arrive(&s->loaded[at.stage]);
#endif
  }
}

// An adder warp: sums up its chunk of each tile as soon as it is loaded. The first adder publishes the sum of
// the tile, long before the tile's own look-back, so that no tile after it has to wait for this one's.
template <class Op, class S, class Chain>
__device__ inline void adder(const typename S::T *in, const scan_layout &l, char *slots, scan_stages<S> *s,
                             int stages, int warp, const Chain &chain) {
  typedef typename S::T T;
  const int lane = threadIdx.x % 32;
  for (ring at = {0, stages, 0};; at.next()) {
    gate_wait(&s->loaded[at.stage], at.use);
    const int64_t tile = s->tile[at.stage];
    if (tile == NO_TILE) return;
    const uint32_t epoch = s->epoch[at.stage];
    T *slot = reinterpret_cast<T *>(slots + at.stage * S::STAGE_BYTES + warp * S::SLOT_BYTES);
    T item[S::ITEMS];
    if (at_edge<S>(l, tile)) {
      load_edge<Op, S>(slot, in, tile * S::TILE - l.head + warp * S::CHUNK, l.n);
      read_items<S>(item, slot);
    } else if (l.shift == 0) {
      read_items<S>(item, slot);
    } else { // move the chunk to the start of its slot
#pragma unroll
      for (int i = 0; i < S::ITEMS; i++) item[i] = slot[lane * S::ITEMS + i + l.shift];
      __syncwarp();
      write_items<S>(slot, item);
    }
    T sum = item[0];
#pragma unroll
    for (int i = 1; i < S::ITEMS; i++) sum = Op::combine(sum, item[i]);
    sum = warp_inclusive<Op>(sum);
    if (lane == 31) s->sum[at.stage][warp] = sum;
    gate_arrive_warp(&s->summed[at.stage]);
    if (warp == 0 && l.tiles > 1) {
      gate_wait(&s->summed[at.stage], at.use);
      const T total = warp_inclusive<Op>(lane < S::WARPS ? s->sum[at.stage][lane] : Op::identity());
      chain.publish_sum(tile, epoch, shuffle_from(total, 31));
      __syncwarp();
      if (lane == 31) gate_arrive(&s->published[at.stage]);
    }
  }
}

// The scout warp: asks the chain what lies before each tile and tells the finishers what lies before their
// chunks.
template <class Op, class S, class Chain>
__device__ inline void scout(const scan_layout &l, scan_stages<S> *s, int stages, const Chain &chain) {
  typedef typename S::T T;
  const int lane = threadIdx.x % 32;
  int64_t last = 0; // this block's tile before, and what lies before that
  T before = Op::identity();
  for (ring at = {0, stages, 0};; at.next()) {
    gate_wait(&s->loaded[at.stage], at.use);
    const int64_t tile = s->tile[at.stage];
    if (tile == NO_TILE) return;
    const uint32_t epoch = s->epoch[at.stage];
    if (Chain::LATER) { // not before the next tile is loaded, too: who asks too early has to ask again
      const int next = at.stage + 1 < stages ? at.stage + 1 : 0;
      gate_wait(&s->loaded[next], next ? at.use : at.use + 1);
    }
    if (at.use > 0 || at.stage > 0) { // what lies before the last tile
      const int prior = at.stage > 0 ? at.stage - 1 : stages - 1;
      gate_wait(&s->known[prior], at.stage > 0 ? at.use : at.use - 1);
      before = s->before[prior][0];
    }
    if (tile > 0 && !SCAN_SKIP_LOOKBACK) before = chain.before(tile, last, before, epoch);
    gate_wait(l.tiles > 1 ? &s->published[at.stage] : &s->summed[at.stage], at.use);
    const T inclusive = warp_inclusive<Op>(lane < S::WARPS ? s->sum[at.stage][lane] : Op::identity());
    T exclusive = shuffle_up(inclusive, 1);
    if (lane == 0) exclusive = Op::identity();
    if (lane == 31 && tile > 0) chain.publish_prefix(tile, epoch, Op::combine(before, inclusive));
    if (lane < S::WARPS) s->before[at.stage][lane] = Op::combine(before, exclusive);
    gate_arrive_warp(&s->known[at.stage]);
    last = tile;
  }
}

// A finisher warp: turns its chunk of each tile into prefixes and starts storing them.
template <class Op, class S>
__device__ inline void finisher(typename S::T *out, const scan_layout &l, char *slots, scan_stages<S> *s,
                                int stages, int warp) {
  typedef typename S::T T;
  int storing = -1; // the stage whose store is under way
  for (ring at = {0, stages, 0};; at.next()) {
    gate_wait(&s->loaded[at.stage], at.use);
    const int64_t tile = s->tile[at.stage];
    if (tile == NO_TILE) break;
    T *slot = reinterpret_cast<T *>(slots + at.stage * S::STAGE_BYTES + warp * S::SLOT_BYTES);
    T item[S::ITEMS], inclusive;
    gate_wait(&s->summed[at.stage], at.use);
    read_items<S>(item, slot);
    const T lane_before = lane_prefix<Op, S>(item, &inclusive);
    if (storing >= 0) { // by now the store before has read its slot
      if (threadIdx.x % 32 == 0) bulk_store_wait();
      gate_arrive_warp(&s->empty[storing]);
    }
    gate_wait(&s->known[at.stage], at.use);
    scan_items<Op, S>(item, Op::combine(s->before[at.stage][warp], lane_before));
    write_items<S>(slot, item);
    const int64_t first = tile * S::TILE - l.head + warp * S::CHUNK;
    if (at_edge<S>(l, tile))
      store_edge<S>(out, slot, first, l.n);
    else
      bulk_store(out + first, slot, S::CHUNK * sizeof(T));
    storing = at.stage;
  }
  if (threadIdx.x % 32 == 0) bulk_store_wait(); // shared memory must outlive the copies
}

/* Kernel:   pipeline_scan_kernel — exclusive scan of in by Op by blocks that stay and take tile after tile, each part of
 *           the work by warps of its own: load; add up and publish; find out what lies before; finish and store
 * Launch:   grid = min(layout.tiles, what the GPU holds), block = (2*WARPS + 2)*32: adders, finishers, loader, scout
 * Shared:   dynamic, stages * STAGE_BYTES (14 warps, 5 vectors, 6 stages: 216384); static, scan_stages
 * Work:     3*TILE combinations and O(WARPS*32) a tile, and the chain's   Steps: as step 2, overlapped   Barriers: 1
 * Valid in: out[0..n)   In-place: yes if the addresses are equal
 * Source:   Merrill and Garland, NVR-2016-002; a role for each warp as in CUDA's asynchronous pipelines */
template <class Op, class S, class Chain>
__global__ void __launch_bounds__(S::PIPELINE_THREADS, 1)
    pipeline_scan_kernel(const typename S::T *in, typename S::T *out, scan_layout layout, int stages,
                         unsigned long long *counter, Chain chain) {
  extern __shared__ uint4 s_dynamic[];
  __shared__ scan_stages<S> s_stages;
  char *slots = reinterpret_cast<char *>(s_dynamic);
  if (int(threadIdx.x) < stages) {
    gate_init(&s_stages.loaded[threadIdx.x], 1);
    gate_init(&s_stages.summed[threadIdx.x], S::WARPS * WARP_ARRIVALS);
    gate_init(&s_stages.published[threadIdx.x], 1);
    gate_init(&s_stages.known[threadIdx.x], WARP_ARRIVALS);
    gate_init(&s_stages.empty[threadIdx.x], S::WARPS * WARP_ARRIVALS);
  }
  __syncthreads();
  const int warp = threadIdx.x / 32;
  if (warp < S::WARPS)
    adder<Op, S>(in, layout, slots, &s_stages, stages, warp, chain);
  else if (warp < 2 * S::WARPS)
    finisher<Op, S>(out, layout, slots, &s_stages, stages, warp - S::WARPS);
  else if (warp == 2 * S::WARPS)
    loader<S>(in, layout, counter, slots, &s_stages, stages);
  else
    scout<Op, S>(layout, &s_stages, stages, chain);
}

#endif
