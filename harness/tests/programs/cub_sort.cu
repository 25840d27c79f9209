// CUB's DeviceRadixSort: keys and pairs, unsigned, signed, float and 64-bit keys, ascending and descending,
// parts of the bits; from nothing to several tiles. Pairs carry their place.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include "check.h"

template <typename K> static K key_of(unsigned i);
template <> unsigned key_of<unsigned>(unsigned i) { return hash_u32(i); }
template <> int key_of<int>(unsigned i) { return (int)hash_u32(i) >> (i % 24); }
template <> float key_of<float>(unsigned i) { return (float)((int)hash_u32(i) >> 8) * 0.37f; }
template <> unsigned long long key_of<unsigned long long>(unsigned i) {
  return (unsigned long long)hash_u32(i) << 32 | hash_u32(~i);
}

template <typename K> static std::vector<K> keys(size_t n) {
  std::vector<K> k(n);
  for (size_t i = 0; i < n; i++) k[i] = key_of<K>((unsigned)i);
  return k;
}

template <typename F> static void with_storage(F call) {
  size_t bytes = 0;
  CUDA(call((void *)nullptr, bytes));
  Dev<char> storage(bytes);
  CUDA(call((void *)storage.p, bytes));
  CUDA(cudaDeviceSynchronize());
}

template <typename K> static void sort_keys(const char *what, size_t n, bool down) {
  std::vector<K> h = keys<K>(n);
  Dev<K> in(h), out(n);
  with_storage([&](void *t, size_t &b) {
    return down ? cub::DeviceRadixSort::SortKeysDescending(t, b, in.p, out.p, (int)n) : cub::DeviceRadixSort::SortKeys(t, b, in.p, out.p, (int)n);
  });
  if (down) std::stable_sort(h.begin(), h.end(), [](K a, K b) { return a > b; });
  else std::stable_sort(h.begin(), h.end());
  check_equal(what, out.get(), h);
}

static void sort_pairs(size_t n, int begin, int end) {
  std::vector<unsigned> k = keys<unsigned>(n), place(n);
  for (size_t i = 0; i < n; i++) k[i] = k[i] % 1000, place[i] = (unsigned)i;
  Dev<unsigned> kin(k), kout(n), vin(place), vout(n);
  with_storage([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortPairs(t, b, kin.p, kout.p, vin.p, vout.p, (int)n, begin, end); });
  unsigned mask = (end == 32 ? ~0u : (1u << end) - 1) & ~((1u << begin) - 1);
  std::stable_sort(place.begin(), place.end(), [&](unsigned a, unsigned b) { return (k[a] & mask) < (k[b] & mask); });
  check_equal("pairs: values", vout.get(), place);
  for (auto &p : place) p = k[p];
  check_equal("pairs: keys", kout.get(), place);
}

int main(int argc, char **argv) {
  size_t big = argc > 1 ? strtoul(argv[1], nullptr, 0) : 20000;
  for (size_t n : {(size_t)0, (size_t)1, (size_t)33, (size_t)1000, big}) {
    sort_keys<unsigned>("u32", n, false);
    sort_keys<float>("f32 down", n, true);
    sort_pairs(n, 0, 32);
  }
  sort_keys<int>("i32", big / 2, false);
  sort_keys<unsigned long long>("u64", 5000, false);
  sort_pairs(7000, 2, 8);
  return check_done("cub_sort");
}
