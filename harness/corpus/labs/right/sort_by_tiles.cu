// Lab 06: a tile is sorted within its block before its keys move, or ranked by instructions; passes that move
// nothing are left out on the device.
//
// STATE_WAIT, STATE_CAS, STATE_ACQUIRE: how a tile of the scan waits for the one before and tells the next.
// RANK_LOCAL: the tile is sorted in shared memory, one bit after the other, and stored; then its digits move
// together. RANK_PTX: peers by match.any, ranks by lanemask_lt. SKIP: digits that all keys share are known
// before the first pass. PACKED: key and value are one word of 64 bits. LAUNCH_GRAPH: the whole sort is a
// graph.
//
// right 06 local_sort: STATE_CAS RANK_LOCAL
// right 06 local_sort_acquire: STATE_ACQUIRE RANK_LOCAL SKIP
// right 06 rank_by_instructions: STATE_ACQUIRE RANK_PTX
// right 06 waiting_atomics: STATE_WAIT RANK_PTX SKIP
// right 06 passes_left_out: STATE_CAS RANK_PTX SKIP
// right 06 packed_pairs: STATE_WAIT RANK_PTX PACKED
// right 06 packed_pairs_skip: STATE_ACQUIRE RANK_PTX PACKED SKIP
// right 06 sort_as_graph: STATE_CAS RANK_PTX LAUNCH_GRAPH
#include "scanlab/lab.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;

constexpr int WARP = 32, THREADS = 256, WARPS = THREADS / WARP, ITEMS = 8, TILE = THREADS * ITEMS, SHARE = WARP * ITEMS;
static unsigned tiles_of(size_t n) { return unsigned((n + TILE - 1) / TILE); }

// A block's own ---------------------------------------------------------------------------------------------

__device__ uint32_t over_threads(uint32_t x, uint32_t *total) {
  __shared__ uint32_t s[WARPS];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<WARP>(block);
  const uint32_t upto = cg::inclusive_scan(warp, x);
  block.sync();
  if (warp.thread_rank() == WARP - 1) s[warp.meta_group_rank()] = upto;
  block.sync();
  uint32_t before = 0, all = 0;
  for (unsigned w = 0; w < WARPS; w++) {
    before = w == warp.meta_group_rank() ? all : before;
    all += s[w];
  }
  *total = all;
  return before + upto - x;
}

__device__ constexpr int place(int i) { return i + i / WARP; }

// Which passes move keys ------------------------------------------------------------------------------------

// Bits in which keys differ: those of all_or that are not in all_and.
struct differences {
  uint32_t all_or, all_and;
};

// How often keys have moved before the pass at `shift`; whether that pass moves them, too.
__device__ int moves_before(const differences *d, int shift, int bits) {
#ifdef SKIP
  int moves = 0;
  for (int at = 0; at < shift && at < 32; at += bits) moves += ((d->all_or ^ d->all_and) >> at & ((1u << bits) - 1)) != 0;
  return moves;
#else
  return (shift + bits - 1) / bits;
#endif
}
__device__ bool moves(const differences *d, int shift, int bits) {
#ifdef SKIP
  return ((d->all_or ^ d->all_and) >> shift & ((1u << bits) - 1)) != 0;
#else
  return true;
#endif
}

// Codes: what is turned round, by type and by sign of the key (encode) or of the code (decode)
// ----------------

__constant__ uint32_t turned[2][3][2] = {{{0, 0}, {0x80000000u, 0x80000000u}, {0x80000000u, 0xffffffffu}},
                                         {{0, 0}, {0x80000000u, 0x80000000u}, {0xffffffffu, 0x80000000u}}};
static int row_of(sl_type type) { return type == SL_U32 ? 0 : type == SL_I32 ? 1 : 2; }

// Lists -----------------------------------------------------------------------------------------------------

#ifdef PACKED
// With values: words of 64 bits, the key above. Without: keys alone.
struct list {
  unsigned long long *both;
  uint32_t *keys;
};
struct item {
  unsigned long long word;
  __device__ uint32_t key() const { return uint32_t(word >> 32); }
};
__device__ item get(const list &l, size_t i) { return {l.both ? l.both[i] : (unsigned long long)l.keys[i] << 32}; }
__device__ void put(const list &l, size_t i, item x) {
  if (l.both) l.both[i] = x.word;
  else l.keys[i] = x.key();
}
#else
struct list {
  uint32_t *values, *keys;
};
struct item {
  uint32_t code, value;
  __device__ uint32_t key() const { return code; }
};
__device__ item get(const list &l, size_t i) { return {l.keys[i], l.values ? l.values[i] : 0u}; }
__device__ void put(const list &l, size_t i, item x) {
  l.keys[i] = x.code;
  if (l.values) l.values[i] = x.value;
}
#endif
struct lists {
  list at[2];
};

// Scan ------------------------------------------------------------------------------------------------------

// The prefix of a tile, and 1 in the half above once it is there.
struct board {
  uint32_t next_tile, pad[3];
  unsigned long long tile[1];
};
static size_t board_bytes(size_t n) { return sizeof(board) + tiles_of(n) * sizeof(unsigned long long); }

__device__ uint32_t await(unsigned long long *tile) {
#if defined STATE_CAS
  unsigned long long seen;
  while (((seen = atomicCAS(tile, 0ull, 0ull)) >> 32) == 0) {}
#elif defined STATE_WAIT
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> word(*tile);
  word.wait(0ull, cuda::memory_order_acquire);
  const unsigned long long seen = word.load(cuda::memory_order_relaxed);
#else
  unsigned long long seen;
  do asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(seen) : "l"(__cvta_generic_to_global(tile)) : "memory");
  while ((seen >> 32) == 0);
#endif
  return uint32_t(seen);
}
__device__ void publish(unsigned long long *tile, uint32_t prefix) {
  const unsigned long long told = 1ull << 32 | prefix;
#if defined STATE_CAS
  atomicExch(tile, told);
#elif defined STATE_WAIT
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> word(*tile);
  word.store(told, cuda::memory_order_release);
  word.notify_all();
#else
  asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(tile)), "l"(told) : "memory");
#endif
}

// out[i]: the sum of in[j] >> shift & mask over all j < i. Without in: of the keys that the pass moves.
__global__ void __launch_bounds__(THREADS)
    scan_kernel(const uint32_t *in, uint32_t *out, size_t n, lists l, int shift, int bits, const differences *d, board *b) {
  __shared__ uint32_t s[place(TILE)], s_tile, s_before;
  if (d && !moves(d, shift, bits)) return;
  if (threadIdx.x == 0) s_tile = atomicAdd(&b->next_tile, 1u);
  __syncthreads();
  const size_t first = size_t(s_tile) * TILE;
  const list from = l.at[d && !in ? moves_before(d, shift, bits) % 2 : 0];
  for (int i = threadIdx.x; i < TILE; i += THREADS) {
    const size_t at = first + i;
    s[place(i)] = at >= n ? 0 : in ? in[at] : get(from, at).key() >> shift & 1;
  }
  __syncthreads();
  uint32_t own = 0, total;
  for (int k = 0; k < ITEMS; k++) own += s[place(threadIdx.x * ITEMS + k)];
  uint32_t before = over_threads(own, &total);
  if (threadIdx.x == 0) {
    s_before = s_tile > 0 ? await(&b->tile[s_tile - 1]) : 0;
    publish(&b->tile[s_tile], s_before + total);
  }
  __syncthreads();
  before += s_before;
  for (int k = 0; k < ITEMS; k++) {
    const uint32_t x = s[place(threadIdx.x * ITEMS + k)];
    s[place(threadIdx.x * ITEMS + k)] = before;
    before += x;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < TILE && first + i < n; i += THREADS) out[first + i] = s[place(i)];
}

static cudaError_t scan(const uint32_t *in, uint32_t *out, size_t n, const lists &l, int shift, int bits, const differences *d, board *b, cudaStream_t stream) {
  SL_CUDA(cudaMemsetAsync(b, 0, board_bytes(n), stream));
  scan_kernel<<<tiles_of(n), THREADS, 0, stream>>>(in, out, n, l, shift, bits, d, b);
  return cudaGetLastError();
}

extern "C" cudaError_t lab06_single_pass_scan(const uint32_t *d_in, uint32_t *d_out, size_t n) {
  if (n == 0) return cudaSuccess;
  board *b;
  SL_CUDA(cudaMalloc((void **)&b, board_bytes(n)));
  const cudaError_t error = scan(d_in, d_out, n, lists{}, 0, 32, nullptr, b, 0), freed = cudaFree(b);
  return error != cudaSuccess ? error : freed;
}

// A pass by one bit -----------------------------------------------------------------------------------------

__global__ void __launch_bounds__(THREADS) split_kernel(lists l, const uint32_t *ones_before, size_t n, int shift, const differences *d) {
  if (!moves(d, shift, 1)) return;
  const int side = moves_before(d, shift, 1) % 2;
  const list &from = l.at[side], &to = l.at[side ^ 1];
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const size_t zeros = n - ones_before[n - 1] - (get(from, n - 1).key() >> shift & 1);
  const item x = get(from, i);
  put(to, x.key() >> shift & 1 ? zeros + ones_before[i] : i - ones_before[i], x);
}

// A pass by several bits ------------------------------------------------------------------------------------

#if defined RANK_LOCAL
// The tile sorted by the digit goes to the other list, at the same places; row d of counts has how many there
// are of d.
__global__ void __launch_bounds__(THREADS) tile_kernel(lists l, size_t n, int shift, int bits, uint32_t *counts, const differences *d) {
  __shared__ uint32_t s_key[place(TILE)], s_value[place(TILE)], s_first[257];
  if (!moves(d, shift, bits)) return;
  const int t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * TILE;
  const int count = int(n - first < TILE ? n - first : TILE);
  const list from = l.at[0], to = l.at[1];
  for (int i = t; i < count; i += THREADS) {
    const item x = get(from, first + i);
    s_key[place(i)] = x.code, s_value[place(i)] = x.value;
  }
  __syncthreads();
  for (int bit = shift; bit < shift + bits && bit < 32; bit++) {
    uint32_t key[ITEMS], value[ITEMS], ones = 0, all;
    for (int k = 0; k < ITEMS; k++) {
      const int i = t * ITEMS + k;
      if (i >= count) break;
      key[k] = s_key[place(i)], value[k] = s_value[place(i)];
      ones += key[k] >> bit & 1;
    }
    uint32_t before = over_threads(ones, &all);
    for (int k = 0; k < ITEMS; k++) {
      const int i = t * ITEMS + k;
      if (i >= count) break;
      const bool one = key[k] >> bit & 1;
      const int at = place(one ? count - int(all) + int(before) : i - int(before));
      s_key[at] = key[k], s_value[at] = value[k];
      before += one;
    }
    __syncthreads();
  }
  // the first element whose digit is d or larger, by halving
  for (int digit = t; digit <= 1 << bits; digit += THREADS) {
    int low = 0, high = count;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (int(s_key[place(middle)] >> shift & ((1u << bits) - 1)) < digit) low = middle + 1;
      else high = middle;
    }
    s_first[digit] = low;
  }
  __syncthreads();
  for (int digit = t; digit < 1 << bits; digit += THREADS) counts[digit * gridDim.x + blockIdx.x] = s_first[digit + 1] - s_first[digit];
  for (int i = t; i < count; i += THREADS) put(to, first + i, {s_key[place(i)], s_value[place(i)]});
}

__global__ void __launch_bounds__(THREADS) move_kernel(lists l, size_t n, int shift, int bits, const uint32_t *offsets, const differences *d) {
  __shared__ uint32_t s_first[256];
  if (!moves(d, shift, bits)) return;
  const size_t first = size_t(blockIdx.x) * TILE;
  const int count = int(n - first < TILE ? n - first : TILE);
  const uint32_t mask = (1u << bits) - 1;
  for (int i = threadIdx.x; i < count; i += THREADS) {
    const uint32_t digit = l.at[1].keys[first + i] >> shift & mask;
    if (i == 0 || (l.at[1].keys[first + i - 1] >> shift & mask) != digit) s_first[digit] = i;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += THREADS) {
    const item x = get(l.at[1], first + i);
    const uint32_t digit = x.key() >> shift & mask;
    put(l.at[0], offsets[digit * gridDim.x + blockIdx.x] + i - s_first[digit], x);
  }
}
#else
__global__ void __launch_bounds__(THREADS) tile_kernel(lists l, size_t n, int shift, int bits, uint32_t *counts, const differences *d) {
  __shared__ uint32_t s[256];
  if (!moves(d, shift, bits)) return;
  const list from = l.at[moves_before(d, shift, bits) % 2];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < ITEMS; k++) {
    const size_t i = size_t(blockIdx.x) * TILE + k * THREADS + threadIdx.x;
    if (i < n) atomicAdd_block(&s[get(from, i).key() >> shift & ((1u << bits) - 1)], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 1 << bits) counts[threadIdx.x * gridDim.x + blockIdx.x] = s[threadIdx.x];
}

__device__ __forceinline__ uint32_t lanes_with(uint32_t digit) {
  uint32_t lanes;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(lanes) : "r"(digit));
  return lanes;
}
__device__ __forceinline__ uint32_t lower_lanes() {
  uint32_t mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

__global__ void __launch_bounds__(THREADS) move_kernel(lists l, size_t n, int shift, int bits, const uint32_t *offsets, const differences *d) {
  __shared__ uint16_t s_count[WARPS][257]; // the last one is of lanes without an element
  __shared__ uint32_t s_start[WARPS][256];
  if (!moves(d, shift, bits)) return;
  const int side = moves_before(d, shift, bits) % 2;
  const list from = l.at[side], to = l.at[side ^ 1];
  const int t = threadIdx.x, warp = t / WARP, lane = t % WARP;
  const size_t first = size_t(blockIdx.x) * TILE + warp * SHARE + lane;
  item x[ITEMS];
  uint32_t digit[ITEMS], rank[ITEMS];
  for (int c = lane; c < 257; c += WARP) s_count[warp][c] = 0;
  __syncwarp();
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const size_t i = first + k * WARP;
    digit[k] = 256;
    if (i < n) {
      x[k] = get(from, i);
      digit[k] = x[k].key() >> shift & ((1u << bits) - 1);
    }
    const uint32_t peers = lanes_with(digit[k]);
    rank[k] = s_count[warp][digit[k]] + __popc(peers & lower_lanes());
    __syncwarp();
    if (lane == 31 - __clz(peers)) s_count[warp][digit[k]] = uint16_t(rank[k] + 1); // the highest peer has the last rank
    __syncwarp();
  }
  __syncthreads();
  if (t < 1 << bits) {
    uint32_t start = offsets[t * gridDim.x + blockIdx.x];
    for (int w = 0; w < WARPS; w++) {
      s_start[w][t] = start;
      start += s_count[w][t];
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < ITEMS; k++)
    if (digit[k] < 256) put(to, s_start[warp][digit[k]] + rank[k], x[k]);
}
#endif

// The sort --------------------------------------------------------------------------------------------------

__global__ void __launch_bounds__(THREADS)
    begin_kernel(const uint32_t *keys, const uint32_t *values, list to, size_t n, int row, differences *d) {
  uint32_t any = 0, all = ~0u;
  for (size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x; i < n; i += size_t(gridDim.x) * THREADS) {
    const uint32_t code = keys[i] ^ turned[0][row][keys[i] >> 31];
#ifdef PACKED
    put(to, i, {(unsigned long long)code << 32 | (values ? values[i] : 0u)});
#else
    put(to, i, {code, values ? values[i] : 0u});
#endif
    any |= code, all &= code;
  }
#ifdef SKIP
  const auto warp = cg::tiled_partition<WARP>(cg::this_thread_block());
  any = cg::reduce(warp, any, cg::bit_or<uint32_t>());
  all = cg::reduce(warp, all, cg::bit_and<uint32_t>());
  if (warp.thread_rank() == 0) {
    atomicOr(&d->all_or, any);
    atomicAnd(&d->all_and, all);
  }
#endif
}

// The keys' bits again; values from where they are.
__global__ void __launch_bounds__(THREADS)
    end_kernel(lists l, uint32_t *keys, uint32_t *values, size_t n, int row, int bits, const differences *d) {
#ifdef RANK_LOCAL
  const list from = l.at[bits == 1 ? moves_before(d, 32, 1) % 2 : 0];
#else
  const list from = l.at[moves_before(d, 32, bits) % 2];
#endif
  const size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x;
  if (i >= n) return;
  const item x = get(from, i);
  keys[i] = x.key() ^ turned[1][row][x.key() >> 31];
#ifdef PACKED
  if (values) values[i] = uint32_t(x.word);
#else
  if (values && from.values != values) values[i] = x.value;
#endif
}

static cudaError_t sort_in(const lab06_args *a, lists l, uint32_t *index, board *b, differences *d, cudaStream_t stream) {
  const size_t n = a->n, words = a->bits == 1 ? n : size_t(tiles_of(n)) << a->bits;
  const unsigned blocks = unsigned((n + THREADS - 1) / THREADS);
  SL_CUDA(cudaMemsetAsync(&d->all_or, 0, sizeof d->all_or, stream));
  SL_CUDA(cudaMemsetAsync(&d->all_and, 0xff, sizeof d->all_and, stream));
  begin_kernel<<<tiles_of(n), THREADS, 0, stream>>>((const uint32_t *)a->keys_in, a->values_in, l.at[0], n, row_of(a->type), d);
  for (int shift = 0; shift < 32; shift += a->bits) {
    if (a->bits == 1) {
      SL_CUDA(scan(nullptr, index, words, l, shift, 1, d, b, stream));
      split_kernel<<<blocks, THREADS, 0, stream>>>(l, index, n, shift, d);
    } else {
      tile_kernel<<<tiles_of(n), THREADS, 0, stream>>>(l, n, shift, a->bits, index, d);
      SL_CUDA(scan(index, index, words, l, shift, a->bits, d, b, stream));
      move_kernel<<<tiles_of(n), THREADS, 0, stream>>>(l, n, shift, a->bits, index, d);
    }
    SL_CUDA(cudaGetLastError());
  }
  end_kernel<<<blocks, THREADS, 0, stream>>>(l, (uint32_t *)a->keys_out, a->values_out, n, row_of(a->type), a->bits, d);
  return cudaGetLastError();
}

// Parts of one allocation, each at a multiple of 256 bytes.
struct parts {
  size_t used = 0;
  size_t take(size_t bytes) {
    const size_t at = used;
    used += (bytes + 255) & ~size_t(255);
    return at;
  }
};

extern "C" cudaError_t lab06_sort(const lab06_args *a) {
  if (a->n == 0) return cudaSuccess;
  const size_t n = a->n, words = a->bits == 1 ? n : size_t(tiles_of(n)) << a->bits;
  parts p;
  const size_t index = p.take(4 * words), on = p.take(board_bytes(words)), d = p.take(sizeof(differences));
  const size_t first = p.take(8 * n), second = p.take(8 * n);
  char *memory;
  SL_CUDA(cudaMalloc((void **)&memory, p.used));
  lists l = {};
#ifdef PACKED
  for (int k = 0; k < 2; k++) {
    if (a->values_in) l.at[k].both = (unsigned long long *)(memory + (k ? second : first));
    else l.at[k].keys = k ? (uint32_t *)(memory + second) : (uint32_t *)a->keys_out;
  }
#else
  l.at[0] = {a->values_out, (uint32_t *)a->keys_out};
  l.at[1] = {a->values_in ? (uint32_t *)(memory + second) + n : nullptr, (uint32_t *)(memory + second)};
#endif
#ifdef LAUNCH_GRAPH
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  SL_CUDA(cudaStreamCreate(&stream));
  SL_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const cudaError_t error = sort_in(a, l, (uint32_t *)(memory + index), (board *)(memory + on), (differences *)(memory + d), stream);
  SL_CUDA(cudaStreamEndCapture(stream, &graph));
  SL_CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  SL_CUDA(cudaGraphUpload(exec, stream));
  SL_CUDA(cudaGraphLaunch(exec, stream));
  SL_CUDA(cudaStreamSynchronize(stream));
  SL_CUDA(cudaGraphExecDestroy(exec));
  SL_CUDA(cudaGraphDestroy(graph));
  SL_CUDA(cudaStreamDestroy(stream));
#else
  const cudaError_t error = sort_in(a, l, (uint32_t *)(memory + index), (board *)(memory + on), (differences *)(memory + d), 0);
#endif
  const cudaError_t freed = cudaFree(memory);
  return error != cudaSuccess ? error : freed;
}
