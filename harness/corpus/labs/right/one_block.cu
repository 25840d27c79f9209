// Labs 01 to 04: the sums of up to 1024 (01, 02) or 2048 floats, inclusive (01) or exclusive, by one block.
//
// LAB is the lab's number. KERNEL_.. says how the block scans, COMBINE_.. how threads put their sums
// together, PLACE_.. where element i lies in shared memory, RUN how many elements in a row a thread has,
// HOST_.. how the kernel is started.
//
// right 01 naive_adds_zeros: KERNEL_NAIVE
// right 01 naive_double_buffer: KERNEL_DOUBLE
// right 01 naive_template: KERNEL_TEMPLATE
// right 01 shuffles: KERNEL_RUNS RUN=1 COMBINE_SHUFFLE
// right 01 cooperative_tiles: KERNEL_RUNS RUN=1 COMBINE_TILES
// right 01 cooperative_scan: KERNEL_RUNS RUN=1 COMBINE_LIBRARY
// right 01 runs_of_4_vectors: KERNEL_RUNS RUN=4 COMBINE_SHUFFLE LOAD_VECTOR
// right 01 runs_of_8_padded: KERNEL_RUNS RUN=8 COMBINE_SHARED PLACE_PADDED
// right 01 one_warp: KERNEL_RUNS RUN=32 COMBINE_SHUFFLE PLACE_XOR
// right 01 tree: KERNEL_TREE
// right 01 brent_kung: KERNEL_BRENT_KUNG
// right 01 lambda: KERNEL_RUNS RUN=2 COMBINE_LAMBDA
// right 01 own_stream_and_events: KERNEL_NAIVE HOST_STREAM
// right 01 managed_memory: KERNEL_NAIVE HOST_MANAGED
// right 01 pooled_memory: KERNEL_DOUBLE HOST_POOL
// right 01 graph: KERNEL_NAIVE HOST_GRAPH
// right 01 a_launch_a_step: HOST_STEPS | loses 01.scan.drawn, 01.work.*, 01.sync.barriers_n1024: one launch is asked for, and steps in shared memory or registers
// right 02 naive_two_buffers_static: KERNEL_DOUBLE
// right 02 shuffles: KERNEL_RUNS RUN=1 COMBINE_SHUFFLE
// right 02 cooperative_tiles: KERNEL_RUNS RUN=1 COMBINE_TILES
// right 02 cooperative_scan: KERNEL_RUNS RUN=2 COMBINE_LIBRARY
// right 02 runs_of_4_vectors: KERNEL_RUNS RUN=4 COMBINE_SHUFFLE LOAD_VECTOR
// right 02 runs_of_16_xor: KERNEL_RUNS RUN=16 COMBINE_SHUFFLE PLACE_XOR
// right 02 one_warp: KERNEL_RUNS RUN=32 COMBINE_SHUFFLE PLACE_PADDED
// right 02 naive_template: KERNEL_TEMPLATE
// right 02 managed_memory: KERNEL_DOUBLE HOST_MANAGED
// right 02 own_stream_and_events: KERNEL_DOUBLE HOST_STREAM
// right 02 graph: KERNEL_RUNS RUN=1 COMBINE_SHUFFLE HOST_GRAPH
// right 02 two_barriers_a_step: KERNEL_NAIVE | loses 02.sync.*: one barrier a step is asked for
// right 03 tree_last_levels_by_a_warp: KERNEL_TREE WARP_LEVELS
// right 03 tree_padded: KERNEL_TREE PLACE_PADDED
// right 03 tree_xor: KERNEL_TREE PLACE_XOR
// right 03 brent_kung: KERNEL_BRENT_KUNG
// right 03 runs_of_16: KERNEL_RUNS RUN=16 COMBINE_SHUFFLE
// right 03 runs_of_16_vectors: KERNEL_RUNS RUN=16 COMBINE_SHUFFLE LOAD_VECTOR
// right 03 runs_of_32_shared: KERNEL_RUNS RUN=32 COMBINE_SHARED PLACE_PADDED
// right 03 one_warp: KERNEL_RUNS RUN=64 COMBINE_TILES
// right 03 managed_memory: KERNEL_TREE HOST_MANAGED
// right 03 pooled_memory: KERNEL_TREE HOST_POOL
// right 03 own_stream_and_events: KERNEL_TREE HOST_STREAM
// right 03 graph: KERNEL_TREE HOST_GRAPH
// right 03 barrier_objects: KERNEL_RUNS RUN=16 COMBINE_BARRIER | loses 03.work.*, 03.sync.*: a cuda::barrier is made of atomics here
// right 03 shuffles: KERNEL_RUNS RUN=2 COMBINE_SHUFFLE | loses 03.work.*: 3.5 n additions
// right 04 tree_xor: KERNEL_TREE PLACE_XOR | loses 04.conflicts.*: this layout has replays at the upper levels
// right 04 tree_padded: KERNEL_TREE PLACE_PADDED
// right 04 tree_last_levels_by_a_warp: KERNEL_TREE PLACE_PADDED WARP_LEVELS
// right 04 runs_of_16_padded: KERNEL_RUNS RUN=16 COMBINE_SHUFFLE PLACE_PADDED
// right 04 runs_of_32_xor: KERNEL_RUNS RUN=32 COMBINE_SHUFFLE PLACE_XOR
// right 04 runs_of_32_padded_tiles: KERNEL_RUNS RUN=32 COMBINE_TILES PLACE_PADDED
// right 04 runs_of_16_vectors: KERNEL_RUNS RUN=16 COMBINE_SHUFFLE LOAD_VECTOR PLACE_PADDED
// right 04 brent_kung_padded: KERNEL_BRENT_KUNG PLACE_PADDED | loses 04.conflicts.*: its way down has replays with this padding
// right 04 managed_memory: KERNEL_TREE PLACE_PADDED HOST_MANAGED
// right 04 graph: KERNEL_TREE PLACE_PADDED HOST_GRAPH
// right 04 naive: KERNEL_RUNS RUN=2 COMBINE_NAIVE | loses 04.work.adds_n2048, 04.work.shared_n2048, 04.conflicts.*: n log2 n additions in two arrays
#include "scanlab/lab.h"

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cuda/barrier>
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
#ifndef RUN
#define RUN 1
#endif
enum { WARP = 32, MOST = LAB <= 2 ? 1024 : 2048, INCLUSIVE = LAB == 1 };

// The place of element i in shared memory.
__host__ __device__ constexpr int place(int i) {
#if defined PLACE_PADDED
  return i + (i >> 5) + (i >> 10);
#elif defined PLACE_XOR
  return i ^ ((i >> 5) & 31);
#else
  return i;
#endif
}

// Stores the result of element i, whose inclusive sum is `sum`.
__device__ inline void put(float *out, int n, int i, float sum) {
  if (INCLUSIVE && i < n) out[i] = sum;
  if (!INCLUSIVE && i + 1 < n) out[i + 1] = sum;
  if (!INCLUSIVE && i == 0) out[0] = 0;
}

#if defined KERNEL_NAIVE
__global__ void scan(const float *in, float *out, int n, int) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const float left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  if (t < n) put(out, n, t, s[t]);
}
static int threads_for(int n) { return (n + WARP - 1) / WARP * WARP; }

#elif defined KERNEL_DOUBLE
__global__ void scan(const float *__restrict__ in, float *__restrict__ out, int n, int) {
  __shared__ float s[2][1024];
  const int t = threadIdx.x;
  int now = 0;
  s[0][t] = t < n ? __ldg(in + t) : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset <<= 1, now ^= 1) {
    float x = s[now][t];
    if (t >= offset) x += s[now][t - offset];
    s[now ^ 1][t] = x;
    __syncthreads();
  }
  put(out, n, t, s[now][t]);
}
static int threads_for(int n) { return (n + WARP - 1) / WARP * WARP; }

#elif defined KERNEL_TEMPLATE
// The number of threads is known to the compiler, so that it unrolls the steps.
template <int THREADS> __global__ void scan_of(const float *in, float *out, int n) {
  __shared__ float s[2 * THREADS]; // the left half are zeros: no guard
  const int t = threadIdx.x;
  float sum = t < n ? in[t] : 0;
  int from = THREADS;
  s[t] = 0;
  s[from + t] = sum;
  __syncthreads();
#pragma unroll
  for (int offset = 1; offset < THREADS; offset *= 2) {
    const float left = s[from + t - offset];
    __syncthreads();
    s[from + t] = sum = left + sum;
    if (2 * offset < THREADS) __syncthreads();
  }
  put(out, n, t, sum);
}
#if LAB == 2
template <int THREADS> __global__ void scan_two(const float *in, float *out, int n) {
  __shared__ float s[2][2 * THREADS];
  const int t = threadIdx.x;
  float sum = t < n ? in[t] : 0;
  s[0][t] = s[1][t] = 0;
  s[0][THREADS + t] = sum;
  __syncthreads();
#pragma unroll
  for (int offset = 1, now = 0; offset < THREADS; offset *= 2, now ^= 1) {
    s[now ^ 1][THREADS + t] = sum = s[now][THREADS + t - offset] + sum;
    __syncthreads();
  }
  put(out, n, t, sum);
}
#define scan_of scan_two
#endif
template <int THREADS> static void start(const float *in, float *out, int n, cudaStream_t s) {
  if (THREADS < 1024 && n > THREADS) start<THREADS < 1024 ? 2 * THREADS : THREADS>(in, out, n, s);
  else scan_of<THREADS><<<1, THREADS, 0, s>>>(in, out, n);
}

#elif defined KERNEL_TREE
__global__ void scan(const float *in, float *out, int n, int m) {
  extern __shared__ float s[];
  const int t = threadIdx.x;
  for (int i = t; i < m; i += blockDim.x) s[place(i)] = i < n ? in[i] : 0;
  int offset = 1;
  for (int pairs = m / 2; pairs > 0; pairs /= 2, offset *= 2) {
#ifdef WARP_LEVELS
    if (pairs >= WARP) __syncthreads();
    else if (t < WARP) __syncwarp();
#else
    __syncthreads();
#endif
    if (t < pairs) s[place(offset * (2 * t + 2) - 1)] += s[place(offset * (2 * t + 1) - 1)];
  }
  if (t == 0) s[place(m - 1)] = 0;
  for (int pairs = 1; pairs < m; pairs *= 2) {
    offset /= 2;
#ifdef WARP_LEVELS
    if (pairs > WARP) __syncthreads();
    else if (t < WARP) __syncwarp();
#else
    __syncthreads();
#endif
    if (t < pairs) {
      const int left = place(offset * (2 * t + 1) - 1), right = place(offset * (2 * t + 2) - 1);
      const float before = s[right], sum = s[left];
      s[left] = before;
      s[right] = before + sum;
    }
  }
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x)
    out[i] = INCLUSIVE ? (i + 1 < m ? s[place(i + 1)] : s[place(i)] + in[i]) : s[place(i)];
}
static int tree_size(int n) {
  int m = 2;
  while (m < n) m *= 2;
  return m;
}
static int threads_for(int n) { return tree_size(n) / 2; }
#define SHARED_BYTES(m) ((place(m - 1) + 1 + 32) * sizeof(float))

#elif defined KERNEL_BRENT_KUNG
// Inclusive: up as the tree, down by adding the last element of the left half to the middle of the right one.
__global__ void scan(const float *in, float *out, int n, int m) {
  __shared__ float s[MOST + MOST / 32 + 2];
  const int t = threadIdx.x, half = blockDim.x;
  s[place(t)] = t < n ? in[t] : 0;
  if (t + half < m) s[place(t + half)] = t + half < n ? in[t + half] : 0;
  for (int stride = 1; stride < m; stride *= 2) {
    __syncthreads();
    const int i = (t + 1) * stride * 2 - 1;
    if (i < m) s[place(i)] += s[place(i - stride)];
  }
  for (int stride = m / 4; stride > 0; stride /= 2) {
    __syncthreads();
    const int i = (t + 1) * stride * 2 - 1;
    if (i + stride < m) s[place(i + stride)] += s[place(i)];
  }
  __syncthreads();
  put(out, n, t, s[place(t)]);
  if (t + half < m) put(out, n, t + half, s[place(t + half)]);
}
static int tree_size(int n) {
  int m = 2;
  while (m < n) m *= 2;
  return m;
}
static int threads_for(int n) { return tree_size(n) / 2 < WARP ? WARP : tree_size(n) / 2; }

#elif defined KERNEL_RUNS
enum { THREADS = (MOST / RUN < WARP ? WARP : MOST / RUN), WARPS = THREADS / WARP };

// The inclusive sum over the threads of the block. All call it.
__device__ inline float over_threads(float x) {
  const int t = threadIdx.x, lane = t % WARP, warp = t / WARP, warps = (blockDim.x + WARP - 1) / WARP;
#if defined COMBINE_BARRIER
  typedef cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ alignas(barrier) unsigned char s_place[sizeof(barrier)];
  __shared__ float s_sum[THREADS];
  barrier *b = reinterpret_cast<barrier *>(s_place);
  if (t == 0) init(b, blockDim.x);
  __syncthreads();
  s_sum[t] = x;
  for (int offset = 1; offset < int(blockDim.x); offset *= 2) {
    b->arrive_and_wait();
    const float left = t >= offset ? s_sum[t - offset] : 0;
    b->arrive_and_wait();
    s_sum[t] = x = left + x;
  }
  return (void)lane, (void)warp, (void)warps, x;
#elif defined COMBINE_SHARED || defined COMBINE_NAIVE
  __shared__ float s[2][THREADS];
  int now = 0;
  s[0][t] = x;
  __syncthreads();
  for (int offset = 1; offset < int(blockDim.x); offset *= 2, now ^= 1) {
    s[now ^ 1][t] = t >= offset ? s[now][t - offset] + s[now][t] : s[now][t];
    __syncthreads();
  }
  return (void)lane, (void)warp, (void)warps, s[now][t];
#else
  __shared__ float s_warp[WARP];
#if defined COMBINE_TILES
  auto tile = cg::tiled_partition<WARP>(cg::this_thread_block());
  for (unsigned offset = 1; offset < tile.size(); offset *= 2) {
    const float left = tile.shfl_up(x, offset);
    if (tile.thread_rank() >= offset) x += left;
  }
#elif defined COMBINE_LIBRARY
  x = cg::inclusive_scan(cg::tiled_partition<WARP>(cg::this_thread_block()), x, cg::plus<float>());
#elif defined COMBINE_LAMBDA
  auto step = [=](float sum, int offset) {
    const float left = __shfl_up_sync(~0u, sum, offset);
    return lane >= offset ? left + sum : sum;
  };
  for (int offset = 1; offset < WARP; offset *= 2) x = step(x, offset);
#else
  for (int offset = 1; offset < WARP; offset *= 2) {
    const float left = __shfl_up_sync(0xffffffffu, x, offset);
    if (lane >= offset) x = left + x;
  }
#endif
  if (lane == WARP - 1) s_warp[warp] = x;
  __syncthreads();
  if (warp == 0) {
    float sum = lane < warps ? s_warp[lane] : 0;
    for (int offset = 1; offset < warps; offset *= 2) {
      const float left = __shfl_up_sync(0xffffffffu, sum, offset);
      if (lane >= offset) sum = left + sum;
    }
    if (lane < warps) s_warp[lane] = sum;
  }
  __syncthreads();
  return warp > 0 ? s_warp[warp - 1] + x : x;
#endif
}

#if defined PLACE_PADDED || defined PLACE_XOR
#define THROUGH_SHARED
#endif

// Element t * RUN + k of the input, for all k.
__device__ inline void load(const float *in, int n, float *x, float *s) {
  const int t = threadIdx.x;
  (void)s;
#if defined LOAD_VECTOR
  for (int k = 0; k < RUN; k += 4) {
    const int i = t * RUN + k;
    if (i + 4 <= n) {
      const float4 v = *reinterpret_cast<const float4 *>(in + i);
      x[k] = v.x, x[k + 1] = v.y, x[k + 2] = v.z, x[k + 3] = v.w;
    } else
      for (int j = 0; j < 4; j++) x[k + j] = i + j < n ? in[i + j] : 0;
  }
#elif defined THROUGH_SHARED
  for (int i = t; i < int(blockDim.x) * RUN; i += blockDim.x) s[place(i)] = i < n ? in[i] : 0;
  __syncthreads();
  for (int k = 0; k < RUN; k++) x[k] = s[place(t * RUN + k)];
#else
  for (int k = 0; k < RUN; k++) x[k] = t * RUN + k < n ? in[t * RUN + k] : 0;
#endif
}

__global__ void __launch_bounds__(THREADS) scan(const float *in, float *out, int n, int) {
  __shared__ float s[THREADS * RUN + THREADS * RUN / 32 + 2];
  float x[RUN];
  load(in, n, x, s);
  const int first = threadIdx.x * RUN;
#pragma unroll
  for (int k = 1; k < RUN; k++)
    if (first < n) x[k] += x[k - 1];
  const float all = over_threads(x[RUN - 1]);
  __shared__ float s_before[THREADS + 1];
  s_before[threadIdx.x + 1] = all;
  if (threadIdx.x == 0) s_before[0] = 0;
  __syncthreads();
  const float before = s_before[threadIdx.x];
#ifdef THROUGH_SHARED // stores of neighbouring threads lie side by side
#pragma unroll
  for (int k = 0; k < RUN; k++)
    if (first < n) s[place(first + k)] = before + x[k];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) put(out, n, i, s[place(i)]);
#else
  (void)s;
#pragma unroll
  for (int k = 0; k < RUN; k++)
    if (first + k < n) put(out, n, first + k, RUN == 1 ? all : before + x[k]);
#endif
}
static int threads_for(int n) { return ((n + RUN - 1) / RUN + WARP - 1) / WARP * WARP; }
#endif

#ifdef HOST_STEPS
// Hillis and Steele's steps as launches over two arrays in global memory.
__global__ void step(const float *from, float *to, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  to[i] = i >= offset ? from[i - offset] + from[i] : from[i];
}
extern "C" cudaError_t ENTRY(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  float *two = nullptr;
  SL_CUDA(cudaMalloc((void **)&two, 2 * n * sizeof(float)));
  const float *from = d_in;
  int now = 0;
  for (int offset = 1; offset < n; offset *= 2, now ^= 1) {
    float *to = 2 * offset >= n ? d_out : two + now * n;
    step<<<(n + 127) / 128, 128>>>(from, to, n, offset);
    from = to;
  }
  if (n == 1) step<<<1, 32>>>(d_in, d_out, 1, 1);
  SL_CUDA(cudaGetLastError());
  return cudaFree(two);
}
#else

static cudaError_t launch(const float *in, float *out, int n, cudaStream_t stream) {
#if defined KERNEL_TEMPLATE
  start<32>(in, out, n, stream);
#elif defined KERNEL_TREE
  scan<<<1, threads_for(n), SHARED_BYTES(tree_size(n)), stream>>>(in, out, n, tree_size(n));
#elif defined KERNEL_BRENT_KUNG
  scan<<<1, threads_for(n), 0, stream>>>(in, out, n, tree_size(n));
#else
  scan<<<1, threads_for(n), 0, stream>>>(in, out, n, 0);
#endif
  return cudaGetLastError();
}

#if defined HOST_STREAM
extern "C" cudaError_t ENTRY(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  cudaStream_t stream;
  cudaEvent_t ready, done;
  SL_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SL_CUDA(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  SL_CUDA(cudaEventCreate(&done));
  SL_CUDA(cudaEventRecord(ready, 0));
  SL_CUDA(cudaStreamWaitEvent(stream, ready, 0));
  SL_CUDA(launch(d_in, d_out, n, stream));
  SL_CUDA(cudaEventRecord(done, stream));
  SL_CUDA(cudaEventSynchronize(done));
  SL_CUDA(cudaEventDestroy(ready));
  SL_CUDA(cudaEventDestroy(done));
  return cudaStreamDestroy(stream);
}
#elif defined HOST_MANAGED || defined HOST_POOL
// The result goes to memory of the entry point first.
extern "C" cudaError_t ENTRY(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  float *mine;
#ifdef HOST_POOL
  SL_CUDA(cudaMallocAsync((void **)&mine, n * sizeof(float), 0));
#else
  SL_CUDA(cudaMallocManaged((void **)&mine, n * sizeof(float)));
  for (int i = 0; i < n; i++) mine[i] = -1;
#endif
  SL_CUDA(launch(d_in, mine, n, 0));
  SL_CUDA(cudaMemcpyAsync(d_out, mine, n * sizeof(float), cudaMemcpyDeviceToDevice));
#ifdef HOST_POOL
  return cudaFreeAsync(mine, 0);
#else
  return cudaFree(mine);
#endif
}
#elif defined HOST_GRAPH
extern "C" cudaError_t ENTRY(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  SL_CUDA(cudaStreamCreate(&stream));
  SL_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SL_CUDA(launch(d_in, d_out, n, stream));
  SL_CUDA(cudaStreamEndCapture(stream, &graph));
  SL_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  SL_CUDA(cudaGraphLaunch(exec, stream));
  SL_CUDA(cudaStreamSynchronize(stream));
  SL_CUDA(cudaGraphExecDestroy(exec));
  SL_CUDA(cudaGraphDestroy(graph));
  return cudaStreamDestroy(stream);
}
#else
extern "C" cudaError_t ENTRY(const float *d_in, float *d_out, int n) { return n == 0 ? cudaSuccess : launch(d_in, d_out, n, 0); }
#endif
#endif
