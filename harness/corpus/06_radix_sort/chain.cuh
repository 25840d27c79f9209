// Single-pass scan and counting sort in parts that are right; each kernel of this folder writes out what it
// gets wrong.
#pragma once

#include "../05_arbitrary_size/tiles.cuh"

// What the blocks of a scan tell each other. ticket and published are 0 when a launch begins.
struct chain {
  int ticket, published; // the next tile; how many tiles have their prefix in place
  int prefix[1];         // as many as there are tiles
};
inline size_t chain_bytes(int n) { return sizeof(chain) + (tiles_of(n) - 1) * sizeof(int); }

// The block's tile. Has a barrier.
__device__ inline int draw(chain *c) {
  __shared__ int tile;
  if (threadIdx.x == 0) tile = atomicAdd(&c->ticket, 1);
  __syncthreads();
  return tile;
}

// By one thread: the sum of everything before the tile, as soon as it is there.
__device__ inline int wait_for(chain *c, int tile) {
  if (tile == 0) return 0;
  while (*(volatile int *)&c->published < tile) {
  }
  __threadfence();
  return *(volatile int *)&c->prefix[tile - 1];
}

__device__ inline void publish(chain *c, int tile, int prefix) {
  *(volatile int *)&c->prefix[tile] = prefix;
  __threadfence();
  *(volatile int *)&c->published = tile + 1;
}

// run: start_chain(scan, in, out, n)
typedef void chain_kernel(const int *in, int *out, int n, chain *c);
inline cudaError_t start_chain(chain_kernel *kernel, const int *in, int *out, int n) {
  chain *c;
  MUST(cudaMalloc((void **)&c, chain_bytes(n)));
  cudaMemset(c, 0, sizeof(chain));
  kernel<<<tiles_of(n), TILE>>>(in, out, n, c);
  return freed(c);
}

// Counting sort of one tile by one block: keys are below KEYS.
enum { KEYS = 32 };
