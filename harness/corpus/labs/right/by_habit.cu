// Labs 01 and 02 by habits: what a beginner writes, a friend of templates, somebody who has read much code,
// or a program that answers questions. STEP_.. is a scan of one element a thread; HOST_.. says what is done
// around the launch (by_habit.host).
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
// then by_habit.host
#include "scanlab/lab.h"

#include <assert.h>
#include <utility>
#include <cuda/std/array>
#include <cuda/std/numeric>
#include <cuda/std/utility>

#if LAB == 1
#define ENTRY lab01_naive_scan
#else
#define ENTRY lab02_double_buffer_scan
#endif
constexpr int MOST = 1024;

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

#endif
