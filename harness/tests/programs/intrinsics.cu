// Integer and SIMD intrinsics of the toolkit's headers, each compared with plain C on pseudo-random and edge
// values; the conversions of 8-bit and 16-bit floats, whose headers compute the same on the host.
#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include "check.h"

typedef unsigned u32;
typedef unsigned long long u64;
typedef long long s64;

// By lanes of 8 or 16 bits.
template <int BITS, bool SIGNED> struct Lane {
  static constexpr s64 low = SIGNED ? -(1ll << (BITS - 1)) : 0, high = SIGNED ? (1ll << (BITS - 1)) - 1 : (1ll << BITS) - 1;
  static s64 get(u32 v, int k) {
    s64 x = v >> (k * BITS) & ((1ull << BITS) - 1);
    return SIGNED && x > high ? x - (1ll << BITS) : x;
  }
  static s64 sat(s64 x) { return std::min(std::max(x, low), high); }
  template <typename F> static u32 map(u32 a, u32 b, u32 c, F f) {
    u32 r = 0;
    for (int k = 0; k < 32 / BITS; k++) r |= (u32)(f(get(a, k), get(b, k), get(c, k)) & ((1ull << BITS) - 1)) << (k * BITS);
    return r;
  }
  template <typename F> static u32 sum(u32 a, u32 b, F f) {
    u32 r = 0;
    for (int k = 0; k < 32 / BITS; k++) r += (u32)f(get(a, k), get(b, k));
    return r;
  }
};
typedef Lane<8, false> U4;
typedef Lane<8, true> S4;
typedef Lane<16, false> U2;
typedef Lane<16, true> S2;
#define MASK(BOOL) ((BOOL) ? -1 : 0)

// device function, lanes, value of a lane from x, y, z
#define SIMD(X, N, U, S)                                                                                                  \
  X(__vabs##N, 1, S, x < 0 ? -x : x) X(__vabsss##N, 1, S, S::sat(x < 0 ? -x : x)) X(__vneg##N, 1, S, -x) X(__vnegss##N, 1, S, S::sat(-x)) \
  X(__vadd##N, 2, U, x + y) X(__vaddss##N, 2, S, S::sat(x + y)) X(__vaddus##N, 2, U, U::sat(x + y))                       \
  X(__vsub##N, 2, U, x - y) X(__vsubss##N, 2, S, S::sat(x - y)) X(__vsubus##N, 2, U, U::sat(x - y))                       \
  X(__vavgs##N, 2, S, (x + y + (x + y >= 0)) >> 1) X(__vavgu##N, 2, U, (x + y + 1) / 2) X(__vhaddu##N, 2, U, (x + y) / 2) \
  X(__vabsdiffs##N, 2, S, x > y ? x - y : y - x) X(__vabsdiffu##N, 2, U, x > y ? x - y : y - x)                           \
  X(__vmins##N, 2, S, std::min(x, y)) X(__vminu##N, 2, U, std::min(x, y)) X(__vmaxs##N, 2, S, std::max(x, y)) X(__vmaxu##N, 2, U, std::max(x, y)) \
  X(__vcmpeq##N, 2, U, MASK(x == y)) X(__vcmpne##N, 2, U, MASK(x != y)) X(__vcmpges##N, 2, S, MASK(x >= y)) X(__vcmpgeu##N, 2, U, MASK(x >= y)) \
  X(__vcmpgts##N, 2, S, MASK(x > y)) X(__vcmpgtu##N, 2, U, MASK(x > y)) X(__vcmples##N, 2, S, MASK(x <= y)) X(__vcmpleu##N, 2, U, MASK(x <= y)) \
  X(__vcmplts##N, 2, S, MASK(x < y)) X(__vcmpltu##N, 2, U, MASK(x < y)) X(__vseteq##N, 2, U, x == y) X(__vsetne##N, 2, U, x != y)             \
  X(__vsetges##N, 2, S, x >= y) X(__vsetgtu##N, 2, U, x > y) X(__vsetles##N, 2, S, x <= y) X(__vsetltu##N, 2, U, x < y)
#define SIMD_PAIRS(X)                                                                                                     \
  X(__vimax_s16x2_relu, 2, S2, std::max({x, y, s64(0)})) X(__vimin_s16x2_relu, 2, S2, std::max(std::min(x, y), s64(0)))   \
  X(__vimax3_s16x2, 3, S2, std::max({x, y, z})) X(__vimin3_u16x2, 3, U2, std::min({x, y, z})) X(__vimax3_s16x2_relu, 3, S2, std::max({x, y, z, s64(0)})) \
  X(__viaddmax_s16x2, 3, S2, std::max(s64((short)(x + y)), z)) X(__viaddmin_u16x2, 3, U2, std::min(s64((unsigned short)(x + y)), z))
// device function, value from a, b, c
#define WORDS(X)                                                                                                          \
  X(__vsads4(a, b), S4::sum(a, b, [](s64 x, s64 y) { return x > y ? x - y : y - x; }))                                    \
  X(__vsadu4(a, b), U4::sum(a, b, [](s64 x, s64 y) { return x > y ? x - y : y - x; }))                                    \
  X(__vsadu2(a, b), U2::sum(a, b, [](s64 x, s64 y) { return x > y ? x - y : y - x; }))                                    \
  X(__dp4a((int)a, (int)b, (int)c), c + S4::sum(a, b, [](s64 x, s64 y) { return x * y; }))                                \
  X(__dp4a(a, b, c), c + U4::sum(a, b, [](s64 x, s64 y) { return x * y; }))                                               \
  X((u32)__dp2a_lo((int)a, (int)b, (int)c), (u32)(c + S2::get(a, 0) * S4::get(b, 0) + S2::get(a, 1) * S4::get(b, 1)))     \
  X(__dp2a_hi(a, b, c), (u32)(c + U2::get(a, 0) * U4::get(b, 2) + U2::get(a, 1) * U4::get(b, 3)))                         \
  X(__mulhi((int)a, (int)b), (u32)((s64)(int)a * (int)b >> 32)) X(__umulhi(a, b), (u32)((u64)a * b >> 32))                \
  X(__mul24((int)a, (int)b), (u32)((s64)((int)(a << 8) >> 8) * ((int)(b << 8) >> 8))) X(__umul24(a, b), (u32)((u64)(a & 0xffffff) * (b & 0xffffff))) \
  X(__sad((int)a, (int)b, c), c + ((int)a > (int)b ? a - b : b - a)) X(__usad(a, b, c), c + (a > b ? a - b : b - a))      \
  X(__hadd((int)a, (int)b), (u32)(((s64)(int)a + (int)b) >> 1)) X(__rhadd((int)a, (int)b), (u32)(((s64)(int)a + (int)b + 1) >> 1)) \
  X(__uhadd(a, b), (u32)(((u64)a + b) >> 1)) X(__urhadd(a, b), (u32)(((u64)a + b + 1) >> 1))                              \
  X(__popc(a), (u32)__builtin_popcount(a)) X(__clz((int)a), a ? (u32)__builtin_clz(a) : 32) X(__ffs((int)a), (u32)__builtin_ffs((int)a)) \
  X(__popcll((u64)a << 32 | b), (u32)(__builtin_popcount(a) + __builtin_popcount(b))) X(__clzll((s64)((u64)a << 32 | b)), a ? (u32)__builtin_clz(a) : b ? 32 + (u32)__builtin_clz(b) : 64) \
  X(__brev(a), reversed(a)) X((u32)(__brevll((u64)a << 32 | b) >> 32), reversed(b)) X(__byte_perm(a, b, c), bytes(a, b, c)) \
  X(__funnelshift_l(a, b, c), (u32)(((u64)b << 32 | a) << (c & 31) >> 32)) X(__funnelshift_r(a, b, c), (u32)(((u64)b << 32 | a) >> (c & 31))) \
  X(__funnelshift_lc(a, b, c), (u32)(((u64)b << 32 | a) << std::min(c, 32u) >> 32)) X(__funnelshift_rc(a, b, c), (u32)(((u64)b << 32 | a) >> std::min(c, 32u))) \
  X(__vimax3_s32((int)a, (int)b, (int)c), (u32)std::max({(int)a, (int)b, (int)c})) X(__vimin3_u32(a, b, c), std::min({a, b, c})) \
  X(__vimax_s32_relu((int)a, (int)b), (u32)std::max({(int)a, (int)b, 0})) X(__viaddmax_s32((int)a, (int)b, (int)c), (u32)std::max((int)(a + b), (int)c)) \
  X(__fns(a, 0, 2), second(a)) X((u32)__double2hiint(__hiloint2double((int)a, (int)b)), a)

static u32 reversed(u32 a) {
  u32 r = 0;
  for (int k = 0; k < 32; k++) r |= (a >> k & 1) << (31 - k);
  return r;
}
static u32 bytes(u32 a, u32 b, u32 sel) {
  u32 r = 0;
  for (int k = 0; k < 4; k++) r |= (u32)(((u64)b << 32 | a) >> (sel >> 4 * k & 7) * 8 & 255) << 8 * k;
  return r;
}
static u32 second(u32 a) {
  a &= a - 1;
  return a ? (u32)__builtin_ctz(a) : ~0u;
}

#define ARGS_1(f) f(a)
#define ARGS_2(f) f(a, b)
#define ARGS_3(f) f(a, b, c)
#define ON_DEVICE(f, n, L, e) o[k++ * N + i] = ARGS_##n(f);
#define ON_HOST(f, n, L, e) names.push_back(#f), want.push_back(L::map(a, b, c, [](s64 x, s64 y, s64 z) -> s64 { (void)x, (void)y, (void)z; return e; }));
#define WORD_ON_DEVICE(call, e) o[k++ * N + i] = (u32)(call);
#define WORD_ON_HOST(call, e) names.push_back(#call), want.push_back(e);
#define ALL(S, W) SIMD(S, 2, U2, S2) SIMD(S, 4, U4, S4) SIMD_PAIRS(S) WORDS(W)

enum { N = 96, MOST = 256 };
__host__ __device__ static u32 input(u32 i, u32 which) {
  const u32 edges[8] = {0, 0xffffffff, 0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f, 1, 0x80000000};
  if (i < 24) return edges[(i >> (which * 2)) % 8 ^ (which & i & 7)];
  u32 x = (i * 3 + which) * 0x9e3779b9u;
  x ^= x >> 15, x *= 0x85ebca6bu, x ^= x >> 13;
  return which == 2 && i % 2 ? x & 63 : x;
}

__global__ void integers(u32 *o) {
  u32 i = threadIdx.x, k = 0, a = input(i, 0), b = input(i, 1), c = input(i, 2);
  ALL(ON_DEVICE, WORD_ON_DEVICE)
  if (i == 0) o[MOST * N] = k;
}

static void test_integers() {
  Dev<u32> out(MOST * N + 1);
  integers<<<1, N>>>(out);
  std::vector<u32> got = out.get();
  for (u32 i = 0; i < N; i++) {
    std::vector<const char *> names;
    std::vector<u32> want;
    u32 a = input(i, 0), b = input(i, 1), c = input(i, 2);
    ALL(ON_HOST, WORD_ON_HOST)
    CHECK(got[MOST * N] == want.size() && want.size() < MOST, "%zu functions", want.size());
    for (size_t k = 0; k < want.size(); k++)
      CHECK(got[k * N + i] == want[k], "%s of %08x %08x %08x: got %08x want %08x", names[k], a, b, c, got[k * N + i], want[k]);
  }
}

// Bits of every conversion of one 32-bit pattern.
__host__ __device__ static void conversions(u32 bits, u32 *o) {
  float f, g;
  int k = 0;
  memcpy(&f, &bits, 4);
  g = f * 0.37f;
  __half_raw h = __half_raw(__float2half_rn(f));
  __half2_raw h2 = __half2_raw(__floats2half2_rn(f, g));
  o[k++] = h.x, o[k++] = __half_raw(__float2half_rz(f)).x, o[k++] = __half_raw(__float2half_rd(f)).x, o[k++] = __half_raw(__float2half_ru(f)).x;
  o[k++] = h2.x | (u32)h2.y << 16;
  o[k++] = __nv_bfloat16_raw(__float2bfloat16_rn(f)).x, o[k++] = __nv_bfloat16_raw(__float2bfloat16_rz(f)).x;
  o[k++] = __nv_bfloat16_raw(__float2bfloat16_rd(f)).x, o[k++] = __nv_bfloat16_raw(__float2bfloat16_ru(f)).x;
  const __nv_fp8_interpretation_t kinds[2] = {__NV_E4M3, __NV_E5M2};
  for (int t = 0; t < 2; t++) {
    o[k++] = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, kinds[t]), o[k++] = __nv_cvt_float_to_fp8(f, __NV_NOSAT, kinds[t]);
    o[k++] = __nv_cvt_float2_to_fp8x2(make_float2(f, g), __NV_SATFINITE, kinds[t]);
    o[k++] = __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, kinds[t]), o[k++] = __nv_cvt_halfraw2_to_fp8x2(h2, __NV_SATFINITE, kinds[t]);
    __half2_raw back = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(bits >> 16), kinds[t]);
    o[k++] = back.x | (u32)back.y << 16, o[k++] = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)bits, kinds[t]).x;
  }
}
enum { CONVERSIONS = 23 };

// e5m2 has three NaNs, and which of them a NaN becomes is not defined.
static u32 one_nan(size_t k, u32 v) {
  for (int b = 0; k >= 16 && k <= 20 && b < 16; b += 8)
    if ((v >> b & 0x7f) > 0x7c) v = (v & ~(0xffu << b)) | 0x7fu << b;
  return v;
}

__global__ void convert(const u32 *in, u32 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) conversions(in[i], out + CONVERSIONS * i);
}

static void test_conversions() {
  std::vector<u32> in;
  for (u32 e = 0; e < 65536; e += 13) in.push_back(e << 16 | (hash_u32(e) & (e & 1 ? 0xffff : 0)));
  for (u32 e = 0; e < 256; e++) in.push_back((e / 4 + 95) << 23 | (e % 4) << 21 | (e & 64 ? 1u << 20 : 0) | (e & 128 ? 0x80000000 : 0));
  int n = (int)in.size();
  std::vector<u32> want((size_t)n * CONVERSIONS);
  for (int i = 0; i < n; i++) conversions(in[i], &want[(size_t)CONVERSIONS * i]);
  Dev<u32> din(in), out(want.size());
  convert<<<(n + 127) / 128, 128>>>(din, out, n);
  std::vector<u32> got = out.get();
  for (size_t k = 0; k < want.size(); k++)
    CHECK(one_nan(k % CONVERSIONS, got[k]) == one_nan(k % CONVERSIONS, want[k]), "conversion %zu of %08x: got %08x want %08x", k % CONVERSIONS, in[k / CONVERSIONS], got[k], want[k]);
}

int main() {
  test_integers();
  test_conversions();
  return check_done("intrinsics");
}
