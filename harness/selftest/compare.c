// Compares results: a device's with the oracle's, two devices' bit for bit. Interface: st_judge, st_expect.
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#include <fnmatch.h>
#include <math.h>

#include "selftest/selftest_main.h"

// For these forms the GPU's assembler makes code that contradicts the manual, so the hardware's results prove
// nothing. docs/reference/selftest.md says what the code does.
static const char *const contradicted[] = {
    // a result that is too great wraps around
    "vadd.u32.u32.?32.sat d, a, b;", "vadd.u32.s32.u32.sat d, a, b;", "vsub.u32.u32.s32.sat d, a, b;",
    "vabsdiff.u32.u32.s32.sat d, a, b;", "vabsdiff.u32.s32.u32.sat d, a, b;", "vadd.u32.u32.s32.sat.add d,*",
    "vsub.u32.u32.s32.sat.add d,*", "vabsdiff.u32.u32.s32.sat.add d,*", "vabsdiff.u32.u32.s32.sat.max d,*",
    // a result of 2^31 or more is compared with c as if one of them were signed
    "vadd.u32.?32.s32*.m?? d,*", "vsub.u32.?32.s32*.m?? d,*",
    // a negative result becomes the part's greatest value
    "vadd.*.sat d.*", "vsub.*.sat d.*", "vmin.*.sat d.*", "vmax.?32.s32.s32.sat d.*"};

static bool is_contradicted(const st_form *f) {
  for (size_t k = 0; k < sizeof contradicted / sizeof *contradicted; k++) {
    if (fnmatch(contradicted[k], f->text, 0) == 0) return true;
  }
  return false;
}

static const uint64_t *result_at(const uint64_t *results, const st_work *w, size_t form, size_t vector) {
  return results + (form * w->vectors.n + vector) * (size_t)w->forms.at[0].n_out;
}

// The value of an operand, whatever its type.
static st_quad operand(st_kind k, uint64_t bits) {
  return st_is_float(k) ? st_value(k, bits) : (st_quad)(int32_t)bits;
}

// Half [part] of an operand of type [k], flushed as the form says.
static st_quad part_value(const st_form *f, st_kind k, uint64_t bits, int part) {
  st_kind half = st_half_of(k);
  bits = bits >> 16 * part & (st_is_pair(k) ? 0xffff : ~0ull);
  if (f->ftz && st_is_float(half)) bits = st_flush(half, bits);
  // rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 look only at the upper half of the operand
  if (f->ftz && half == ST_F64) bits &= ~0xffffffffull;
  return operand(half, bits);
}

static st_quad true_value(const st_form *f, const uint64_t *in, int part) {
  st_quad v[ST_INS] = {0};
  for (int k = 0; k < f->n_in; k++) v[k] = part_value(f, f->in[k], in[k], part);
  return f->row->value(f, v);
}

st_said st_expect(const st_work *w, const st_form *f, size_t vector, uint64_t out[ST_OUTS], st_quad *value) {
  memset(out, 0, ST_OUTS * sizeof *out);
  if (w->row->value) {
    *value = true_value(f, w->vectors.at[vector], 0);
    out[0] = st_pack(st_half_of(f->out[0]), *value, ST_RN);
    if (st_is_pair(f->out[0]))
      out[0] |= st_pack(st_half_of(f->out[0]), true_value(f, w->vectors.at[vector], 1), ST_RN) << 16;
    return ST_ANY_NAN;
  }
  if (w->row->oracle) return w->row->oracle(f, w->vectors.at[vector], out);
  uint64_t all[ST_BLOCK][ST_OUTS] = {{0}};
  st_said said[ST_BLOCK];
  size_t lane = vector % w->row->threads;
  w->row->group(f, w->row->threads, w->vectors.at + (vector - lane), all, said);
  memcpy(out, all[lane], sizeof all[lane]);
  return said[lane];
}

// Do two results of type [k] differ in nothing but the bits of NaNs?
static bool same_but_nans(st_kind k, uint64_t a, uint64_t b) {
  st_kind half = st_half_of(k);
  uint64_t mask = st_is_pair(k) ? 0xffff : ~0ull;
  for (int shift = 0; shift <= (st_is_pair(k) ? 16 : 0); shift += 16) {
    uint64_t x = a >> shift & mask, y = b >> shift & mask;
    if (x != y && !(st_bits_nan(half, x) && st_bits_nan(half, y))) return false;
  }
  return true;
}

static void note(st_tally *t, size_t vector, int result) {
  if (t->wrong < ST_SHOWN) t->first[t->wrong] = (st_diff){vector, result};
  t->wrong++;
}

static uint64_t significant(st_kind k, uint64_t bits) {
  unsigned reg = st_register_bits(k);
  return reg < 64 ? bits & ((1ull << reg) - 1) : bits;
}

// One exact vector: [got] against [want].
static void compare_bits(st_tally *t, const st_form *f, size_t vector, const uint64_t *got,
                         const uint64_t *want, st_said said) {
  t->vectors++;
  for (int k = 0; k < f->n_out; k++) {
    uint64_t a = significant(f->out[k], got[k]), b = significant(f->out[k], want[k]);
    if (a == b) continue;
    if (said == ST_UNSPECIFIED) t->open++;
    else if (said == ST_ANY_NAN && same_but_nans(f->out[k], a, b)) t->nans++;
    else note(t, vector, k);
    return;
  }
}

// The error of [got] in the unit of the row's bound; 0 where both are the same infinity, NaN or zero.
static double error_of(const st_row *row, st_kind k, uint64_t got, st_quad want) {
  st_quad v = st_value(k, got), off = v - want;
  if (isnan(want) || isnan(v)) return isnan(want) && isnan(v) ? 0 : INFINITY;
  if (v == want) return 0;
  uint64_t nearest = st_pack(k, want, ST_RN);
  if (got == nearest) return row->bound == ST_ULP ? 0.5 : 0; // also: where the value overflows to infinity
  if (isinf(v) || isinf(want)) {
    // one step beyond the largest number is as near as any other
    uint64_t a = got & ~(1ull << (st_bits(k) - 1)), b = nearest & ~(1ull << (st_bits(k) - 1));
    return a - b == 1 || b - a == 1 ? 1 : INFINITY;
  }
  double d = (double)fabsf128(off);
  return row->bound == ST_ULP   ? d / st_ulp(k, want)
         : row->bound == ST_ABS ? d
                                : (double)(fabsf128(off) / fabsf128(want));
}

// Is the bound stated for this operand?
static bool in_domain(const st_form *f, const uint64_t *in, int part) {
  const st_row *r = f->row;
  int k = f->n_in == 2 && st_is(f, "div") ? 1 : 0;
  double x = (double)part_value(f, f->in[k], in[k], part);
  if (k) x = fabs(x);
  return isnan(x) || (x >= r->lo && x <= r->hi);
}

// Hardware flushes subnormal results or loses digits of them: there the bound is the simulated GPU's alone.
static bool is_tiny(const st_form *f, st_kind k, st_quad want) {
  return want != 0 && !isnan(want) &&
         st_is(f, "div") + st_is(f, "rcp") + st_is(f, "ex2") + st_is(f, "rsqrt") &&
         st_is_tiny(k, want, ST_RN);
}

// The row's bound. CUDA C states its bounds against the rounded result, half an ulp from the true one.
double st_limit(const st_row *r) { return r->limit + (r->is_c && r->bound == ST_ULP ? 0.5 : 0); }

static void compare_near(st_tally *t, const st_work *w, const st_form *f, size_t vector, uint64_t got,
                         bool simulated) {
  st_kind half = st_half_of(f->out[0]);
  bool beyond = false, open = false;
  t->vectors++;
  for (int part = 0; part <= st_is_pair(f->out[0]); part++) {
    uint64_t bits = got >> 16 * part & (st_is_pair(f->out[0]) ? 0xffff : ~0ull);
    st_quad want = true_value(f, w->vectors.at[vector], part);
    double err = error_of(w->row, half, bits, want), limit = st_limit(w->row);
    if (f->ftz && is_tiny(f, half, want) && (bits & ~(1ull << (st_bits(half) - 1))) == 0) err = 0;
    if (!in_domain(f, w->vectors.at[vector], part) ||
        (!w->row->is_c && !simulated && is_tiny(f, half, want))) {
      open |= err > limit;
      continue;
    }
    if (err > t->worst) t->worst = err;
    beyond |= !(err <= limit);
  }
  if (beyond) note(t, vector, 0);
  else if (open) t->open++;
}

static void against_oracle(st_tally *t, const st_work *w, const st_form *f, size_t vector,
                           const uint64_t *got, bool simulated) {
  uint64_t want[ST_OUTS];
  st_quad value;
  if (w->row->value) {
    compare_near(t, w, f, vector, got[0], simulated);
    return;
  }
  st_said said = st_expect(w, f, vector, want, &value);
  if (!simulated && is_contradicted(f)) said = ST_UNSPECIFIED;
  if (said != ST_UNSPECIFIED) compare_bits(t, f, vector, got, want, said);
}

// Devices may differ where the oracle leaves the result open. For approximations only equal bits are counted.
static void between(st_tally *t, const st_work *w, const st_form *f, size_t vector, const uint64_t *sim,
                    const uint64_t *gpu) {
  uint64_t want[ST_OUTS];
  st_quad value;
  st_said said = w->row->value ? ST_ANY_NAN : st_expect(w, f, vector, want, &value);
  if (is_contradicted(f)) said = ST_UNSPECIFIED;
  if (!w->row->value ||
      same_but_nans(f->out[0], significant(f->out[0], sim[0]), significant(f->out[0], gpu[0]))) {
    t->equal++;
    compare_bits(t, f, vector, sim, gpu, said);
    return;
  }
  t->vectors++;
  st_kind half = st_half_of(f->out[0]);
  double apart = (double)fabsf128(st_value(half, sim[0]) - st_value(half, gpu[0])) /
                 st_ulp(half, st_value(half, gpu[0]));
  if (!(apart <= t->worst)) t->worst = apart;
  t->open++;
}

st_verdict st_judge(const st_work *w, size_t form) {
  st_verdict v = {0};
  const st_form *f = &w->forms.at[form];
  for (size_t i = 0; i < w->vectors.n; i++) {
    const uint64_t *sim = w->sim ? result_at(w->sim, w, form, i) : NULL,
                   *gpu = w->gpu ? result_at(w->gpu, w, form, i) : NULL;
    if (sim) against_oracle(&v.sim, w, f, i, sim, true);
    if (gpu) against_oracle(&v.gpu, w, f, i, gpu, false);
    if (sim && gpu) between(&v.both, w, f, i, sim, gpu);
  }
  return v;
}
