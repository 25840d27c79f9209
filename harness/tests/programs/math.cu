// The math library in float and double within the errors that the CUDA C++ Programming Guide documents (ulp),
// exact operations bit for bit in every rounding mode, fast intrinsics, integer intrinsics.
#include <cfenv>
#include <climits>
#include <cmath>
#include "check.h"

const int N = 4096;

// The function as the device computes it and as long double does. ULP: the documented maximal error.
#define FUNCTIONS(F)                                                                                      \
  F(sqrt, 1, sqrt(x), sqrtl(x), 0) F(rcp, 1, 1 / x, 1 / x, 0) F(rsqrt, 1, rsqrt(x), 1 / sqrtl(x), 2)                   \
  F(exp, 20, exp(x), expl(x), 2) F(exp2, 30, exp2(x), exp2l(x), 2) F(expm1, 10, expm1(x), expm1l(x), 1)               \
  F(log, 1, log(x), logl(x), 1) F(log2, 1, log2(x), log2l(x), 1) F(log1p, 1, log1p(x), log1pl(x), 1)                  \
  F(log10, 1, log10(x), log10l(x), 2) F(sin, 100, sin(x), sinl(x), 2) F(cos, 100, cos(x), cosl(x), 2)                 \
  F(tan, 100, tan(x), tanl(x), 4) F(atan, 5, atan(x), atanl(x), 2) F(tanh, 5, tanh(x), tanhl(x), 2)                   \
  F(asin, -1, asin(x), asinl(x), 2) F(acos, -1, acos(x), acosl(x), 2) F(sinh, 8, sinh(x), sinhl(x), 3)                \
  F(cbrt, 3, cbrt(x), cbrtl(x), 1) F(erf, 3, erf(x), erfl(x), 2) F(pow, 1, pow(x, (T)2.7), powl(x, (T)2.7), 4)         \
  F(tgamma, 9, tgamma(x), tgammal(x), 10) F(hypot, 3, hypot(x, (T)3), hypotl(x, (T)3), 3)                              \
  F(atan2, 3, atan2(x, (T)-2), atan2l(x, (T)-2), 3) F(cbrt_large, 1000, cbrt(x), cbrtl(x), 1)                          \
  F(sin_large, 1e6, sin(x), sinl(x), 2) F(sinpi, 3, sinpi(x), sinpi_host(x), 2)

static long double sinpi_host(long double x) {
  long double whole = rintl(x), s = sinl((x - whole) * 3.14159265358979323846264338327950288L);
  return fmodl(whole, 2) == 0 ? s : -s;
}

template <typename T> __device__ T rsqrt(T x) { return ::rsqrt(x); }

#define DEVICE(name, range, dev, host, ulp)                                                               \
  template <typename T> __global__ void k_##name(const T *in, T *out) {                                   \
    int t = blockIdx.x * blockDim.x + threadIdx.x;                                                        \
    T x = in[t];                                                                                          \
    out[t] = dev;                                                                                         \
  }
FUNCTIONS(DEVICE)

// Positive arguments where range is 1 (up to 100), else -range .. range.
template <typename T> static std::vector<T> arguments(double range) {
  std::vector<T> x(N);
  for (int i = 0; i < N; i++) {
    double u = (hash_u32(i) + 0.5) / 4294967296.0;
    x[i] = (T)(range == 1 ? u * 100 : range == -1 ? 2 * u - 1 : (2 * u - 1) * range);
  }
  return x;
}

template <typename T> static double error_in_ulp(T got, long double want) {
  T near = (T)want;
  if (std::isnan(near) || std::isinf(near)) return std::isnan(near) == std::isnan(got) && (std::isnan(got) || got == near) ? 0 : 1e9;
  T next = std::nextafter(std::fabs(near), (T)INFINITY);
  return (double)std::fabs(((long double)got - want) / (long double)(next - std::fabs(near)));
}

#define HOST(name, range, dev, host, ulp)                                                                 \
  template <typename T> static void t_##name() {                                                          \
    std::vector<T> in = arguments<T>(range), got;                                                         \
    Dev<T> a(in), b(N);                                                                                   \
    k_##name<T><<<N / 128, 128>>>(a, b);                                                                  \
    got = b.get();                                                                                        \
    double worst = 0;                                                                                     \
    T where = 0;                                                                                          \
    for (int i = 0; i < N; i++) {                                                                         \
      long double x = in[i];                                                                              \
      double e = error_in_ulp<T>(got[i], host);                                                           \
      if (!(e <= worst)) worst = e, where = in[i];                                                        \
    }                                                                                                     \
    CHECK(worst <= ulp + 0.5, "%s of %zu bytes: error of %.2f ulp at %.17g", #name, sizeof(T), worst, (double)where); \
  }
FUNCTIONS(HOST)

// Exact operations in four rounding modes: a b -> sums, products, quotients, fused, roots, conversions.
template <typename T> struct Exact { T v[20]; long long i[4]; float narrow[4]; };
__global__ void exact(const double *a, const double *b, Exact<double> *d, Exact<float> *f) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[t], y = b[t];
  float p = (float)x, q = (float)y;
  double dv[20] = {__dadd_rn(x, y), __dadd_rz(x, y), __dadd_rd(x, y), __dadd_ru(x, y), __dmul_rn(x, y), __dmul_rz(x, y), __dmul_rd(x, y),
                   __dmul_ru(x, y), __ddiv_rn(x, y), __ddiv_rz(x, y), __ddiv_rd(x, y), __ddiv_ru(x, y), __fma_rn(x, y, x), __fma_rz(x, y, x),
                   __fma_rd(x, y, x), __fma_ru(x, y, x), __dsqrt_rn(y), __dsqrt_rz(y), __dsqrt_rd(y), __dsqrt_ru(y)};
  float fv[20] = {__fadd_rn(p, q), __fadd_rz(p, q), __fadd_rd(p, q), __fadd_ru(p, q), __fmul_rn(p, q), __fmul_rz(p, q), __fmul_rd(p, q),
                  __fmul_ru(p, q), __fdiv_rn(p, q), __fdiv_rz(p, q), __fdiv_rd(p, q), __fdiv_ru(p, q), __fmaf_rn(p, q, p), __fmaf_rz(p, q, p),
                  __fmaf_rd(p, q, p), __fmaf_ru(p, q, p), __fsqrt_rn(q), __fsqrt_rz(q), __fsqrt_rd(q), __fsqrt_ru(q)};
  for (int k = 0; k < 20; k++) d[t].v[k] = dv[k], f[t].v[k] = fv[k];
  d[t].i[0] = __double2ll_rn(x), d[t].i[1] = __double2ll_rz(x), d[t].i[2] = __double2ll_rd(x), d[t].i[3] = __double2ll_ru(x);
  f[t].i[0] = __float2int_rn(p), f[t].i[1] = __float2int_rz(p), f[t].i[2] = __float2int_rd(p), f[t].i[3] = __float2int_ru(p);
  d[t].narrow[0] = __double2float_rn(x), d[t].narrow[1] = __double2float_rz(x), d[t].narrow[2] = __double2float_rd(x), d[t].narrow[3] = __double2float_ru(x);
  f[t].narrow[0] = __int2float_rn(t * 16777259), f[t].narrow[1] = __int2float_rz(t * 16777259), f[t].narrow[2] = __int2float_rd(t * 16777259), f[t].narrow[3] = __int2float_ru(t * 16777259);
}

template <typename T> static __attribute__((noinline)) T host_op(int kind, volatile T x, volatile T y) {
  return kind == 0 ? x + y : kind == 1 ? x * y : kind == 2 ? x / y : kind == 3 ? std::fma((T)x, (T)y, (T)x) : std::sqrt((T)y);
}

static void test_exact() {
  const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::vector<double> a(N), b(N);
  for (int i = 0; i < N; i++) {
    a[i] = ((int)hash_u32(i) * 1.0 + hash_u32(i + 9) / 4294967296.0) * std::ldexp(1.0, (int)(hash_u32(i + 77) % 10) - 6);
    b[i] = (hash_u32(i + 40000) + 1.0) * std::ldexp(1.0, (int)(hash_u32(i + 7) % 24) - 30);
  }
  Dev<double> da(a), db(b);
  Dev<Exact<double>> dd(N);
  Dev<Exact<float>> df(N);
  exact<<<N / 128, 128>>>(da, db, dd, df);
  std::vector<Exact<double>> d = dd.get();
  std::vector<Exact<float>> f = df.get();
  int bad[4][8] = {{0}};
  for (int m = 0; m < 4; m++) {
    for (int i = 0; i < N; i++) {
      volatile float p = (float)a[i], q = (float)b[i];
      volatile int k = (int)(i * 16777259u);
      std::fesetround(modes[m]);
      for (int op = 0; op < 5; op++) {
        bad[m][op] += d[i].v[4 * op + m] != host_op<double>(op, a[i], b[i]);
        bad[m][op] += f[i].v[4 * op + m] != host_op<float>(op, p, q);
      }
      volatile double x = a[i];
      volatile float narrow = (float)x, from_int = (float)k;
      long long l = std::llrint((double)x), li = std::llrint((float)p);
      bad[m][5] += d[i].i[m] != l;
      li = li > 2147483647ll ? 2147483647ll : li < -2147483648ll ? -2147483648ll : li;
      bad[m][5] += f[i].i[m] != li;
      bad[m][6] += d[i].narrow[m] != narrow;
      bad[m][7] += f[i].narrow[m] != from_int;
      std::fesetround(FE_TONEAREST);
    }
    for (int op = 0; op < 8; op++) CHECK(bad[m][op] == 0, "operation %d in rounding mode %d: %d wrong", op, m, bad[m][op]);
  }
}

__global__ void fast(const float *in, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[t], v[8] = {__expf(x), __logf(fabsf(x) + 0.1f), __sinf(x / 4), __cosf(x / 4), __fdividef(x, 3.7f), __frcp_rn(x), __powf(fabsf(x) + 0.5f, 1.5f), __saturatef(x)};
  for (int k = 0; k < 8; k++) out[8 * t + k] = v[k];
}

static void test_fast() {
  std::vector<float> in = arguments<float>(10);
  Dev<float> a(in), b(8 * N);
  fast<<<N / 128, 128>>>(a, b);
  std::vector<float> got = b.get();
  double worst[8] = {0};
  for (int i = 0; i < N; i++) {
    double x = in[i], l = std::fabs(in[i]) + 0.1f, p = std::fabs(in[i]) + 0.5f, y = in[i] / 4;
    double want[8] = {std::exp(x), std::log(l), std::sin(y), std::cos(y), x / (double)3.7f, 1 / x, std::pow(p, 1.5), x < 0 ? 0 : x > 1 ? 1 : x};
    for (int k = 0; k < 8; k++) {
      double e = k == 1 || k == 2 || k == 3 ? std::fabs(got[8 * i + k] - want[k]) : error_in_ulp<float>(got[8 * i + k], want[k]);
      if (!(e <= worst[k])) worst[k] = e;
    }
  }
  // exp 2 + floor(|1.173 x|) ulp; log 2^-21.41 near 1 and 3 ulp elsewhere; division 2 ulp;
  // sin 2^-21.41, cos 2^-21.19 within [-pi, pi]
  const double limit[8] = {13.5, 8e-7, 3.7e-7, 4.3e-7, 2.5, 0.5, 12, 0};
  for (int k = 0; k < 8; k++) CHECK(worst[k] <= limit[k], "fast function %d: error %g, limit %g", k, worst[k], limit[k]);
}

__global__ void shapes(const double *in, double *d, float *f, int *i) {
  int t = threadIdx.x, e;
  double x = in[t];
  float y = (float)x, whole;
  double dv[10] = {floor(x), ceil(x), trunc(x), rint(x), round(x), fmod(x, 2.5), remainder(x, 2.5), fmin(x, 1.0), fmax(x, nan("")), copysign(3.0, x)};
  float fv[10] = {floorf(y), ceilf(y), truncf(y), rintf(y), roundf(y), fmodf(y, 2.5f), remainderf(y, 2.5f), fminf(y, 1.0f), modff(y, &whole), ldexpf(frexpf(y, &e), e)};
  for (int k = 0; k < 10; k++) d[10 * t + k] = dv[k], f[10 * t + k] = fv[k];
  i[t] = isnan(x) | isinf(y) << 1 | signbit(x) << 2 | isfinite(y) << 3 | (ilogbf(y) & 255) << 8;
}

static void test_shapes() {
  std::vector<double> in{0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 7.25, -1e5, 1e-30, INFINITY, -INFINITY, NAN, 3.999, -3.001, 123456.789};
  size_t n = in.size();
  Dev<double> a(in), d(10 * n);
  Dev<float> f(10 * n);
  Dev<int> i(n);
  shapes<<<1, (int)n>>>(a, d, f, i);
  std::vector<double> gd = d.get();
  std::vector<float> gf = f.get();
  std::vector<int> gi = i.get();
  for (size_t t = 0; t < n; t++) {
    double x = in[t];
    float y = (float)x, whole;
    double dv[10] = {std::floor(x), std::ceil(x), std::trunc(x), std::rint(x), std::round(x), std::fmod(x, 2.5), std::remainder(x, 2.5), std::fmin(x, 1.0), std::fmax(x, NAN), std::copysign(3.0, x)};
    float fv[10] = {std::floor(y), std::ceil(y), std::trunc(y), std::rint(y), std::round(y), std::fmod(y, 2.5f), std::remainder(y, 2.5f), std::fmin(y, 1.0f), std::modf(y, &whole), y};
      for (int k = 0; k < 10; k++) {
      double p = gd[10 * t + k];
      float q = gf[10 * t + k];
      CHECK(p == dv[k] || (p != p && dv[k] != dv[k]), "double %d of %g: %g, want %g", k, x, p, dv[k]);
      CHECK(q == fv[k] || (q != q && fv[k] != fv[k]), "float %d of %g: %g, want %g", k, y, q, fv[k]);
    }
    int exponent = y == 0 ? INT_MIN : std::ilogb(y); // CUDA's; what the C library gives for 0 depends on the processor
    int want = (std::isnan(x) ? 1 : 0) | (std::isinf(y) ? 2 : 0) | (std::signbit(x) ? 4 : 0) | (std::isfinite(y) ? 8 : 0) | (exponent & 255) << 8;
    CHECK(gi[t] == want || y != y, "class of %g: %x, want %x", x, gi[t], want);
  }
}

#define RUN(name, range, dev, host, ulp) t_##name<float>(); t_##name<double>();
int main() {
  FUNCTIONS(RUN)
  test_exact();
  test_fast();
  test_shapes();
  return check_done("math");
}
