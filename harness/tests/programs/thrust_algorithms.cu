// Thrust on the device: sort with and without a comparison, stable_sort_by_key, scans, reduce, copy_if,
// unique, transform, from nothing to several tiles, against the host's standard library.
#include <algorithm>
#include <numeric>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>
#include "check.h"

struct Positive { __host__ __device__ bool operator()(int x) const { return x > 0; } };
struct LowByte { __host__ __device__ bool operator()(int a, int b) const { return (a & 255) < (b & 255); } };
struct Square { __host__ __device__ int operator()(int x) const { return x * x; } };

template <typename V> static std::vector<int> host(const V &d) {
  thrust::host_vector<int> h = d;
  return std::vector<int>(h.begin(), h.end());
}

static void sorts(const std::vector<int> &h) {
  std::vector<int> want = h, place(h.size());
  thrust::device_vector<int> d = h, p(h.size());
  std::iota(place.begin(), place.end(), 0);
  thrust::copy(place.begin(), place.end(), p.begin());
  thrust::stable_sort_by_key(d.begin(), d.end(), p.begin(), LowByte());
  std::stable_sort(place.begin(), place.end(), [&](int a, int b) { return LowByte()(h[a], h[b]); });
  std::stable_sort(want.begin(), want.end(), LowByte());
  check_equal("stable_sort_by_key: keys", host(d), want);
  check_equal("stable_sort_by_key: values", host(p), place);
  thrust::sort(d.begin(), d.end());
  std::sort(want.begin(), want.end());
  check_equal("sort", host(d), want);
  d.erase(thrust::unique(d.begin(), d.end()), d.end());
  want.erase(std::unique(want.begin(), want.end()), want.end());
  check_equal("unique", host(d), want);
}

static void scans(const std::vector<int> &h) {
  thrust::device_vector<int> d = h, e(h.size());
  std::vector<int> want(h.size());
  std::exclusive_scan(h.begin(), h.end(), want.begin(), 5);
  thrust::exclusive_scan(d.begin(), d.end(), e.begin(), 5);
  check_equal("exclusive_scan", host(e), want);
  std::inclusive_scan(h.begin(), h.end(), want.begin());
  thrust::inclusive_scan(d.begin(), d.end(), d.begin());
  check_equal("inclusive_scan in place", host(d), want);
}

static void others(const std::vector<int> &h) {
  thrust::device_vector<int> d = h, e(h.size());
  int sum = std::accumulate(h.begin(), h.end(), 0), most = std::accumulate(h.begin(), h.end(), -7, [](int a, int b) { return std::max(a, b); });
  CHECK(thrust::reduce(d.begin(), d.end()) == sum, "reduce of %zu", h.size());
  CHECK(thrust::reduce(d.begin(), d.end(), -7, thrust::maximum<int>()) == most, "maximum of %zu", h.size());
  e.erase(thrust::copy_if(d.begin(), d.end(), e.begin(), Positive()), e.end());
  std::vector<int> want;
  std::copy_if(h.begin(), h.end(), std::back_inserter(want), Positive());
  check_equal("copy_if", host(e), want);
  thrust::transform(d.begin(), d.end(), d.begin(), Square());
  want = h;
  for (int &x : want) x = x * x;
  check_equal("transform", host(d), want);
}

int main(int argc, char **argv) {
  size_t big = argc > 1 ? strtoul(argv[1], nullptr, 0) : 20000;
  for (size_t n : {(size_t)0, (size_t)1, (size_t)257, (size_t)4097, big}) {
    std::vector<int> h(n);
    for (size_t i = 0; i < n; i++) h[i] = (int)(hash_u32((unsigned)i) % 20001) - 10000;
    sorts(h);
    scans(h);
    others(h);
  }
  return check_done("thrust_algorithms");
}
