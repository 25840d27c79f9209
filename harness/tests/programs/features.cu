// What general student code uses besides scans: device printf, recursion, function pointers, structs by
// value, all integer and float division, bit intrinsics, atomics of every kind, votes, generic pointers,
// local arrays, vector and volatile access, device variables, malloc, a spin lock between lanes of one warp.
#include "check.h"
#include <cmath>

struct Triple { int a; double b; char c; };
__constant__ int table[4] = {10, 20, 30, 40};
__device__ int counter = 7;
__device__ float weights[3] = {0.5f, 1.5f, 2.5f};

__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ int (*functions[2])(int) = {twice, square};

__global__ void calls(int *out, Triple s) {
  int t = threadIdx.x;
  out[t] = fib(t % 12) + functions[t & 1](t) + table[t & 3] + s.a + (int)s.b + s.c + (int)(weights[t % 3] * 2);
}

__global__ void divisions(const int *a, const int *b, int *q, int *r, unsigned *uq, long long *lq, float *fq, double *dq) {
  int t = threadIdx.x;
  q[t] = a[t] / b[t];
  r[t] = a[t] % b[t];
  uq[t] = (unsigned)a[t] / (unsigned)b[t];
  lq[t] = ((long long)a[t] << 20) / b[t];
  fq[t] = (float)a[t] / (float)b[t];
  dq[t] = sqrt((double)(unsigned)a[t]) / b[t];
}

__global__ void bits(const unsigned *x, unsigned *out) {
  int t = threadIdx.x;
  unsigned v = x[t];
  out[t] = __popc(v) + 100 * __clz(v) + 10000 * __ffs(v) + (__brev(v) ^ __byte_perm(v, ~v, 0x3276)) +
           __funnelshift_l(v, ~v, t) + __umulhi(v, 0x9e3779b9u) + __usad(v, 5u, 1u);
}

__global__ void atomics(int *i, unsigned *u, float *f, unsigned long long *l) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&i[0], t); atomicSub(&i[1], t); atomicMin(&i[2], t - 50); atomicMax(&i[3], t);
  atomicAnd(&u[0], ~(1u << (t % 32))); atomicOr(&u[1], 1u << (t % 32)); atomicXor(&u[2], t);
  atomicInc(&u[3], 9); atomicDec(&u[4], 9); atomicExch(&u[5], 123);
  atomicAdd(f, 0.5f); atomicAdd(l, 1ull << 33);
  unsigned old = u[6], assumed;
  do { assumed = old; old = atomicCAS(&u[6], assumed, assumed + 3); } while (old != assumed);
}

__global__ void votes(int *out) {
  int t = threadIdx.x;
  unsigned all = 0xffffffffu;
  out[t] = __all_sync(all, t < 32) + 2 * __any_sync(all, t == 40) + 4 * (__ballot_sync(all, t & 1) == 0xaaaaaaaau) +
           8 * (__shfl_xor_sync(all, t, 5) == (t ^ 5)) + 16 * (__shfl_down_sync(all, t, 3, 8) == ((t & 7) < 5 ? t + 3 : t)) +
           32 * (__match_any_sync(all, t & 3) == 0x11111111u << (t & 3));
}

__device__ float sum_generic(const float *p, int n) {
  float s = 0;
  for (int k = 0; k < n; k++) s += p[k];
  return s;
}
__global__ void spaces(const float *g, float *out, int which) {
  __shared__ float s[8];
  float local[8];
  for (int k = 0; k < 8; k++) local[(k * 3 + which) & 7] = k;
  if (threadIdx.x < 8) s[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  const float *p = which == 0 ? g : which == 1 ? s : local;
  out[threadIdx.x] = sum_generic(p, 8) + local[threadIdx.x & 7];
}

__global__ void vectors(const float4 *in, float4 *out, volatile int *v, const short *h, signed char *c) {
  int t = threadIdx.x;
  float4 x = in[t];
  out[t] = make_float4(x.w, x.z, x.y, x.x);
  v[t] = v[t] + 1;
  c[t] = (signed char)(h[t] / 3);
}

__global__ void lane_lock(int *lock, int *count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *(volatile int *)count = *(volatile int *)count + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__global__ void talk(int n) {
  if (threadIdx.x < n) printf("thread %d of block %d: %5.2f %s %c %lld %x\n", threadIdx.x, blockIdx.x, 1.25 * threadIdx.x, "ok", 'a' + threadIdx.x, 1ll << 40, 255u);
}

__global__ void heap(int *out) {
  int *p = (int *)malloc(4 * sizeof(int));
  for (int k = 0; k < 4; k++) p[k] = threadIdx.x * k;
  out[threadIdx.x] = p[0] + p[1] + p[2] + p[3];
  free(p);
}

static int fib_host(int n) { return n < 2 ? n : fib_host(n - 1) + fib_host(n - 2); }

static void test_calls() {
  Dev<int> out(64);
  Triple s{5, 2.75, 'x'};
  calls<<<1, 64>>>(out, s);
  std::vector<int> want(64), tab{10, 20, 30, 40}, w{1, 3, 5};
  for (int t = 0; t < 64; t++) want[t] = fib_host(t % 12) + (t & 1 ? t * t : 2 * t) + tab[t & 3] + 5 + 2 + 'x' + w[t % 3];
  check_equal("calls", out.get(), want);
  int c = 0, d = 99;
  CUDA(cudaMemcpyFromSymbol(&c, counter, sizeof c));
  CHECK(c == 7, "counter %d", c);
  CUDA(cudaMemcpyToSymbol(counter, &d, sizeof d));
  CUDA(cudaMemcpyFromSymbol(&c, counter, sizeof c));
  CHECK(c == 99, "counter %d", c);
}

static void test_arithmetic() {
  const int n = 256;
  std::vector<int> a(n), b(n), q(n), r(n);
  std::vector<unsigned> uq(n), x(n), bw(n);
  std::vector<long long> lq(n);
  std::vector<float> fq(n);
  std::vector<double> dq(n);
  for (int i = 0; i < n; i++) {
    x[i] = a[i] = hash_u32(i);
    b[i] = (int)(hash_u32(i + 1000) % 2000) - 1000;
    if (b[i] == 0) b[i] = 7;
    q[i] = a[i] / b[i]; r[i] = a[i] % b[i]; uq[i] = (unsigned)a[i] / (unsigned)b[i];
    lq[i] = ((long long)a[i] * (1 << 20)) / b[i]; fq[i] = (float)a[i] / (float)b[i]; dq[i] = std::sqrt((double)(unsigned)a[i]) / b[i];
    unsigned v = x[i], rev = 0, s = i & 31;
    for (int k = 0; k < 32; k++) rev |= ((v >> k) & 1) << (31 - k);
    unsigned char by[8];
    for (int k = 0; k < 4; k++) { by[k] = v >> (8 * k); by[4 + k] = ~v >> (8 * k); }
    unsigned perm = by[6] | by[7] << 8 | by[2] << 16 | (unsigned)by[3] << 24;
    unsigned funnel = s ? (~v << s) | (v >> (32 - s)) : ~v;
    bw[i] = __builtin_popcount(v) + 100 * (v ? __builtin_clz(v) : 32) + 10000 * __builtin_ffs(v) + (rev ^ perm) + funnel +
            (unsigned)(((unsigned long long)v * 0x9e3779b9u) >> 32) + (v > 5 ? v - 5 : 5 - v) + 1;
  }
  Dev<int> da(a), db(b), dqi(n), dr(n);
  Dev<unsigned> duq(n), dx(x), dbw(n);
  Dev<long long> dl(n);
  Dev<float> df(n);
  Dev<double> dd(n);
  divisions<<<1, n>>>(da, db, dqi, dr, duq, dl, df, dd);
  check_equal("quotient", dqi.get(), q); check_equal("remainder", dr.get(), r); check_equal("unsigned", duq.get(), uq);
  check_equal("64 bit", dl.get(), lq); check_equal("float", df.get(), fq); check_equal("double", dd.get(), dq);
  bits<<<1, n>>>(dx, dbw);
  check_equal("bits", dbw.get(), bw);
}

static void test_atomics() {
  const int n = 4 * 96;
  Dev<int> i(std::vector<int>{0, 0, 1000, -1000});
  Dev<unsigned> u(std::vector<unsigned>{~0u, 0, 0, 0, 0, 0, 0});
  Dev<float> f(std::vector<float>{0.25f});
  Dev<unsigned long long> l(std::vector<unsigned long long>{5});
  atomics<<<4, 96>>>(i, u, f, l);
  unsigned x = 0, inc = 0, dec = 0;
  for (int t = 0; t < n; t++) { x ^= t; inc = inc >= 9 ? 0 : inc + 1; dec = dec == 0 || dec > 9 ? 9 : dec - 1; }
  int sum = n * (n - 1) / 2;
  check_equal("signed atomics", i.get(), std::vector<int>{sum, -sum, -50, n - 1});
  check_equal("unsigned atomics", u.get(), std::vector<unsigned>{0, ~0u, x, inc, dec, 123, 3u * n});
  CHECK(f.get()[0] == 0.25f + 0.5f * n, "float %g", f.get()[0]);
  CHECK(l.get()[0] == 5 + ((unsigned long long)n << 33), "long %llu", l.get()[0]);
}

static void test_warps_and_spaces() {
  Dev<int> v(32);
  votes<<<1, 32>>>(v);
  check_equal("votes", v.get(), std::vector<int>(32, 1 + 4 + 8 + 16 + 32));
  Dev<float> g(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}), out(32);
  for (int which = 0; which < 3; which++) {
    spaces<<<1, 32>>>(g, out, which);
    std::vector<float> want(32);
    float local[8];
    for (int k = 0; k < 8; k++) local[(k * 3 + which) & 7] = k;
    for (int t = 0; t < 32; t++) want[t] = (which == 0 ? 36 : which == 1 ? 56 : 28) + local[t & 7];
    check_equal("spaces", out.get(), want);
  }
  std::vector<float4> in(64);
  std::vector<short> h(64);
  for (int t = 0; t < 64; t++) { in[t] = make_float4(t, t + 1, t + 2, t + 3); h[t] = (short)(t * 7 - 200); }
  Dev<float4> a(in), b(64);
  Dev<int> vol(std::vector<int>(64, 41));
  Dev<short> dh(h);
  Dev<signed char> dc(64);
  vectors<<<1, 64>>>(a, b, vol, dh, dc);
  std::vector<float4> got = b.get();
  std::vector<signed char> gc = dc.get();
  for (int t = 0; t < 64; t++) {
    CHECK(got[t].x == t + 3 && got[t].w == t, "vector %d", t);
    CHECK(gc[t] == (signed char)(h[t] / 3), "char %d", t);
  }
  check_equal("volatile", vol.get(), std::vector<int>(64, 42));
  Dev<int> lock(std::vector<int>{0}), count(std::vector<int>{0});
  lane_lock<<<3, 64>>>(lock, count);
  CHECK(count.get()[0] == 3 * 64, "lock %d", count.get()[0]);
}

int main() {
  test_calls();
  test_arithmetic();
  test_atomics();
  test_warps_and_spaces();
  talk<<<2, 32>>>(2);
  Dev<int> out(64);
  heap<<<1, 64>>>(out);
  std::vector<int> want(64);
  for (int t = 0; t < 64; t++) want[t] = 6 * t;
  check_equal("heap", out.get(), want);
  return check_done("features");
}
