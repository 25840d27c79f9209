// half and bfloat16, single and in pairs: conversions of all 65536 values, arithmetic, comparisons, minimum
// and maximum, as the host computes them in float.
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "check.h"

__global__ void conversions(float *f, unsigned short *back, int *i, unsigned short *from_int, float *bf, unsigned short *bback) {
  unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  __half h = __ushort_as_half((unsigned short)k);
  f[k] = __half2float(h);
  back[k] = __half_as_ushort(__float2half_rn(f[k]));
  i[k] = __half2int_rn(h);
  from_int[k] = __half_as_ushort(__int2half_rn((int)k - 32768));
  __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)k);
  bf[k] = __bfloat162float(b);
  bback[k] = __bfloat16_as_ushort(__float2bfloat16(bf[k] * 1.001f));
}

__global__ void arithmetic(const __half *a, const __half *b, __half *out, unsigned *bits) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  __half x = a[t], y = b[t], *o = out + 8 * t;
  o[0] = x + y, o[1] = x - y, o[2] = x * y, o[3] = x / y;
  o[4] = __hmin(x, y), o[5] = __hmax(x, y), o[6] = -x, o[7] = __habs(y);
  bits[t] = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | __hisnan(x) << 6 | __hlt(x, y) << 7;
}

__global__ void fused(const __half *a, const __half *b, __half *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[3 * t] = __hfma(a[t], b[t], a[t]);
  out[3 * t + 1] = hsqrt(__habs(a[t]));
  out[3 * t + 2] = hfloor(a[t]);
}

__global__ void pairs(const __half2 *a, const __half2 *b, __half2 *out, const __nv_bfloat162 *c, __nv_bfloat162 *bout) {
  int t = threadIdx.x;
  out[4 * t] = __hadd2(a[t], b[t]);
  out[4 * t + 1] = __hmul2(a[t], b[t]);
  out[4 * t + 2] = __hfma2(a[t], b[t], __lowhigh2highlow(a[t]));
  out[4 * t + 3] = __hgt2(a[t], b[t]);
  bout[t] = __hadd2(c[t], __halves2bfloat162(__high2bfloat16(c[t]), __float2bfloat16(1.0f)));
}

static bool same(float a, float b) { return a == b ? std::signbit(a) == std::signbit(b) : a != a && b != b; }
static float h2f(__half h) { return __half2float(h); }
static __half f2h(float f) { return __float2half_rn(f); }

static void test_conversions() {
  const int n = 65536;
  Dev<float> f(n), bf(n);
  Dev<unsigned short> back(n), from_int(n), bback(n);
  Dev<int> i(n);
  conversions<<<n / 256, 256>>>(f, back, i, from_int, bf, bback);
  std::vector<float> gf = f.get(), gb = bf.get();
  std::vector<unsigned short> gback = back.get(), gint = from_int.get(), gbb = bback.get();
  std::vector<int> gi = i.get();
  int bad[6] = {0};
  for (int k = 0; k < n; k++) {
    __half_raw r;
    r.x = (unsigned short)k;
    float want = h2f(__half(r)), b;
    unsigned w = (unsigned)k << 16;
    memcpy(&b, &w, 4);
    bad[0] += !same(gf[k], want);
    bad[1] += want == want ? gback[k] != k : (gback[k] & 0x7fff) <= 0x7c00;
    bad[2] += std::fabs(want) < 1e9f && gi[k] != (int)std::nearbyint(want);
    bad[3] += gint[k] != __half_raw(f2h((float)(k - 32768))).x;
    bad[4] += !same(gb[k], b);
    bad[5] += b == b && gbb[k] != __nv_bfloat16_raw(__float2bfloat16(b * 1.001f)).x;
  }
  for (int c = 0; c < 6; c++) CHECK(bad[c] == 0, "conversion %d: %d wrong", c, bad[c]);
}

static void test_arithmetic() {
  const int n = 4096;
  std::vector<unsigned short> a(n), b(n);
  for (int k = 0; k < n; k++) a[k] = (unsigned short)hash_u32(k), b[k] = k % 5 ? (unsigned short)hash_u32(k + 5000) : a[k];
  Dev<unsigned short> da(a), db(b), out(8 * n), fout(3 * n);
  Dev<unsigned> bits(n);
  arithmetic<<<n / 128, 128>>>((__half *)da.p, (__half *)db.p, (__half *)out.p, bits);
  fused<<<n / 128, 128>>>((__half *)da.p, (__half *)db.p, (__half *)fout.p);
  std::vector<unsigned short> got = out.get(), gf = fout.get();
  std::vector<unsigned> gbits = bits.get();
  int bad[11] = {0}, badbits = 0;
  for (int k = 0; k < n; k++) {
    auto half = [](unsigned short u) { __half_raw r; r.x = u; return __half(r); };
    float x = h2f(half(a[k])), y = h2f(half(b[k]));
    float least = x != x ? y : y != y ? x : x == y ? (std::signbit(x) ? x : y) : std::min(x, y);
    float most = x != x ? y : y != y ? x : x == y ? (std::signbit(x) ? y : x) : std::max(x, y);
    float want[8] = {h2f(f2h(x + y)), h2f(f2h(x - y)), h2f(f2h(x * y)), h2f(f2h(x / y)), least, most, -x, std::fabs(y)};
    for (int c = 0; c < 8; c++) bad[c] += !same(h2f(half(got[8 * k + c])), want[c]);
    float more[3] = {h2f(__double2half((double)x * y + x)), h2f(f2h(std::sqrt(std::fabs(x)))), h2f(f2h(std::floor(x)))};
    for (int c = 0; c < 3; c++) bad[8 + c] += !same(h2f(half(gf[3 * k + c])), more[c]);
    unsigned wb = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | (x != x) << 6 | (x < y) << 7;
    badbits += wb != gbits[k];
  }
  for (int c = 0; c < 11; c++) CHECK(bad[c] == 0, "operation %d: %d wrong", c, bad[c]);
  CHECK(badbits == 0, "comparisons: %d wrong", badbits);
}

static void test_pairs() {
  std::vector<__half2> a(64), b(64);
  std::vector<__nv_bfloat162> c(64);
  for (int t = 0; t < 64; t++) {
    a[t] = __floats2half2_rn((float)t, 0.25f * t);
    b[t] = __floats2half2_rn(3.0f - t % 9, 16.0f);
    c[t] = __floats2bfloat162_rn((float)t, 2.0f * t);
  }
  Dev<__half2> da(a), db(b), out(256);
  Dev<__nv_bfloat162> dc(c), bout(64);
  pairs<<<1, 64>>>(da, db, out, dc, bout);
  std::vector<__half2> g = out.get();
  std::vector<__nv_bfloat162> gb = bout.get();
  for (int t = 0; t < 64; t++) {
    float ax = (float)t, ay = 0.25f * t, bx = 3.0f - t % 9, by = 16.0f;
    float2 want[4] = {{ax + bx, ay + by}, {ax * bx, ay * by}, {ax * bx + ay, ay * by + ax}, {ax > bx ? 1.0f : 0.0f, ay > by ? 1.0f : 0.0f}};
    for (int c = 0; c < 4; c++) {
      float2 f = __half22float2(g[4 * t + c]);
      CHECK(f.x == h2f(f2h(want[c].x)) && f.y == h2f(f2h(want[c].y)), "pair %d of %d: %g %g", c, t, f.x, f.y);
    }
    float2 f = __bfloat1622float2(gb[t]);
    CHECK(f.x == 3.0f * t && f.y == 2.0f * t + 1, "bfloat16 pair %d: %g %g", t, f.x, f.y);
  }
}

int main() {
  test_conversions();
  test_arithmetic();
  test_pairs();
  return check_done("half_floats");
}
