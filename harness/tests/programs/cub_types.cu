// CUB's DeviceRadixSort on every other type of key: 8, 16 and 64 bits, half precision and double; -0 and +0, infinities.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
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

int main() {
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
