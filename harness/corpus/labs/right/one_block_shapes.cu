// Labs 01 to 04 by networks, objects and calls that one_block.cu has not.
//
// RUN elements a thread. NET_.. says how threads put their sums together, SHAPE_.. how the block's threads
// are numbered, MOVE_.. how elements are loaded and stored, HOST_.. how the kernel is started and from where
// it has its arguments.
//
// right 01 sklansky: NET_SKLANSKY RUN=1
// right 01 han_carlson_3d_block: NET_HAN_CARLSON RUN=1 SHAPE_3D
// right 01 ladner_fischer_2d_block: NET_LADNER_FISCHER RUN=1 SHAPE_2D
// right 01 template_recursion: NET_RECURSION RUN=1 | loses 01.work.*: zeros are added, and each element once more
// right 01 operator_by_pointer: NET_POINTER RUN=1
// right 01 named_barriers: NET_NAMED RUN=1 HOST_LAUNCH_EX | loses 01.work.*: zeros are added, and each element once more
// right 01 volatile_warps: NET_VOLATILE RUN=1
// right 01 lanes_that_are_there: NET_COALESCED RUN=2
// right 01 cooperative_reduce: NET_CG_REDUCE RUN=4 SHAPE_2D
// right 01 built_graph: NET_COUNT RUN=1 HOST_BUILT | loses 01.work.*: zeros are added, and each element once more
// right 01 arguments_in_constant_memory: NET_SPAN RUN=2 HOST_SYMBOL
// right 01 arguments_in_pinned_memory: NET_SKLANSKY RUN=4 MOVE_CACHE HOST_PINNED
// right 02 doubles: NET_DOUBLE RUN=1 HOST_LAUNCH_KERNEL
// right 02 ladner_fischer: NET_LADNER_FISCHER RUN=1
// right 02 tiles_of_8: NET_TILES_OF_8 RUN=1 SHAPE_3D
// right 02 carved_up: NET_RECURSION RUN=2 MOVE_CACHE
// right 02 host_function: NET_VOLATILE RUN=1 HOST_FUNCTION
// right 02 operator_by_pointer: NET_POINTER RUN=1 HOST_BUILT
// right 02 copied_asynchronously: NET_CG_REDUCE RUN=8 MOVE_ASYNC
// right 02 arguments_in_managed_variables: NET_NAMED RUN=1 HOST_MANAGED_VARIABLE
// right 03 sklansky_of_runs: NET_SKLANSKY RUN=16
// right 03 ladner_fischer_2d_block: NET_LADNER_FISCHER RUN=16 SHAPE_2D
// right 03 copied_asynchronously: NET_COALESCED RUN=16 MOVE_ASYNC
// right 03 template_recursion: NET_RECURSION RUN=16 HOST_BUILT
// right 03 cooperative_reduce: NET_CG_REDUCE RUN=32
// right 03 volatile_warps: NET_VOLATILE RUN=32 MOVE_CACHE
// right 03 arguments_in_constant_memory: NET_SPAN RUN=16 HOST_SYMBOL
// right 03 doubles: NET_DOUBLE RUN=16 HOST_PINNED
// right 04 transposed: NET_SKLANSKY RUN=32 MOVE_TRANSPOSED
// right 04 transposed_2d_block: NET_LADNER_FISCHER RUN=32 MOVE_TRANSPOSED SHAPE_2D
// right 04 transposed_3d_block: NET_HAN_CARLSON RUN=32 MOVE_TRANSPOSED SHAPE_3D HOST_LAUNCH_EX
// right 04 transposed_in_a_graph: NET_SKLANSKY RUN=32 MOVE_TRANSPOSED HOST_BUILT
// right 04 transposed_recursion: NET_RECURSION RUN=32 MOVE_TRANSPOSED
#include "scanlab/lab.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/std/array>
#include <cuda/std/span>
#include <cuda/std/utility>
namespace cg = cooperative_groups;

#if LAB == 1
#define ENTRY lab01_naive_scan
#elif LAB == 2
#define ENTRY lab02_double_buffer_scan
#elif LAB == 3
#define ENTRY lab03_blelloch_scan
#else
#define ENTRY lab04_padded_scan
#endif
constexpr int WARP = 32, MOST = LAB <= 2 ? 1024 : 2048, MOST_THREADS = MOST / RUN < WARP ? WARP : MOST / RUN;
constexpr bool INCLUSIVE = LAB == 1;

#if defined SHAPE_3D
static dim3 shape(int threads) { return dim3(4, 8, threads / 32); }
#elif defined SHAPE_2D
static dim3 shape(int threads) { return dim3(16, threads / 16); }
#else
static dim3 shape(int threads) { return dim3(threads); }
#endif
__device__ inline int rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ inline int threads() { return blockDim.x * blockDim.y * blockDim.z; }

// Threads ---------------------------------------------------------------------------------------------------

// The exclusive sum of x over the threads, which have dynamic shared memory s of SCRATCH elements each. All
// call it.
#if defined NET_SKLANSKY || defined NET_LADNER_FISCHER || defined NET_HAN_CARLSON
constexpr int SCRATCH = 1;
__device__ float over_threads(float x, float *s) {
  const int t = rank(), count = threads();
  s[t] = x;
  __syncthreads();
#ifdef NET_SKLANSKY
  for (int half = 1; half < count; half <<= 1) { // the right half of each group gets the last sum of the left half
    if (t & half) s[t] += s[(t & -half) - 1];
    __syncthreads();
  }
#else
  if (t & 1) s[t] += s[t - 1];
  __syncthreads();
#ifdef NET_HAN_CARLSON // Kogge and Stone's steps of the odd threads
  for (int offset = 2; offset < count; offset <<= 1) {
    const bool adds = (t & 1) && t > offset;
    const float left = adds ? s[t - offset] : 0.0f;
    __syncthreads();
    if (adds) s[t] += left;
    __syncthreads();
  }
#else
  for (int half = 2; half < count; half <<= 1) { // Sklansky's of the odd threads
    if ((t & half) && (t & 1)) s[t] += s[(t & -half) - 1];
    __syncthreads();
  }
#endif
  if (!(t & 1) && t > 0) s[t] += s[t - 1];
  __syncthreads();
#endif
  return t > 0 ? s[t - 1] : 0.0f;
}

#elif defined NET_RECURSION
constexpr int SCRATCH = 4; // two buffers, each behind as many zeros, so no step needs a guard
template <int OFFSET> struct steps {
  static __device__ __forceinline__ float run(float *from, float *to, int count) {
    if (OFFSET >= count) return from[-1];
    const float sum = from[-OFFSET] + from[0];
    *to = sum;
    __syncthreads();
    return steps<2 * OFFSET>::run(to, from, count);
  }
};
template <> struct steps<MOST_THREADS> {
  static __device__ __forceinline__ float run(float *from, float *, int) { return from[-1]; }
};
__device__ float over_threads(float x, float *s) {
  const int t = rank(), count = threads();
  s[t] = s[2 * count + t] = 0.0f;
  s[count + t] = x;
  __syncthreads();
  return steps<1>::run(s + count + t, s + 3 * count + t, count);
}

#elif defined NET_POINTER
constexpr int SCRATCH = 2;
typedef float operation(float left, float right);
__device__ float add(float left, float right) { return left + right; }
__device__ float second(float, float right) { return right; }
__device__ operation *const table[2] = {second, add};
__device__ float over_threads(float x, float *s) {
  const int t = rank(), count = threads();
  float *from = s, *to = s + count;
  from[t] = x;
  __syncthreads();
  for (int offset = 1; offset < count; offset += offset) {
    to[t] = table[t >= offset](from[t >= offset ? t - offset : t], from[t]);
    cuda::std::swap(from, to);
    __syncthreads();
  }
  return t > 0 ? from[t - 1] : 0.0f;
}

#elif defined NET_NAMED
constexpr int SCRATCH = 2;
// Barrier `id` of the 16 that a block has, for all threads.
__device__ __forceinline__ void wait(int id) { asm volatile("bar.sync %0;" ::"r"(id) : "memory"); }
__device__ float over_threads(float x, float *s) {
  const int t = rank(), count = threads();
  int step = 0;
  s[t] = x;
  wait(1);
  for (int offset = 1; offset < count; offset *= 2, step ^= 1) {
    const float *from = s + step * count;
    float *to = s + (step ^ 1) * count;
    float sum;
    asm("{ .reg .pred p; .reg .f32 left; setp.ge.s32 p, %1, %2; mov.f32 left, 0f00000000; @p ld.shared.f32 left, [%3]; add.f32 %0, left, %4; }"
        : "=f"(sum)
        : "r"(t), "r"(offset), "r"(unsigned(__cvta_generic_to_shared(from + t - offset))), "f"(from[t])
        : "memory");
    to[t] = sum;
    wait(2 + step);
  }
  return t > 0 ? s[step * count + t - 1] : 0.0f;
}

#elif defined NET_COUNT
constexpr int SCRATCH = 1;
__device__ float over_threads(float x, float *s) {
  const int t = rank();
  int offset = 1;
  s[t] = x;
  while (__syncthreads_or(t >= offset)) { // until no thread has a neighbour so far to its left
    const float left = t >= offset ? s[t - offset] : 0.0f;
    if (__syncthreads_count(t < offset) == 0) break;
    s[t] += left;
    offset *= 2;
  }
  return t > 0 ? s[t - 1] : 0.0f;
}

#elif defined NET_DOUBLE
constexpr int SCRATCH = 4;
__device__ float over_threads(float x, float *floats) {
  double *s = reinterpret_cast<double *>(floats);
  const int t = rank(), count = threads();
  int to = 0;
  s[t] = x;
  __syncthreads();
  for (int offset = 1; offset < count; offset *= 2) {
    to = count - to;
    s[to + t] = s[count - to + t] + (t >= offset ? s[count - to + t - offset] : 0.0);
    __syncthreads();
  }
  return t > 0 ? float(s[to + t - 1]) : 0.0f;
}

#elif defined NET_SPAN
constexpr int SCRATCH = 2;
__device__ float over_threads(float x, float *s) {
  const size_t t = rank(), count = threads();
  cuda::std::array<cuda::std::span<float>, 2> buffers{cuda::std::span<float>(s, count), cuda::std::span<float>(s + count, count)};
  buffers[0][t] = x;
  __syncthreads();
  for (size_t offset = 1; offset < count; offset *= 2) {
    const auto &[from, to] = buffers;
    to[t] = t < offset ? from[t] : from.first(t).last(offset).front() + from[t];
    __syncthreads();
    cuda::std::swap(buffers[0], buffers[1]);
  }
  return t > 0 ? buffers[0].first(t).back() : 0.0f;
}

#else // a warp at a time: over_lanes(x, s) is the inclusive sum over a group, whose lanes have s, and GROUP lanes are one
constexpr int SCRATCH = 3;
#if defined NET_VOLATILE
constexpr int GROUP = WARP;
__device__ float over_lanes(float x, float *room) {
  volatile float *s = room;
  const int lane = rank() % WARP;
  s[lane] = x;
  __syncwarp();
  for (int offset = 1; offset < WARP; offset *= 2) {
    const float left = lane >= offset ? s[lane - offset] : 0.0f;
    __syncwarp();
    s[lane] = x += left;
    __syncwarp();
  }
  return x;
}
#elif defined NET_COALESCED
constexpr int GROUP = WARP;
__device__ float over_lanes(float x, float *) {
  for (int offset = 1; offset < WARP; offset *= 2) {
    const float left = cg::coalesced_threads().shfl_up(x, offset);
    if (rank() % WARP >= offset) { // these alone add
      const auto group = cg::coalesced_threads();
      if (group.thread_rank() < group.size()) x = left + x;
    }
    __syncwarp();
  }
  return x;
}
#else
#ifdef NET_TILES_OF_8
constexpr int GROUP = 8;
#else
constexpr int GROUP = WARP;
#endif
__device__ float over_lanes(float x, float *) {
  return cg::inclusive_scan(cg::tiled_partition<GROUP>(cg::this_thread_block()), x, [](float left, float right) { return left + right; });
}
#endif

__device__ float over_threads(float x, float *s) {
  const int t = rank(), count = threads(), group = t / GROUP, groups = count / GROUP;
  float *sums = s + count; // of groups; then the exclusive ones
#if defined NET_CG_REDUCE
  const float total = cg::reduce(cg::tiled_partition<GROUP>(cg::this_thread_block()), x, cg::plus<float>());
  if (t % GROUP == 0) sums[group] = total;
  const float sum = over_lanes(x, s + group * GROUP);
#else
  const float sum = over_lanes(x, s + group * GROUP);
  if (t % GROUP == GROUP - 1) sums[group] = sum;
#endif
  float before = 0;
  __syncthreads();
  if (t < GROUP) {
    for (int first = 0; first < groups; first += GROUP) {
      const float own = first + t < groups ? sums[first + t] : 0.0f;
      const float upto = over_lanes(own, s);
      if (first + t < groups) sums[first + t] = before + upto;
      before += __shfl_sync(GROUP == WARP ? ~0u : (1u << (GROUP % WARP)) - 1, upto, GROUP - 1);
    }
  }
  __syncthreads();
  s[t] = (group > 0 ? sums[group - 1] : 0.0f) + sum;
  __syncthreads();
  return t > 0 ? s[t - 1] : 0.0f;
}
#endif

// Elements --------------------------------------------------------------------------------------------------

struct arguments {
  const float *in;
  float *out;
  int n;
};

// Element i of the result, whose exclusive sum is `before`, and its own value x.
__device__ inline void put(const arguments &a, int i, float before, float x) {
  if (i >= a.n) return;
#if defined MOVE_CACHE
  __stcs(a.out + i, INCLUSIVE ? before + x : before);
#else
  a.out[i] = INCLUSIVE ? before + x : before;
#endif
}

__device__ inline float get(const arguments &a, int i) {
  if (i >= a.n) return 0.0f;
#if defined MOVE_CACHE
  return i % 2 ? __ldcs(a.in + i) : __ldcg(a.in + i);
#else
  return a.in[i];
#endif
}

// One word is left out after every 32, so that the runs of 32 threads lie in 32 banks.
__device__ inline int place(int i) { return i + i / WARP; }

#if defined MOVE_ASYNC || defined MOVE_TRANSPOSED
constexpr int ELEMENTS = MOST_THREADS * RUN + MOST_THREADS * RUN / WARP;
#else
constexpr int ELEMENTS = 0;
#endif

__device__ void scan(const arguments a) {
  extern __shared__ __align__(16) float room[]; // the tile first, then what threads need to put their sums together
  const int t = rank(), first = t * RUN;
  float x[RUN], sum = 0;
#if defined MOVE_ASYNC
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, room, a.in, sizeof(float) * a.n);
  cg::wait(block);
  for (int k = 0; k < RUN; k++) x[k] = first + k < a.n ? room[first + k] : 0.0f;
#elif defined MOVE_TRANSPOSED
  for (int i = t; i < threads() * RUN; i += threads()) room[place(i)] = get(a, i);
  __syncthreads();
  for (int k = 0; k < RUN; k++) x[k] = room[place(first + k)];
#else
  for (int k = 0; k < RUN; k++) x[k] = get(a, first + k);
#endif
  if (first < a.n) {
    sum = x[0];
#pragma unroll
    for (int k = 1; k < RUN; k++) sum += x[k];
  }
  float before = over_threads(sum, room + ELEMENTS);
#if defined MOVE_TRANSPOSED
  if (first < a.n)
    for (int k = 0; k < RUN; before += x[k++]) room[place(first + k)] = before;
  __syncthreads();
#pragma unroll 1 // else lanes with fewer elements than others run ahead, into others' banks
  for (int i = t; i < a.n; i += threads()) a.out[i] = room[place(i)];
#else
  for (int k = 0; k < RUN; before += x[k++]) put(a, first + k, before, x[k]);
#endif
}

// Arguments and launches ------------------------------------------------------------------------------------

static int threads_for(int n) { return ((n + RUN - 1) / RUN + WARP - 1) / WARP * WARP; }
static size_t bytes_for(int n) { return (ELEMENTS + SCRATCH * threads_for(n)) * sizeof(float); }

#if defined HOST_SYMBOL
__constant__ arguments constant;
__global__ void __launch_bounds__(MOST_THREADS) kernel() { scan(constant); }
static cudaError_t start(const arguments &a) {
  SL_CUDA(cudaMemcpyToSymbol(constant, &a, sizeof a));
  kernel<<<1, shape(threads_for(a.n)), bytes_for(a.n)>>>();
  return cudaGetLastError();
}
#elif defined HOST_MANAGED_VARIABLE
__device__ arguments variable;
__managed__ int size;
__global__ void __launch_bounds__(MOST_THREADS) kernel() { scan({variable.in, variable.out, size}); }
static cudaError_t start(const arguments &a) {
  void *at;
  SL_CUDA(cudaGetSymbolAddress(&at, variable));
  SL_CUDA(cudaMemcpyAsync(at, &a, sizeof a, cudaMemcpyHostToDevice, cudaStreamPerThread));
  SL_CUDA(cudaStreamSynchronize(cudaStreamPerThread));
  SL_CUDA(cudaMemset(&size, 0, sizeof size));
  SL_CUDA(cudaMemcpy(&size, &a.n, sizeof size, cudaMemcpyHostToDevice));
  kernel<<<1, shape(threads_for(a.n)), bytes_for(a.n)>>>();
  return cudaGetLastError();
}
#elif defined HOST_PINNED
__global__ void __launch_bounds__(MOST_THREADS) kernel(const arguments *a) { scan(*a); }
static cudaError_t start(const arguments &a) {
  arguments *pinned, *there;
  SL_CUDA(cudaHostAlloc((void **)&pinned, sizeof *pinned, cudaHostAllocMapped));
  *pinned = a;
  SL_CUDA(cudaHostGetDevicePointer((void **)&there, pinned, 0));
  kernel<<<1, shape(threads_for(a.n)), bytes_for(a.n)>>>(there);
  SL_CUDA(cudaGetLastError());
  SL_CUDA(cudaDeviceSynchronize());
  return cudaFreeHost(pinned);
}
#else
__global__ void __launch_bounds__(MOST_THREADS) kernel(arguments a) { scan(a); }
#if defined HOST_BUILT
static cudaError_t start(const arguments &a) {
  cudaGraph_t graph;
  cudaGraphNode_t empty, node;
  cudaGraphExec_t exec;
  arguments copy = a;
  void *list[] = {&copy};
  cudaKernelNodeParams params = {};
  params.func = (void *)kernel;
  params.gridDim = dim3(1);
  params.blockDim = shape(threads_for(a.n));
  params.sharedMemBytes = unsigned(bytes_for(a.n));
  params.kernelParams = list;
  SL_CUDA(cudaGraphCreate(&graph, 0));
  SL_CUDA(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  SL_CUDA(cudaGraphAddKernelNode(&node, graph, &empty, 1, &params));
  SL_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  SL_CUDA(cudaGraphLaunch(exec, 0));
  SL_CUDA(cudaGraphExecDestroy(exec));
  return cudaGraphDestroy(graph);
}
#elif defined HOST_LAUNCH_KERNEL
static cudaError_t start(const arguments &a) {
  arguments copy = a;
  void *list[] = {&copy};
  return cudaLaunchKernel((const void *)kernel, dim3(1), shape(threads_for(a.n)), list, bytes_for(a.n), 0);
}
#elif defined HOST_LAUNCH_EX
static cudaError_t start(const arguments &a) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = shape(threads_for(a.n));
  config.dynamicSmemBytes = bytes_for(a.n);
  return cudaLaunchKernelEx(&config, kernel, a);
}
#elif defined HOST_FUNCTION
// The host's function runs between two kernels of a stream, and touches no memory of the device.
static void count(void *calls) { ++*static_cast<int *>(calls); }
static cudaError_t start(const arguments &a) {
  int calls = 0;
  cudaStream_t stream;
  SL_CUDA(cudaStreamCreate(&stream));
  SL_CUDA(cudaLaunchHostFunc(stream, count, &calls));
  kernel<<<1, shape(threads_for(a.n)), bytes_for(a.n), stream>>>(a);
  SL_CUDA(cudaGetLastError());
  SL_CUDA(cudaLaunchHostFunc(stream, count, &calls));
  SL_CUDA(cudaStreamSynchronize(stream));
  SL_CUDA(cudaStreamDestroy(stream));
  return calls == 2 ? cudaSuccess : cudaErrorUnknown;
}
#else
static cudaError_t start(const arguments &a) {
  kernel<<<1, shape(threads_for(a.n)), bytes_for(a.n)>>>(a);
  return cudaGetLastError();
}
#endif
#endif

extern "C" cudaError_t ENTRY(const float *d_in, float *d_out, int n) { return n == 0 ? cudaSuccess : start({d_in, d_out, n}); }
