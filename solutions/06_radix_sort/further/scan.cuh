// Exclusive scan in one launch, two steps beyond ../kernel.cu: any operator on 4 or 8 bytes, any n, any
// alignment.
//
//   step 1  ../kernel.cu         chained scan: a tile waits for the prefix of the tile before it
//   step 2  lookback_scan        decoupled look-back: a tile adds up the sums of the tiles before it instead
//   of waiting step 3  pipeline_scan        the same, with loads, sums, look-back and stores of different
//   tiles at the same time
//
// An Op has: type, identity() and combine(left, right), associative; it need not be commutative.
// Interface: scan_plan_new once for the greatest n, then pipeline_scan or lookback_scan any number of times
// on one stream.
#ifndef FURTHER_SCAN_CUH
#define FURTHER_SCAN_CUH

#include "gates.cuh"
#include "lookback.cuh"

#ifndef SL_CUDA
#define SL_CUDA(call)                                                                                        \
  do {                                                                                                       \
    cudaError_t sl_cuda_error_ = (call);                                                                     \
    if (sl_cuda_error_ != cudaSuccess) return sl_cuda_error_;                                                \
  } while (0)
#endif

// ---- Operators --------------------------------------------------------------------------------------------

template <class T> struct op_add {
  typedef T type;
  __host__ __device__ static T identity() { return T(0); }
  __host__ __device__ static T combine(T a, T b) { return a + b; }
};

// x -> a*x + b modulo 2^32. combine(f, g) is "first f, then g": not commutative.
struct affine {
  uint32_t a, b;
};

struct op_compose {
  typedef affine type;
  __host__ __device__ static affine identity() { return affine{1, 0}; }
  __host__ __device__ static affine combine(affine f, affine g) { return affine{g.a * f.a, g.a * f.b + g.b}; }
};

#ifndef SCAN_SCOUTS
#define SCAN_SCOUTS 1
#endif
#ifndef SCAN_SKIP_LOOKBACK
#define SCAN_SKIP_LOOKBACK                                                                                   \
  0 // 1: an experiment, wrong sums: how fast would it be if the look-back took no time?
#endif

enum { SCOUTS = SCAN_SCOUTS, MAX_STAGES = 8, NO_TILE = -1 };

// ---- Shape of a tile --------------------------------------------------------------------------------------

// A tile has WARPS chunks, one for each warp that computes; a lane has VECTORS * 16 consecutive bytes of its
// warp's chunk. VECTORS is odd: then the 16-byte accesses of eight neighbouring lanes fall into all 32 banks,
// without a conflict.
template <class T_, int WARPS_, int VECTORS_> struct scan_shape {
  typedef T_ T;
  static constexpr int WARPS = WARPS_, VECTORS = VECTORS_;
  static constexpr int PER_VECTOR = 16 / sizeof(T);
  static constexpr int ITEMS = VECTORS * PER_VECTOR; // elements a lane
  static constexpr int CHUNK = 32 * ITEMS;           // elements a warp
  static constexpr int TILE = WARPS * CHUNK;
  static constexpr int PIPELINE_THREADS = (2 * WARPS + 1 + SCOUTS) * 32;
  static constexpr int SLOT_BYTES =
      CHUNK * int(sizeof(T)) + 16; // a chunk that need not start at a multiple of 16
  static constexpr int STAGE_BYTES = WARPS * SLOT_BYTES;
};

// Where the tiles lie. Tile 0 starts at element -head, so that every tile of the OUTPUT starts at a multiple
// of 16 bytes; the input of a tile starts `shift` elements after one.
struct scan_layout {
  int64_t n;
  uint32_t tiles;
  int head, shift;
};

template <class S> scan_layout scan_layout_of(const typename S::T *in, const typename S::T *out, size_t n) {
  scan_layout l;
  l.n = int64_t(n);
  l.head = int(uintptr_t(out) % 16 / sizeof(typename S::T));
  l.shift = int((uintptr_t(in) - l.head * sizeof(typename S::T)) % 16 / sizeof(typename S::T));
  l.tiles = uint32_t((n + l.head + S::TILE - 1) / S::TILE);
  return l;
}

// Must this tile be loaded and stored element by element?
template <class S> __device__ inline bool at_edge(const scan_layout &l, int64_t tile) {
  const int64_t first = tile * S::TILE - l.head, margin = l.shift ? S::PER_VECTOR : 0;
  return first - margin < 0 || first + S::TILE + margin > l.n;
}

// The part of a chunk that exists, loaded and stored element by element: the tiles at both ends. Collective
// for a warp.
template <class Op, class S>
__device__ inline void load_edge(typename S::T *slot, const typename S::T *in, int64_t first, int64_t n) {
#pragma unroll
  for (int k = 0; k < S::ITEMS; k++) {
    const int j = k * 32 + threadIdx.x % 32;
    slot[j] = first + j >= 0 && first + j < n ? in[first + j] : Op::identity();
  }
  __syncwarp();
}

template <class S>
__device__ inline void store_edge(typename S::T *out, const typename S::T *slot, int64_t first, int64_t n) {
  __syncwarp();
#pragma unroll
  for (int k = 0; k < S::ITEMS; k++) {
    const int j = k * 32 + threadIdx.x % 32;
    if (first + j >= 0 && first + j < n) out[first + j] = slot[j];
  }
  __syncwarp();
}

// A whole chunk, 16 bytes a lane at a time: input and output at multiples of 16 bytes. Collective for a warp.
template <class S> __device__ inline void load_whole(typename S::T *slot, const typename S::T *in) {
  uint4 v[S::VECTORS];
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) v[i] = reinterpret_cast<const uint4 *>(in)[i * 32 + threadIdx.x % 32];
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) reinterpret_cast<uint4 *>(slot)[i * 32 + threadIdx.x % 32] = v[i];
  __syncwarp();
}

template <class S> __device__ inline void store_whole(typename S::T *out, const typename S::T *slot) {
  __syncwarp();
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++)
    reinterpret_cast<uint4 *>(out)[i * 32 + threadIdx.x % 32] = reinterpret_cast<const uint4 *>(slot)[i * 32 + threadIdx.x % 32];
}

// A lane's elements between its registers and its warp's slot.
template <class S> __device__ inline void read_items(typename S::T *item, const typename S::T *slot) {
  uint4 v[S::VECTORS];
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) {
    v[i] = reinterpret_cast<const uint4 *>(slot)[(threadIdx.x % 32) * S::VECTORS + i];
  }
  memcpy(item, v, sizeof v);
}

template <class S> __device__ inline void write_items(typename S::T *slot, const typename S::T *item) {
  uint4 v[S::VECTORS];
  memcpy(v, item, sizeof v);
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) {
    reinterpret_cast<uint4 *>(slot)[(threadIdx.x % 32) * S::VECTORS + i] = v[i];
  }
}

// Sum of the items; *inclusive: prefix of it over the warp. Returns what lies before this lane's items in its
// chunk.
template <class Op, class S>
__device__ inline typename S::T lane_prefix(const typename S::T *item, typename S::T *inclusive) {
  typename S::T sum = item[0];
#pragma unroll
  for (int i = 1; i < S::ITEMS; i++) sum = Op::combine(sum, item[i]);
  *inclusive = warp_inclusive<Op>(sum);
  const typename S::T before = shuffle_up(*inclusive, 1);
  return threadIdx.x % 32 == 0 ? Op::identity() : before;
}

// Items become their exclusive prefixes.
template <class Op, class S> __device__ inline void scan_items(typename S::T *item, typename S::T before) {
#pragma unroll
  for (int i = 0; i < S::ITEMS; i++) {
    const typename S::T next = Op::combine(before, item[i]);
    item[i] = before;
    before = next;
  }
}

// ---- Step 2: decoupled look-back --------------------------------------------------------------------------

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

// ---- Step 3: a pipeline -----------------------------------------------------------------------------------

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

// The loader warp: draws tickets and starts the loads, as far ahead as there are empty stages.
template <class S>
__device__ inline void loader(const typename S::T *in, const scan_layout &l, unsigned long long *counter,
                              char *slots, scan_stages<S> *s, int stages) {
  const int lane = threadIdx.x % 32;
  const bool once = gridDim.x == l.tiles; // a block for every tile: each draws one ticket
  const uint32_t draws = once ? l.tiles : l.tiles + gridDim.x;
  ring at = {0, stages, 0};
  for (bool more = true; more; at.next()) {
    if (at.use > 0) gate_wait(&s->empty[at.stage], at.use - 1);
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
template <class Op, class S>
__device__ inline void adder(const typename S::T *in, const scan_layout &l, char *slots, scan_stages<S> *s,
                             int stages, int warp, tile_state<typename S::T> *states) {
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
      if (lane == 31) publish(&states[tile], tag_of(epoch, tile == 0 ? PREFIX : SUM), total);
      __syncwarp();
      if (lane == 31) gate_arrive(&s->published[at.stage]);
    }
  }
}

// A scout warp: looks back for every SCOUTS-th tile, publishes its prefix, and tells the finishers what lies
// before their chunks. A look-back is one trip to memory or more; with several scouts these trips overlap.
template <class Op, class S, int READS>
__device__ inline void scout(const scan_layout &l, scan_stages<S> *s, int stages, int mine,
                             tile_state<typename S::T> *states) {
  typedef typename S::T T;
  const int lane = threadIdx.x % 32;
  int turn = 0;
  for (ring at = {0, stages, 0};; at.next(), turn = (turn + 1) % SCOUTS) {
    gate_wait(&s->loaded[at.stage], at.use);
    const int64_t tile = s->tile[at.stage];
    if (tile == NO_TILE) return;
    if (turn != mine) continue;
    const uint32_t epoch = s->epoch[at.stage];
    T before = Op::identity();
    if (tile > 0 && !SCAN_SKIP_LOOKBACK)
      before = shuffle_from_first(look_back<Op, READS>(states, uint32_t(tile), epoch));
    gate_wait(l.tiles > 1 ? &s->published[at.stage] : &s->summed[at.stage], at.use);
    const T inclusive = warp_inclusive<Op>(lane < S::WARPS ? s->sum[at.stage][lane] : Op::identity());
    T exclusive = shuffle_up(inclusive, 1);
    if (lane == 0) exclusive = Op::identity();
    if (lane == 31 && tile > 0) publish(&states[tile], tag_of(epoch, PREFIX), Op::combine(before, inclusive));
    if (lane < S::WARPS) s->before[at.stage][lane] = Op::combine(before, exclusive);
    gate_arrive_warp(&s->known[at.stage]);
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
    if (storing >= 0 && threadIdx.x % 32 == 0) { // by now the store before has read its slot
      bulk_store_wait();
      gate_arrive(&s->empty[storing]);
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

/* Kernel:   pipeline_scan_kernel — exclusive scan of in by Op by blocks that stay and take tile after tile,
 * each part of the work by warps of its own: load, add up and publish, look back, finish and store Launch:
 * grid = min(layout.tiles, what the GPU holds), block = (2*WARPS + 1 + SCOUTS)*32: adders, finishers, loader,
 * scouts Shared:   dynamic, stages * STAGE_BYTES (14 warps, 5 vectors, 6 stages: 216384); static, scan_stages
 * Work:     3*TILE combinations and O(WARPS*32) a tile   Steps: as step 2, overlapped   Barriers: 1
 * Valid in: out[0..n)   In-place: yes if the addresses are equal
 * Source:   Merrill and Garland, NVR-2016-002; a role for each warp as in CUDA's asynchronous pipelines */
template <class Op, class S, int READS>
__global__ void __launch_bounds__(S::PIPELINE_THREADS)
    pipeline_scan_kernel(const typename S::T *in, typename S::T *out, scan_layout layout, int stages,
                         unsigned long long *counter, tile_state<typename S::T> *states) {
  extern __shared__ uint4 s_dynamic[];
  __shared__ scan_stages<S> s_stages;
  char *slots = reinterpret_cast<char *>(s_dynamic);
  if (int(threadIdx.x) < stages) {
    gate_init(&s_stages.loaded[threadIdx.x], 1);
    gate_init(&s_stages.summed[threadIdx.x], S::WARPS * WARP_ARRIVALS);
    gate_init(&s_stages.published[threadIdx.x], 1);
    gate_init(&s_stages.known[threadIdx.x], WARP_ARRIVALS);
    gate_init(&s_stages.empty[threadIdx.x], S::WARPS);
  }
  __syncthreads();
  const int warp = threadIdx.x / 32;
  if (warp < S::WARPS)
    adder<Op, S>(in, layout, slots, &s_stages, stages, warp, states);
  else if (warp < 2 * S::WARPS)
    finisher<Op, S>(out, layout, slots, &s_stages, stages, warp - S::WARPS);
  else if (warp == 2 * S::WARPS)
    loader<S>(in, layout, counter, slots, &s_stages, stages);
  else
    scout<Op, S, READS>(layout, &s_stages, stages, warp - 2 * S::WARPS - 1, states);
}

// ---- Launchers --------------------------------------------------------------------------------------------

// Memory and shape of the scans by Op of up to n elements, for one stream at a time.
template <class Op, class S, int READS = 4> struct scan_plan {
  typedef typename S::T T;
  unsigned long long *counter; // device; the states follow it
  tile_state<T> *states;
  int stages, grid; // of step 3
};

template <class Op, class S, int READS>
cudaError_t scan_plan_new(scan_plan<Op, S, READS> *p, size_t n, int stages, int blocks_per_sm) {
  const size_t bytes = 128 + ((n + 4) / S::TILE + 2) * sizeof(tile_state<typename S::T>);
  int device, sms, optin, resident;
  SL_CUDA(cudaGetDevice(&device));
  SL_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  SL_CUDA(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const int fit = (optin - int(sizeof(scan_stages<S>)) - 64) / S::STAGE_BYTES;
  p->stages = stages < fit ? stages : fit;
  if (p->stages < 2) return cudaErrorInvalidValue;
  const int shared = p->stages * S::STAGE_BYTES;
  const auto kernel = pipeline_scan_kernel<Op, S, READS>;
  SL_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  SL_CUDA(cudaFuncSetAttribute(lookback_scan_kernel<Op, S, READS>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, S::STAGE_BYTES));
  SL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, S::PIPELINE_THREADS, shared));
  if (resident < 1) return cudaErrorInvalidValue;
  p->grid = sms * (resident < blocks_per_sm ? resident : blocks_per_sm);
  SL_CUDA(cudaMalloc((void **)&p->counter, bytes));
  p->states = reinterpret_cast<tile_state<typename S::T> *>(reinterpret_cast<char *>(p->counter) + 128);
  return cudaMemset(p->counter, 0, bytes);
}

template <class Op, class S, int READS> cudaError_t scan_plan_free(scan_plan<Op, S, READS> *p) {
  return cudaFree(p->counter);
}

template <class Op, class S, int READS>
cudaError_t pipeline_scan(const scan_plan<Op, S, READS> *p, const typename S::T *in, typename S::T *out,
                          size_t n, cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  const scan_layout l = scan_layout_of<S>(in, out, n);
  const unsigned grid = l.tiles < unsigned(p->grid) ? l.tiles : unsigned(p->grid);
  pipeline_scan_kernel<Op, S, READS><<<grid, S::PIPELINE_THREADS, p->stages * S::STAGE_BYTES, stream>>>(
      in, out, l, p->stages, p->counter, p->states);
  return cudaGetLastError();
}

template <class Op, class S, int READS>
cudaError_t lookback_scan(const scan_plan<Op, S, READS> *p, const typename S::T *in, typename S::T *out,
                          size_t n, cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  const scan_layout l = scan_layout_of<S>(in, out, n);
  lookback_scan_kernel<Op, S, READS>
      <<<l.tiles, S::WARPS * 32, S::STAGE_BYTES, stream>>>(in, out, l, p->counter, p->states);
  return cudaGetLastError();
}

#endif
