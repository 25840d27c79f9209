// CUB's collectives of a block and of a warp beside scan, sort and reduction: loads and stores, exchanges,
// shuffles, radix ranks, merge sorts, histograms, differences, run lengths.
#include <algorithm>
#include <numeric>
#include "check.h"
#include <cub/cub.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_radix_rank.cuh>
enum { T = 128, I = 4 }; // threads, items of each
static std::vector<int> random_ints(int n, int range) {
  std::vector<int> h(n);
  for (int i = 0; i < n; i++) h[i] = (int)(hash_u32(i) % range);
  return h;
}
__global__ void loads(const int *in, int *out, int n, int how) {
  int x[I];
  __shared__ union {
    typename cub::BlockLoad<int, T, I, cub::BLOCK_LOAD_WARP_TRANSPOSE>::TempStorage a;
    typename cub::BlockLoad<int, T, I, cub::BLOCK_LOAD_STRIPED>::TempStorage b;
    typename cub::BlockLoad<int, T, I, cub::BLOCK_LOAD_VECTORIZE>::TempStorage c;
    typename cub::BlockStore<int, T, I, cub::BLOCK_STORE_WARP_TRANSPOSE>::TempStorage d;
    typename cub::BlockStore<int, T, I, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>::TempStorage e;
  } s;
  if (how == 0) cub::BlockLoad<int, T, I, cub::BLOCK_LOAD_WARP_TRANSPOSE>(s.a).Load(in, x, n, -1);
  if (how == 1) cub::BlockLoad<int, T, I, cub::BLOCK_LOAD_VECTORIZE>(s.c).Load(in, x);
  __syncthreads();
  for (int i = 0; i < I; i++) x[i] += threadIdx.x;
  if (how == 0) cub::BlockStore<int, T, I, cub::BLOCK_STORE_WARP_TRANSPOSE>(s.d).Store(out, x, n);
  if (how == 1) cub::BlockStore<int, T, I, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>(s.e).Store(out, x);
}
__global__ void exchange(int *out) {
  using X = cub::BlockExchange<int, T, I>;
  using S = cub::BlockShuffle<int, T>;
  __shared__ union {
    typename X::TempStorage x;
    typename S::TempStorage s;
  } m;
  int v[I];
  for (int i = 0; i < I; i++) v[i] = threadIdx.x * I + i;
  X(m.x).BlockedToStriped(v, v);
  __syncthreads();
  bool ok = true;
  for (int i = 0; i < I; i++) ok &= v[i] == i * T + threadIdx.x;
  X(m.x).StripedToBlocked(v, v);
  __syncthreads();
  for (int i = 0; i < I; i++) ok &= v[i] == threadIdx.x * I + i;
  int ranks[I], w[I];
  for (int i = 0; i < I; i++) ranks[i] = T * I - 1 - v[i], w[i] = v[i];
  X(m.x).ScatterToStriped(w, w, ranks);
  __syncthreads();
  for (int i = 0; i < I; i++) ok &= w[i] == T * I - 1 - (int)(i * T + threadIdx.x);
  int prev[I], suffix = 0;
  S(m.s).Up(v, prev, suffix);
  __syncthreads();
  for (int i = 0; i < I; i++) {
    int at = threadIdx.x * I + i;
    if (at) ok &= prev[i] == at - 1;
  }
  int r = -1;
  S(m.s).Rotate((int)threadIdx.x, r, 5);
  ok &= r == (threadIdx.x + 5) % T;
  out[threadIdx.x] = ok;
}
__global__ void ranks(const unsigned *in, int *out) {
  using R = cub::BlockRadixRankMatch<T, 5, false>;
  using E = cub::BFEDigitExtractor<unsigned>;
  __shared__ typename R::TempStorage s;
  unsigned k[I];
  int r[I];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = 0; i < I; i++) k[i] = in[warp * 32 * I + i * 32 + lane];
  R(s).RankKeys(k, r, E(3, 5));
  for (int i = 0; i < I; i++) out[warp * 32 * I + i * 32 + lane] = r[i];
}
__global__ void others(const int *in, int *out) {
  using M = cub::BlockMergeSort<int, T, I>;
  using H = cub::BlockHistogram<unsigned char, T, I, 16>;
  using D = cub::BlockDiscontinuity<int, T>;
  using A = cub::BlockAdjacentDifference<int, T>;
  using W = cub::WarpMergeSort<int, I, 32>;
  using WS = cub::WarpScan<int>;
  using WR = cub::WarpReduce<int, 16>;
  __shared__ union U {
    typename M::TempStorage m;
    typename H::TempStorage h;
    typename D::TempStorage d;
    typename A::TempStorage a;
    typename W::TempStorage w[T / 32];
    typename WS::TempStorage ws[T / 32];
    typename WR::TempStorage wr[T / 16];
    __device__ U() {}
  } s;
  __shared__ unsigned hist[16];
  int v[I], warp = threadIdx.x / 32;
  for (int i = 0; i < I; i++) v[i] = in[threadIdx.x * I + i];
  W(s.w[warp]).Sort(v, [](int a, int b) { return a < b; });
  for (int i = 0; i < I; i++) out[threadIdx.x * I + i] = v[i];
  __syncthreads();
  M(s.m).Sort(v, [](int a, int b) { return a < b; });
  for (int i = 0; i < I; i++) out[T * I + threadIdx.x * I + i] = v[i];
  __syncthreads();
  int heads[I];
  D(s.d).FlagHeads(heads, v, cuda::std::not_equal_to<>());
  for (int i = 0; i < I; i++) out[2 * T * I + threadIdx.x * I + i] = heads[i];
  __syncthreads();
  int diff[I];
  A(s.a).SubtractLeft(v, diff, cuda::std::minus<>());
  for (int i = 0; i < I; i++) out[3 * T * I + threadIdx.x * I + i] = diff[i];
  __syncthreads();
  unsigned char b[I];
  for (int i = 0; i < I; i++) b[i] = v[i] % 16;
  H(s.h).Histogram(b, hist);
  __syncthreads();
  if (threadIdx.x < 16) out[4 * T * I + threadIdx.x] = hist[threadIdx.x];
  int inc, exc, agg;
  WS(s.ws[warp]).Scan(v[0], inc, exc, 7, [](int a, int b) { return a > b ? a : b; });
  out[4 * T * I + 16 + threadIdx.x] = inc, out[4 * T * I + 16 + T + threadIdx.x] = exc;
  __syncwarp();
  agg = WR(s.wr[threadIdx.x / 16]).HeadSegmentedSum(v[1], threadIdx.x % 4 == 0);
  if (threadIdx.x % 4 == 0) out[4 * T * I + 16 + 2 * T + threadIdx.x / 4] = agg;
}
__global__ void decode(const unsigned *len, int *out, int *total) {
  using R = cub::BlockRunLengthDecode<int, T, 1, 2>;
  __shared__ typename R::TempStorage s;
  int v[1] = {(int)threadIdx.x * 10};
  unsigned l[1] = {len[threadIdx.x]}, n = 0;
  R d(s, v, l, n);
  for (unsigned at = 0; at < n; at += 2 * T) {
    int x[2];
    d.RunLengthDecode(x, at);
    for (int i = 0; i < 2; i++)
      if (at + threadIdx.x * 2 + i < n) out[at + threadIdx.x * 2 + i] = x[i];
  }
  if (threadIdx.x == 0) *total = n;
}
int main() {
  int n = T * I;
  auto h = random_ints(n, 200);
  Dev<int> in(h), out(n), big(4 * n + 16 + 3 * T);
  for (int how = 0; how < 2; how++) {
    int m = how ? n : n - 37;
    loads<<<1, T>>>(in, out, m, how);
    auto g = out.get();
    bool ok = true;
    for (int i = 0; i < m; i++) ok &= g[i] == h[i] + i / I;
    CHECK(ok, "load and store %d", how);
  }
  exchange<<<1, T>>>(out);
  {
    auto g = out.get();
    bool ok = true;
    for (int i = 0; i < T; i++) ok &= g[i] == 1;
    CHECK(ok, "exchange, shuffle");
  }
  std::vector<unsigned> u(h.begin(), h.end());
  Dev<unsigned> uin(u);
  ranks<<<1, T>>>(uin, out);
  {
    std::vector<int> o(n), w(n);
    std::iota(o.begin(), o.end(), 0);
    std::stable_sort(o.begin(), o.end(), [&](int a, int b) { return (u[a] >> 3 & 31) < (u[b] >> 3 & 31); });
    for (int i = 0; i < n; i++) w[o[i]] = i;
    check_equal("radix rank match", out.get(), w);
  }
  others<<<1, T>>>(in, big);
  {
    auto g = big.get();
    auto w = h;
    for (int i = 0; i < 4; i++) std::sort(w.begin() + i * 128, w.begin() + (i + 1) * 128);
    CHECK(std::equal(w.begin(), w.end(), g.begin()), "warp merge sort");
    auto s = h;
    std::sort(s.begin(), s.end());
    CHECK(std::equal(s.begin(), s.end(), g.begin() + n), "block merge sort");
    bool ok = true;
    for (int i = 0; i < n; i++) ok &= g[2 * n + i] == (i == 0 || s[i] != s[i - 1]);
    CHECK(ok, "heads");
    ok = true;
    for (int i = 0; i < n; i++) ok &= g[3 * n + i] == (i == 0 ? s[0] : s[i] - s[i - 1]);
    CHECK(ok, "differences");
    std::vector<int> hist(16);
    for (int x : s) hist[x % 16]++;
    CHECK(std::equal(hist.begin(), hist.end(), g.begin() + 4 * n), "histogram");
    ok = true;
    for (int t = 0; t < T; t++) {
      int e = 7;
      for (int l = t / 32 * 32; l < t; l++) e = std::max(e, s[l * I]);
      ok &= g[4 * n + 16 + T + t] == e && g[4 * n + 16 + t] == std::max(e, s[t * I]);
    }
    CHECK(ok, "warp scan with a first value");
    ok = true;
    for (int t = 0; t < T; t += 4) {
      int a = 0;
      for (int l = t; l < t + 4; l++) a += s[l * I + 1];
      ok &= g[4 * n + 16 + 2 * T + t / 4] == a;
    }
    CHECK(ok, "head segmented sum");
  }
  std::vector<unsigned> len(T);
  std::vector<int> want;
  for (int i = 0; i < T; i++) {
    len[i] = i < 100 ? 1 + hash_u32(i) % 9 : 0;
    for (unsigned k = 0; k < len[i]; k++) want.push_back(i * 10);
  }
  Dev<unsigned> dl(len);
  Dev<int> dec(want.size()), tot(1);
  decode<<<1, T>>>(dl, dec, tot);
  CHECK(tot.get()[0] == (int)want.size(), "%d", tot.get()[0]);
  check_equal("run length decode", dec.get(), want);
  return check_done("cub_collectives");
}
