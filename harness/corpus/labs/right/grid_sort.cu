// Lab 06 with cooperative groups: lanes with the same digit are a labeled partition, blocks scan by tiles of
// threads.
//
// WHOLE: one cooperative launch sorts; the grid waits for itself between the steps of a pass. STEPS: a launch
// a step, with its width known when it is compiled. WARP_TILES: each warp of the scan draws tiles of its own.
//
// right 06 grid_sort: WHOLE
// right 06 labeled_partitions: STEPS
// right 06 warps_draw_tiles: STEPS WARP_TILES
#include "scanlab/lab.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;

constexpr unsigned kThreads = 256, kWarp = 32, kWarps = kThreads / kWarp, kRounds = 8, kTile = kThreads * kRounds;
using Device = cuda::atomic<uint32_t, cuda::thread_scope_device>;

template <class T> __host__ __device__ constexpr T divide_up(T a, T b) { return (a + b - 1) / b; }

// ---- Scan: one launch, tiles in the order of their tickets ------------------------------------------------

// A tile's own sum, the sum up to its end, and which of the two are there.
struct Progress {
  uint32_t own, whole;
  Device there;
};
struct Board {
  Device ticket;
  Progress tile[1];
  static size_t bytes(size_t tiles) { return sizeof(Board) + tiles * sizeof(Progress); }
};

__device__ uint32_t wait_for_predecessors(Board *board, uint32_t tile, uint32_t own) {
  Progress &mine = board->tile[tile];
  uint32_t before = 0;
  if (tile > 0) {
    mine.own = own;
    mine.there.store(1, cuda::memory_order_release);
    for (uint32_t k = tile; k-- > 0;) {
      Progress &other = board->tile[k];
      uint32_t there;
      while ((there = other.there.load(cuda::memory_order_acquire)) == 0) __nanosleep(20);
      before += there == 2 ? other.whole : other.own;
      if (there == 2) break;
    }
  }
  mine.whole = before + own;
  mine.there.store(2, cuda::memory_order_release);
  return before;
}

#ifdef WARP_TILES // a warp, 1024 elements at a time: 32 registers a lane, no shared memory
constexpr unsigned kScanTile = 1024;
__global__ void __launch_bounds__(kThreads) scan_kernel(const uint32_t *in, uint32_t *out, size_t n, uint32_t tiles, Board *board, int shift, uint32_t mask) {
  auto warp = cg::tiled_partition<kWarp>(cg::this_thread_block());
  for (;;) {
    uint32_t tile = 0;
    if (warp.thread_rank() == 0) tile = board->ticket.fetch_add(1, cuda::memory_order_relaxed);
    tile = warp.shfl(tile, 0);
    if (tile >= tiles) return;
    const size_t first = size_t(tile) * kScanTile + warp.thread_rank();
    uint32_t prefix[32], running = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) {
      const size_t i = first + k * kWarp;
      const uint32_t x = i < n ? (in[i] >> shift) & mask : 0, upto = cg::inclusive_scan(warp, x);
      prefix[k] = running + upto - x;
      running += warp.shfl(upto, kWarp - 1);
    }
    uint32_t before = 0;
    if (warp.thread_rank() == 0) before = wait_for_predecessors(board, tile, running);
    before = warp.shfl(before, 0);
#pragma unroll
    for (int k = 0; k < 32; k++)
      if (first + k * kWarp < n) out[first + k * kWarp] = before + prefix[k];
  }
}
#else
constexpr unsigned kScanTile = kTile;
__global__ void __launch_bounds__(kThreads) scan_kernel(const uint32_t *in, uint32_t *out, size_t n, uint32_t, Board *board, int shift, uint32_t mask) {
  __shared__ uint32_t sums[kRounds][kWarps], drawn, start;
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<kWarp>(block);
  if (block.thread_rank() == 0) drawn = board->ticket.fetch_add(1);
  block.sync();
  const size_t first = size_t(drawn) * kTile + block.thread_rank();
  uint32_t prefix[kRounds];
#pragma unroll
  for (unsigned k = 0; k < kRounds; k++) { // round k: 256 neighbours, each thread one
    const size_t i = first + k * kThreads;
    const uint32_t x = i < n ? (in[i] >> shift) & mask : 0;
    prefix[k] = cg::exclusive_scan(warp, x, cg::plus<uint32_t>());
    if (warp.thread_rank() == kWarp - 1) sums[k][warp.meta_group_rank()] = prefix[k] + x;
  }
  block.sync();
  static_assert(kRounds * kWarps == 64, "a warp scans two sums a lane");
  if (warp.meta_group_rank() == 0) {
    uint32_t *flat = &sums[0][0], l = warp.thread_rank(), a = flat[2 * l], b = flat[2 * l + 1];
    const uint32_t left = cg::exclusive_scan(warp, a + b, cg::plus<uint32_t>());
    flat[2 * l] = left, flat[2 * l + 1] = left + a;
    if (l == kWarp - 1) start = wait_for_predecessors(board, drawn, left + a + b);
  }
  block.sync();
#pragma unroll
  for (unsigned k = 0; k < kRounds; k++)
    if (first + k * kThreads < n) out[first + k * kThreads] = start + sums[k][warp.meta_group_rank()] + prefix[k];
}
#endif

static cudaError_t scan(const uint32_t *in, uint32_t *out, size_t n, Board *board, int shift = 0, uint32_t mask = ~0u) {
  const uint32_t tiles = uint32_t(divide_up<size_t>(n, kScanTile));
  SL_CUDA(cudaMemsetAsync(board, 0, Board::bytes(tiles), cudaStreamPerThread));
#ifdef WARP_TILES
  const uint32_t blocks = divide_up(tiles, kWarps) < 320 ? divide_up(tiles, kWarps) : 320;
#else
  const uint32_t blocks = tiles;
#endif
  scan_kernel<<<blocks, kThreads, 0, cudaStreamPerThread>>>(in, out, n, tiles, board, shift, mask);
  return cudaGetLastError();
}

template <class T> static cudaError_t get(T **p, size_t bytes) {
  return cudaMallocAsync((void **)p, bytes, cudaStreamPerThread);
}

extern "C" cudaError_t lab06_single_pass_scan(const uint32_t *d_in, uint32_t *d_out, size_t n) {
  if (n == 0) return cudaSuccess;
  Board *board;
  SL_CUDA(get(&board, Board::bytes(divide_up<size_t>(n, kScanTile))));
  const cudaError_t e = scan(d_in, d_out, n, board), f = cudaFreeAsync(board, cudaStreamPerThread);
  return e != cudaSuccess ? e : f;
}

// ---- Sort -------------------------------------------------------------------------------------------------

struct Arrays {
  uint32_t *key[2], *value[2]; // value: null if there are none; a pass moves from one index to the other
  const uint32_t *key_in, *value_in;
  uint32_t *index;
  size_t n;
  sl_type type;
};

__device__ uint32_t flip(uint32_t x, sl_type type, bool negative) {
  return type == SL_U32 ? x : type == SL_F32 && negative ? ~x : x ^ 1u << 31;
}
__device__ uint32_t to_code(uint32_t x, sl_type type) { return flip(x, type, x >> 31); }
__device__ uint32_t to_key(uint32_t x, sl_type type) { return flip(x, type, !(x >> 31)); }

// Tile b of `tiles`: its digits, counted, into column b of the table.
template <int BITS> __device__ void count_tile(const Arrays &a, int side, int shift, unsigned b, unsigned tiles) {
  __shared__ uint32_t s_digits[1 << BITS];
  auto block = cg::this_thread_block();
  for (unsigned d = block.thread_rank(); d < 1 << BITS; d += kThreads) s_digits[d] = 0;
  block.sync();
  for (unsigned k = 0; k < kRounds; k++) {
    const size_t i = size_t(b) * kTile + k * kThreads + block.thread_rank();
    if (i < a.n) atomicAdd_block(&s_digits[a.key[side][i] >> shift & ((1 << BITS) - 1)], 1u);
  }
  block.sync();
  for (unsigned d = block.thread_rank(); d < 1 << BITS; d += kThreads) a.index[size_t(d) * tiles + b] = s_digits[d];
  block.sync();
}

template <int BITS> __device__ void move_tile(const Arrays &a, int side, int shift, unsigned b, unsigned tiles) {
  __shared__ uint32_t s_next[kWarps][1 << BITS];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<kWarp>(block);
  uint32_t *mine = s_next[warp.meta_group_rank()];
  for (unsigned d = warp.thread_rank(); d < 1 << BITS; d += kWarp) mine[d] = 0;
  warp.sync();
  const size_t first = size_t(b) * kTile + warp.meta_group_rank() * kWarp * kRounds + warp.thread_rank();
  uint32_t key[kRounds], rank[kRounds];
#pragma unroll
  for (unsigned k = 0; k < kRounds; k++) {
    const size_t i = first + k * kWarp;
    const bool there = i < a.n;
    key[k] = there ? a.key[side][i] : 0;
    const int digit = key[k] >> shift & ((1 << BITS) - 1);
    auto same = cg::labeled_partition(warp, there ? digit : 1 << BITS); // its ranks go by lane
    uint32_t before = 0;
    if (there && same.thread_rank() == 0) before = mine[digit], mine[digit] = before + same.size();
    rank[k] = same.shfl(before, 0) + same.thread_rank();
    warp.sync();
  }
  block.sync();
  for (unsigned d = block.thread_rank(); d < 1 << BITS; d += kThreads) {
    uint32_t place = a.index[size_t(d) * tiles + b];
    for (unsigned w = 0; w < kWarps; w++) {
      const uint32_t c = s_next[w][d];
      s_next[w][d] = place, place += c;
    }
  }
  block.sync();
#pragma unroll
  for (unsigned k = 0; k < kRounds; k++) {
    const size_t i = first + k * kWarp;
    if (i >= a.n) continue;
    const uint32_t to = mine[key[k] >> shift & ((1 << BITS) - 1)] + rank[k];
    a.key[!side][to] = key[k];
    if (a.value[0]) a.value[!side][to] = a.value[side][i];
  }
  block.sync();
}

__device__ void split_element(const Arrays &a, int side, int shift, size_t i) {
  const uint32_t last = a.key[side][a.n - 1] >> shift & 1, zeros = uint32_t(a.n) - a.index[a.n - 1] - last;
  const uint32_t key = a.key[side][i], ones = a.index[i], to = key >> shift & 1 ? zeros + ones : uint32_t(i) - ones;
  a.key[!side][to] = key;
  if (a.value[0]) a.value[!side][to] = a.value[side][i];
}

#ifdef WHOLE
// Exclusive sum of a list by the whole grid, in place or not: each block has a run of tiles, block 0 the
// blocks' sums.
__device__ void scan_by_grid(const cg::grid_group &grid, const uint32_t *in, uint32_t *out, size_t n, int shift, uint32_t mask, uint32_t *sums) {
  __shared__ uint32_t s_warp[kWarps], s_run;
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<kWarp>(block);
  const size_t share = divide_up<size_t>(divide_up<size_t>(n, kThreads), gridDim.x) * kThreads;
  const size_t begin = blockIdx.x * share, end = begin + share < n ? begin + share : n;
  for (int writes = 0; writes < 2; writes++) {
    uint32_t run = writes ? sums[blockIdx.x] : 0;
    for (size_t at = begin; at < end; at += kThreads) {
      const size_t i = at + block.thread_rank();
      const uint32_t x = i < end ? in[i] >> shift & mask : 0, upto = cg::inclusive_scan(warp, x);
      if (warp.thread_rank() == kWarp - 1) s_warp[warp.meta_group_rank()] = upto;
      block.sync();
      uint32_t left = 0, all = 0;
      for (unsigned w = 0; w < kWarps; w++) left += w < warp.meta_group_rank() ? s_warp[w] : 0, all += s_warp[w];
      if (writes && i < end) out[i] = run + left + upto - x;
      run += all;
      block.sync();
    }
    if (writes) return;
    if (block.thread_rank() == 0) sums[blockIdx.x] = run;
    grid.sync();
    if (blockIdx.x == 0) {
      if (block.thread_rank() == 0) s_run = 0;
      block.sync();
      if (warp.meta_group_rank() == 0)
        for (unsigned at = 0; at < gridDim.x; at += kWarp) {
          const unsigned k = at + warp.thread_rank();
          const uint32_t x = k < gridDim.x ? sums[k] : 0, upto = cg::inclusive_scan(warp, x), now = s_run;
          if (k < gridDim.x) sums[k] = now + upto - x;
          warp.sync();
          if (warp.thread_rank() == kWarp - 1) s_run = now + upto;
          warp.sync();
        }
    }
    grid.sync();
  }
}

template <int BITS> __global__ void __launch_bounds__(kThreads) sort_kernel(Arrays a, uint32_t *sums) {
  auto grid = cg::this_grid();
  const size_t all = grid.size(), me = grid.thread_rank();
  const unsigned tiles = unsigned(divide_up<size_t>(a.n, kTile));
  int side = divide_up(32, BITS) % 2 ? 1 : 0; // the output is side 0
  for (size_t i = me; i < a.n; i += all) {
    a.key[side][i] = to_code(a.key_in[i], a.type);
    if (a.value[0]) a.value[side][i] = a.value_in[i];
  }
  for (int shift = 0; shift < 32; shift += BITS, side = !side) {
    grid.sync();
    if (BITS == 1) {
      scan_by_grid(grid, a.key[side], a.index, a.n, shift, 1, sums);
      grid.sync();
      for (size_t i = me; i < a.n; i += all) split_element(a, side, shift, i);
      continue;
    }
    for (unsigned b = blockIdx.x; b < tiles; b += gridDim.x) count_tile<BITS>(a, side, shift, b, tiles);
    grid.sync();
    scan_by_grid(grid, a.index, a.index, size_t(tiles) << BITS, 0, ~0u, sums);
    grid.sync();
    for (unsigned b = blockIdx.x; b < tiles; b += gridDim.x) move_tile<BITS>(a, side, shift, b, tiles);
  }
  grid.sync();
  for (size_t i = me; i < a.n; i += all) a.key[0][i] = to_key(a.key[0][i], a.type);
}

template <int BITS> static cudaError_t sort_by(Arrays a, Board *board) {
  int device, processors, each;
  SL_CUDA(cudaGetDevice(&device));
  SL_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  SL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, sort_kernel<BITS>, kThreads, 0));
  const unsigned room = unsigned(processors * each), want = unsigned(divide_up<size_t>(a.n, kTile));
  uint32_t *sums = (uint32_t *)board;
  void *args[] = {&a, &sums};
  return cudaLaunchCooperativeKernel((void *)sort_kernel<BITS>, dim3(want < room ? want : room), dim3(kThreads), args, 0, cudaStreamPerThread);
}
static size_t board_bytes(size_t) { return 1 << 16; } // a word a block of a grid that is resident at a time
#else
template <int BITS> __global__ void count_kernel(Arrays a, int side, int shift) { count_tile<BITS>(a, side, shift, blockIdx.x, gridDim.x); }
template <int BITS> __global__ void move_kernel(Arrays a, int side, int shift) { move_tile<BITS>(a, side, shift, blockIdx.x, gridDim.x); }
__global__ void split_kernel(Arrays a, int side, int shift) {
  const size_t i = size_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < a.n) split_element(a, side, shift, i);
}
__global__ void begin_kernel(Arrays a, int side) {
  const size_t i = size_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= a.n) return;
  a.key[side][i] = to_code(a.key_in[i], a.type);
  if (a.value[0]) a.value[side][i] = a.value_in[i];
}
__global__ void end_kernel(Arrays a) {
  const size_t i = size_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < a.n) a.key[0][i] = to_key(a.key[0][i], a.type);
}

template <int BITS> static cudaError_t sort_by(Arrays a, Board *board) {
  const cudaStream_t s = cudaStreamPerThread;
  const unsigned blocks = unsigned(divide_up<size_t>(a.n, kThreads)), tiles = unsigned(divide_up<size_t>(a.n, kTile));
  int side = divide_up(32, BITS) % 2;
  begin_kernel<<<blocks, kThreads, 0, s>>>(a, side);
  for (int shift = 0; shift < 32; shift += BITS, side ^= 1) {
    if (BITS == 1) {
      SL_CUDA(scan(a.key[side], a.index, a.n, board, shift, 1));
      split_kernel<<<blocks, kThreads, 0, s>>>(a, side, shift);
      continue;
    }
    count_kernel<BITS><<<tiles, kThreads, 0, s>>>(a, side, shift);
    SL_CUDA(scan(a.index, a.index, size_t(tiles) << BITS, board));
    move_kernel<BITS><<<tiles, kThreads, 0, s>>>(a, side, shift);
  }
  end_kernel<<<blocks, kThreads, 0, s>>>(a);
  return cudaGetLastError();
}
static size_t board_bytes(size_t words) { return Board::bytes(divide_up<size_t>(words, kScanTile)); }
#endif

static cudaError_t sort_by_width(int bits, const Arrays &a, Board *board) {
  switch (bits) {
  case 1: return sort_by<1>(a, board);
  case 2: return sort_by<2>(a, board);
  case 3: return sort_by<3>(a, board);
  case 4: return sort_by<4>(a, board);
  case 5: return sort_by<5>(a, board);
  case 6: return sort_by<6>(a, board);
  case 7: return sort_by<7>(a, board);
  case 8: return sort_by<8>(a, board);
  }
  return cudaErrorInvalidValue;
}

extern "C" cudaError_t lab06_sort(const lab06_args *args) {
  const size_t n = args->n, words = args->bits == 1 ? n : divide_up<size_t>(n, kTile) << args->bits;
  if (n == 0) return cudaSuccess;
  uint32_t *spare;
  Board *board;
  SL_CUDA(get(&spare, (2 * n + words) * sizeof(uint32_t)));
  SL_CUDA(get(&board, board_bytes(words)));
  Arrays a = {{(uint32_t *)args->keys_out, spare}, {nullptr, nullptr}, (const uint32_t *)args->keys_in, args->values_in, spare + 2 * n, n, args->type};
  if (args->values_in) a.value[0] = args->values_out, a.value[1] = spare + n;
  const cudaError_t e = sort_by_width(args->bits, a, board);
  SL_CUDA(cudaFreeAsync(board, cudaStreamPerThread));
  SL_CUDA(cudaFreeAsync(spare, cudaStreamPerThread));
  return e;
}
