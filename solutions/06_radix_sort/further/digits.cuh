// Digits of keys: keys as unsigned numbers, and how often each digit occurs in all keys. Used by onesweep.cuh
// and sort.cuh.
//
// Interface: key_encode and key_decode, digit_of, radix_exclusive_sum, and count_digits_kernel, which fills
// sort_shared::start, the places where the keys of each digit begin.
#ifndef FURTHER_DIGITS_CUH
#define FURTHER_DIGITS_CUH

#include <cuda_runtime.h>
#include <stdint.h>

enum { DIGIT_BITS = 8, RADIX = 1 << DIGIT_BITS, PASSES = 32 / DIGIT_BITS };
enum key_type { KEY_U32, KEY_I32, KEY_F32 };

// The unsigned number that orders like the key, and back.
__device__ inline uint32_t key_encode(uint32_t bits, key_type type) {
  if (type == KEY_U32) return bits;
  if (type == KEY_I32) return bits ^ 0x80000000u;
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

__device__ inline uint32_t key_decode(uint32_t code, key_type type) {
  if (type == KEY_U32) return code;
  if (type == KEY_I32) return code ^ 0x80000000u;
  return code ^ (code >> 31 ? 0x80000000u : 0xffffffffu);
}

// Byte `pass` of the code, in one instruction.
__device__ inline uint32_t digit_of(uint32_t code, int pass) { return __byte_perm(code, 0, 0x4440 | pass); }

// What the launches of a sort share in device memory. All zero before the first sort.
struct sort_shared {
  unsigned long long tickets; // see lookback.cuh
  uint32_t blocks_done;
  uint32_t count[PASSES][RADIX]; // zero between sorts
  uint32_t start[PASSES][RADIX]; // how many keys have a smaller digit
};

// Exclusive prefix of x over the first RADIX threads of the block; s_warp: RADIX / 32 words. Collective for
// the block.
__device__ inline uint32_t radix_exclusive_sum(uint32_t x, uint32_t *s_warp) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t sum = x;
#pragma unroll
  for (int offset = 1; offset < 32; offset *= 2) {
    const uint32_t left = __shfl_up_sync(~0u, sum, offset);
    if (lane >= offset) sum += left;
  }
  if (lane == 31 && warp < RADIX / 32) s_warp[warp] = sum;
  __syncthreads();
  if (threadIdx.x < RADIX) {
    for (int w = 0; w < warp; w++) sum += s_warp[w];
  }
  return sum - x;
}

// Every counter lies in memory COUNT_COPIES times, side by side, and each lane counts in its own copy: with
// 32 of them no two lanes of a warp ever meet in a bank.
#ifndef COUNT_COPIES
#define COUNT_COPIES 32
#endif
#ifndef COUNT_BLOCK
#define COUNT_BLOCK 1024 // at least RADIX
#endif
enum {
  COUNT_ITEMS = 16,
  COUNT_TILE = COUNT_BLOCK * COUNT_ITEMS,
  COUNT_WORDS = PASSES * RADIX * COUNT_COPIES
};

// Adds the digits of one key to this lane's counters.
__device__ inline void count_key(uint32_t *s_mine, uint32_t key, key_type type) {
  const uint32_t code = key_encode(key, type);
#pragma unroll
  for (int p = 0; p < PASSES; p++) atomicAdd(&s_mine[(p * RADIX + digit_of(code, p)) * COUNT_COPIES], 1u);
}

/* Kernel:   count_digits_kernel — counts every digit of every pass; the last block to finish turns counts
 *           into starts
 * Launch:   any grid (one block a multiprocessor), block = COUNT_BLOCK
 * Shared:   dynamic, COUNT_WORDS words (128 KiB); static, RADIX/32 + 1 words
 * Work:     PASSES atomic adds in shared memory a key
 * Steps:    n / threads
 * Barriers: 4 to 12
 * Valid in: shared->start, written by the last block
 * In-place: -
 * Source:   Adinets and Merrill, Onesweep, arXiv 2206.01784 */
__global__ void __launch_bounds__(COUNT_BLOCK)
    count_digits_kernel(const uint32_t *keys, uint32_t n, key_type type, sort_shared *shared) {
  extern __shared__ uint32_t s_copies[]; // [PASSES][RADIX][COUNT_COPIES]
  __shared__ uint32_t s_warp[RADIX / 32], s_last;
  const int t = threadIdx.x;
  uint32_t *s_mine = s_copies + t % COUNT_COPIES;
  for (int i = t; i < COUNT_WORDS; i += COUNT_BLOCK) s_copies[i] = 0;
  __syncthreads();
  for (uint64_t base = uint64_t(blockIdx.x) * COUNT_TILE; base < n;
       base += uint64_t(gridDim.x) * COUNT_TILE) {
    if (n - base < COUNT_TILE) {
      for (uint64_t i = base + t; i < n; i += COUNT_BLOCK) count_key(s_mine, keys[i], type);
      break;
    }
    uint32_t key[COUNT_ITEMS]; // all on their way before the first is counted
#pragma unroll
    for (int k = 0; k < COUNT_ITEMS; k++) key[k] = __ldg(&keys[base + k * COUNT_BLOCK + t]);
#pragma unroll
    for (int k = 0; k < COUNT_ITEMS; k++) count_key(s_mine, key[k], type);
  }
  __syncthreads();
  for (int d = t; d < PASSES * RADIX; d += COUNT_BLOCK) {
    uint32_t sum = 0;
#pragma unroll 8
    for (int c = 0; c < COUNT_COPIES; c++) sum += s_copies[d * COUNT_COPIES + (c + t) % COUNT_COPIES];
    if (sum) atomicAdd(&shared->count[d / RADIX][d % RADIX], sum);
  }
  __threadfence(); // the counts before the news that this block is done
  __syncthreads();
  if (t == 0) s_last = atomicAdd(&shared->blocks_done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!s_last) return;
  __threadfence();
  for (int p = 0; p < PASSES; p++) {
    const uint32_t start = radix_exclusive_sum(t < RADIX ? atomicExch(&shared->count[p][t], 0u) : 0u, s_warp);
    if (t < RADIX) shared->start[p][t] = start;
    __syncthreads();
  }
  if (t == 0) shared->blocks_done = 0;
}

#endif
