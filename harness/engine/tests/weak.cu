// Programs that are right and wrong about the visibility of stores between blocks: weak NAME. Each checks its
// own result: exit status 1 when that is wrong. tests/weak_test.sh says which must be right under every
// schedule.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { BLOCKS = 16, THREADS = 64, N = BLOCKS * THREADS };
enum Fault { NONE, NO_PUBLISHER_FENCE, WRONG_THREAD_FENCES, BLOCK_FENCE, NO_READER_FENCE };

__device__ unsigned ticket, arrived, published;
__device__ unsigned total[BLOCKS], cell[N], word32[BLOCKS + 1];

// Chained scan: tile sums are handed from tile to tile (in order of tickets) by a flag.
template <Fault FAULT> __global__ void chain(unsigned *out) {
  __shared__ unsigned tile, before;
  if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    if (tile > 0) {
      while (*(volatile unsigned *)&published < tile) {}
      if (FAULT != NO_READER_FENCE) __threadfence();
      sum = total[tile - 1];
    }
    before = sum;
    total[tile] = sum + THREADS;
    if (FAULT == BLOCK_FENCE)
      __threadfence_block();
    else if (FAULT != NO_PUBLISHER_FENCE)
      __threadfence();
    atomicExch(&published, tile + 1);
  }
  __syncthreads();
  out[tile * THREADS + threadIdx.x] = before + threadIdx.x + 1;
}

// The last block sums up what all threads of all blocks have written (threadFenceReduction).
template <Fault FAULT> __global__ void last_block(unsigned *out) {
  __shared__ bool last;
  cell[blockIdx.x * THREADS + threadIdx.x] = 1;
  if (FAULT == NONE || (FAULT == WRONG_THREAD_FENCES && threadIdx.x == 0)) __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&arrived, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last || threadIdx.x) return;
  __threadfence();
  unsigned sum = 0;
  for (int i = 0; i < N; i++) sum += cell[i];
  for (int i = 0; i < N; i++) out[i] = sum;
}

// Release and acquire, as cuda::atomic_ref makes them; the store before the barrier is another thread's.
__device__ void store_release(unsigned *p, unsigned v) { asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void store_relaxed(unsigned *p, unsigned v) { asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ unsigned load_acquire(unsigned *p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
template <Fault FAULT> __global__ void release(unsigned *out) {
  __shared__ unsigned tile;
  if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1);
  __syncthreads();
  if (threadIdx.x == 40) total[tile] = (tile + 1) * THREADS;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (load_acquire(&published) < tile) {}
    if (FAULT == NONE)
      store_release(&published, tile + 1);
    else
      store_relaxed(&published, tile + 1);
  }
  __syncthreads();
  out[tile * THREADS + threadIdx.x] = (tile ? total[tile - 1] : 0) + threadIdx.x + 1;
}

// Value and flag in one word need no fence at all.
__device__ unsigned long long word[BLOCKS];
__global__ void one_word(unsigned *out) {
  __shared__ unsigned tile, before;
  if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned long long w = 1ull << 32;
    while (tile > 0 && !((w = *(volatile unsigned long long *)&word[tile - 1]) >> 32)) {}
    before = tile ? (unsigned)w : 0;
    *(volatile unsigned long long *)&word[tile] = 1ull << 32 | (before + THREADS);
  }
  __syncthreads();
  out[tile * THREADS + threadIdx.x] = before + threadIdx.x + 1;
}

// A block's own stores, through every way of looking at them; wrong: never.
__global__ void own_view(unsigned *out) {
  unsigned base = blockIdx.x * THREADS, t = threadIdx.x, bad = 0;
  out[base + t] = t;
  __syncthreads();
  bad |= out[base + (t + 33) % THREADS] != (t + 33) % THREADS;
  bad |= ((volatile unsigned *)out)[base + (t + 7) % THREADS] != (t + 7) % THREADS;
  __syncthreads();
  ((unsigned char *)out)[4 * (base + t) + 2] = 5;
  bad |= out[base + t] != (5u << 16 | t);
  bad |= atomicAdd(&out[base + t], 1) != (5u << 16 | t);
  bad |= out[base + t] != (5u << 16 | t) + 1;
  __syncthreads();
  out[base + t] = bad ? 0 : base + t + 1;
}

// What a block has learnt it passes on: block 0 writes, block 1 sees it and tells block 2 (and so on).
__global__ void passed_on(unsigned *out) {
  __shared__ unsigned tile;
  if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1);
  __syncthreads();
  if (tile == 0) cell[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (load_acquire(&word32[tile]) == 0 && tile > 0) {}
    store_release(&word32[tile + 1], 1);
  }
  __syncthreads();
  out[tile * THREADS + threadIdx.x] = tile * THREADS + cell[threadIdx.x] + 1;
}

// Inside the block the news goes by a fence and a flag of block scope; then another warp publishes it.
__global__ void by_another_warp(unsigned *out) {
  __shared__ unsigned tile;
  __shared__ volatile unsigned ready;
  if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1), ready = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    total[tile] = (tile + 1) * THREADS;
    __threadfence_block();
    ready = 1;
  }
  if (threadIdx.x == 0) {
    while (!ready) {}
    __threadfence();
    while (*(volatile unsigned *)&published < tile) {}
    __threadfence();
    *(volatile unsigned *)&published = tile + 1;
  }
  __syncthreads();
  out[tile * THREADS + threadIdx.x] = (tile ? total[tile - 1] : 0) + threadIdx.x + 1;
}

// A thread that looks twice at a location never sees it go back; nor after it has seen it by an atomic.
__global__ void never_back(unsigned *out) {
  unsigned bad = 0, before = 0;
  for (int k = 0; k < 200; k++) {
    if (threadIdx.x == 0) atomicAdd(&arrived, 1);
    unsigned now = k % 5 ? *(volatile unsigned *)&arrived : atomicAdd(&arrived, 0);
    bad |= now < before;
    before = now;
    asm volatile("ld.weak.global.u32 %0, [%1];" : "=r"(now) : "l"(&arrived) : "memory");
    bad |= now < before;
    before = now;
    asm volatile("ld.weak.global.u32 %0, [%1];" : "=r"(now) : "l"(&arrived) : "memory");
    bad |= now < before;
    before = now;
    __nanosleep(20);
  }
  out[blockIdx.x * THREADS + threadIdx.x] = bad ? 0 : blockIdx.x * THREADS + threadIdx.x + 1;
}

// All write the same, which is no race.
__global__ void same_value(unsigned *out) {
  word32[0] = 7;
  out[blockIdx.x * THREADS + threadIdx.x] = blockIdx.x * THREADS + threadIdx.x + 1;
}

// Two blocks say that they come, and each enters only if it does not see the other: never both. A load may
// pass a store to another word, also in its line, release and acquire or not, unless a fence is between them.
template <Fault FAULT> __global__ void entered(unsigned *out) {
  unsigned pair = blockIdx.x / 2 * 2, me = blockIdx.x, other = me ^ 1, in = 0;
  if (threadIdx.x == 0) {
    store_release(&word32[me], 1);
    if (FAULT != NO_PUBLISHER_FENCE) __threadfence();
    in = load_acquire(&word32[other]) == 0;
    if (in && atomicAdd(&total[pair], 1) == 1) atomicAdd(&published, 1);
  }
  out[blockIdx.x * THREADS + threadIdx.x] = blockIdx.x * THREADS + threadIdx.x + 1;
  __syncthreads();
  if (threadIdx.x == 0 && published) out[blockIdx.x * THREADS] = 0;
}

typedef void (*kernel)(unsigned *);
static const struct {
  const char *name;
  kernel k;
  unsigned all; // what every word must be; 0: 1, 2, 3, ..
} cases[] = {{"chain", chain<NONE>, 0},
             {"chain_no_publisher_fence", chain<NO_PUBLISHER_FENCE>, 0},
             {"chain_block_fence", chain<BLOCK_FENCE>, 0},
             {"chain_no_reader_fence", chain<NO_READER_FENCE>, 0},
             {"last_block", last_block<NONE>, N},
             {"last_block_no_fence", last_block<NO_PUBLISHER_FENCE>, N},
             {"last_block_wrong_thread_fences", last_block<WRONG_THREAD_FENCES>, N},
             {"release", release<NONE>, 0},
             {"release_relaxed", release<NO_PUBLISHER_FENCE>, 0},
             {"one_word", one_word, 0},
             {"passed_on", passed_on, 0},
             {"by_another_warp", by_another_warp, 0},
             {"never_back", never_back, 0},
             {"same_value", same_value, 0},
             {"entered", entered<NONE>, 0},
             {"entered_no_fence", entered<NO_PUBLISHER_FENCE>, 0},
             {"own_view", own_view, 0}};

int main(int argc, char **argv) {
  unsigned *d, h[N];
  for (auto &c : cases) {
    if (argc < 2 || strcmp(c.name, argv[1])) continue;
    cudaMalloc(&d, sizeof h);
    c.k<<<BLOCKS, THREADS>>>(d);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
    for (unsigned i = 0; i < N; i++)
      if (h[i] != (c.all ? c.all : i + 1)) return printf("%s: word %u is %u\n", c.name, i, h[i]), 1;
    return 0;
  }
  return 2;
}
