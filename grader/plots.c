// The plots of the report: measurements to TSV files, gnuplot to SVG, SVG into the page.
//
// Interface: sl__make_plots. The data stay under OUT/plots; grader/plots/*.gp draw them. Each SVG becomes
// part of the page: it loses its head, its ids get a prefix, its ink becomes the page's text colour.
#include "ladder.h"

typedef enum source { TIME, ADDS, INSTRUCTIONS, CONFLICTS } source;

typedef struct drawing {
  const char *id, *title, *caption, *caption_gpu, *script, *ylab;
  source source;
  bool log_y;
} drawing;

static const drawing drawings[SL_PLOTS] = {
    {"plot_time", "Time against n",
     "A model, not a measurement: the longest of what launches and instructions, memory traffic and the "
     "longest warp would take on a T4, by the simulator's counters. It is the same on every machine.",
     "From the start of a call to its end, median of five, on the real GPU. CPU: the sequential reference "
     "scan on this machine.",
     "curves.gp", "time of one call (ms)", TIME, true},
    {"plot_adds", "Work: additions per element",
     "Executed float additions of one call, divided by n, counted by the simulator. The step-efficient "
     "scans of labs 01 and 02 grow with log2 n, the work-efficient ones stay near 2; lab 05, shown from "
     "one full tile on, also adds the sums of its tiles.",
     NULL, "curves.gp", "additions / n", ADDS, false},
    {"plot_instructions", "Work: instructions per element",
     "Executed thread-level instructions of one call, divided by n, counted by the simulator.", NULL,
     "curves.gp", "instructions / n", INSTRUCTIONS, true},
    {"plot_conflicts", "Bank conflicts per tree level, n = 1024",
     "Replays of shared-memory loads and stores between two barriers, counted as Nsight Compute counts "
     "them. Lab 04 differs from lab 03 in its addresses alone.",
     NULL, "bars.gp", "", CONFLICTS, false},
};

// TSV files -------------------------------------------------------------------------------------------------

typedef struct table {
  sl_arena *a;
  const char *dir;
  char *names, *titles, *slots;
  sl_error *e;
} table;

static double value_of(const json_t *point, source what) {
  double n = sl_json_number(point, "n");
  if (what == TIME) return sl_json_number(point, "ms");
  return (what == ADDS ? sl_json_number(point, "adds") : sl_json_number(point, "instructions")) / n;
}

static void add_file(table *t, const char *name, const char *title, int slot, const char *text) {
  char *path = sl__str(t->a, "%s/%s.tsv", t->dir, name), *word = sl__str(t->a, "%s", title);
  for (char *c = word; (c = strchr(c, ' '));) *c = '_';
  if (!sl_write_file(path, text, strlen(text), t->e)) return;
  t->names = sl__str(t->a, "%s%s ", t->names, name);
  t->titles = sl__str(t->a, "%s%s ", t->titles, word);
  t->slots = sl__str(t->a, "%s%d ", t->slots, slot);
}

static char *curve_text(table *t, const json_t *points, source what, const char *reference, double from) {
  char *text = sl__str(t->a, "# n\tvalue\n");
  size_t i, rows = 0;
  json_t *p;
  json_array_foreach(points, i, p) {
    double v = reference ? sl_json_number(p, reference) : value_of(p, what);
    if (!(v > 0) || sl_json_number(p, "n") < from) continue;
    text = sl__str(t->a, "%s%.0f\t%.9g\n", text, sl_json_number(p, "n"), v);
    rows++;
  }
  return rows ? text : NULL;
}

static void add_curves(table *t, const json_t *curves, const drawing *d) {
  int slot = 0;
  for (const sl_curve *c = sl__curves; c->id; c++) {
    slot++;
    if (d->source == ADDS && !c->adds_from) continue;
    double from = d->source == ADDS ? 1u << c->adds_from : 0;
    char *text = curve_text(t, json_object_get(curves, c->id), d->source, NULL, from);
    if (text) add_file(t, sl__str(t->a, "%s-%s", d->id + 5, c->id), c->title, slot, text);
  }
  if (d->source != TIME) return;
  char *text = curve_text(t, json_object_get(curves, "05"), TIME, "reference_ms", 0);
  if (text) add_file(t, "time-cpu", "CPU reference", 8, text);
}

static const json_t *phases_of(const json_t *curves, const char *curve) {
  size_t i;
  json_t *p;
  json_array_foreach(json_object_get(curves, curve), i, p) {
    if (sl_json_number(p, "n") == 1024) return json_object_get(p, "phases");
  }
  return NULL;
}

static double replays(const json_t *phases, size_t k) {
  const json_t *p = json_array_get(phases, k);
  return sl_json_number(p, "shared_ld_replays") + sl_json_number(p, "shared_st_replays");
}

// The name of phase [k], between barriers k and k+1 of a tree: load, up-sweep, down-sweep, store.
static char *phase_name(sl_arena *a, size_t k, size_t phases) {
  size_t levels = 10;
  if (phases != 2 * levels + 2) return sl__str(a, "%zu", k);
  if (k == 0 || k == phases - 1) return sl__str(a, k ? "store" : "load");
  return sl__str(a, "%u", k <= levels ? 1u << (k - 1) : 1u << (2 * levels - k));
}

// One column for each lab that was measured.
static void add_conflicts(table *t, const json_t *curves) {
  static const struct {
    const char *curve, *title;
    int slot;
  } rows[] = {{"03", "03_Blelloch", 2}, {"04", "04_padded", 3}};
  const json_t *phases[2];
  size_t n = 0;
  char *text = sl__str(t->a, "# phase");
  for (int i = 0; i < 2; i++) {
    phases[i] = phases_of(curves, rows[i].curve);
    if (!phases[i]) continue;
    if (json_array_size(phases[i]) > n) n = json_array_size(phases[i]);
    text = sl__str(t->a, "%s\t%s", text, rows[i].title);
    t->titles = sl__str(t->a, "%s%s ", t->titles, rows[i].title);
    t->slots = sl__str(t->a, "%s%d ", t->slots, rows[i].slot);
  }
  for (size_t k = 0; k < n; k++) {
    text = sl__str(t->a, "%s\n%s", text, phase_name(t->a, k, n));
    for (int i = 0; i < 2; i++)
      if (phases[i]) text = sl__str(t->a, "%s\t%g", text, replays(phases[i], k));
  }
  const char *path = sl__str(t->a, "%s/conflicts.tsv", t->dir);
  if (n && sl_write_file(path, text, strlen(text), t->e)) t->names = "conflicts";
}

// gnuplot ---------------------------------------------------------------------------------------------------

// Copies [svg] to [f], replacing each of the pairs in [swap] (ended by NULL).
static void write_replaced(FILE *f, const char *svg, const char *const *swap) {
  while (*svg) {
    const char *const *s = swap;
    while (*s && strncmp(svg, s[0], strlen(s[0])) != 0) s += 2;
    if (*s) {
      fputs(s[1], f);
      svg += strlen(s[0]);
    } else {
      fputc(*svg++, f);
    }
  }
}

static char *for_page(sl_arena *a, const char *plot, const char *svg) {
  const char *id = sl__str(a, "id='%s-gp", plot), *href = sl__str(a, "'#%s-gp", plot);
  const char *swap[] = {"rgb(  1,   2,   3)",
                        "currentColor",
                        "rgb(1,2,3)",
                        "currentColor",
                        "id='gp",
                        id,
                        "'#gp",
                        href,
                        "color=\"black\"",
                        "",
                        "id=\"gnuplot_canvas\"",
                        "",
                        NULL};
  const char *start = strstr(svg, "<svg");
  SL_FREED char *text = NULL;
  FILE *f = sl_text_stream(&text);
  if (start) write_replaced(f, start, swap);
  fclose(f);
  return start ? sl__str(a, "%s", text) : NULL;
}

// In single quotes only the quote itself is special.
char *sl__gnuplot_text(sl_arena *a, const char *s) {
  char *out = sl__alloc(a, 2 * strlen(s) + 3), *p = out;
  *p++ = '\'';
  for (; *s; s++) {
    if (*s == '\'') *p++ = '\'';
    *p++ = *s;
  }
  *p = '\'';
  return out;
}

void sl__draw(sl_grading *g, sl_report_plot *plot, const char *script, const char *dir,
              const char *settings) {
  sl_arena *a = g->arena;
  SL_FREED char *said = NULL;
  char *svg = sl__str(a, "%s/%s.svg", dir, plot->id);
  char *style = sl__gnuplot_text(a, sl__str(a, "%s/grader/plots/style.gp", g->course.root));
  char *set =
      sl__str(a, "out=%s; style=%s; id='%s'; %s", sl__gnuplot_text(a, svg), style, plot->id, settings);
  char *argv[] = {"gnuplot", "-e", set, sl__str(a, "%s/grader/plots/%s", g->course.root, script), NULL};
  sl_error e = {0};
  sl_exit_status end = sl_run_by_work(argv, NULL, 60, 4096, &said, &e);
  SL_FREED char *text = end.code == 0 && !e.code ? sl_read_file(svg, 16 << 20, NULL, &e) : NULL;
  plot->svg = text ? for_page(a, plot->id, text) : NULL;
  if (!plot->svg)
    plot->missing = sl__safe(a, sl__str(a, "gnuplot could not draw this plot: %s", e.code ? e.text : said));
}

static void draw_plot(sl_grading *g, const drawing *d, table *t, sl_report_plot *plot) {
  sl__draw(g, plot, d->script, t->dir,
           sl__str(g->arena, "dir=%s; ylab='%s'; logy=%d; names='%s'; titles='%s'; slots='%s'",
                   sl__gnuplot_text(g->arena, t->dir), d->ylab, d->log_y, t->names, t->titles, t->slots));
}

bool sl__make_plots(sl_grading *g, sl_submission *s, sl_report_plot plots[SL_PLOTS], sl_error *e) {
  json_auto_t *curves = sl__measure(g, s, e);
  bool gpu = strcmp(g->course.backend, "gpu") == 0;
  for (int i = 0; curves && i < SL_PLOTS; i++) {
    const drawing *d = &drawings[i];
    table t = {g->arena, sl__str(g->arena, "%s/plots", s->out), "", "", "", e};
    plots[i] =
        (sl_report_plot){d->id, d->title, gpu && d->caption_gpu ? d->caption_gpu : d->caption, NULL, NULL};
    if (d->source == CONFLICTS) add_conflicts(&t, curves);
    else add_curves(&t, curves, d);
    if (*t.names) draw_plot(g, d, &t, &plots[i]);
    else plots[i].missing = "Nothing to show: no kernel that this plot needs gives right results.";
  }
  return curves && !e->code;
}
