// Labs 01 to 04 by habits: what a beginner writes, a friend of templates, somebody who has read much code, or
// a program that answers questions. STEP_.. is a scan of one element a thread, TREE_.. the tree of labs 03
// and 04, RUNS_.. a few elements a thread; HOST_.. says what is done around the launch.
//
// right 01 two_named_arrays: STEP_TWO_ARRAYS
// right 01 powers_by_floats: STEP_EXP2
// right 01 fold_expression: STEP_FOLD
// right 01 jumps: STEP_GOTO HOST_ASKS
// right 01 function_calls_itself: STEP_RECURSION
// right 01 virtual_steps: STEP_VIRTUAL
// right 01 steps_by_macro: STEP_MACRO HOST_CLEARS
// right 01 kernel_of_each_size: STEP_TEMPLATE
// right 01 block_of_256: STEP_STRIDE
// right 01 two_in_a_word: STEP_PACKED
// right 01 returns_first: STEP_RETURN HOST_PRINTS
// right 01 thread_of_the_last_element: STEP_BACKWARDS
// right 01 four_at_a_time: STEP_RADIX4 | loses 01.work.*: three additions in each of half as many steps are half as many again
// right 01 barrier_of_ones_own: STEP_OWN_BARRIER | loses 01.work.adds_n1024, 01.sync.*: it is made of atomics
// right 01 rows_and_columns: STEP_MATRIX HOST_OPT_IN
// right 02 two_named_arrays: STEP_TWO_ARRAYS HOST_COPIES
// right 02 powers_by_floats: STEP_EXP2 ONE_BARRIER
// right 02 fold_expression: STEP_FOLD ONE_BARRIER HOST_ASKS
// right 02 virtual_steps: STEP_VIRTUAL ONE_BARRIER
// right 02 kernel_of_each_size: STEP_TEMPLATE ONE_BARRIER HOST_CLEARS
// right 02 two_in_a_word: STEP_PACKED HOST_OPT_IN
// right 02 returns_first: STEP_RETURN ONE_BARRIER
// right 02 thread_of_the_last_element: STEP_BACKWARDS ONE_BARRIER HOST_PRINTS
// right 02 rows_and_columns: STEP_MATRIX
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
#include "scanlab/lab.h"

#include <assert.h>
#include <utility>
#include <cuda/std/array>
#include <cuda/std/numeric>
#include <cuda/std/utility>

#if LAB == 1
#define ENTRY lab01_naive_scan
#elif LAB == 2
#define ENTRY lab02_double_buffer_scan
#elif LAB == 3
#define ENTRY lab03_blelloch_scan
#else
#define ENTRY lab04_padded_scan
#endif
constexpr int MOST = LAB <= 2 ? 1024 : 2048;

// The inclusive sum at t, as lab 01 or lab 02 wants it.
__device__ inline void store(float *out, int n, int t, float upto) {
  if (LAB == 1) {
    if (t < n) out[t] = upto;
  } else {
    if (t + 1 < n) out[t + 1] = upto;
    if (t == 0) out[0] = 0.0f;
  }
}

// One step of lab 01 in one array, or of lab 02 from one array to another.
#ifdef ONE_BARRIER
__device__ inline float *step(float *s, float *other, int offset, int t, int n) {
  if (t < n) other[t] = t >= offset ? s[t - offset] + s[t] : s[t];
  __syncthreads();
  return other;
}
#else
__device__ inline float *step(float *s, float *other, int offset, int t, int n) {
  float left = 0.0f;
  if (t >= offset && t < n) left = s[t - offset];
  __syncthreads();
  if (t >= offset && t < n) s[t] = left + s[t];
  __syncthreads();
  (void)other;
  return s;
}
#endif

#if defined STEP_TWO_ARRAYS

__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float first[1024];
  __shared__ float second[1024];
  int tid = threadIdx.x;
  bool result_in_first = true;
  if (tid < n) {
    first[tid] = in[tid];
  }
  __syncthreads();
  for (int distance = 1; distance < n; distance = distance + distance) {
    if (result_in_first == true) {
      if (tid < n) {
        if (tid >= distance) {
          second[tid] = first[tid] + first[tid - distance];
        } else {
          second[tid] = first[tid];
        }
      }
      result_in_first = false;
    } else {
      if (tid < n) {
        if (tid >= distance) {
          first[tid] = second[tid] + second[tid - distance];
        } else {
          first[tid] = second[tid];
        }
      }
      result_in_first = true;
    }
    __syncthreads();
  }
  float result = 0.0f;
  if (tid < n) {
    if (result_in_first) {
      result = first[tid];
    } else {
      result = second[tid];
    }
  }
  store(out, n, tid, result);
}

#elif defined STEP_EXP2

__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float a[1024], b[1024];
  float *from = a, *to = b;
  const int t = threadIdx.x, steps = (int)ceilf(log2f((float)n));
  if (t < n) a[t] = in[t];
  __syncthreads();
  for (int d = 0; d < steps; d++) {
    float *const now = step(from, to, (int)exp2f((float)d), t, n);
    if (now == to) to = from, from = now;
  }
  store(out, n, t, t < n ? from[t] : 0.0f);
}

#elif defined STEP_FOLD

template <int... D> __device__ float steps(float *s, float *other, int t, int n, std::integer_sequence<int, D...>) {
  auto one = [&](int offset) {
    if (offset >= n) return;
    float *const now = step(s, other, offset, t, n);
    if (now == other) cuda::std::swap(s, other);
  };
  (one(1 << D), ...);
  return s[t];
}
__global__ void kernel(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[2][MOST];
  const int t = threadIdx.x;
  s[0][t] = t < n ? __ldg(in + t) : 0.0f;
  __syncthreads();
  store(out, n, t, steps(s[0], s[1], t, n, std::make_integer_sequence<int, 10>()));
}

#elif defined STEP_GOTO

__global__ void kernel(const float *in, float *out, int n) {
  extern __shared__ float s[];
  unsigned t = threadIdx.x, d = 0;
  if (t >= n) goto loaded;
  s[t] = in[t];
loaded:
  __syncthreads();
again:
  if (1u << d >= n) goto end;
  step(s, s, 1 << d, t, n);
  d++;
  goto again;
end:
  store(out, n, t, t < n ? s[t] : 0.0f);
}

#elif defined STEP_RECURSION

__device__ __noinline__ void scan(float *s, int offset, int t, int n) {
  if (offset >= n) return;
  step(s, s, offset, t, n);
  scan(s, 2 * offset, t, n);
}
__global__ void kernel(const float *in, float *out, int n) {
  extern __shared__ float s[];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  scan(s, 1, t, n);
  store(out, n, t, t < n ? s[t] : 0.0f);
}

#elif defined STEP_VIRTUAL

struct scan {
  float *s, *other;
  int t, n;
  __device__ virtual void one(int offset) = 0;
  __device__ virtual ~scan() {}
  __device__ void all() {
    for (int offset = 1; offset < n; offset += offset) one(offset);
  }
};
struct hillis_steele : scan {
  __device__ void one(int offset) override {
    float *const now = step(s, other, offset, t, n);
    if (now == other) other = s, s = now;
  }
};
__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float s[2][MOST];
  hillis_steele h;
  h.s = s[0], h.other = s[1], h.t = threadIdx.x, h.n = n;
  if (h.t < n) h.s[h.t] = in[h.t];
  __syncthreads();
  scan *any = &h;
  any->all();
  store(out, n, h.t, h.t < n ? h.s[h.t] : 0.0f);
}

#elif defined STEP_MACRO

#define STEP(offset)                                                                                         \
  if (n > offset) {                                                                                          \
    float left = t >= offset && t < n ? s[t - offset] : 0;                                                   \
    __syncthreads();                                                                                         \
    if (t >= offset && t < n) s[t] += left;                                                                  \
    __syncthreads();                                                                                         \
  }
__global__ void __launch_bounds__(1024) kernel(const float *in, float *out, int n) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  STEP(1) STEP(2) STEP(4) STEP(8) STEP(16) STEP(32) STEP(64) STEP(128) STEP(256) STEP(512)
  store(out, n, t, t < n ? s[t] : 0.0f);
}

#elif defined STEP_TEMPLATE

template <int THREADS> __global__ void __launch_bounds__(THREADS) kernel(const float *in, float *out, int n) {
  __shared__ float s[2][THREADS];
  const int t = threadIdx.x;
  float *from = s[0], *to = s[1];
  if (t < n) from[t] = in[t];
  __syncthreads();
#pragma unroll
  for (int offset = 1; offset < THREADS; offset *= 2) {
    float *const now = step(from, to, offset, t, n);
    if (now == to) to = from, from = now;
  }
  store(out, n, t, t < n ? from[t] : 0.0f);
}
#define KERNEL(n, threads)                                                                                   \
  threads <= 32    ? kernel<32>                                                                              \
  : threads <= 64  ? kernel<64>                                                                              \
  : threads <= 128 ? kernel<128>                                                                             \
  : threads <= 256 ? kernel<256>                                                                             \
  : threads <= 512 ? kernel<512>                                                                             \
                   : kernel<1024>
#define THREADS(n) ((n) <= 32 ? 32 : (n) <= 64 ? 64 : (n) <= 128 ? 128 : (n) <= 256 ? 256 : (n) <= 512 ? 512 : 1024)

#elif defined STEP_STRIDE

#define THREADS(n) ((n) < 256 ? ((n) + 31) / 32 * 32 : 256)
__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  for (int offset = 1; offset < n; offset <<= 1) {
    float left[4] = {0, 0, 0, 0};
    int k = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x, k++)
      if (i >= offset) left[k] = s[i - offset];
    __syncthreads();
    k = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x, k++)
      if (i >= offset) s[i] += left[k];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) store(out, n, i, s[i]);
}

#elif defined STEP_PACKED

// Two elements a thread, which travel as one word of 64 bits.
#define THREADS(n) (((n) + 63) / 64 * 32)
union two {
  unsigned long long word;
  float2 f;
};
__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float of_warp[16];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  two own = {0};
  if (2 * t < n) own.f.x = in[2 * t];
  if (2 * t + 1 < n) own.f.y = in[2 * t + 1];
  own.f.y += own.f.x;
  float upto = own.f.y;
  for (int o = 1; o < 32; o <<= 1) {
    two left, mine;
    mine.f = make_float2(upto, 0);
    left.word = __shfl_up_sync(~0u, mine.word, o);
    if (lane >= o) upto += left.f.x;
  }
  if (lane == 31) of_warp[warp] = upto;
  __syncthreads();
  float before = 0;
  for (int w = 0; w < warp; w++) before += of_warp[w];
  const float left = __shfl_up_sync(~0u, upto, 1);
  if (lane) before += left;
  store(out, n, 2 * t, before + own.f.x);
  store(out, n, 2 * t + 1, before + own.f.y);
}

#elif defined STEP_RETURN

__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float a[1024], b[1024];
  const int t = threadIdx.x;
  if (t >= n) return;
  assert(n <= 1024 && gridDim.x == 1);
  float *from = a, *to = b;
  from[t] = in[t];
  __syncthreads();
  int offset = 1;
  while (offset < n) {
    float *const now = step(from, to, offset, t, n);
    if (now == to) to = from, from = now;
    offset <<= 1;
  }
  store(out, n, t, from[t]);
}

#elif defined STEP_BACKWARDS

__global__ void kernel(const float *in, float *out, int n) {
  extern __shared__ float s[];
  float *from = s, *to = s + n;
  const int t = n - 1 - (int)threadIdx.x; // negative: no element
  if (t >= 0) from[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    float *const now = step(from, to, offset, t >= 0 ? t : n, n);
    if (now == to) to = from, from = now;
  }
  if (t >= 0) store(out, n, t, from[t]);
}

#elif defined STEP_RADIX4

__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 4) {
    float sum = t < n ? s[t] : 0.0f;
    for (int k = 1; k < 4; k++)
      if (t < n && t >= k * offset) sum = s[t - k * offset] + sum;
    __syncthreads();
    if (t < n) s[t] = sum;
    __syncthreads();
  }
  store(out, n, t, t < n ? s[t] : 0.0f);
}

#elif defined STEP_OWN_BARRIER

// Every warp says that it has come, and waits for all others.
__device__ inline void wait_for_all(unsigned *came, unsigned round) {
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    __threadfence_block();
    atomicAdd(came, 1u);
    while (*(volatile unsigned *)came < round * (blockDim.x / 32)) {
    }
    __threadfence_block();
  }
  __syncwarp();
}
__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float s[1024];
  __shared__ unsigned came;
  const int t = threadIdx.x;
  unsigned round = 0;
  if (t == 0) came = 0;
  if (t < n) s[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const float left = t >= offset && t < n ? s[t - offset] : 0.0f;
    wait_for_all(&came, ++round);
    if (t >= offset && t < n) s[t] += left;
    wait_for_all(&came, ++round);
  }
  store(out, n, t, t < n ? s[t] : 0.0f);
}

#elif defined STEP_MATRIX

// 32 rows of 32: the rows by shuffles, then the first warp scans the rows' sums.
__global__ void kernel(const float *in, float *out, int n) {
  __shared__ float of_row[32];
  const int t = threadIdx.x, column = t % 32, row = t / 32;
  float upto = t < n ? in[t] : 0.0f;
  for (int o = 1; o < 32; o *= 2) {
    const float left = __shfl_up_sync(0xffffffff, upto, o);
    if (column >= o) upto += left;
  }
  if (t < 32) of_row[t] = 0.0f;
  __syncthreads();
  if (column == 31) of_row[row] = upto;
  __syncthreads();
  if (row == 0) {
    float sum = of_row[column];
    for (int o = 1; o < 32; o *= 2) {
      const float left = __shfl_up_sync(0xffffffff, sum, o);
      if (column >= o) sum += left;
    }
    of_row[column] = sum;
  }
  __syncthreads();
  if (row > 0) upto = of_row[row - 1] + upto;
  store(out, n, t, upto);
}

#elif defined TREE_LEVELS

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

// Host ------------------------------------------------------------------------------------------------------

static int power(int n) {
  int m = 2;
  while (m < n) m <<= 1;
  return m;
}
#ifndef THREADS
#define THREADS(n) (((n) + 31) / 32 * 32)
#endif
#ifndef SHARED
#define SHARED(n) (2 * (n) * sizeof(float))
#endif
#ifndef KERNEL
#define KERNEL(n, threads) kernel
#endif

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    cudaError_t error = (call);                                                                              \
    if (error != cudaSuccess) {                                                                              \
      fprintf(stderr, "CUDA error at %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));           \
      return error;                                                                                          \
    }                                                                                                        \
  } while (0)

extern "C" cudaError_t ENTRY(const float *d_in, float *d_out, int n) {
  if (n <= 0) return cudaSuccess;
  (void)power;
  const int threads = THREADS(n);
  size_t bytes = SHARED(n);
  const auto launched = KERNEL(n, threads);
#if defined HOST_ASKS
  int device = 0, least = 0, most = 0;
  cudaDeviceProp properties;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaGetDeviceProperties(&properties, device));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &most, launched, bytes, 0));
  if (threads > properties.maxThreadsPerBlock || bytes > properties.sharedMemPerBlock) return cudaErrorInvalidValue;
#elif defined HOST_OPT_IN
  CHECK(cudaFuncSetAttribute(launched, cudaFuncAttributeMaxDynamicSharedMemorySize, 32 * 1024));
  CHECK(cudaFuncSetCacheConfig(launched, cudaFuncCachePreferShared));
#elif defined HOST_CLEARS
  CHECK(cudaMemset(d_out, 0, n * sizeof(float)));
#elif defined HOST_COPIES
  float *copy = nullptr;
  CHECK(cudaMalloc((void **)&copy, n * sizeof(float)));
  CHECK(cudaMemcpy(copy, d_in, n * sizeof(float), cudaMemcpyDeviceToDevice));
  d_in = copy;
#endif
  launched<<<1, threads, bytes>>>(d_in, d_out, n);
  CHECK(cudaGetLastError());
#if defined HOST_COPIES
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(copy));
#elif defined HOST_PRINTS
  CHECK(cudaDeviceSynchronize());
  if (getenv("SHOW") != nullptr) printf("%d elements by %d threads\n", n, threads);
#endif
  return cudaSuccess;
}
