// Lab 12 · Run-length encoding. EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check 12   One input: ./scanlab run 12 --n 1000 --dist few_distinct
#include "scanlab/lab.h"

const int BLOCK = 256; // threads of a block, one element each

// 1 where a run begins.
__device__ uint32_t is_head(const int32_t *d_in, size_t i, size_t n) {
  uint32_t head = 0;
  // TODO(lab12.1, ~1 line): head = 0 behind the end; 1 for element 0, and where an element differs from the one before it
  SL_TODO("lab12.1");
  // END TODO(lab12.1)
  return head;
}

// The inclusive sum of `x` over the threads of the block up to this one. All threads of the block call it.
__device__ uint32_t scan_block(uint32_t x, uint32_t *s) {
  const int t = threadIdx.x;
  // TODO(lab12.2, ~8 lines): the scan of lab 11, region 1: x into s, log2(BLOCK) steps, a barrier last
  SL_TODO("lab12.2");
  // END TODO(lab12.2)
  return s[t];
}

__global__ void count_kernel(const int32_t *d_in, uint32_t *d_counts, size_t n) {
  __shared__ uint32_t s[BLOCK];
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  // TODO(lab12.3, ~2 lines): scan the heads; the last thread has the tile's count
  SL_TODO("lab12.3");
  // END TODO(lab12.3)
}

// Exclusive sums of d_counts in place, and their total, by one block.
__global__ void offsets_kernel(uint32_t *d_counts, uint32_t *d_count, size_t tiles) {
  __shared__ uint32_t s[BLOCK];
  uint32_t before = 0;
  for (size_t first = 0; first < tiles; first += BLOCK) {
    size_t i = first + threadIdx.x;
    // TODO(lab12.4, ~5 lines): offsets of BLOCK tiles, as in lab 11, region 3; a barrier before the next round
    SL_TODO("lab12.4");
    // END TODO(lab12.4)
  }
  if (threadIdx.x == 0) *d_count = before;
}

// Each head stores its value and where its run begins.
__global__ void heads_kernel(const int32_t *d_in, int32_t *d_values, uint32_t *d_starts, const uint32_t *d_offsets,
                             size_t n) {
  __shared__ uint32_t s[BLOCK];
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  // TODO(lab12.5, ~7 lines): the head's number is the tile's offset + the heads before it in the tile; store both there
  SL_TODO("lab12.5");
  // END TODO(lab12.5)
}

// A run ends where the next one begins, the last one at n.
__global__ void lengths_kernel(const uint32_t *d_starts, uint32_t *d_lengths, const uint32_t *d_count, size_t n) {
  size_t run = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  // TODO(lab12.6, ~4 lines): the length of this run, if there are so many
  SL_TODO("lab12.6");
  // END TODO(lab12.6)
}

extern "C" cudaError_t lab12_run_lengths(const int32_t *d_in, int32_t *d_values, uint32_t *d_lengths,
                                         uint32_t *d_count, size_t n) {
  if (n == 0) return cudaSuccess;
  size_t tiles = (n + BLOCK - 1) / BLOCK;
  uint32_t *d_counts; // counts of the tiles, then the starts of the runs
  SL_CUDA(cudaMalloc(&d_counts, (tiles + n) * sizeof *d_counts));
  uint32_t *d_starts = d_counts + tiles;
  // TODO(lab12.7, ~4 lines): launch the four kernels
  SL_TODO("lab12.7");
  // END TODO(lab12.7)
  cudaError_t err = cudaGetLastError();
  cudaFree(d_counts);
  return err;
}
