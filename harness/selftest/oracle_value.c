// True values of approximated functions and of CUDA C's math functions, from the host's library in more
// digits than the type has. Interface: st_v_*.
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#include <math.h>

#include "selftest/selftest.h"

#define Q(x) ((st_quad)(x))
static const st_quad pi = 3.141592653589793238462643383279502884Q;

st_quad st_v_rcp(const st_form *, const st_quad *in) { return 1 / in[0]; }
st_quad st_v_sqrt(const st_form *, const st_quad *in) { return sqrtf128(in[0]); }
st_quad st_v_rsqrt(const st_form *, const st_quad *in) { return 1 / sqrtf128(in[0]); }
st_quad st_v_div(const st_form *, const st_quad *in) { return in[0] / in[1]; }
st_quad st_v_trig(const st_form *f, const st_quad *in) {
  return st_is(f, "sin") ? sinf128(in[0]) : cosf128(in[0]);
}
st_quad st_v_lg2(const st_form *, const st_quad *in) { return log2f128(in[0]); }
st_quad st_v_ex2(const st_form *, const st_quad *in) { return exp2f128(in[0]); }
st_quad st_v_tanh(const st_form *, const st_quad *in) { return tanhf128(in[0]); }

// Functions that libm lacks.
static st_quad v_rsqrt(st_quad x) { return 1 / sqrtf128(x); }
static st_quad v_rcbrt(st_quad x) { return 1 / cbrtf128(x); }
// The argument of sinpi is reduced first, exactly.
static st_quad v_sinpi(st_quad x) {
  st_quad r = remainderf128(x, 2);
  if (isinf(x) || isnan(x)) return Q(NAN);
  if (r == floorf128(r)) return copysignf128(0, x);
  return sinf128(r * pi);
}
static st_quad v_cospi(st_quad x) {
  st_quad r = fabsf128(remainderf128(x, 2));
  if (isinf(x) || isnan(x)) return Q(NAN);
  return r == 0.5 || r == 1.5 ? 0 : cosf128(r * pi);
}
static st_quad v_normcdf(st_quad x) { return erfcf128(-x / sqrtf128(2)) / 2; }
// exp(x*x) * erfc(x); by its asymptotic series where erfc itself would vanish.
static st_quad v_erfcx(st_quad x) {
  if (!(x > 100)) return expf128(x * x) * erfcf128(x);
  st_quad y = 1 / (2 * x * x), sum = 1;
  for (int k = 11; k > 0; k -= 2) sum = 1 - k * y * sum;
  return sum / (x * sqrtf128(pi));
}
// The root of erf(y) = x: Newton's steps from a rough start.
static st_quad v_erfinv(st_quad x) {
  if (isnan(x) || fabsf128(x) > 1) return Q(NAN);
  if (fabsf128(x) == 1) return x * Q(INFINITY);
  if (x == 0) return x;
  st_quad w = logf128(1 - x * x), t = 2 / (pi * Q(0.147)) + w / 2;
  st_quad y = copysignf128(sqrtf128(sqrtf128(t * t - w / Q(0.147)) - t), x);
  for (int k = 0; k < 6; k++) {
    st_quad off = x > 0.5 ? (1 - x) - erfcf128(y) : x < -0.5 ? erfcf128(-y) - (1 + x) : erff128(y) - x;
    y -= off * sqrtf128(pi) / 2 * expf128(y * y);
  }
  return y;
}

typedef st_quad (*fn1)(st_quad);
typedef st_quad (*fn2)(st_quad, st_quad);
#define FN(name)                                                                                             \
  { #name, name##f128, NULL }
#define OWN(name)                                                                                            \
  { #name, v_##name, NULL }
#define FN2(name)                                                                                            \
  { #name, NULL, name##f128 }
static const struct {
  const char *name;
  fn1 one;
  fn2 two;
} functions[] = {FN(exp),      FN(exp2),     FN(exp10),  FN(expm1),  FN(log),    FN(log2),       FN(log10),
                 FN(log1p),    FN(cbrt),     OWN(rcbrt), OWN(rsqrt), OWN(sinpi), OWN(cospi),     FN(sin),
                 FN(cos),      FN(tan),      FN(asin),   FN(acos),   FN(atan),   FN(sinh),       FN(cosh),
                 FN(tanh),     FN(asinh),    FN(acosh),  FN(atanh),  FN(erf),    FN(erfc),       OWN(erfcx),
                 OWN(erfinv),  OWN(normcdf), FN(tgamma), FN(lgamma), FN(j0),     FN(j1),         FN(sqrt),
                 FN(floor),    FN(ceil),     FN(trunc),  FN(rint),   FN(round),  FN(nearbyint),  FN(fabs),
                 FN(logb),     FN2(hypot),   FN2(atan2), FN2(pow),   FN2(fmod),  FN2(remainder), FN2(fdim),
                 FN2(copysign)};

// The neighbour in the function's own type; st_quad has nearer ones.
static st_quad neighbour(const st_form *f, const st_quad *in) {
  return f->out[0] == ST_F32 ? Q(nextafterf((float)in[0], (float)in[1]))
                             : Q(nextafter((double)in[0], (double)in[1]));
}

// The value of the CUDA C function [f] (sinf, sin, ..).
st_quad st_v_function(const st_form *f, const st_quad *in) {
  const char *name = f->text + strspn(f->text, "_"); // an intrinsic approximates the same
  size_t len = strlen(name) - (f->out[0] == ST_F32);
  if (strncmp(name, "nextafter", 9) == 0) return neighbour(f, in);
  if (strncmp(name, "ldexp", 5) == 0)
    return ldexpf128(in[0], in[1] > 10000 ? 10000 : in[1] < -10000 ? -10000 : (int)in[1]);
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
    if (strlen(functions[k].name) == len && memcmp(functions[k].name, name, len) == 0)
      return functions[k].one ? functions[k].one(in[0]) : functions[k].two(in[0], in[1]);
  return Q(NAN);
}
