// The oracles are checked in turn: exact arithmetic against the host's FPU in every rounding mode, the
// spelling of forms, and that the comparison notices what it is there for.

#include <fenv.h>
#include <math.h>

#include "base/unit.h"
#include "selftest/selftest_main.h"

static uint64_t drawn = 1;
static uint64_t next(void) {
  drawn = drawn * 6364136223846793005ull + 1442695040888963407ull;
  return drawn ^ drawn >> 29;
}

static double as_double(uint64_t u) {
  double d;
  memcpy(&d, &u, sizeof d);
  return d;
}
static uint64_t bits_of(double d) {
  uint64_t u;
  memcpy(&u, &d, sizeof u);
  return d != d ? 0x7ff8000000000000ull : u;
}

// What the host computes in rounding mode [mode].
static uint64_t host(char op, int mode, const uint64_t *in) {
  volatile double a = as_double(in[0]), b = as_double(in[1]), c = as_double(in[2]), r;
  fesetround(mode);
  r = op == '+'   ? a + b
      : op == '-' ? a - b
      : op == '*' ? a * b
      : op == '/' ? a / b
      : op == 's' ? sqrt(a)
                  : fma(a, b, c);
  fesetround(FE_TONEAREST);
  return bits_of(r);
}

TEST(test_arithmetic_is_the_hosts) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  for (int i = 0; i < 20000; i++) {
    uint64_t in[3] = {next(), next(), next()}, near = (next() % 64 + 1000) << 52;
    for (int k = 0; k < 3 && i % 2; k++) in[k] = (in[k] & ~(0x7ffull << 52)) | (near + (next() % 9 << 52));
    if (i % 5 == 0) in[2] = bits_of(-(as_double(in[0]) * as_double(in[1])));
    for (st_round mode = ST_RN; mode <= ST_RP; mode++)
      for (const char *op = "+-*/fs"; *op; op++) {
        uint64_t got = st_float_op(ST_F64, *op, mode, in), want = host(*op, modes[mode], in);
        if (got != want)
          fail_msg("%c in mode %d of %a, %a, %a is %a, the host says %a", *op, mode, as_double(in[0]),
                   as_double(in[1]), as_double(in[2]), as_double(got), as_double(want));
      }
  }
}

TEST(test_packing_into_float_is_the_hosts) {
  for (int i = 0; i < 100000; i++) {
    double d = as_double((next() & ~(0x7ffull << 52)) | (next() % 320 + 860) << 52);
    float f = (float)d, back;
    uint32_t got = (uint32_t)st_pack(ST_F32, (st_quad)d, ST_RN);
    memcpy(&back, &got, sizeof back);
    assert_true(back == f && signbit(back) == signbit(f));
    assert_true(st_value(ST_F32, got) == (st_quad)f);
  }
}

TEST(test_every_half_is_itself) {
  for (uint64_t h = 0; h < 65536; h++)
    for (st_kind k = ST_F16; k <= ST_BF16; k++)
      assert_int_equal(st_pack(k, st_value(k, h), ST_RN), st_bits_nan(k, h) ? st_nan(k) : h);
}

static st_work work_of(const char *form) {
  for (size_t r = 0; r < st_n_rows; r++)
    for (unsigned g = 0;; g++) {
      st_forms fs = st_expand(&st_rows[r], g);
      for (size_t k = 0; k < fs.n; k++)
        if (strcmp(fs.at[k].text, form) == 0) {
          fs.at[0] = fs.at[k];
          fs.n = 1;
          return (st_work){.row = &st_rows[r], .forms = fs, .vectors = st_make_vectors(&fs.at[0], 1)};
        }
      free(fs.at);
      if (!fs.n) break;
    }
  fail_msg("no row spells %s", form);
  return (st_work){0};
}

// Results as the oracle has them.
static uint64_t *right_results(const st_work *w) {
  const st_form *f = &w->forms.at[0];
  uint64_t *r = calloc(w->vectors.n * (size_t)f->n_out, sizeof *r), want[ST_OUTS];
  st_quad value;
  for (size_t i = 0; i < w->vectors.n; i++) {
    st_expect(w, f, i, want, &value);
    memcpy(r + i * (size_t)f->n_out, want, (size_t)f->n_out * sizeof *r);
  }
  return r;
}

static void check_notices(const char *form, uint64_t flip) {
  st_work w = work_of(form);
  w.sim = right_results(&w);
  w.gpu = right_results(&w);
  st_verdict v = st_judge(&w, 0);
  assert_int_equal(v.sim.wrong + v.gpu.wrong + v.both.wrong, 0);
  assert_true(v.sim.vectors > w.vectors.n / 2);
  size_t at = w.vectors.n - 1;
  uint64_t want[ST_OUTS];
  st_quad value;
  while (st_expect(&w, &w.forms.at[0], at, want, &value) == ST_UNSPECIFIED) at--;
  w.sim[at * (size_t)w.forms.at[0].n_out] ^= flip;
  v = st_judge(&w, 0);
  assert_int_equal(v.sim.wrong, 1);
  assert_int_equal(v.gpu.wrong, 0);
  assert_int_equal(v.sim.first[0].vector, at);
  if (!w.row->value) assert_int_equal(v.both.wrong, 1);
  free(w.sim);
  free(w.gpu);
  free(w.forms.at);
  free(w.vectors.at);
}

TEST(test_one_wrong_bit_is_noticed) {
  check_notices("add.s32", 1);
  check_notices("setp.lt.and.f64", 1);
  check_notices("fma.rn.f16x2", 0x10000);
  check_notices("cvt.rzi.s8.f32", 1);
  check_notices("shfl.sync.idx.b32", 1u << 31);
  check_notices("atom.global.add.u64", 1ull << 40);
  check_notices("sinf", 16);
  check_notices("rcp.approx.f32", 4);
  check_notices("rsqrt.approx.f64", 2);
}

// Hardware may flush a subnormal result of rcp.approx, the simulated GPU may not.
TEST(test_subnormal_results_are_bounded) {
  st_work w = work_of("rcp.approx.f32");
  w.sim = right_results(&w);
  w.gpu = right_results(&w);
  size_t at = 0;
  while (!(w.sim[at] & 0x7fffffff) || (w.sim[at] & 0x7f800000)) at++;
  w.sim[at] = w.gpu[at] = 0;
  st_verdict v = st_judge(&w, 0);
  assert_int_equal(v.sim.wrong, 1);
  assert_int_equal(v.gpu.wrong, 0);
  assert_int_equal(v.gpu.open, 1);
  free(w.sim);
  free(w.gpu);
  free(w.forms.at);
  free(w.vectors.at);
}

// Errors in ulp of CUDA C's functions are those from the rounded result; absolute and relative ones are not.
TEST(test_limits) {
  size_t of_c = 0;
  for (size_t r = 0; r < st_n_rows; r++) {
    const st_row *row = &st_rows[r];
    if (!row->value) continue;
    assert_true(st_limit(row) == row->limit + (row->is_c && row->bound == ST_ULP ? 0.5 : 0));
    assert_true(row->bound != ST_REL || row->limit < 0.01);
    assert_true(row->bound != ST_ABS || row->limit < 0.01);
    assert_true(row->lo < row->hi);
    of_c += row->is_c && row->bound != ST_ULP;
  }
  assert_true(of_c > 0);
}

// A NaN's bits count where PTX fixes them.
TEST(test_nans) {
  st_work w = work_of("add.f32");
  w.sim = right_results(&w);
  size_t at = 0;
  while (!st_bits_nan(ST_F32, w.sim[at])) at++;
  assert_int_equal(w.sim[at], 0x7fffffff);
  w.sim[at] = 0x7fc00000;
  assert_int_equal(st_judge(&w, 0).sim.wrong, 1);
  free(w.sim);
  free(w.forms.at);
  free(w.vectors.at);
}

TEST(test_spelling) {
  size_t forms = 0;
  for (size_t r = 0; r < st_n_rows; r++)
    for (unsigned g = 0;; g++) {
      st_forms fs = st_expand(&st_rows[r], g);
      for (size_t k = 0; k < fs.n; k++) {
        assert_null(strpbrk(fs.at[k].text, "{}"));
        assert_string_not_equal(fs.at[k].text, "cvt.sat.s64.s32"); // can never saturate
      }
      forms += fs.n;
      free(fs.at);
      if (!fs.n) break;
    }
  assert_true(forms > 2000);
}
