// Right, in another style: one launch. A tile draws a ticket, counts by ballots, looks back a warp at a
// time over words that hold state and count, and moves what it keeps; vectors of four with a tail, pooled
// memory.
#include "scanlab/lab.h"
#include <cuda/atomic>

namespace {
constexpr int THREADS = 256, WARPS = THREADS / 32, TILE = 4 * THREADS;
typedef unsigned long long word;
constexpr word TOTAL = 1ull << 62, PREFIX = 1ull << 63, COUNT = (1ull << 62) - 1;
using ref = cuda::atomic_ref<word, cuda::thread_scope_device>;

__device__ uint32_t look_back(word *state, unsigned tile, uint32_t own) { // a whole warp calls it
  const unsigned lane = threadIdx.x;
  if (tile == 0) {
    if (lane == 0) ref(state[0]).store(PREFIX | own, cuda::memory_order_release);
    return 0;
  }
  if (lane == 0) ref(state[tile]).store(TOTAL | own, cuda::memory_order_release);
  uint32_t before = 0;
  for (int last = (int)tile - 1;; last -= 32) {
    const int k = last - (int)lane;
    word w = PREFIX; // in front of the first tile stands nothing
    if (k >= 0)
      while ((w = ref(state[k]).load(cuda::memory_order_acquire)) < TOTAL) __nanosleep(20);
    const unsigned done = __ballot_sync(~0u, w >= PREFIX);
    const unsigned upto = done ? __ffs(done) - 1 : 31;
    uint32_t part = lane <= upto ? uint32_t(w & COUNT) : 0;
    for (int o = 16; o; o /= 2) part += __shfl_xor_sync(~0u, part, o);
    before += part;
    if (done) break;
  }
  if (lane == 0) ref(state[tile]).store(PREFIX | (before + own), cuda::memory_order_release);
  return before;
}

__global__ void compact(const int32_t *in, int32_t *out, uint32_t *count, size_t n, word *state) {
  __shared__ uint32_t of_warp[WARPS];
  __shared__ unsigned tile;
  __shared__ uint32_t before;
  if (threadIdx.x == 0) tile = (unsigned)ref(state[0]).fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  const size_t first = (size_t)tile * TILE + 4 * threadIdx.x;
  int32_t x[4] = {0, 0, 0, 0};
  if (first + 4 <= n) {
    const int4 v = *reinterpret_cast<const int4 *>(in + first);
    x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
  } else {
    for (int k = 0; k < 4 && first + k < n; k++) x[k] = in[first + k];
  }
  const unsigned lane = threadIdx.x % 32, below = (1u << lane) - 1;
  uint32_t kept = 0, mine = 0;
  for (int k = 0; k < 4; k++) {
    const unsigned b = __ballot_sync(~0u, x[k] != 0);
    kept += __popc(b), mine += __popc(b & below);
  }
  if (lane == 0) of_warp[threadIdx.x / 32] = kept;
  __syncthreads();
  uint32_t place = mine, all = 0;
  for (unsigned w = 0; w < WARPS; w++) {
    if (w < threadIdx.x / 32) place += of_warp[w];
    all += of_warp[w];
  }
  if (threadIdx.x < 32) {
    const uint32_t b = look_back(state + 1, tile, all);
    if (threadIdx.x == 0) before = b;
  }
  __syncthreads();
  place += before;
  for (int k = 0; k < 4; k++)
    if (x[k]) out[place++] = x[k];
  if (tile == gridDim.x - 1 && threadIdx.x == 0) *count = before + all;
}
} // namespace

extern "C" cudaError_t lab11_compaction(const int32_t *d_in, int32_t *d_out, uint32_t *d_count, size_t n) {
  if (n == 0) return cudaSuccess;
  const unsigned tiles = unsigned((n + TILE - 1) / TILE);
  word *state;
  SL_CUDA(cudaMallocAsync((void **)&state, (tiles + 1) * sizeof *state, 0));
  cudaMemsetAsync(state, 0, (tiles + 1) * sizeof *state, 0);
  compact<<<tiles, THREADS>>>(d_in, d_out, d_count, n, state);
  const cudaError_t e = cudaGetLastError(), f = cudaFreeAsync(state, 0);
  return e ? e : f;
}
