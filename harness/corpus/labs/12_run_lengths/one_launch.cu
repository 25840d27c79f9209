// Right, in another style: one launch. What is known of a stretch is one word: how many runs begin in it,
// and where the last of them does. Tiles look back over such words by inline PTX; a head writes its value,
// and the length of the run before.
#include "scanlab/lab.h"

namespace {
constexpr unsigned THREADS = 512, WARPS = THREADS / 32;
typedef unsigned long long word; // 2 bits of state, 31 of runs, 31 of the last head's place + 1 (0: none)

__device__ word make(uint32_t runs, uint32_t last) { return (word)runs << 31 | last; }
__device__ uint32_t runs_of(word w) { return uint32_t(w >> 31) & 0x7fffffffu; }
__device__ uint32_t last_of(word w) { return uint32_t(w) & 0x7fffffffu; }
__device__ word join(word a, word b) {
  return make(runs_of(a) + runs_of(b), last_of(b) ? last_of(b) : last_of(a));
}
__device__ word acquire(const word *p) {
  word w;
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(w) : "l"(p) : "memory");
  return w;
}
__device__ void release(word *p, word w) {
  asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(w) : "memory");
}

__global__ void __launch_bounds__(THREADS)
    encode(const int32_t *__restrict__ in, int32_t *values, uint32_t *lengths, uint32_t *count, size_t n,
           word *state, unsigned *ticket) {
  __shared__ word s[WARPS], s_before;
  __shared__ unsigned s_tile;
  if (!threadIdx.x) s_tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned tile = s_tile, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const size_t i = (size_t)tile * THREADS + threadIdx.x;
  const bool there = i < n, head = there && (i == 0 || in[i] != in[i - 1]);
  word own = head ? make(1, uint32_t(i) + 1) : 0, upto = own;
#pragma unroll
  for (int o = 1; o < 32; o *= 2) {
    const word left = __shfl_up_sync(~0u, upto, o);
    if (lane >= o) upto = join(left, upto);
  }
  if (lane == 31) s[warp] = upto;
  __syncthreads();
  if (warp == 0) {
    word w = lane < WARPS ? s[lane] : 0;
    for (int o = 1; o < WARPS; o *= 2) {
      const word left = __shfl_up_sync(~0u, w, o);
      if (lane >= o) w = join(left, w);
    }
    if (lane < WARPS) s[lane] = w;
    if (lane == WARPS - 1) {
      release(&state[tile], (tile ? 1ull : 2ull) << 62 | w);
      word before = 0;
      for (int k = (int)tile - 1; k >= 0; k--) {
        word other;
        while (!((other = acquire(&state[k])) >> 62)) {
        }
        before = join(other, before);
        if (other >> 63) break;
      }
      before &= ~(3ull << 62);
      if (tile) release(&state[tile], 2ull << 62 | join(before, w));
      s_before = before;
    }
  }
  __syncthreads();
  const word left_of_warp = warp ? join(s_before, s[warp - 1]) : s_before;
  word left = __shfl_up_sync(~0u, upto, 1);
  left = lane ? join(left_of_warp, left) : left_of_warp;
  if (head) {
    const uint32_t run = runs_of(left);
    values[run] = in[i];
    if (run) lengths[run - 1] = uint32_t(i) - (last_of(left) - 1);
  }
  if (there && i == n - 1) {
    const word all = join(left, own);
    lengths[runs_of(all) - 1] = uint32_t(n) - (last_of(all) - 1);
    *count = runs_of(all);
  }
}
} // namespace

extern "C" cudaError_t lab12_run_lengths(const int32_t *d_in, int32_t *d_values, uint32_t *d_lengths,
                                         uint32_t *d_count, size_t n) {
  if (n == 0) return cudaSuccess;
  const unsigned tiles = unsigned((n + THREADS - 1) / THREADS);
  word *state = nullptr;
  SL_CUDA(cudaMalloc(&state, (tiles + 1) * sizeof *state));
  SL_CUDA(cudaMemset(state, 0, (tiles + 1) * sizeof *state));
  encode<<<tiles, THREADS>>>(d_in, d_values, d_lengths, d_count, n, state,
                             reinterpret_cast<unsigned *>(state + tiles));
  const cudaError_t e = cudaGetLastError();
  cudaFree(state);
  return e;
}
