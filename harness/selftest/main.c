// sl-selftest (`scanlab selftest`): executes every form of forms.def on the simulated GPU, and with --gpu on
// the real one, and compares the results with computed ones and with each other.
#include "selftest/selftest_main.h"

#include <fnmatch.h>

typedef struct args {
  const char *form, *save, *compare, *report;
  int64_t seed;
  bool gpu;
} args;

static void read_args(int argc, char **argv, args *a) {
  int n;
  *a = (args){.seed = 1};
  const sl_opt opts[] = {
      SL_OPT_FLAG("--gpu", &a->gpu, "run the vectors on the real GPU too, and compare bit for bit"),
      SL_OPT_TEXT("--form", &a->form, "PATTERN",
                  "only forms that match, as in 'cvt*' or 'add.*.f32' (shell pattern)"),
      SL_OPT_TEXT("--report", &a->report, "FILE",
                  "write all that is printed, errors of approximations and remarks to FILE"),
      SL_OPT_TEXT("--save", &a->save, "FILE", "write the results (of the real GPU with --gpu) to FILE"),
      SL_OPT_TEXT("--compare", &a->compare, "FILE",
                  "compare with the results of another machine instead of --gpu"),
      SL_OPT_NUMBER("--seed", &a->seed, "N", 0, INT64_MAX, "seed of the random operands (default 1)"),
      SL_OPT_END};
  const sl_cli cli = {
      "scanlab selftest",
      "Executes every instruction form on edge values and random values and checks the results.",
      "./scanlab selftest --form 'cvt*' --report cvt.txt", "", opts};
  sl_cli_parse(&cli, argc, argv, &n);
}

static uint64_t hash_bytes(uint64_t h, const void *data, size_t len) {
  const unsigned char *p = data;
  for (size_t k = 0; k < len; k++) h = (h ^ p[k]) * 0x100000001b3ull;
  return h;
}

static void add_work(st_works *ws, const st_row *row, unsigned group, st_forms forms, const args *a) {
  if (!SL_ROOM(ws->at, ws->n) || forms.n > sizeof ws->at->chosen) abort();
  st_work *w = &ws->at[ws->n++];
  *w = (st_work){.hash = 0xcbf29ce484222325ull,
                 .row = row,
                 .group = group,
                 .forms = forms,
                 .vectors = st_make_vectors(&forms.at[0], (uint64_t)a->seed)};
  w->hash = hash_bytes(w->hash, row->code ? row->code : "", row->code ? strlen(row->code) : 0) + row->threads;
  w->hash = hash_bytes(hash_bytes(w->hash, &row->lo, sizeof row->lo), &row->hi, sizeof row->hi);
  for (size_t i = 0; i < forms.n; i++) {
    w->chosen[i] = !a->form || fnmatch(a->form, forms.at[i].text, 0) == 0;
    w->hash = hash_bytes(w->hash, forms.at[i].text, strlen(forms.at[i].text));
  }
  w->hash = hash_bytes(w->hash, w->vectors.at, w->vectors.n * sizeof *w->vectors.at);
}

static void prepare_works(st_works *ws, const args *a) {
  for (size_t r = 0; r < st_n_rows; r++)
    for (unsigned g = 0;; g++) {
      st_forms forms = st_expand(&st_rows[r], g);
      if (forms.n == 0) {
        free(forms.at);
        break;
      }
      add_work(ws, &st_rows[r], g, forms, a);
    }
}

static void release_works(st_works *ws) {
  for (size_t k = 0; k < ws->n; k++) {
    free(ws->at[k].forms.at);
    free(ws->at[k].vectors.at);
    free(ws->at[k].sim);
    free(ws->at[k].gpu);
  }
  free(ws->at);
}

static bool any_chosen(const st_works *ws, const args *a, sl_error *e) {
  for (size_t k = 0; k < ws->n; k++)
    if (memchr(ws->at[k].chosen, true, sizeof ws->at[k].chosen)) return true;
  return sl_fail(e, SL_EXIT_USAGE, "it is a shell pattern that the whole form must match: 'cvt.*', '*.f16x2'",
                 "no form matches --form %s", a->form);
}

static bool report_to(const args *a, const st_works *ws, bool *clean, sl_error *e) {
  SL_FREED char *text = NULL;
  size_t len = 0;
  FILE *f = a->report ? open_memstream(&text, &len) : NULL;
  *clean = st_print(ws, f);
  if (!f) return true;
  fclose(f);
  return sl_write_file(a->report, text, len, e);
}

// Results of devices: the real GPU first, since it may be absent.
static bool collect(st_works *ws, const args *a, sl_error *e) {
  if (a->gpu && a->compare)
    return sl_fail(e, SL_EXIT_USAGE, "run --gpu --save there, --compare here",
                   "--gpu and --compare exclude each other");
  if (a->gpu && !st_run(ws, true, e)) return false;
  if (a->compare && !st_load(ws, a->compare, e)) return false;
  return st_run(ws, false, e);
}

int main(int argc, char **argv) {
  sl_fit_terminal();
  args a;
  st_works ws = {0};
  sl_error e = {0};
  bool clean = false;
  read_args(argc, argv, &a);
  prepare_works(&ws, &a);
  bool ok = any_chosen(&ws, &a, &e) && collect(&ws, &a, &e) && (!a.save || st_save(&ws, a.gpu, a.save, &e)) &&
            report_to(&a, &ws, &clean, &e);
  release_works(&ws);
  if (ok && ws.trouble[0]) ok = sl_fail(&e, SL_EXIT_INFRA, NULL, "some rows did not run");
  if (!ok) sl_error_print("sl-selftest", &e);
  return !ok ? e.code : clean ? SL_EXIT_OK : SL_EXIT_FAILED;
}
