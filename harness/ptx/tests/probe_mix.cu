// What students' kernels are made of, for the test of the PTX front end: shared memory, shuffles, ballots,
// atomics, vector accesses, printf, assert, indirect calls, a switch, initialised variables, inline assembly.
#include <cassert>
#include <cstdio>

typedef int (*fn)(int, int);
__device__ int f_add(int a, int b) { return a + b; }
__device__ int f_max(int a, int b) { return a > b ? a : b; }
__device__ fn table[2] = {f_add, f_max};
__constant__ int coefficients[4] = {1, -2, 3, 4};
__device__ float grid[2][2] = {{1.5f, 2.0f}, {-3.0f}};
__device__ const char *words[2] = {"alpha", "beta"};
struct __attribute__((packed)) record { char tag; const int *at; };
__device__ int target;
__device__ record packed = {7, &target};
__managed__ int managed = 3;

__device__ __noinline__ int depth(int n) { return n <= 1 ? 1 : n * depth(n - 1); }

__global__ void __launch_bounds__(256, 2) scan(const float4 *in, float *out, int n) {
  extern __shared__ float t[];
  __shared__ int count;
  int i = threadIdx.x;
  float4 v = in[i];
  t[i] = v.x + v.y * coefficients[i & 3] + grid[i & 1][1];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    float x = i >= d ? t[i - d] : 0;
    __syncthreads();
    t[i] += x;
    __syncthreads();
  }
  float w = __shfl_up_sync(0xffffffffu, t[i], 1);
  if (__ballot_sync(0xffffffffu, w > 0)) atomicAdd(&count, __popc(__activemask()));
  if (i < n) out[i] = w + sqrtf(t[i]) + count;
  assert(n > 0);
}

__global__ void mixed(int *p, int k, double x) {
  int local[16];
  for (int i = 0; i < 16; i++) local[i] = p[i] * k;
  int r = table[k & 1](local[k & 15], depth(k));
  switch (k) {
  case 0: r += 3; break;
  case 1: r *= 5; break;
  case 2: r ^= 77; break;
  case 3: r = r / k; break;
  case 4: r = -r; break;
  case 5: r <<= 3; break;
  }
  asm volatile("{ .reg .u32 lo; .reg .pred p; setp.ne.u32 p, %0, 0; @p add.u32 lo, %0, 1; @!p mov.u32 lo, 7; mov.u32 %0, lo; }" : "+r"(r));
  asm volatile("{ .reg .u32 lo; mov.u32 lo, %%laneid; add.u32 %0, %0, lo; }" : "+r"(r));
  printf("%d %f %s\n", r, x, words[k & 1]);
  p[threadIdx.x] = r + packed.tag + *packed.at + managed;
}
