// The plots of a class: how the points of each lab are spread, and how fast kernels are beside the reference.
//
// Interface: sl__class_plots. Data go to OUT/plots, grader/plots/class.gp draws them. What was
// handed in and could not be read has 0 points there, and the caption tells how many. A lab that nobody
// handed in has no plot, and a case of speed that nobody has a measure of has none either.
#include "html.h"

enum { BINS = 12, MOST_PLOTS = 24 }; // 0, above 0 to below 10, 10 to below 20, .., 90 to below 100, 100

typedef struct plots {
  sl_grading *g;
  sl_report_plot *list;
  size_t n;
} plots;

// Draws the plot [what], whose file is made here.
static void draw(plots *p, const char *kind, sl_report_plot what, size_t slot, const char *tsv, sl_error *e) {
  sl_arena *a = p->g->arena;
  const char *dir = sl__str(a, "%s/plots", p->g->course.out), *file = sl__str(a, "%s/%s.tsv", dir, what.id);
  sl_report_plot *plot = &p->list[p->n];
  if (p->n == MOST_PLOTS || !sl_mkdirs(dir, e) || !sl_write_file(file, tsv, strlen(tsv), e)) return;
  *plot = what;
  p->n++;
  sl__draw(p->g, plot, "class.gp", dir,
           sl__str(a, "kind='%s'; file=%s; slot=%zu", kind, sl__gnuplot_text(a, file), slot));
}

static size_t bin_of(const sl_graded_lab *gl) {
  double percent = gl->max > 0 ? 100 * gl->score / gl->max : 0;
  return percent <= 0 ? 0 : percent >= 100 ? BINS - 1 : 1 + (size_t)(percent / 10);
}

static void draw_spread(plots *p, size_t lab, sl_error *e) {
  static const char *const labels[BINS] = {"0", "", "10", "", "30", "", "50", "", "70", "", "90", "100"};
  sl_arena *a = p->g->arena;
  const sl_lab *l = p->g->course.labs[lab].lab;
  size_t count[BINS] = {0}, of = 0, unread = 0;
  double sum = 0;
  for (size_t i = 0; i < p->g->n; i++) {
    const sl_graded_lab *gl = &p->g->subs[i].labs[lab];
    if (gl->absent) continue;
    count[bin_of(gl)]++;
    of++;
    unread += !*gl->hash;
    sum += gl->score;
  }
  if (!of) return;
  const char *tsv = "# percent\tstudents\n";
  for (size_t k = 0; k < BINS; k++) tsv = sl__str(a, "%s\"%s\"\t%zu\n", tsv, labels[k], count[k]);
  const char *beside = unread ? sl__str(a, " (%zu could not be read: 0 points)", unread) : "";
  const sl_report_plot what = {.id = sl__str(a, "spread%s", l->info->number),
                               .title = sl__str(a, "%s: points", l->info->name),
                               .caption = sl__str(a, "%zu handed in%s, mean %s, everything right: %zu", of,
                                                  beside, sl__points(a, sum / (double)of), count[BINS - 1])};
  draw(p, "spread", what, lab % 8 + 1, tsv, e);
}

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The ratio of a passed or slow, right test: reference / submission. Negative: there is none.
static double ratio_of(const sl_test *t) {
  const json_t *ratio =
      json_object_get(json_object_get(json_object_get(t->r.record, "speed"), "ratio"), "value");
  return json_is_number(ratio) ? json_number_value(ratio) : -1;
}

static void draw_speed(plots *p, size_t lab, size_t test, sl_error *e) {
  sl_arena *a = p->g->arena;
  double *ratios = sl__alloc(a, p->g->n * sizeof *ratios);
  const sl_test *first = &p->g->subs[0].labs[lab].tests[test];
  const char *tsv = "# place\tratio\n";
  size_t n = 0;
  for (size_t i = 0; i < p->g->n; i++) {
    double r = ratio_of(&p->g->subs[i].labs[lab].tests[test]);
    if (r >= 0) ratios[n++] = r;
  }
  if (!n) return;
  qsort(ratios, n, sizeof *ratios, by_number);
  for (size_t i = 0; i < n; i++) tsv = sl__str(a, "%s%zu\t%.6g\n", tsv, i + 1, ratios[i]);
  const bool timed = p->g->course.labs[lab].solution != NULL; // on a real GPU
  const sl_report_plot what = {
      .id = sl__str(a, "speed%s_%zu", p->g->course.labs[lab].lab->info->number, test),
      .title = sl__str(a, "%s: speed", first->name),
      .caption = sl__str(a, "%s of the reference / that of the submission; 1 is as fast. %zu %s, median %.2f",
                         timed ? "time" : "time estimated from traffic and launches", n,
                         timed ? "measured" : "judged", ratios[n / 2])};
  draw(p, "speed", what, lab % 8 + 1, tsv, e);
}

size_t sl__class_plots(sl_grading *g, sl_report_plot **out, sl_error *e) {
  plots p = {.g = g, .list = sl__alloc(g->arena, MOST_PLOTS * sizeof *p.list)};
  for (size_t i = 0; g->n && i < g->course.n_labs; i++) draw_spread(&p, i, e);
  for (size_t i = 0; g->n && i < g->course.n_labs; i++)
    for (size_t k = 0; k < g->subs[0].labs[i].n_tests; k++)
      if (g->subs[0].labs[i].tests[k].c->part->kind == SL_PART_SPEED) draw_speed(&p, i, k, e);
  *out = p.list;
  return p.n;
}
