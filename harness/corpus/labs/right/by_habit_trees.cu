// Labs 03 and 04 by the habits of by_habit.cu: TREE_.. is their tree, RUNS_.. takes a few elements a thread.
//
// right 03 levels_apart: TREE_LEVELS
// right 03 function_calls_itself: TREE_RECURSION
// right 03 levels_by_macro: TREE_MACRO HOST_CLEARS
// right 03 kernel_of_each_size: TREE_TEMPLATE
// right 03 loop_over_pairs: TREE_STRIDE HOST_ASKS
// right 03 threads_by_remainder: TREE_REMAINDER
// right 03 first_level_in_registers: TREE_PAIRS
// right 03 class_of_a_tree: TREE_CLASS HOST_PRINTS
// right 03 partial_sums: RUNS_STD HOST_COPIES
// right 04 levels_apart: TREE_LEVELS | loses 04.work.shared_n2048, 04.conflicts.*: all levels take twice the array, and left children are two words apart
// right 04 kernel_of_each_size: TREE_TEMPLATE PADDED
// right 04 class_of_a_tree: TREE_CLASS PADDED HOST_OPT_IN
// right 04 levels_by_macro: TREE_MACRO PADDED
// then by_habit.host
#include "scanlab/lab.h"

#include <assert.h>
#include <utility>
#include <cuda/std/array>
#include <cuda/std/numeric>
#include <cuda/std/utility>

#if LAB == 3
#define ENTRY lab03_blelloch_scan
#else
#define ENTRY lab04_padded_scan
#endif
constexpr int MOST = 2048;

#if defined TREE_LEVELS

// Each level of the tree has an array of its own, so neighbouring threads have neighbouring words.
#define THREADS(n) (power(n) / 2)
#define SHARED(n) (2 * power(n) * sizeof(float))
__global__ void kernel(const float *in, float *out, int n) {
  extern __shared__ float levels[];
  const int t = threadIdx.x, half = blockDim.x, m = 2 * half;
  const float x = t < n ? in[t] : 0.0f, y = t + half < n ? in[t + half] : 0.0f;
  levels[t] = x;
  levels[t + half] = y;
  int base = 0, width = m;
  for (; width > 1; base += width, width /= 2) {
    __syncthreads();
    const float2 two = reinterpret_cast<const float2 *>(levels + base)[t < width / 2 ? t : 0];
    if (t < width / 2) levels[base + width + t] = two.x + two.y;
  }
  if (t == 0) levels[base] = 0.0f;
  while (width < m) {
    width *= 2;
    base -= width;
    __syncthreads();
    if (t < width / 2) {
      float2 *const two = reinterpret_cast<float2 *>(levels + base) + t;
      const float before = levels[base + width + t], left = two->x;
      *two = make_float2(before, before + left);
    }
  }
  __syncthreads();
  if (t < n) out[t] = levels[t];
  if (t + half < n) out[t + half] = levels[t + half];
}

#elif defined TREE_RECURSION || defined TREE_MACRO || defined TREE_TEMPLATE || defined TREE_STRIDE ||        \
    defined TREE_CLASS

#ifdef PADDED
__host__ __device__ constexpr int at(int i) { return i + (i >> 5) + (i >> 10); }
#else
__host__ __device__ constexpr int at(int i) { return i; }
#endif
#define THREADS(n) (power(n) / 2)
#define SHARED(n) ((at(power(n) - 1) + 1) * sizeof(float))

__device__ inline void up(float *s, int offset, int pair) {
  const int right = offset * 2 * (pair + 1) - 1, left = right - offset;
  s[at(right)] += s[at(left)];
}
__device__ inline void down(float *s, int offset, int pair) {
  const int right = offset * 2 * (pair + 1) - 1, left = right - offset;
  const float old = s[at(left)], before = s[at(right)];
  s[at(left)] = before;
  s[at(right)] = before + old;
}

#if defined TREE_RECURSION
__device__ __noinline__ void sweep(float *s, int offset, int pairs) {
  const int t = threadIdx.x;
  __syncthreads();
  if (pairs == 0) {
    if (t == 0) s[offset - 1] = 0.0f;
    return;
  }
  if (t < pairs) up(s, offset, t);
  sweep(s, 2 * offset, pairs / 2);
  __syncthreads();
  if (t < pairs) down(s, offset, t);
}
#elif defined TREE_CLASS
template <class Number> class tree {
  Number *s;
  int leaves;

public:
  __device__ tree(void *memory, int m) : s((Number *)memory), leaves(m) {}
  __device__ Number &operator[](int i) { return s[at(i)]; }
  template <class Each> __device__ void level(int pairs, const Each &each) {
    __syncthreads();
    if (threadIdx.x < pairs) each(threadIdx.x);
  }
  __device__ void scan() {
    int offset = 1;
    for (int pairs = leaves / 2; pairs; pairs >>= 1, offset <<= 1)
      level(pairs, [&](int k) { up(s, offset, k); });
    if (threadIdx.x == 0) (*this)[leaves - 1] = Number(0);
    for (int pairs = 1; pairs < leaves; pairs <<= 1)
      level(pairs, [&, distance = offset >>= 1](int k) { down(s, distance, k); });
    __syncthreads();
  }
};
#endif

#ifdef TREE_TEMPLATE
template <int M>
#endif
__global__ void kernel(const float *in, float *out, int n) {
  extern __shared__ float s[];
  const int t = threadIdx.x, half = blockDim.x, m = 2 * half;
#if defined TREE_STRIDE
  for (int i = t; i < m; i += half) s[i] = i < n ? in[i] : 0.0f;
  int pairs = half, offset = 1;
  do {
    __syncthreads();
    for (int pair = t; pair < pairs; pair += blockDim.x) up(s, offset, pair);
    offset *= 2;
  } while (pairs /= 2);
  __syncthreads();
  if (t == half - 1) s[m - 1] = 0.0f;
  for (pairs = 1; pairs <= half; pairs *= 2) {
    offset /= 2;
    __syncthreads();
    for (int pair = t; pair < pairs; pair += blockDim.x) down(s, offset, pair);
  }
  __syncthreads();
  for (int i = t; i < n; i += half) out[i] = s[i];
#else
  s[at(t)] = t < n ? in[t] : 0.0f;
  s[at(t + half)] = t + half < n ? in[t + half] : 0.0f;
#if defined TREE_RECURSION
  sweep(s, 1, half);
#elif defined TREE_CLASS
  tree<float>(s, m).scan();
#elif defined TREE_MACRO
#define UP(offset)                                                                                           \
  if (offset < m) {                                                                                          \
    __syncthreads();                                                                                         \
    if (t < half / offset) up(s, offset, t);                                                                 \
  }
#define DOWN(offset)                                                                                         \
  if (offset < m) {                                                                                          \
    __syncthreads();                                                                                         \
    if (t < half / offset) down(s, offset, t);                                                               \
  }
  UP(1) UP(2) UP(4) UP(8) UP(16) UP(32) UP(64) UP(128) UP(256) UP(512) UP(1024)
  if (t == 0) s[at(m - 1)] = 0.0f;
  DOWN(1024) DOWN(512) DOWN(256) DOWN(128) DOWN(64) DOWN(32) DOWN(16) DOWN(8) DOWN(4) DOWN(2) DOWN(1)
#else
#pragma unroll
  for (int offset = 1; offset < M; offset *= 2) {
    __syncthreads();
    if (t < M / 2 / offset) up(s, offset, t);
  }
  if (t == 0) s[at(M - 1)] = 0.0f;
#pragma unroll
  for (int offset = M / 2; offset > 0; offset /= 2) {
    __syncthreads();
    if (t < M / 2 / offset) down(s, offset, t);
  }
#endif
  __syncthreads();
  if (t < n) out[t] = s[at(t)];
  if (t + half < n) out[t + half] = s[at(t + half)];
  (void)m;
#endif
}
#ifdef TREE_TEMPLATE
typedef void (*kernel_of_a_size)(const float *, float *, int);
static kernel_of_a_size kernel_for(int threads) {
  switch (threads) {
  case 1: return kernel<2>;
  case 2: return kernel<4>;
  case 4: return kernel<8>;
  case 8: return kernel<16>;
  case 16: return kernel<32>;
  case 32: return kernel<64>;
  case 64: return kernel<128>;
  case 128: return kernel<256>;
  case 256: return kernel<512>;
  case 512: return kernel<1024>;
  default: return kernel<2048>;
  }
}
#define KERNEL(n, threads) kernel_for(threads)
#endif

#elif defined TREE_REMAINDER

// The thread that holds the right end of a pair works on it, so the last one has the root.
#define THREADS(n) (power(n) / 2)
#define SHARED(n) (power(n) * sizeof(float))
__global__ void kernel(const float *in, float *out, int n) {
  extern __shared__ float s[];
  const int t = threadIdx.x, m = 2 * blockDim.x, right = 2 * t + 1;
  s[2 * t] = 2 * t < n ? in[2 * t] : 0.0f;
  s[right] = right < n ? in[right] : 0.0f;
  int offset = 1;
  for (; offset < m; offset *= 2) {
    __syncthreads();
    if ((t + 1) % offset == 0) s[right] = s[right - offset] + s[right];
  }
  if (right == m - 1) s[right] = 0.0f;
  while ((offset /= 2) > 0) {
    __syncthreads();
    if ((t + 1) % offset == 0) {
      const float left = s[right - offset], before = s[right];
      s[right - offset] = before;
      s[right] = before + left;
    }
  }
  __syncthreads();
  if (2 * t < n) out[2 * t] = s[2 * t];
  if (right < n) out[right] = s[right];
}

#elif defined TREE_PAIRS

// The lowest level stays in registers: the tree is one of pairs.
#define THREADS(n) (power(n) / 2)
__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float s[1024];
  const int t = threadIdx.x, m = blockDim.x;
  const float x = 2 * t < n ? in[2 * t] : 0.0f, y = 2 * t + 1 < n ? in[2 * t + 1] : 0.0f;
  s[t] = x + y;
  int offset = 1;
  for (int pairs = m / 2; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    if (t < pairs) s[2 * offset * (t + 1) - 1] += s[2 * offset * t + offset - 1];
  }
  __syncthreads();
  if (t == m - 1) s[m - 1] = 0.0f;
  for (int pairs = 1; pairs < m; pairs *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < pairs) {
      float *const left = &s[2 * offset * t + offset - 1], *const right = left + offset, sum = *left;
      *left = *right, *right += sum;
    }
  }
  __syncthreads();
  if (2 * t < n) out[2 * t] = s[t];
  if (2 * t + 1 < n) out[2 * t + 1] = s[t] + x;
}

#elif defined RUNS_STD

constexpr int RUN = 16;
#define THREADS(n) (((n) + RUN - 1) / RUN)
__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float sums[2048 / RUN];
  cuda::std::array<float, RUN> own;
  const int t = threadIdx.x;
  for (int k = 0; k < RUN; k++) own[k] = t * RUN + k < n ? in[t * RUN + k] : 0.0f;
  cuda::std::exclusive_scan(own.begin(), own.end(), own.begin(), 0.0f);
  const float last = t * RUN + RUN - 1 < n ? in[t * RUN + RUN - 1] : 0.0f;
  sums[t] = own.back() + last;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    const float left = t >= offset ? sums[t - offset] : 0.0f;
    __syncthreads();
    if (t >= offset) sums[t] += left;
    __syncthreads();
  }
  const float before = t > 0 ? sums[t - 1] : 0.0f;
  for (int k = 0; k < RUN; k++)
    if (t * RUN + k < n) out[t * RUN + k] = before + own[k];
}
#endif
