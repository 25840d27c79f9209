// `scanlab bench rank`: does the model of speed order programs as a GPU does? Compares the model's time of
// every version of labs 05 and 06 and every step of their ladders with times that were measured.
//
// Interface: sl__measure_rank (measure.h). Prints a table in Markdown, then rank correlations after Spearman.
// Exit codes: 0 the correlation over all is at least --least, 1 it is not.
#include "tools/bench/measure.h"

#include <math.h>

#define MEASURED "docs/results/h200-bench/bench.csv"

typedef struct pair {
  const sl_point *model;
  double measured, rank[2]; // ms; rank by the model, and as measured
} pair;

typedef struct pairs {
  pair *at;
  size_t n;
} pairs;

// Joining ---------------------------------------------------------------------------------------------------

// Lines "WHAT,LINE,ELEMENTS,N,MS,..".
static bool read_measured(char *text, const sl_points *model, pairs *out) {
  out->at = calloc(model->n + 1, sizeof *out->at);
  for (char *save, *row = strtok_r(text, "\n", &save); row && out->at; row = strtok_r(NULL, "\n", &save)) {
    char what[16], line[48];
    unsigned long long n;
    double ms;
    if (sscanf(row, "%15[^,],%47[^,],%*[^,],%llu,%lf", what, line, &n, &ms) != 4) continue;
    const sl_point *p = sl__point_find(model, what, line, n);
    if (p && out->n < model->n) out->at[out->n++] = (pair){.model = p, .measured = ms};
  }
  return out->at != NULL;
}

// Ranks -----------------------------------------------------------------------------------------------------

static double key_of(const pair *p, int which) { return which ? p->measured : p->model->ms; }

// From 1 on, the fastest first; equal ones share the mean of their places.
static void rank_pairs(pairs *p) {
  for (size_t k = 0; k < 2 * p->n; k++) {
    const int which = k % 2;
    size_t less = 0, same = 0;
    for (size_t j = 0; j < p->n; j++) {
      less += key_of(&p->at[j], which) < key_of(&p->at[k / 2], which);
      same += key_of(&p->at[j], which) == key_of(&p->at[k / 2], which);
    }
    p->at[k / 2].rank[which] = (double)less + ((double)same + 1) / 2;
  }
}

static double spearman(const double *x, const double *y, size_t n) {
  double mean[2] = {0}, square[2] = {0}, product = 0;
  for (size_t k = 0; k < n; k++) mean[0] += x[k] / (double)n, mean[1] += y[k] / (double)n;
  for (size_t k = 0; k < n; k++) {
    const double a = x[k] - mean[0], b = y[k] - mean[1];
    square[0] += a * a, square[1] += b * b, product += a * b;
  }
  return square[0] > 0 && square[1] > 0 ? product / sqrt(square[0] * square[1]) : 0;
}

// The rank correlation of those pairs that have this family and size. NULL and 0: any. *n: their number.
static double correlation(const pairs *all, const char *family, uint64_t size, size_t *n) {
  pairs some = {calloc(all->n + 1, sizeof *some.at), 0};
  double *x = calloc(2 * all->n + 1, sizeof *x), *y = x + all->n, r = 0;
  for (size_t k = 0; k < all->n && some.at; k++) {
    const sl_point *m = all->at[k].model;
    if ((!family || !strcmp(family, m->family)) && (!size || size == m->n)) some.at[some.n++] = all->at[k];
  }
  if (x && some.at) {
    rank_pairs(&some);
    for (size_t k = 0; k < some.n; k++) x[k] = some.at[k].rank[0], y[k] = some.at[k].rank[1];
    r = spearman(x, y, some.n);
  }
  *n = some.n;
  free(some.at), free(x);
  return r;
}

// Printing --------------------------------------------------------------------------------------------------

static unsigned log_of(uint64_t n) { return 63u - (unsigned)__builtin_clzll(n); }

static void print_rows(const pairs *p) {
  printf("| | n | modelled, ms | measured, ms | modelled / measured | place, modelled | place, measured |\n"
         "|---|---|---|---|---|---|---|\n");
  for (size_t k = 0; k < p->n; k++) {
    const pair *x = &p->at[k];
    printf("| %s %s | 2^%u | %.4f | %.4f | %.2f | %g | %g |\n", x->model->family, x->model->name,
           log_of(x->model->n), x->model->ms, x->measured, x->model->ms / x->measured, x->rank[0],
           x->rank[1]);
  }
}

static void print_correlation(const pairs *p, const char *of, const char *family, uint64_t size) {
  size_t n;
  const double r = correlation(p, family, size, &n);
  if (n > 2) printf("| %s | %zu | %.3f |\n", of, n, r);
}

static double print_all(pairs *p, unsigned from, unsigned to, unsigned step) {
  size_t n;
  rank_pairs(p);
  print_rows(p);
  printf("\n| rank correlation (Spearman) | rows | |\n|---|---|---|\n");
  print_correlation(p, "all", NULL, 0);
  print_correlation(p, "scans", "scan", 0);
  print_correlation(p, "sorts", "sort", 0);
  for (unsigned log = from; log <= to; log += step) {
    char of[16];
    snprintf(of, sizeof of, "2^%u", log);
    print_correlation(p, of, NULL, 1ull << log);
  }
  return correlation(p, NULL, 0, &n);
}

static int end_rank(const sl_error *e, sl_points *p, pairs *both, char *text) {
  if (e->code) sl_error_print("scanlab bench rank", e);
  free(p->at), free(both->at), free(text);
  return (int)e->code;
}

int sl__measure_rank(int argc, char **argv) {
  int64_t from = 16, to = 24, step = 2;
  const char *file = NULL, *least = "0.9";
  const sl_opt opts[] = {
      SL_OPT_NUMBER("--from", &from, "L", 10, 26, "smallest size, 2^L elements (default 16)"),
      SL_OPT_NUMBER("--to", &to, "L", 10, 26, "largest size (default 24: some minutes; 20: seconds)"),
      SL_OPT_NUMBER("--step", &step, "S", 1, 10, "each size is 2^S times the one before (default 2)"),
      SL_OPT_TEXT("--measured", &file, "FILE", "times of a GPU, a bench.csv (default: " MEASURED ")"),
      SL_OPT_TEXT("--least", &least, "R", "correlation that is enough (default 0.9)"),
      SL_OPT_END};
  const sl_cli cli = {"scanlab bench rank", "Tells whether the model of speed orders programs as a GPU does.",
                      "./scanlab bench rank --to 20", "", opts};
  sl_error e = {0};
  sl_points p = {0};
  pairs both = {0};
  sl_cli_parse(&cli, argc, argv, NULL);
  SL_FREED char *path = file ? sl_path("%s", file) : sl_path("%s/" MEASURED, sl_course_root());
  double enough;
  if (!sl_parse_decimal(least, &enough)) sl_fail(&e, SL_EXIT_USAGE, NULL, "--least %s is no number", least);
  size_t len;
  char *text = e.code ? NULL : sl_read_file(path, 1 << 24, &len, &e);
  const sl_sizes r = {(unsigned)from, (unsigned)to, (unsigned)step, 1, NULL};
  const bool ok = text && sl__measure_lab("05", SL_BACKEND_SIM, &r, &p, &e) &&
                  sl__measure_lab("06", SL_BACKEND_SIM, &r, &p, &e) &&
                  sl__measure_ladder(SL_FURTHER_05, &r, &p, &e) &&
                  sl__measure_ladder(SL_FURTHER_06, &r, &p, &e) &&
                  (read_measured(text, &p, &both) || sl_fail(&e, SL_EXIT_INFRA, NULL, "out of memory"));
  if (ok && both.n < 3)
    sl_fail(&e, SL_EXIT_INPUT, "choose other sizes or another file", "%s has too few of these times", path);
  if (ok && both.n >= 3) {
    const double all = print_all(&both, r.from, r.to, r.step);
    if (all < enough)
      sl_fail(&e, SL_EXIT_FAILED, NULL, "the rank correlation is %.3f, expected at least %g", all, enough);
  }
  return end_rank(&e, &p, &both, text);
}
