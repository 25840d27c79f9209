// What selftest prints: a line for each row of forms.def, then each form that differs, with operands, results
// and what was expected, in hexadecimal and as numbers. Interface: st_print.
#include "selftest/selftest_main.h"

#include <inttypes.h>

// Prints to the screen and to the report.
typedef struct sink {
  FILE *at[2];
} sink;
static void say(const sink *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(const sink *s, const char *fmt, ...) {
  for (int k = 0; k < 2; k++) {
    va_list ap;
    if (!s->at[k]) continue;
    va_start(ap, fmt);
    vfprintf(s->at[k], fmt, ap);
    va_end(ap);
  }
}

// "0x3f800000 (1)"
static const char *number_text(st_kind k, uint64_t v, char *out, size_t cap) {
  int digits = (int)(st_register_bits(k) + 3) / 4;
  uint64_t mask = st_register_bits(k) < 64 ? (1ull << st_register_bits(k)) - 1 : ~0ull;
  st_kind half = st_half_of(k);
  v &= mask;
  if (st_is_pair(k) && st_is_float(half))
    snprintf(out, cap, "0x%0*" PRIx64 " (%.9g, %.9g)", digits, v, (double)st_value(half, v & 0xffff),
             (double)st_value(half, v >> 16));
  else if (st_is_float(k)) snprintf(out, cap, "0x%0*" PRIx64 " (%.17g)", digits, v, (double)st_value(k, v));
  else if (st_is_signed(k))
    snprintf(out, cap, "0x%0*" PRIx64 " (%" PRId64 ")", digits, v, (int64_t)st_wide(k, v));
  else snprintf(out, cap, "0x%0*" PRIx64 " (%" PRIu64 ")", digits, v, v);
  return out;
}

static uint64_t result(const uint64_t *r, const st_work *w, size_t form, const st_diff *d) {
  return r[(form * w->vectors.n + d->vector) * (size_t)w->forms.at[0].n_out + (size_t)d->result];
}

static void say_diff(const sink *s, const st_work *w, size_t form, const st_diff *d) {
  const st_form *f = &w->forms.at[form];
  uint64_t want[ST_OUTS];
  st_quad value;
  char text[96];
  st_said said = st_expect(w, f, d->vector, want, &value);
  say(s, "      vector %zu, operands", d->vector);
  for (int k = 0; k < f->n_in; k++)
    say(s, "%s %s", k ? "," : "", number_text(f->in[k], w->vectors.at[d->vector][k], text, sizeof text));
  if (f->n_out > 1) say(s, "; result %d", d->result + 1);
  st_kind k = f->out[d->result];
  say(s, "\n        ");
  if (w->sim) say(s, "simulated %s  ", number_text(k, result(w->sim, w, form, d), text, sizeof text));
  if (w->gpu) say(s, "GPU %s  ", number_text(k, result(w->gpu, w, form, d), text, sizeof text));
  say(s, "%s %s\n", said == ST_UNSPECIFIED ? "open:" : "computed",
      number_text(k, want[d->result], text, sizeof text));
}

// What is compared: one device with the computed results, or both devices.
enum { SIM, GPU, BOTH, SIDES };
static const char *const sides[SIDES] = {"simulated GPU", "real GPU", "simulated and real GPU"};

static const st_tally *tally_of(const st_verdict *v, int side) {
  const st_tally *const tallies[SIDES] = {&v->sim, &v->gpu, &v->both};
  return tallies[side];
}

static void say_wrong(const sink *s, const st_work *w, size_t form, int side, const st_tally *t) {
  if (!t->wrong) return;
  say(s, "  %s: %s: %zu of %zu vectors differ\n", w->forms.at[form].text, sides[side], t->wrong, t->vectors);
  for (size_t k = 0; k < t->wrong && k < ST_SHOWN; k++) say_diff(s, w, form, &t->first[k]);
}

// Notes: no errors, but worth knowing.
static void say_notes(FILE *f, const st_work *w, size_t form, int side, const st_tally *t) {
  static const char *const unit[] = {"", "ulp", "absolute", "relative"};
  const sink s = {{f, NULL}};
  const char *what = sides[side];
  if (t->nans)
    say(&s, "  %s: %s: %zu results are NaNs of other bits\n", w->forms.at[form].text, what, t->nans);
  if (t->open && w->row->value && side == BOTH)
    say(&s, "  %s: %s: %zu of %zu results are the same bits, the others up to %.4g ulp apart\n",
        w->forms.at[form].text, what, t->vectors - t->open, t->vectors, t->worst);
  else if (t->open)
    say(&s, "  %s: %s: %zu differ where the result is open\n", w->forms.at[form].text, what, t->open);
  if (w->row->value && side != BOTH)
    say(&s, "  %s: %s: largest error %.4g %s (bound %.4g)\n", w->forms.at[form].text, what, t->worst,
        unit[w->row->bound], st_limit(w->row));
}

static void add_tally(st_tally *sum, const st_tally *t) {
  sum->vectors += t->vectors;
  sum->wrong += t->wrong;
  sum->nans += t->nans;
  sum->open += t->open;
  sum->worst = t->worst > sum->worst ? t->worst : sum->worst;
}

static void add_all(st_verdict *sum, const st_verdict *v) {
  add_tally(&sum->sim, &v->sim);
  add_tally(&sum->gpu, &v->gpu);
  add_tally(&sum->both, &v->both);
}

static size_t chosen_forms(const st_work *w) {
  size_t n = 0;
  for (size_t k = 0; k < w->forms.n; k++) n += w->chosen[k];
  return n;
}

static void say_column(const sink *s, bool run, const st_tally *t) {
  if (run) say(s, " %9zu", t->wrong);
  else say(s, " %9s", "-");
}

static void say_row(const sink *s, const st_work *w, const st_verdict *v) {
  say(s, "%5zu %9zu", chosen_forms(w), (w->sim ? v->sim : v->gpu).vectors);
  say_column(s, w->sim, &v->sim);
  say_column(s, w->gpu, &v->gpu);
  say_column(s, w->sim && w->gpu, &v->both);
  say(s, "  %s%s", w->row->pattern, w->row->value ? "  (bounded error)" : "");
  say(s, "%s%s\n", w->failed[0] ? "  (not on the simulated GPU)" : "",
      w->failed[1] ? "  (not on the real GPU)" : "");
}

// Writes everything that is known of a row's chosen forms to [details], kept until the table is complete.
static st_verdict judge_row(const st_work *w, FILE *details, FILE *notes) {
  st_verdict sum = {0};
  const sink s = {{details, NULL}};
  for (size_t k = 0; k < w->forms.n; k++) {
    if (!w->chosen[k]) continue;
    st_verdict v = st_judge(w, k);
    add_all(&sum, &v);
    for (int side = SIM; side < SIDES; side++) say_wrong(&s, w, k, side, tally_of(&v, side));
    for (int side = SIM; side < (w->gpu ? SIDES : GPU); side++)
      say_notes(notes, w, k, side, tally_of(&v, side));
  }
  return sum;
}

static void say_total(const sink *s, const char *what, const char *device, const st_tally *t) {
  say(s, "%s (%s): %zu vectors, %zu mismatches", what, device, t->vectors, t->wrong);
  if (t->nans) say(s, "; %zu NaNs of other bits", t->nans);
  if (t->open) say(s, "; %zu differ where PTX leaves the result open", t->open);
  say(s, "\n");
}

static void say_totals(const sink *s, const st_works *ws, size_t forms, const st_verdict *all) {
  say(s, "%zu forms\n", forms);
  if (all->sim.vectors) say_total(s, "simulated GPU against computed results", ws->sim_device, &all->sim);
  if (all->gpu.vectors) say_total(s, "real GPU against computed results", ws->gpu_device, &all->gpu);
  if (all->both.vectors) say_total(s, "simulated GPU against real GPU", ws->gpu_device, &all->both);
}

// Details and notes are longer than the table: they wait in memory until it is printed.
typedef struct later {
  FILE *f;
  char *text;
  size_t len;
} later;

bool st_print(const st_works *ws, FILE *report) {
  const sink s = {{stdout, report}}, only = {{report, NULL}};
  later details = {0}, notes = {0};
  st_verdict all = {0};
  size_t forms = 0;
  details.f = sl_must(open_memstream(&details.text, &details.len));
  notes.f = sl_must(open_memstream(&notes.text, &notes.len));
  say(&s, "forms   vectors simulated      real      both  row\n");
  for (size_t k = 0; k < ws->n; k++) {
    const st_work *w = &ws->at[k];
    if (!chosen_forms(w)) continue;
    st_verdict v = judge_row(w, details.f, notes.f);
    say_row(&s, w, &v);
    add_all(&all, &v);
    forms += chosen_forms(w);
  }
  fclose(details.f);
  fclose(notes.f);
  if (ws->trouble[0]) say(&s, "\nnot run\n%s", ws->trouble);
  if (details.len) say(&s, "\nmismatches\n%s", details.text);
  say(&only, "\nremarks\n%s", notes.text);
  say(&s, "\n");
  say_totals(&s, ws, forms, &all);
  free(details.text);
  free(notes.text);
  return !all.sim.wrong && !all.gpu.wrong && !all.both.wrong;
}
