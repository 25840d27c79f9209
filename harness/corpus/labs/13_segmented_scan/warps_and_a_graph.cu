// Right, in another style: a thread has eight elements in a row, warps scan pairs by shuffles, three
// kernels in a graph that is captured at each call; carries in one pass of one block of 1024 threads.
#include "scanlab/lab.h"

namespace {
enum { T = 128, EACH = 8, TILE = T * EACH };
struct pair {
  int32_t sum;
  uint32_t head;
};
__device__ __forceinline__ pair operator+(pair a, pair b) {
  return {b.head ? b.sum : a.sum + b.sum, a.head | b.head};
}
__device__ __forceinline__ pair shifted(pair p, int by) {
  return {__shfl_up_sync(0xffffffff, p.sum, by), __shfl_up_sync(0xffffffff, p.head, by)};
}

// Exclusive over the threads of the block; *all: of the block.
template <int THREADS> __device__ pair over_block(pair x, pair *all) {
  __shared__ pair s[THREADS / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  pair upto = x;
#pragma unroll
  for (int by = 1; by < 32; by <<= 1) {
    const pair left = shifted(upto, by);
    upto = lane < by ? upto : left + upto;
  }
  __syncthreads(); // s may still be read from the round before
  if (lane == 31) s[warp] = upto;
  __syncthreads();
  pair before = {0, 0}, sum = {0, 0};
  for (int w = 0; w < THREADS / 32; w++) {
    if (w == warp) before = sum;
    sum = sum + s[w];
  }
  *all = sum;
  const pair left = shifted(upto, 1);
  return lane ? before + left : before;
}

template <bool LAST>
__global__ void tiles(const uint32_t *heads, const int32_t *in, int32_t *out, pair *of_tile, size_t n) {
  __shared__ pair s[TILE + TILE / 32];
  const size_t first = (size_t)blockIdx.x * TILE;
  for (int k = threadIdx.x; k < TILE; k += T)
    s[k + k / 32] = first + k < n ? pair{in[first + k], heads[first + k]} : pair{0, 0};
  __syncthreads();
  pair mine[EACH], sum = {0, 0}, all;
  for (int k = 0; k < EACH; k++) {
    const int at = threadIdx.x * EACH + k;
    sum = mine[k] = sum + s[at + at / 32];
  }
  pair before = over_block<T>(sum, &all);
  if (!LAST) {
    if (threadIdx.x == 0) of_tile[blockIdx.x] = all;
    return;
  }
  before = of_tile[blockIdx.x] + before;
  for (int k = 0; k < EACH; k++) {
    const int at = threadIdx.x * EACH + k;
    s[at + at / 32] = before + mine[k];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < TILE; k += T)
    if (first + k < n) out[first + k] = s[k + k / 32].sum;
}

__global__ void carries(pair *of_tile, unsigned n) {
  pair before = {0, 0}, all;
  for (unsigned first = 0; first < n; first += 1024) {
    const unsigned i = first + threadIdx.x;
    const pair own = i < n ? of_tile[i] : pair{0, 0}, left = over_block<1024>(own, &all);
    if (i < n) of_tile[i] = before + left;
    before = before + all;
  }
}
} // namespace

extern "C" cudaError_t lab13_segmented_scan(const uint32_t *d_heads, const int32_t *d_in, int32_t *d_out,
                                            size_t n) {
  if (n == 0) return cudaSuccess;
  const unsigned blocks = unsigned((n + TILE - 1) / TILE);
  pair *of_tile = nullptr;
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  SL_CUDA(cudaMalloc((void **)&of_tile, blocks * sizeof(pair)));
  SL_CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  SL_CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  tiles<false><<<blocks, T, 0, s>>>(d_heads, d_in, d_out, of_tile, n);
  carries<<<1, 1024, 0, s>>>(of_tile, blocks);
  tiles<true><<<blocks, T, 0, s>>>(d_heads, d_in, d_out, of_tile, n);
  SL_CUDA(cudaStreamEndCapture(s, &graph));
  SL_CUDA(cudaGraphInstantiate(&ready, graph, 0));
  cudaError_t e = cudaGraphLaunch(ready, s);
  if (!e) e = cudaStreamSynchronize(s);
  cudaGraphExecDestroy(ready), cudaGraphDestroy(graph), cudaStreamDestroy(s), cudaFree(of_tile);
  return e;
}
