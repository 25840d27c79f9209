// Lab 14 · Summed-area table. EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check 14   One input: ./scanlab run 14 --n 1000 --scalars 33
#include "scanlab/lab.h"

const int LANES = 32;  // a warp is LANES wide in both kernels, and a strip has LANES columns
const int ROWS = 8;    // rows_kernel: rows of a block, a warp for each
const int HEIGHT = 16; // columns_kernel: rows of a tile, a warp for each

/* Kernel:   rows_kernel — d_out becomes the inclusive sums of each row by itself
 * Launch:   grid = ceil(rows/ROWS), block = (LANES, ROWS)        Shared: none
 * Kernel:   columns_kernel — each column of d_out becomes its inclusive sums, in place
 * Launch:   grid = ceil(width/LANES), block = (LANES, HEIGHT)    Shared: s[HEIGHT][LANES], carry[LANES] */

// The sum of the warp's elements up to this lane's own, `x`. All 32 lanes call it.
__device__ uint32_t scan_warp(uint32_t x) {
  // TODO(lab14.1, ~4 lines): five steps of __shfl_up_sync, as in part A of lab 06; lanes below `offset` add nothing
  SL_TODO("lab14.1");
  // END TODO(lab14.1)
  return x;
}

__global__ void rows_kernel(const uint32_t *d_in, uint32_t *d_out, size_t n, size_t width) {
  const size_t first = ((size_t)blockIdx.x * ROWS + threadIdx.y) * width; // element of the warp's row
  const size_t length = first >= n ? 0 : n - first < width ? n - first : width;
  uint32_t before = 0; // the sum of what the warp has behind it
  for (size_t c = 0; c < length; c += LANES) {
    const size_t k = c + threadIdx.x; // the lane's column
    // TODO(lab14.2, ~4 lines): 32 elements of the row (0 past its end), scanned; add `before`, and keep the new one
    SL_TODO("lab14.2");
    // END TODO(lab14.2)
  }
}

__global__ void columns_kernel(uint32_t *d_out, size_t n, size_t width) {
  __shared__ uint32_t s[HEIGHT][LANES], carry[LANES];
  const int x = threadIdx.x, y = threadIdx.y;
  const size_t column = (size_t)blockIdx.x * LANES + x;
  if (y == 0) carry[x] = 0;
  for (size_t top = 0; top * width < n; top += HEIGHT) {
    const size_t i = (top + y) * width + column;
    const bool there = column < width && i < n;
    // TODO(lab14.3, ~8 lines): s[y][x] becomes the sum of the tile's column x down to row y; a barrier comes last
    SL_TODO("lab14.3");
    // END TODO(lab14.3)
    // TODO(lab14.4, ~4 lines): store it behind what the tiles above have, carry[x]; then this tile goes to the carry
    SL_TODO("lab14.4");
    // END TODO(lab14.4)
    __syncthreads();
  }
}

extern "C" cudaError_t lab14_summed_area(const uint32_t *d_in, uint32_t *d_out, size_t n, size_t width) {
  if (n == 0) return cudaSuccess;
  // TODO(lab14.5, ~4 lines): launch both kernels; the last row may be shorter than the others, and counts
  SL_TODO("lab14.5");
  // END TODO(lab14.5)
  return cudaGetLastError();
}
