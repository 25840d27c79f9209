// CUB's DeviceRadixSort on every other type of key: 8, 16, 64 and 128 bits, half precision and double; -0 and
// +0, infinities; keys that are a structure, by a decomposer.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda/std/tuple>
#include "check.h"

// The order of a key as an integer, from its bits: floats with the sign bit set go backwards; -0 equals +0.
template <typename B> static long long order(B bits, bool is_float, bool is_signed) {
  const int n = 8 * (int)sizeof(B);
  const unsigned long long top = 1ull << (n - 1), v = bits;
  if (is_float) return v & top ? -(long long)(v & (top - 1)) : (long long)v;
  return is_signed && v & top ? (long long)(v | (n < 64 ? ~0ull << n : 0)) : (long long)v;
}

template <typename K, typename B> static void sort(const char *what, bool is_float, bool is_signed, int n) {
  std::vector<B> h(n), got;
  for (int i = 0; i < n; i++) {
    unsigned long long r = (unsigned long long)hash_u32(i) << 32 | hash_u32(i + 77777);
    h[i] = (B)(r >> (i % 7));
    if (i % 50 == 0) h[i] = (B)(i % 100 ? 0 : 1ull << (8 * sizeof(B) - 1));  // +0, -0
    if (is_float && sizeof(B) == 2) h[i] &= (B)~0x0200;                      // no NaN of f16
    if (is_float && sizeof(B) == 2) h[i] &= (B)~0x4000;
    if (is_float && sizeof(B) == 8) h[i] &= (B)~(1ull << 62);
    if (is_float && i == 3) h[i] = (B)(sizeof(B) == 8 ? 0x7ff0000000000000ull : 0x7c00);
  }
  Dev<B> in(h), out(n);
  size_t bytes = 0;
  CUDA(cub::DeviceRadixSort::SortKeys(nullptr, bytes, (K *)in.p, (K *)out.p, n));
  Dev<char> storage(bytes);
  CUDA(cub::DeviceRadixSort::SortKeys((void *)storage.p, bytes, (K *)in.p, (K *)out.p, n));
  std::stable_sort(h.begin(), h.end(), [=](B a, B b) { return order(a, is_float, is_signed) < order(b, is_float, is_signed); });
  got = out.get();
  check_equal(what, got, h);
}

template <typename F> static void with_storage(F call) {
  size_t bytes = 0;
  CUDA(call((void *)nullptr, bytes));
  Dev<char> storage(bytes);
  CUDA(call((void *)storage.p, bytes));
}

static void sort_wide(int n) {
  std::vector<__int128> h(n);
  for (int i = 0; i < n; i++) h[i] = ((__int128)(int)hash_u32(i) << 64 | (unsigned __int128)hash_u32(i + 5) << 32) >> (i % 90);
  Dev<__int128> in(h), out(n);
  with_storage([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, in.p, out.p, n); });
  std::stable_sort(h.begin(), h.end());
  check_equal("s128", out.get(), h);
}

// Sorted by weight, then by rank; the name is carried along and shows that the sort is stable.
struct Item {
  unsigned short rank;
  float weight;
  int name;
};
struct Parts {
  __host__ __device__ cuda::std::tuple<float &, unsigned short &> operator()(Item &i) const { return {i.weight, i.rank}; }
};

static void sort_items(int n, bool down) {
  std::vector<Item> h(n);
  for (int i = 0; i < n; i++) {
    memset(&h[i], 0, sizeof h[i]);
    h[i].rank = (unsigned short)(hash_u32(i) % 50), h[i].weight = (float)(hash_u32(i + 9) % 7) - 3.5f, h[i].name = i;
  }
  Dev<Item> in(h), out(n);
  with_storage([&](void *t, size_t &b) {
    return down ? cub::DeviceRadixSort::SortKeysDescending(t, b, in.p, out.p, n, Parts{})
                : cub::DeviceRadixSort::SortKeys(t, b, in.p, out.p, n, Parts{});
  });
  auto less = [](const Item &a, const Item &b) { return a.weight != b.weight ? a.weight < b.weight : a.rank < b.rank; };
  std::stable_sort(h.begin(), h.end(), [&](const Item &a, const Item &b) { return down ? less(b, a) : less(a, b); });
  std::vector<Item> got = out.get();
  int bad = 0;
  for (int i = 0; i < n; i++) bad += got[i].name != h[i].name || got[i].rank != h[i].rank || got[i].weight != h[i].weight;
  CHECK(bad == 0, "items %s: %d of %d wrong", down ? "down" : "up", bad, n);
}

int main() {
  sort_wide(3000);
  sort_items(5000, false);
  sort_items(3000, true);
  sort<unsigned char, unsigned char>("u8", false, false, 3000);
  sort<signed char, unsigned char>("s8", false, true, 3000);
  sort<unsigned short, unsigned short>("u16", false, false, 3000);
  sort<short, unsigned short>("s16", false, true, 3000);
  sort<long long, unsigned long long>("s64", false, true, 3000);
  sort<__half, unsigned short>("f16", true, true, 3000);
  sort<__nv_bfloat16, unsigned short>("bf16", true, true, 3000);
  sort<double, unsigned long long>("f64", true, true, 3000);
  return check_done("cub_types");
}
