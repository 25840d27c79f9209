// Textbook scans, checked against the host: Hillis-Steele (global memory and double buffer), Kogge-Stone,
// Brent-Kung, Blelloch (plain and padded), warp shuffles, three-kernel and single-pass look-back.
#include "check.h"

__global__ void add_vectors(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void hillis_steele_step(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i >= offset ? in[i] + in[i - offset] : in[i];
}

__global__ void double_buffer(const float *in, float *out, int n) {
  extern __shared__ float temp[];
  int t = threadIdx.x, pout = 0, pin = 1;
  temp[t] = t > 0 ? in[t - 1] : 0.f;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout; pin = 1 - pout;
    if (t >= offset) temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset];
    else temp[pout * n + t] = temp[pin * n + t];
    __syncthreads();
  }
  out[t] = temp[pout * n + t];
}

__global__ void kogge_stone(int *x, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = t < n ? x[t] : 0;
  for (int d = 1; d < blockDim.x; d *= 2) {
    __syncthreads();
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
  }
  if (t < n) x[t] = s[t];
}

__global__ void brent_kung(int *x, int n) {
  __shared__ int s[2048];
  int t = threadIdx.x, m = 2 * blockDim.x;
  s[t] = t < n ? x[t] : 0;
  s[t + blockDim.x] = t + blockDim.x < n ? x[t + blockDim.x] : 0;
  for (int stride = 1; stride < m; stride *= 2) {
    __syncthreads();
    int i = (t + 1) * stride * 2 - 1;
    if (i < m) s[i] += s[i - stride];
  }
  for (int stride = m / 4; stride > 0; stride /= 2) {
    __syncthreads();
    int i = (t + 1) * stride * 2 - 1;
    if (i + stride < m) s[i + stride] += s[i];
  }
  __syncthreads();
  if (t < n) x[t] = s[t];
  if (t + blockDim.x < n) x[t + blockDim.x] = s[t + blockDim.x];
}

template <int PAD> __device__ int padded(int i) { return PAD ? i + (i >> PAD) : i; }

template <int PAD> __global__ void blelloch(const float *in, float *out, float *sums, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, half = blockDim.x, m = 2 * half, base = blockIdx.x * m, off = 1;
  s[padded<PAD>(t)] = base + t < n ? in[base + t] : 0.f;
  s[padded<PAD>(t + half)] = base + t + half < n ? in[base + t + half] : 0.f;
  for (int d = half; d > 0; d >>= 1, off *= 2) {
    __syncthreads();
    if (t < d) s[padded<PAD>(off * (2 * t + 2) - 1)] += s[padded<PAD>(off * (2 * t + 1) - 1)];
  }
  if (t == 0) {
    if (sums) sums[blockIdx.x] = s[padded<PAD>(m - 1)];
    s[padded<PAD>(m - 1)] = 0.f;
  }
  for (int d = 1; d < m; d *= 2) {
    off >>= 1;
    __syncthreads();
    if (t < d) {
      int a = padded<PAD>(off * (2 * t + 1) - 1), b = padded<PAD>(off * (2 * t + 2) - 1);
      float v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  __syncthreads();
  if (base + t < n) out[base + t] = s[padded<PAD>(t)];
  if (base + t + half < n) out[base + t + half] = s[padded<PAD>(t + half)];
}

__global__ void add_offsets(float *out, const float *sums, int n, int tile) {
  int i = blockIdx.x * tile + threadIdx.x;
  for (int k = i; k < n && k < (int)(blockIdx.x + 1) * tile; k += blockDim.x) out[k] += sums[blockIdx.x];
}

__device__ int warp_inclusive(int v) {
  for (int o = 1; o < 32; o *= 2) {
    int u = __shfl_up_sync(0xffffffffu, v, o);
    if ((threadIdx.x & 31) >= o) v += u;
  }
  return v;
}

__global__ void shuffle_scan(const int *in, int *out, int n) {
  __shared__ int sums[32];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  int v = warp_inclusive(t < n ? in[t] : 0);
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (warp == 0) sums[lane] = warp_inclusive(lane < blockDim.x / 32 ? sums[lane] : 0);
  __syncthreads();
  if (warp > 0) v += sums[warp - 1];
  if (t < n) out[t] = v;
}

// Single pass: ticketed tiles, one 64-bit word {flag, value} a tile, look-back by thread 0.
__device__ unsigned ticket;
__global__ void lookback(const unsigned *in, unsigned *out, unsigned long long *state, int n) {
  __shared__ unsigned tile, before, sums[32];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  if (t == 0) tile = atomicAdd(&ticket, 1);
  __syncthreads();
  int i = tile * blockDim.x + t;
  unsigned x = i < n ? in[i] : 0, v = warp_inclusive(x);
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (warp == 0) sums[lane] = warp_inclusive(lane < blockDim.x / 32 ? sums[lane] : 0);
  __syncthreads();
  if (warp > 0) v += sums[warp - 1];
  if (t == (int)blockDim.x - 1) {
    volatile unsigned long long *st = state;
    unsigned prefix = 0;
    if (tile > 0) {
      st[tile] = (1ull << 32) | v;
      for (int p = tile - 1;; ) {
        unsigned long long w = st[p];
        if (w >> 32 == 2) { prefix += (unsigned)w; break; }
        if (w >> 32 == 1) { prefix += (unsigned)w; p--; }
      }
    }
    st[tile] = (2ull << 32) | (v + prefix);
    before = prefix;
  }
  __syncthreads();
  if (i < n) out[i] = v + before;
}

template <typename T> static std::vector<T> scan_host(const std::vector<T> &in, bool inclusive) {
  std::vector<T> out(in.size());
  T acc = 0;
  for (size_t i = 0; i < in.size(); i++) {
    if (!inclusive) out[i] = acc;
    acc += in[i];
    if (inclusive) out[i] = acc;
  }
  return out;
}

static void one_block(int n) {
  std::vector<int> h(n);
  std::vector<float> f(n), g(n), sum(n);
  for (int i = 0; i < n; i++) { h[i] = hash_u32(i) % 100 - 50; f[i] = hash_u32(i) % 3; g[i] = i; sum[i] = f[i] + g[i]; }
  Dev<float> a(f), b(g), c(n);
  add_vectors<<<(n + 255) / 256, 256>>>(a, b, c, n);
  check_equal("add", c.get(), sum);
  if (n <= 1024) {
    Dev<float> out(n);
    double_buffer<<<1, n, 2 * n * sizeof(float)>>>(a, out, n);
    check_equal("double buffer", out.get(), scan_host(f, false));
    Dev<int> x(h), y(h), z(n);
    int threads = (n + 31) / 32 * 32;
    kogge_stone<<<1, threads>>>(x, n);
    check_equal("kogge-stone", x.get(), scan_host(h, true));
    shuffle_scan<<<1, threads>>>(y, z, n);
    check_equal("shuffles", z.get(), scan_host(h, true));
  }
  if (n <= 2048) {
    Dev<int> x(h);
    int threads = 1;
    while (2 * threads < n) threads *= 2;
    brent_kung<<<1, threads>>>(x, n);
    check_equal("brent-kung", x.get(), scan_host(h, true));
    Dev<float> o1(n), o2(n);
    blelloch<0><<<1, threads, 2 * threads * 4>>>(a, o1, nullptr, n);
    check_equal("blelloch", o1.get(), scan_host(f, false));
    blelloch<5><<<1, threads, (2 * threads + threads / 16 + 1) * 4>>>(a, o2, nullptr, n);
    check_equal("blelloch padded", o2.get(), scan_host(f, false));
  }
}

static void many_blocks(int n) {
  std::vector<int> h(n);
  std::vector<float> f(n);
  std::vector<unsigned> u(n);
  for (int i = 0; i < n; i++) { h[i] = hash_u32(i) % 7; f[i] = hash_u32(i + 9) % 3; u[i] = hash_u32(i + 5); }
  Dev<int> x(h), y(n);
  int *src = x, *dst = y;
  for (int o = 1; o < n; o *= 2) {
    hillis_steele_step<<<(n + 255) / 256, 256>>>(src, dst, n, o);
    int *t = src; src = dst; dst = t;
  }
  std::vector<int> got(n);
  CUDA(cudaMemcpy(got.data(), src, n * 4, cudaMemcpyDeviceToHost));
  check_equal("hillis-steele", got, scan_host(h, true));

  const int tile = 512;
  int tiles = (n + tile - 1) / tile;
  Dev<float> a(f), out(n), sums(tiles), offsets(tiles);
  blelloch<5><<<tiles, tile / 2, (tile + tile / 32) * 4>>>(a, out, sums, n);
  blelloch<0><<<1, 1024, 2048 * 4>>>(sums, offsets, nullptr, tiles);
  add_offsets<<<tiles, 256>>>(out, offsets, n, tile);
  check_equal("three kernels", out.get(), scan_host(f, false));

  int blocks = (n + 255) / 256;
  Dev<unsigned> in(u), res(n);
  Dev<unsigned long long> state(blocks);
  for (int round = 0; round < 2; round++) {
    unsigned zero = 0;
    CUDA(cudaMemcpyToSymbol(ticket, &zero, sizeof zero));
    CUDA(cudaMemset(state, 0, blocks * 8));
    lookback<<<blocks, 256>>>(in, res, state, n);
    check_equal("look-back", res.get(), scan_host(u, true));
  }
}

int main() {
  for (int n : {1, 2, 31, 32, 33, 63, 64, 65, 1000, 1023, 1024, 1025, 2047, 2048}) one_block(n);
  for (int n : {1, 255, 256, 257, 5000, 100000}) many_blocks(n);
  return check_done("textbook_scan");
}
