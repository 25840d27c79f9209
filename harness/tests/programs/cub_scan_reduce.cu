// CUB from the toolkit's own headers, unmodified: DeviceScan (sums, a custom non-commutative operator) and
// DeviceReduce, for sizes 0 to 2^20 and beyond a tile. Every result is compared with the host's.
#include "check.h"
#include <cub/cub.cuh>
#include <climits>

struct Affine { unsigned a, b; };
struct Compose {  // first l, then r
  __host__ __device__ Affine operator()(const Affine &l, const Affine &r) const {
    return Affine{l.a * r.a, r.a * l.b + r.b};
  }
};

template <typename F> static void with_temp(F call) {
  size_t bytes = 0;
  CUDA(call(nullptr, bytes));
  Dev<char> temp(bytes);
  CUDA(call((void *)temp.p, bytes));
}

static void scans(int n) {
  std::vector<int> h(n), want(n);
  std::vector<float> f(n), fwant(n);
  int acc = 0;
  float facc = 0;
  for (int i = 0; i < n; i++) {
    h[i] = hash_u32(i);
    f[i] = hash_u32(i) % 3;
    want[i] = acc;
    acc = (int)((unsigned)acc + (unsigned)h[i]);
    facc += f[i];
    fwant[i] = facc;
  }
  Dev<int> in(h), out(n);
  with_temp([&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSum(t, b, in.p, out.p, n); });
  check_equal("exclusive sum", out.get(), want);
  Dev<float> fin(f), fout(n);
  with_temp([&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, fin.p, fout.p, n); });
  check_equal("inclusive float sum", fout.get(), fwant);
}

static void compose_scan(int n) {
  std::vector<Affine> h(n), want(n);
  Affine acc{1, 0};
  for (int i = 0; i < n; i++) {
    h[i] = Affine{hash_u32(i) | 1, hash_u32(i + 77)};
    acc = Compose()(acc, h[i]);
    want[i] = acc;
  }
  Dev<Affine> in(h), out(n);
  with_temp([&](void *t, size_t &b) { return cub::DeviceScan::InclusiveScan(t, b, in.p, out.p, Compose(), n); });
  std::vector<Affine> got = out.get();
  int bad = 0;
  for (int i = 0; i < n; i++) bad += got[i].a != want[i].a || got[i].b != want[i].b;
  CHECK(bad == 0, "composition scan n=%d: %d wrong", n, bad);
}

static void reductions(int n) {
  std::vector<int> h(n);
  std::vector<float> f(n);
  int sum = 0, low = INT_MAX;
  float high = -INFINITY;
  for (int i = 0; i < n; i++) {
    h[i] = (int)(hash_u32(i) % 2001) - 1000;
    f[i] = h[i] * 0.5f;
    sum += h[i];
    low = h[i] < low ? h[i] : low;
    high = f[i] > high ? f[i] : high;
  }
  Dev<int> in(h), out(1);
  Dev<float> fin(f), fout(1);
  with_temp([&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, in.p, out.p, n); });
  CHECK(out.get()[0] == sum, "sum n=%d: %d want %d", n, out.get()[0], sum);
  if (n == 0) return;
  with_temp([&](void *t, size_t &b) { return cub::DeviceReduce::Min(t, b, in.p, out.p, n); });
  CHECK(out.get()[0] == low, "min n=%d: %d want %d", n, out.get()[0], low);
  with_temp([&](void *t, size_t &b) { return cub::DeviceReduce::Max(t, b, fin.p, fout.p, n); });
  CHECK(fout.get()[0] == high, "max n=%d: %g want %g", n, fout.get()[0], high);
}

int main(int argc, char **argv) {
  int big = argc > 1 ? atoi(argv[1]) : 1 << 20;
  for (int n : {0, 1, 2, 31, 32, 33, 1000, 3071, 3072, 3073, 100000, big}) {
    scans(n);
    reductions(n);
  }
  for (int n : {1, 33, 5000, big / 4}) compose_scan(n);
  return check_done("cub_scan_reduce");
}
