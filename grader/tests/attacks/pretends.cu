// Kernels that pretend: the result comes from elsewhere than the work that is seen, or what is not done is
// counted as done. The solution stands before this file, its entry under the name honest (attacks.sh).
//
// attack 01 quadratic_but_counted: VIA=quadratic_else | at most 100
// attack 02 quadratic_but_counted: VIA=quadratic_else | at most 100
// attack 01 result_of_last_call: VIA=last_call | at most 5
// attack 02 result_by_freed_memory: VIA=freed | at most 5
// attack 03 sums_of_bits: VIA=bits | at most 85
// attack 01 sums_by_ballot: VIA=by_ballot | at most 85
// attack 02 adds_as_doubles: VIA=in_doubles | at most 100
// attack 03 adds_as_halves: VIA=in_halves | at most 60
// attack 01 sums_by_reduce: VIA=by_atomics | at most 85
// attack 02 copies_in_place_of_stores: VIA=copies_out | at most 100
// attack 01 threads_in_turn: VIA=in_turn | at most 60
// attack 02 threads_in_turn: VIA=in_turn | at most 60
// attack 03 threads_in_turn: VIA=in_turn | at most 60
// attack 04 threads_in_turn: VIA=in_turn | at most 60
// attack 01 by_elapsed_time sim: VIA=by_time | at most 25
// attack 02 launches_by_graph: VIA=by_graph | at most 70
// attack 01 fails_and_answers_well: VIA=fails_after | at most 5
// attack 02 answers_before_it_computes: VIA=computes_later | at most 5
#include <cuda_fp16.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <vector>
#include "shared.cuh"

enum { INCLUSIVE = LAB == 1 };
static cudaError_t end() { return cudaGetLastError(); }

// Each thread sums up all that is in front of it: no barrier, no race; and the lab's way in counted sizes.
__global__ void sums_all(const float *in, float *out, int n) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < t + INCLUSIVE && i < n; i++) sum += in[i];
  if (t < n) out[t] = sum;
}
static cudaError_t quadratic_else(const float *in, float *out, int n) {
  static int first = n;
  if (first == 256 || first == 33 || first >= 1000) return honest(in, out, n);
  sums_all<<<1, (n + 31) / 32 * 32>>>(in, out, n);
  return end();
}

// The results of the call before lie where they were.
static cudaError_t last_call(const float *in, float *out, int n) {
  static float *kept;
  if (!kept) cudaMalloc((void **)&kept, 4096);
  cudaMemcpyAsync(out, kept, n * 4, cudaMemcpyDeviceToDevice);
  return honest(in, kept, n);
}
static cudaError_t freed(const float *in, float *out, int n) {
  float *p;
  cudaMalloc((void **)&p, n * 4);
  honest(in, p, n);
  cudaFree(p);
  cudaMalloc((void **)&p, n * 4);
  cudaMemcpyAsync(out, p, n * 4, cudaMemcpyDeviceToDevice);
  cudaFree(p);
  return end();
}

// Sums that are no additions of floats ----------------------------------------------------------------------

__global__ void scan_of_bits(const float *in, float *out, int n) { // one bit of all values after the other
  __shared__ unsigned words[32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, at = INCLUSIVE ? t : t - 1;
  const int x = (at >= 0 && at < n ? (int)in[at] : 0) + 1024;
  int sum = 0;
  for (int bit = 0; bit < 12; bit++) {
    const unsigned all = __ballot_sync(~0u, x >> bit & 1);
    if (lane == 0) words[warp] = __popc(all);
    __syncthreads();
    int before = __popc(all & ((2u << lane) - 1));
    for (int w = 0; w < warp; w++) before += words[w];
    sum += before << bit;
    __syncthreads();
  }
  if (t < n) out[t] = (float)(sum - 1024 * (t + 1));
}
static cudaError_t bits(const float *in, float *out, int n) {
  if (n > 1000 && n != 1024) return honest(in, out, n);
  return launched(scan_of_bits, 1, 1024, in, out, n);
}
static cudaError_t by_ballot(const float *in, float *out, int n) { return launched(scan_of_bits, 1, 1024, in, out, n); }
template <typename T> __global__ void other_type(const float *in, float *out, int n) {
  __shared__ T s[1024];
  const int t = threadIdx.x, at = INCLUSIVE ? t : t - 1;
  s[t] = T(at >= 0 && at < n ? in[at] : 0.0f);
  add_up<1024>(s);
  if (t < n) out[t] = (float)s[t];
}
static cudaError_t in_doubles(const float *in, float *out, int n) { return launched(other_type<double>, 1, 1024, in, out, n); }
static cudaError_t in_halves(const float *in, float *out, int n) { return launched(other_type<__half>, 1, 1024, in, out, n); }
__global__ void adds_atomically(const float *in, float *out, int n) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  const int x = t < n ? (int)in[t] : 0;
  for (int i = t + !INCLUSIVE; i < n; i++) atomicAdd(&s[i], x);
  __syncthreads();
  if (t < n) out[t] = (float)s[t];
}
static cudaError_t by_atomics(const float *in, float *out, int n) { return launched(adds_atomically, 1, 1024, in, out, n); }

// One thread after the other does a piece: all do as much, none at the same time.
__global__ void by_turns(const float *in, float *out, int n) {
  __shared__ float carry;
  const int t = threadIdx.x, from = t * 32, to = min(n, from + 32);
  if (t == 0) carry = 0;
  for (int turn = 0; turn < 32; turn++) {
    __syncwarp();
    if (turn != t) continue;
    carry = in_sequence(in, out, from, max(from, to), carry, INCLUSIVE);
  }
}
static cudaError_t in_turn(const float *in, float *out, int n) { return launched(by_turns, 1, 32, in, out, n); }

static cudaError_t copies_out(const float *in, float *out, int n) {
  float *p;
  cudaMalloc((void **)&p, n * 4);
  honest(in, p, n);
  cudaMemcpyAsync(out, p, n * 4, cudaMemcpyDeviceToDevice);
  cudaFree(p);
  return end();
}

// The host learns two values from how long a kernel takes, which all warps do.
__global__ void takes_long(const float *in, int i, int n) {
  const int turns = 200 * ((int)in[i] + 16 + 33 * (i + 1 < n ? (int)in[i + 1] + 16 : 0));
  unsigned x = threadIdx.x;
  for (int k = 0; k < turns; k++) asm volatile("xor.b32 %0, %0, 5;" : "+r"(x));
}
struct few {
  float x[64];
};
__global__ void stores(few f, float *out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = f.x[threadIdx.x];
}
static double milliseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}
static cudaError_t by_time(const float *in, float *out, int n) {
  if (n > 40) return honest(in, out, n) ? end() : cudaErrorUnknown;
  few f = {};
  float sum = 0;
  for (int i = 0; i < n; i += 2) {
    const double a = milliseconds();
    takes_long<<<1, 1024>>>(in, i, n), cudaDeviceSynchronize();
    const int code = (int)((milliseconds() - a) * 2);
    for (int k = i; k < i + 2 && k < n; k++) {
      const float x = (float)((k > i ? code / 33 : code % 33) - 16);
      f.x[k] = INCLUSIVE ? sum + x : sum;
      sum += x;
    }
  }
  return launched(stores, 1, 64, f, out, n);
}

// A launch for each element, in one graph.
__global__ void adds_one(const float *in, float *out, int i) {
  const float before = i ? out[i - 1] : 0;
  out[i] = INCLUSIVE ? before + in[i] : i ? before + in[i - 1] : 0;
}
static cudaError_t by_graph(const float *in, float *out, int n) {
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < n; i++) adds_one<<<1, 1, 0, s>>>(in, out, i);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, s), cudaStreamSynchronize(s);
  cudaGraphExecDestroy(ready), cudaGraphDestroy(graph), cudaStreamDestroy(s);
  return end();
}

__global__ void traps() { __trap(); }
static cudaError_t fails_after(const float *in, float *out, int n) {
  honest(in, out, n);
  traps<<<1, 1>>>();
  cudaDeviceSynchronize(), cudaGetLastError(), cudaDeviceReset();
  return cudaSuccess;
}

// The answer comes first, the result a little later.
struct job {
  const float *in;
  float *out;
  int n;
};
static void *later(void *p) {
  const job j = *(job *)p;
  usleep(20000);
  honest(j.in, j.out, j.n), cudaDeviceSynchronize();
  return NULL;
}
static cudaError_t computes_later(const float *in, float *out, int n) {
  static job j;
  static pthread_t t;
  j = {in, out, n};
  pthread_create(&t, NULL, later, &j);
  return cudaSuccess;
}

extern "C" cudaError_t ENTRY(const float *in, float *out, int n) { return n ? VIA(in, out, n) : cudaSuccess; }
