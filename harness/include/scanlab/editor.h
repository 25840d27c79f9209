// What an editor's clangd reads before a kernel.cu: it knows CUDA's syntax, and not what nvcc knows by
// itself. No program is compiled with this. The words and functions of device code that the course speaks of
// are declared here; of the toolkit's headers only the host's part is read, because an older clangd does not
// understand the device's.
//
// CMake names it in build/editor/compile_commands.json.
#pragma once

#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __managed__
#undef __forceinline__
#undef __noinline__
#undef __launch_bounds__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)

extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
static const int warpSize = 32;

// What <<<grid, block>>> becomes
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);

// Barriers, fences, votes
__device__ void __syncthreads(void);
__device__ int __syncthreads_count(int), __syncthreads_and(int), __syncthreads_or(int);
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ void __threadfence(void), __threadfence_block(void), __threadfence_system(void);
__device__ unsigned __activemask(void), __ballot_sync(unsigned mask, int predicate);
__device__ int __all_sync(unsigned mask, int predicate), __any_sync(unsigned mask, int predicate);
__device__ void __nanosleep(unsigned ns), __trap(void), __brkpt(void);
__device__ long long clock64(void);

// Values between lanes
template <class T> __device__ T __shfl_sync(unsigned mask, T value, int lane, int width = 32);
template <class T> __device__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <class T> __device__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <class T> __device__ T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32);
template <class T> __device__ unsigned __match_any_sync(unsigned mask, T value);
template <class T> __device__ unsigned __match_all_sync(unsigned mask, T value, int *all);
template <class T> __device__ T __reduce_add_sync(unsigned mask, T value);
template <class T> __device__ T __reduce_min_sync(unsigned mask, T value);
template <class T> __device__ T __reduce_max_sync(unsigned mask, T value);

// Atomics: each gives the old value
template <class T, class U> __device__ T atomicAdd(T *at, U value);
template <class T, class U> __device__ T atomicSub(T *at, U value);
template <class T, class U> __device__ T atomicMin(T *at, U value);
template <class T, class U> __device__ T atomicMax(T *at, U value);
template <class T, class U> __device__ T atomicAnd(T *at, U value);
template <class T, class U> __device__ T atomicOr(T *at, U value);
template <class T, class U> __device__ T atomicXor(T *at, U value);
template <class T, class U> __device__ T atomicInc(T *at, U limit);
template <class T, class U> __device__ T atomicExch(T *at, U value);
template <class T, class U, class V> __device__ T atomicCAS(T *at, U expected, V value);
template <class T, class U> __device__ T atomicAdd_block(T *at, U value);
template <class T, class U> __device__ T atomicAdd_system(T *at, U value);

// Bits and numbers
__device__ int __popc(unsigned), __popcll(unsigned long long), __ffs(int), __ffsll(long long), __clz(int),
    __clzll(long long);
__device__ unsigned __brev(unsigned), __float_as_uint(float), __umulhi(unsigned, unsigned);
__device__ int __float_as_int(float);
__device__ float __uint_as_float(unsigned), __int_as_float(int), __fadd_rn(float, float),
    __fmul_rn(float, float);
template <class T> __device__ T __ldg(const T *at);
template <class T> __host__ __device__ T min(T, T);
template <class T> __host__ __device__ T max(T, T);
