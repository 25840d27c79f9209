// CUB's DeviceSelect, DeviceRunLengthEncode, DeviceHistogram, DeviceScan with another operator and by key,
// DeviceSegmentedReduce, against the host, from nothing to several tiles.
#include <climits>
#include <cub/cub.cuh>
#include "check.h"

struct Odd { __host__ __device__ bool operator()(int x) const { return x & 1; } };
struct Max { __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; } };

template <typename F> static void with_storage(F call) {
  size_t bytes = 0;
  CUDA(call((void *)nullptr, bytes));
  Dev<char> storage(bytes);
  CUDA(call((void *)storage.p, bytes));
  CUDA(cudaDeviceSynchronize());
}

static std::vector<int> values(size_t n, unsigned range) {
  std::vector<int> v(n);
  for (size_t i = 0; i < n; i++) v[i] = (int)(hash_u32((unsigned)i) % range) - (int)(range / 2);
  return v;
}

static void select(const std::vector<int> &h) {
  Dev<int> in(h), out(h.size()), count(1);
  with_storage([&](void *t, size_t &b) { return cub::DeviceSelect::If(t, b, in.p, out.p, count.p, (int)h.size(), Odd()); });
  std::vector<int> want, got = out.get();
  for (int x : h) if (Odd()(x)) want.push_back(x);
  CHECK(count.get()[0] == (int)want.size(), "%d selected, want %zu", count.get()[0], want.size());
  got.resize(want.size());
  check_equal("select", got, want);
}

static void runs(const std::vector<int> &h) {
  Dev<int> in(h), value(h.size()), length(h.size()), count(1);
  with_storage([&](void *t, size_t &b) { return cub::DeviceRunLengthEncode::Encode(t, b, in.p, value.p, length.p, count.p, (int)h.size()); });
  std::vector<int> v, l;
  for (size_t i = 0; i < h.size(); i++) {
    if (i && h[i] == h[i - 1]) l.back()++;
    else v.push_back(h[i]), l.push_back(1);
  }
  std::vector<int> gv = value.get(), gl = length.get();
  CHECK(count.get()[0] == (int)v.size(), "%d runs, want %zu", count.get()[0], v.size());
  gv.resize(v.size()), gl.resize(v.size());
  check_equal("run values", gv, v);
  check_equal("run lengths", gl, l);
}

static void histogram(const std::vector<int> &h) {
  Dev<int> in(h), bins(64);
  with_storage([&](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, in.p, bins.p, 65, -128, 128, (int)h.size()); });
  std::vector<int> want(64, 0);
  for (int x : h) if (x >= -128 && x < 128) want[(x + 128) / 4]++;
  check_equal("histogram", bins.get(), want);
}

static void scans(const std::vector<int> &h) {
  Dev<int> in(h), out(h.size());
  with_storage([&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveScan(t, b, in.p, out.p, Max(), INT_MIN, (int)h.size()); });
  std::vector<int> want(h.size()), key(h.size());
  int m = INT_MIN;
  for (size_t i = 0; i < h.size(); i++) { want[i] = m; m = Max()(m, h[i]); }
  check_equal("exclusive max", out.get(), want);
  for (size_t i = 0; i < h.size(); i++) {
    key[i] = (int)(i / 37);
    want[i] = h[i] + (i && key[i] == key[i - 1] ? want[i - 1] : 0);
  }
  Dev<int> keys(key);
  with_storage([&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSumByKey(t, b, keys.p, in.p, out.p, (int)h.size()); });
  check_equal("sum by key", out.get(), want);
}

static void segments(const std::vector<int> &h) {
  std::vector<int> start{0};
  while (start.back() < (int)h.size()) start.push_back(std::min((int)h.size(), start.back() + 1 + (int)(hash_u32(start.size()) % 700)));
  size_t n = start.size() - 1;
  std::vector<int> want(n, 0);
  for (size_t s = 0; s < n; s++)
    for (int i = start[s]; i < start[s + 1]; i++) want[s] += h[i];
  Dev<int> in(h), offsets(start), out(n);
  with_storage([&](void *t, size_t &b) { return cub::DeviceSegmentedReduce::Sum(t, b, in.p, out.p, (int)n, offsets.p, offsets.p + 1); });
  check_equal("segmented sum", out.get(), want);
}

int main(int argc, char **argv) {
  size_t big = argc > 1 ? strtoul(argv[1], nullptr, 0) : 20000;
  for (size_t n : {(size_t)0, (size_t)1, (size_t)31, (size_t)1025, big}) {
    select(values(n, 1000));
    runs(values(n, 3));
    histogram(values(n, 300));
    scans(values(n, 2000));
    segments(values(n, 2000));
  }
  return check_done("cub_device");
}
