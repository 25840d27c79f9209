// Kernels that the engine's tests run. Each does one thing that the engine must get right; results are
// checked by the test of the same name. The lines marked LINE_x are where the tests expect a finding.
#include <cassert>
#include <cooperative_groups.h>
#include <cstdio>

extern "C" {

__global__ void vector_add(const int *a, const int *b, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void shared_scan(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int o = 1; o < 256; o *= 2) {
    int v = t >= o ? s[t - o] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = s[t];
}

// Loops of a different length in every lane, with breaks, continues and a nested loop.
__global__ void divergence(int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = 0; i < t % 37; i++) {
    if (i % 5 == t % 5) continue;
    if (i > 30 && (t & 1)) break;
    for (int j = i; j > t % 3; j -= 2) {
      sum += j * i;
      if (sum > 100000) sum -= 77777;
    }
    sum ^= i;
  }
  if (t & 2) sum += 3;
  else sum *= 5;
  out[t] = sum;
}

__global__ void switch_table(const int *in, int *out) {
  int t = threadIdx.x, v = in[t], r = 0;
  switch (v) {
    case 0: r = out[t] + 4; break;
    case 1: r = out[t] * 7; break;
    case 2: r = out[t] - 1; break;
    case 3: r = out[t] / 3; break;
    case 4: r = out[t] ^ 11; break;
    case 5: r = out[t] << 2; break;
    case 6: r = out[t] % 5; break;
    case 7: r = -out[t]; break;
    default: r = 1000 + v;
  }
  out[t] = r;
}

// A lane that spins on a flag that another lane of its warp sets.
__global__ void spin_in_warp(volatile int *flag, int *out) {
  int t = threadIdx.x;
  if (t < 31) {
    while (*flag == 0) {}
    out[t] = *flag + t;
  } else {
    out[t] = -1;
    *flag = 7;
  }
}

__global__ void lock_in_warp(int *lock, int *counter) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  int v = *(volatile int *)counter;
  *(volatile int *)counter = v + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__device__ unsigned ticket;
__device__ int tile_inclusive(int v, int *w) {
  int lane = threadIdx.x & 31, k = threadIdx.x >> 5;
  for (int o = 1; o < 32; o *= 2) {
    int u = __shfl_up_sync(~0u, v, o);
    if (lane >= o) v += u;
  }
  if (lane == 31) w[k] = v;
  __syncthreads();
  for (int j = 0; j < k; j++) v += w[j];
  return v;
}

// Blocks take a lock, see whether it is their turn, and give it back; counted: a register changes each trip.
__global__ void strict_turns(int *lock, volatile int *turn, int *out, int counted) {
  int tries = 0;
  for (bool done = false; !done; tries += counted) {
    while (atomicExch(lock, 1)) {}
    __threadfence();
    if (*turn == blockIdx.x) {
      out[blockIdx.x] = tries >= 0 ? blockIdx.x + 1 : 0;
      *turn = blockIdx.x + 1;
      done = true;
    }
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Blocks draw numbers until n are drawn: one a block at a time, or one a warp. taken[i]: who drew i. between:
// a block reads many words by atomics that add 0 meanwhile, and counts what it has done by another counter.
__global__ void draw_work(int *next, int *taken, int n, int by_warp, int *between) {
  __shared__ int s_drawn;
  int me = by_warp ? blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32 : blockIdx.x, drawn = 0;
  while (by_warp && drawn < n) {
    if (threadIdx.x % 32 == 0) drawn = atomicAdd(next, 1);
    drawn = __shfl_sync(~0u, drawn, 0);
    if (drawn < n) taken[drawn] = me;
  }
  while (!by_warp && drawn < n) {
    if (threadIdx.x == 0) s_drawn = atomicAdd(next, 1);
    __syncthreads();
    drawn = s_drawn;
    if (between && threadIdx.x == 0) {
      int seen = 0;
      for (int k = 1; k < 8; k++) seen += atomicAdd(between + k, 0);
      s_drawn = seen + atomicAdd(between, 1);
    }
    if (drawn < n) taken[drawn] = me;
    __syncthreads();
  }
}

// Look-back over tiles. by_ticket: tiles in the order in which blocks start; else by block index.
__global__ void look_back(const int *in, int *out, volatile int *state, volatile int *sums, volatile int *prefixes, int n, int by_ticket) {
  __shared__ int w[32], bid, before;
  if (threadIdx.x == 0) bid = by_ticket ? (int)atomicAdd(&ticket, 1u) : (int)blockIdx.x;
  __syncthreads();
  int i = bid * blockDim.x + threadIdx.x, v = tile_inclusive(i < n ? in[i] : 0, w);
  if (threadIdx.x == blockDim.x - 1) {
    sums[bid] = v;
    __threadfence();
    if (bid) state[bid] = 1;
    int p = bid - 1, ex = 0;
    for (; p >= 0; p--) {
      int f;
      while ((f = state[p]) == 0) {}  // LINE_SPIN
      __threadfence();
      if (f == 2) { ex += prefixes[p]; break; }
      ex += sums[p];
    }
    prefixes[bid] = ex + v;
    __threadfence();
    state[bid] = 2;
    before = ex;
  }
  __syncthreads();
  if (i < n) out[i] = v + before;
}

__global__ void wait_with_clock(volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    long long t = clock64();
    while (*flag == 0 && clock64() - t < 1000000000) {}
    out[0] = *flag;
  } else *flag = 5;
}

__global__ void wait_with_sleep(volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    while (*flag == 0) __nanosleep(100);
    out[0] = *flag;
  } else *flag = 6;
}

__global__ void wait_for_ever(volatile int *flag) {
  while (*flag == 0) {}  // LINE_WAIT
}

__global__ void count_for_ever(int *n) {
  while (*(volatile int *)n >= 0) atomicAdd(n, 1), atomicAnd(n, 0xffff);
}

// Each block turns some times; block [endless] never ends.
__global__ void idle() {}

__global__ void turn_some_times(int *out, unsigned endless) {
  for (int k = 0; k < 20 || blockIdx.x == endless; k++) atomicAdd(out, k);
}

__global__ void half_at_barrier(volatile int *flag) {
  if (threadIdx.x < 32) __syncthreads();  // LINE_HALF
  else while (*flag == 0) {}
}

__global__ void two_barriers() {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;");  // LINE_BAR1
  else asm volatile("bar.sync 2, 64;");
}

__global__ void early_exit_barrier(int *out) {
  __shared__ int s;
  if (threadIdx.x >= 40) return;
  if (threadIdx.x == 0) s = 5;
  __syncthreads();
  out[threadIdx.x] = s;
}

__global__ void out_of_bounds(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) a[i] = i;  // LINE_OOB
}

__global__ void past_the_next_array(int *a, const int *next, int k) { a[k + threadIdx.x] = next[0]; }  // LINE_PAST

__global__ void before_the_start(int *a) { a[(int)threadIdx.x - 3] = 1; }  // LINE_BEFORE

__global__ void shared_out_of_bounds(int *out, int k) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[(int)threadIdx.x + k];  // LINE_SHARED
}

// A whole warp touches words that lie out of order, twice: then an instruction knows its allocation. The
// second time the word of thread 7 lies [off] bytes elsewhere.
__global__ void scattered(int *out, int off, int how) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = tile[t + 32] = out[t];
  __syncthreads();
#pragma unroll 1
  for (int pass = 0; pass < 2; pass++) {
    int at = t * 5 % 32 * 4 + (t == 7 && pass ? off : 0);
    int *shared = (int *)((char *)tile + at), *global = (int *)((char *)out + at);
    if (how == 0) out[t] = *shared;
    else if (how == 1) *shared = t;
    else if (how == 2) tile[t] = *global;
    else *global = t;
    __syncthreads();
  }
  out[t + 32] = tile[t];
}

__global__ void misaligned(char *a) {
  *(int *)(a + 2) = 1;  // LINE_MISALIGNED
}

__global__ void read_through(const int *p, int *out) { out[0] = p[0]; }  // LINE_READ

__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void recursion(int *out) { out[threadIdx.x] = fib(threadIdx.x % 14); }
__device__ __noinline__ int endless(volatile int *p, int n) {
  if (n == -1) return 0;
  int r = endless(p, n + 1);
  return r * p[n & 3] + 1;
}
__global__ void endless_recursion(int *out) { out[0] = endless(out, 1); }
__device__ __noinline__ int large(volatile int *p, int n) {
  int own[100000];
  for (int k = 0; k < 100000; k++) own[k] = p[k & 3];
  if (n > 0) own[p[1] & 7] += large(p, n - 1);
  return own[p[2] & 1023];
}
__global__ void large_variables(int *out) { out[0] = large(out, 1); }

typedef int (*binary)(int, int);
__device__ __noinline__ int f_add(int a, int b) { return a + b; }
__device__ __noinline__ int f_mul(int a, int b) { return a * b; }
__device__ __noinline__ int f_sub(int a, int b) { return a - b; }
__device__ binary table[3] = {f_add, f_mul, f_sub};
__global__ void indirect(int *out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x, 3); }

struct Pair { int a; double b; short c; };
__device__ __noinline__ Pair twist(Pair p, char k) { Pair r; r.a = p.c + k; r.b = p.b * 2; r.c = (short)p.a; return r; }
__global__ void structs(Pair p, char k, double *out) {
  Pair r = twist(p, (char)(k + threadIdx.x));
  out[3 * threadIdx.x] = r.a, out[3 * threadIdx.x + 1] = r.b, out[3 * threadIdx.x + 2] = r.c;
}

struct Big { int v[40]; };
__global__ void param_array(Big b, int *out) { out[threadIdx.x] = b.v[threadIdx.x]; }

__global__ void prints(int n) {
  if (threadIdx.x < n) printf("t %d %5.2f %s %c %llx %%\n", (int)threadIdx.x, threadIdx.x * 1.5, "text", 'a' + (int)threadIdx.x, 1ull << 40);
}
__global__ void prints_on(int n) {
  for (int i = 0; i < n; i++) printf("%d of %d\n", i, n);
}
__global__ void asserts(int n) { assert((int)threadIdx.x < n); }  // LINE_ASSERT
__global__ void traps() { __trap(); }  // LINE_TRAP

__global__ void heap(int *out) {
  int *p = (int *)malloc(64 * sizeof(int));
  for (int i = 0; i < 64; i++) p[i] = i * threadIdx.x;
  int s = 0;
  for (int i = 0; i < 64; i++) s += p[i];
  free(p);
  out[threadIdx.x] = s;
}

__global__ void local_array(const int *in, int *out, int n) {
  int loc[32];
  for (int i = 0; i < 32; i++) loc[i] = in[i] * threadIdx.x;
  int *p = n > 3 ? loc : out;
  out[threadIdx.x] = p[n & 31] + loc[(threadIdx.x * 7) & 31];
}

__global__ void atomics(int *d, unsigned *u, unsigned long long *l, float *f, double *e, int *old) {
  int t = threadIdx.x;
  old[t] = atomicAdd(d, 2);
  atomicMin(d + 1, -t), atomicMax(d + 2, t), atomicAnd(d + 3, ~(1 << (t & 7))), atomicOr(d + 4, 1 << (t & 15)), atomicXor(d + 5, t);
  atomicInc(u, 6), atomicDec(u + 1, 6), atomicExch(u + 2, 5u), atomicMin(u + 3, 3000000000u - t);
  atomicAdd(l, 1ull << 33), atomicMax(l + 1, (unsigned long long)t << 40), atomicCAS(l + 2, 0ull, 9ull);
  atomicAdd(f, 0.5f), atomicAdd(e, 0.25);
  __shared__ int s;
  if (t == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, t);
  __syncthreads();
  if (t == 0) d[6] = s;
}

__global__ void block_votes(const int *in, int *out) {
  int t = threadIdx.x;
  int a = __syncthreads_count(in[t] > 0), b = __syncthreads_and(in[t] > -100), c = __syncthreads_or(in[t] > 99);
  out[t] = a * 4 + (b != 0) * 2 + (c != 0);
}

// Halves of a warp meet at warp barriers that stand at different places.
__global__ void warp_barriers(int *out) {
  __shared__ volatile int s[32];
  int t = threadIdx.x;
  if (t < 16) {
    s[t] = t + 1;
    __syncwarp();
    out[t] = s[t + 16];
  } else {
    s[t] = 100 + t;
    __syncwarp();
    out[t] = s[t - 16];
  }
}

__global__ void dynamic_shared(int *out, int n) {
  extern __shared__ int dyn[];
  __shared__ int fixed[3];
  if (threadIdx.x < 3) fixed[threadIdx.x] = 10 * threadIdx.x;
  for (int i = threadIdx.x; i < n; i += blockDim.x) dyn[i] = i * 2;
  __syncthreads();
  out[threadIdx.x] = dyn[n - 1 - threadIdx.x] + fixed[threadIdx.x % 3];
}

__global__ void grid_sync(int *a, int *b, int n) {
  cooperative_groups::grid_group g = cooperative_groups::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 5; round++) {
    b[i] = a[(i + 1) % n] + 1;
    g.sync();
    a[i] = b[(i + 1) % n] + 1;
    g.sync();
  }
}

__constant__ int constants[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__device__ int variable = 41;
__device__ int *pointer_to = &variable;
__global__ void variables(int *out) {
  out[threadIdx.x] = constants[threadIdx.x & 7] + *pointer_to;
  if (threadIdx.x == 0 && blockIdx.x == 0) variable = 43;
}

__global__ void grid_shape(int *out) {
  int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z), t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int threads = blockDim.x * blockDim.y * blockDim.z;
  out[b * threads + t] = b * 1000 + t;
}

__global__ void types(const signed char *c, const unsigned char *uc, const short *s, const unsigned short *us, const long long *l, long long *out) {
  int t = threadIdx.x;
  out[t] = c[t] + uc[t] * 3ll + s[t] * 5ll + us[t] * 7ll + l[t];
}

__global__ void vectors(const int4 *a, int4 *b, short2 *c, uchar4 *d) {
  int t = threadIdx.x;
  int4 v = a[t];
  b[31 - t] = make_int4(v.w, v.z, v.y, v.x);
  c[t] = make_short2((short)v.x, (short)-v.y);
  uchar4 q = d[t];
  d[t] = make_uchar4(q.w, q.z, q.y, q.x);
}

}  // extern "C"

// Blelloch scans as measured with Nsight Compute: halves split, so that accesses are not merged.
template <int PAD> __device__ int pad(int i) { return PAD ? i >> PAD : 0; }
template <int PAD> __device__ void blelloch(const float *in, float *out, int n) {
  extern __shared__ float temp[];
  int t = threadIdx.x, off = 1, ai = t, bi = t + n / 2;
  temp[ai + pad<PAD>(ai)] = in[ai];
  temp[bi + pad<PAD>(bi)] = in[bi];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1;
      a += pad<PAD>(a), b += pad<PAD>(b);
      temp[b] += temp[a];
    }
    off *= 2;
  }
  if (t == 0) temp[n - 1 + pad<PAD>(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    off >>= 1;
    __syncthreads();
    if (t < d) {
      int a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1;
      a += pad<PAD>(a), b += pad<PAD>(b);
      float v = *(volatile float *)&temp[a];
      temp[a] = *(volatile float *)&temp[b];
      *(volatile float *)&temp[b] = *(volatile float *)&temp[b] + v;
    }
  }
  __syncthreads();
  out[ai] = temp[ai + pad<PAD>(ai)];
  out[bi] = temp[bi + pad<PAD>(bi)];
}
extern "C" __global__ void blelloch_0(const float *in, float *out, int n) { blelloch<0>(in, out, n); }
extern "C" __global__ void blelloch_4(const float *in, float *out, int n) { blelloch<4>(in, out, n); }
extern "C" __global__ void blelloch_5(const float *in, float *out, int n) { blelloch<5>(in, out, n); }
extern "C" __global__ void blelloch_6(const float *in, float *out, int n) { blelloch<6>(in, out, n); }

// Each lane draws a number from one counter.
extern "C" __global__ void lanes_draw(unsigned *counter, unsigned *out) {
  out[threadIdx.x] = atomicAdd(counter, 1u);
}

extern "C" __global__ void hillis_steele(const float *in, float *out, int n) {
  extern __shared__ float temp[];
  int t = threadIdx.x, po = 0, pi = 1;
  temp[t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int o = 1; o < n; o *= 2) {
    po = 1 - po, pi = 1 - po;
    if (t >= o) temp[po * n + t] = temp[pi * n + t] + temp[pi * n + t - o];
    else temp[po * n + t] = temp[pi * n + t];
    __syncthreads();
  }
  out[t] = temp[po * n + t];
}
