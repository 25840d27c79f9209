// Lab 15 · Linear recurrence. EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check 15   One input: ./scanlab run 15 --n 1000 --dist odd
#include "scanlab/lab.h"

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
  // TODO(lab15.1, ~2 lines): put f's result into g: g.a * (f.a * y + f.b) + g.b
  SL_TODO("lab15.1");
  // END TODO(lab15.1)
  return both;
}

// The map of the block's elements up to this thread's own, `own`. All threads of the block call it.
__device__ map scan_block(map own, map *s) {
  const int t = threadIdx.x;
  // TODO(lab15.2, ~8 lines): the naive scan of lab 01 with `then` in place of +; a barrier comes last
  SL_TODO("lab15.2");
  // END TODO(lab15.2)
  return s[t];
}

// Element i as a map; behind the end the map that changes nothing.
__device__ map element(const uint32_t *d_a, const uint32_t *d_b, size_t i, size_t n) {
  map own = {1, 0};
  if (i < n) own.a = d_a[i], own.b = d_b[i];
  return own;
}

__global__ void totals_kernel(const uint32_t *d_a, const uint32_t *d_b, map *d_totals, size_t n) {
  __shared__ map s[BLOCK];
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  // TODO(lab15.3, ~2 lines): scan the maps; the last thread has the tile's
  SL_TODO("lab15.3");
  // END TODO(lab15.3)
}

__global__ void carries_kernel(map *d_totals, size_t tiles) {
  __shared__ map s[BLOCK];
  map before = {1, 0}; // everything before this round
  for (size_t first = 0; first < tiles; first += BLOCK) {
    size_t i = first + threadIdx.x;
    // TODO(lab15.4, ~6 lines): scan BLOCK totals; tile i gets what stands before it; then this round to `before`
    SL_TODO("lab15.4");
    // END TODO(lab15.4)
  }
}

__global__ void scan_kernel(const uint32_t *d_a, const uint32_t *d_b, uint32_t *d_out, const map *d_carries,
                            size_t n) {
  __shared__ map s[BLOCK];
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  // TODO(lab15.5, ~2 lines): scan the maps once more; what stands before the tile comes first; start from 0
  SL_TODO("lab15.5");
  // END TODO(lab15.5)
}

extern "C" cudaError_t lab15_linear_recurrence(const uint32_t *d_a, const uint32_t *d_b, uint32_t *d_out, size_t n) {
  if (n == 0) return cudaSuccess;
  size_t tiles = (n + BLOCK - 1) / BLOCK;
  map *d_totals;
  SL_CUDA(cudaMalloc(&d_totals, tiles * sizeof *d_totals));
  // TODO(lab15.6, ~3 lines): launch the three kernels
  SL_TODO("lab15.6");
  // END TODO(lab15.6)
  cudaError_t err = cudaGetLastError();
  cudaFree(d_totals);
  return err;
}
