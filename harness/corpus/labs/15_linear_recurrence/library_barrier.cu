// Right, in another style: the threads of a block wait for each other at a cuda::barrier.
#include "scanlab/lab.h"
#include <cuda/barrier>
typedef cuda::barrier<cuda::thread_scope_block> barrier_t;
__device__ barrier_t &the_barrier() {
  __shared__ barrier_t bar;
  return bar;
}
#define BARRIER() the_barrier().arrive_and_wait()

const int BLOCK = 256; // threads of a block, one element each

// One step of the recurrence, or several in a row: y becomes a * y + b.
struct map {
  uint32_t a, b;
};

/* Kernel:   totals_kernel — the map of each whole tile: d_totals[tile]
 * Launch:   grid = tiles, block = BLOCK     Shared: s[BLOCK], maps
 * Kernel:   carries_kernel — d_totals becomes what stands before each tile, by one block
 * Kernel:   scan_kernel — every element: what stands before its tile, then the elements of the tile up to it */

// First `f`, then `g`.
__device__ map then(map f, map g) {
  map both = g;

  both.a = f.a * g.a;
  both.b = f.b * g.a + g.b;

  return both;
}

// The map of the block's elements up to this thread's own, `own`. All threads of the block call it.
__device__ map scan_block(map own, map *s) {
  const int t = threadIdx.x;

  s[t] = own;
  BARRIER();
  for (int offset = 1; offset < BLOCK; offset *= 2) {
    map upto = s[t];
    if (t >= offset) upto = then(s[t - offset], upto);
    BARRIER();
    s[t] = upto;
    BARRIER();
  }

  return s[t];
}

// Element i as a map; behind the end the map that changes nothing.
__device__ map element(const uint32_t *d_a, const uint32_t *d_b, size_t i, size_t n) {
  map own = {1, 0};
  if (i < n) own.a = d_a[i], own.b = d_b[i];
  return own;
}

__global__ void totals_kernel(const uint32_t *d_a, const uint32_t *d_b, map *d_totals, size_t n) {
  if (threadIdx.x == 0 && threadIdx.y == 0) init(&the_barrier(), blockDim.x * blockDim.y);
  __syncthreads();
  __shared__ map s[BLOCK];
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;

  map upto = scan_block(element(d_a, d_b, i, n), s);
  if (threadIdx.x == BLOCK - 1) d_totals[blockIdx.x] = upto;
}

__global__ void carries_kernel(map *d_totals, size_t tiles) {
  if (threadIdx.x == 0 && threadIdx.y == 0) init(&the_barrier(), blockDim.x * blockDim.y);
  __syncthreads();
  __shared__ map s[BLOCK];
  map before = {1, 0}; // everything before this round
  for (size_t first = 0; first < tiles; first += BLOCK) {
    size_t i = first + threadIdx.x;

    map own = {1, 0};
    if (i < tiles) own = d_totals[i];
    scan_block(own, s);
    if (i < tiles) d_totals[i] = threadIdx.x ? then(before, s[threadIdx.x - 1]) : before;
    before = then(before, s[BLOCK - 1]);
    BARRIER(); // the next round writes s
  }
}

__global__ void scan_kernel(const uint32_t *d_a, const uint32_t *d_b, uint32_t *d_out, const map *d_carries,
                            size_t n) {
  if (threadIdx.x == 0 && threadIdx.y == 0) init(&the_barrier(), blockDim.x * blockDim.y);
  __syncthreads();
  __shared__ map s[BLOCK];
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;

  map upto = scan_block(element(d_a, d_b, i, n), s);
  if (i < n) d_out[i] = then(d_carries[blockIdx.x], upto).b;
}

extern "C" cudaError_t lab15_linear_recurrence(const uint32_t *d_a, const uint32_t *d_b, uint32_t *d_out,
                                               size_t n) {
  if (n == 0) return cudaSuccess;
  size_t tiles = (n + BLOCK - 1) / BLOCK;
  map *d_totals;
  SL_CUDA(cudaMalloc(&d_totals, tiles * sizeof *d_totals));

  totals_kernel<<<(unsigned)tiles, BLOCK>>>(d_a, d_b, d_totals, n);
  carries_kernel<<<1, BLOCK>>>(d_totals, tiles);
  scan_kernel<<<(unsigned)tiles, BLOCK>>>(d_a, d_b, d_out, d_totals, n);

  cudaError_t err = cudaGetLastError();
  cudaFree(d_totals);
  return err;
}
