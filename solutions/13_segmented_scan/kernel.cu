// Lab 13 · Segmented scan. EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check 13   One input: ./scanlab run 13 --n 1000 --dist sparse
#include "scanlab/lab.h"

const int BLOCK = 256; // threads of a block, one element each

// What is known of a stretch of elements: does a segment begin in it, and the sum of its last segment's elements.
struct part {
  uint32_t head;
  int32_t sum;
};

/* Kernel:   totals_kernel — the part of each whole tile: d_totals[tile]
 * Launch:   grid = tiles, block = BLOCK     Shared: s[BLOCK], parts
 * Kernel:   carries_kernel — d_totals becomes what stands before each tile, by one block
 * Kernel:   scan_kernel — every element: what stands before its tile, then the elements of the tile up to it */

// The part of a stretch `a` and the stretch `b` right behind it.
__device__ part join(part a, part b) {
  part both = b;
  // TODO(lab13.1, ~2 lines): a segment begins in either one; the sum goes on from a if none begins in b
  both.head = a.head | b.head;
  if (!b.head) both.sum = a.sum + b.sum;
  // END TODO(lab13.1)
  return both;
}

// The part of the block's elements up to this thread's own, `own`. All threads of the block call it.
__device__ part scan_block(part own, part *s) {
  const int t = threadIdx.x;
  // TODO(lab13.2, ~8 lines): the naive scan of lab 01 with join in place of +; a barrier comes last
  s[t] = own;
  __syncthreads();
  for (int offset = 1; offset < BLOCK; offset *= 2) {
    part upto = s[t];
    if (t >= offset) upto = join(s[t - offset], upto);
    __syncthreads();
    s[t] = upto;
    __syncthreads();
  }
  // END TODO(lab13.2)
  return s[t];
}

// Element i as a part; behind the end the part that changes nothing.
__device__ part element(const uint32_t *d_heads, const int32_t *d_in, size_t i, size_t n) {
  part own = {0, 0};
  if (i < n) own.head = d_heads[i] != 0, own.sum = d_in[i];
  return own;
}

__global__ void totals_kernel(const uint32_t *d_heads, const int32_t *d_in, part *d_totals, size_t n) {
  __shared__ part s[BLOCK];
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  // TODO(lab13.3, ~2 lines): scan the parts; the last thread has the tile's
  part upto = scan_block(element(d_heads, d_in, i, n), s);
  if (threadIdx.x == BLOCK - 1) d_totals[blockIdx.x] = upto;
  // END TODO(lab13.3)
}

__global__ void carries_kernel(part *d_totals, size_t tiles) {
  __shared__ part s[BLOCK];
  part before = {0, 0}; // everything before this round
  for (size_t first = 0; first < tiles; first += BLOCK) {
    size_t i = first + threadIdx.x;
    // TODO(lab13.4, ~6 lines): scan BLOCK totals; tile i gets what stands before it; join this round to `before`
    part own = {0, 0};
    if (i < tiles) own = d_totals[i];
    scan_block(own, s);
    if (i < tiles) d_totals[i] = threadIdx.x ? join(before, s[threadIdx.x - 1]) : before;
    before = join(before, s[BLOCK - 1]);
    __syncthreads(); // the next round writes s
    // END TODO(lab13.4)
  }
}

__global__ void scan_kernel(const uint32_t *d_heads, const int32_t *d_in, int32_t *d_out, const part *d_carries,
                            size_t n) {
  __shared__ part s[BLOCK];
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  // TODO(lab13.5, ~2 lines): scan the parts once more; join what stands before the tile; store the sum
  part upto = scan_block(element(d_heads, d_in, i, n), s);
  if (i < n) d_out[i] = join(d_carries[blockIdx.x], upto).sum;
  // END TODO(lab13.5)
}

extern "C" cudaError_t lab13_segmented_scan(const uint32_t *d_heads, const int32_t *d_in, int32_t *d_out, size_t n) {
  if (n == 0) return cudaSuccess;
  size_t tiles = (n + BLOCK - 1) / BLOCK;
  part *d_totals;
  SL_CUDA(cudaMalloc(&d_totals, tiles * sizeof *d_totals));
  // TODO(lab13.6, ~3 lines): launch the three kernels
  totals_kernel<<<(unsigned)tiles, BLOCK>>>(d_heads, d_in, d_totals, n);
  carries_kernel<<<1, BLOCK>>>(d_totals, tiles);
  scan_kernel<<<(unsigned)tiles, BLOCK>>>(d_heads, d_in, d_out, d_totals, n);
  // END TODO(lab13.6)
  cudaError_t err = cudaGetLastError();
  cudaFree(d_totals);
  return err;
}
