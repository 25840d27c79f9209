// scanlab profile NN: what a kernel's lines cost on the simulated GPU: a summary with the worst lines first,
// then the source with counters beside each line, and a plot of the bank conflicts of each step.
//
// Exit codes: 0 shown (even if wrong), 2 misuse, 3 a file is missing or does not compile, 4 the machine.
#include "annotate.h"

#include "picture/plot.h"

enum { WORST = 5, BAR = 50 };

typedef struct options {
  const char *file, *kernel, *svg;
  sl_input_choice input;
  bool json;
} options;

// The summary -----------------------------------------------------------------------------------------------

// A line's losses: needless passes through shared memory, needless sectors, instructions of idle lanes.
static uint64_t cost(const sl_sum_line *l) {
  return sl__replays(l->c) + sl__excess(l->c) + l->c[SL_LN_atomics] * (sl__same(l->c) - 1);
}

static int worse(const void *a, const void *b) {
  const sl_sum_line *x = *(const sl_sum_line *const *)a, *y = *(const sl_sum_line *const *)b;
  uint64_t cx = cost(x), cy = cost(y);
  if (cx != cy) return cx < cy ? 1 : -1;
  return x->c[SL_LN_warp_instructions] < y->c[SL_LN_warp_instructions] ? 1 : -1;
}

static int tell_why(const sl_sum_line *l, uint64_t all) {
  const uint64_t *c = l->c;
  char text[96];
  int n = 0;
  if (sl__replays(c))
    n = snprintf(text, sizeof text, "%llu replays, %llu-way conflict", (unsigned long long)sl__replays(c),
                 (unsigned long long)sl__way(c));
  else if (c[SL_LN_atomics] && sl__same(c) > 1)
    n = snprintf(text, sizeof text, "%llu atomics, up to %llu at one place",
                 (unsigned long long)c[SL_LN_atomics], (unsigned long long)sl__same(c));
  else if (sl__excess(c))
    n = snprintf(text, sizeof text, "%llu sectors, %llu would do", (unsigned long long)sl__sectors(c),
                 (unsigned long long)c[SL_LN_global_ideal_sectors]);
  else
    n = snprintf(text, sizeof text, "%.0f %% of instructions, %llu of 32 threads",
                 100.0 * (double)c[SL_LN_warp_instructions] / (double)(all ? all : 1),
                 (unsigned long long)sl__lanes(c));
  return printf("  %4u  %-*s", l->line, n > 40 ? n : 40, text);
}

static void show_worst(const sl_observed *o, const sl_sum *s) {
  enum { LEAST = 3 };
  SL_FREED const sl_sum_line **order = sl_must(calloc(s->n_lines + 1, sizeof *order));
  for (size_t k = 0; k < s->n_lines; k++) order[k] = &s->lines[k];
  qsort(order, s->n_lines, sizeof *order, worse);
  printf("\n  worst lines\n");
  for (size_t k = 0; k < s->n_lines && k < WORST; k++) {
    int len;
    const char *text = sl__source_line(o->source, order[k]->line, &len);
    int blanks = (int)strspn(text, " ");
    if (!order[k]->line) continue;
    int room = sl__width() - 2 - tell_why(order[k], s->total[SL_LN_warp_instructions]);
    printf("  ");
    sl__put_source(text + blanks, len - blanks, room < LEAST ? LEAST : room);
  }
}

static void show_totals(const sl_observed *o, const sl_sum *s) {
  const uint64_t *t = s->total;
  double n = json_number_value(json_object_get(o->record, "n"));
#define U(x) ((unsigned long long)(x))
  printf("\n%s: %u launch%s", s->name, s->launches, s->launches == 1 ? "" : "es");
  const uint64_t blocks = (uint64_t)(s->grid[0] * s->grid[1] * s->grid[2]);
  printf(" of %llu block%s of %lld threads\n", U(blocks), sl_plural(blocks),
         (long long)(s->block[0] * s->block[1] * s->block[2]));
  printf("  instructions  %llu by warps, %.1f of 32 threads active;\n"
         "                %llu of %llu branches split a warp\n",
         U(t[SL_LN_warp_instructions]),
         (double)t[SL_LN_thread_instructions] /
             (double)(t[SL_LN_warp_instructions] + !t[SL_LN_warp_instructions]),
         U(t[SL_LN_divergent]), U(t[SL_LN_branches]));
  printf("  of threads    %llu float, %llu integer, %llu move, %llu convert,\n"
         "                %llu memory, %llu barrier, %llu control\n",
         U(t[SL_LN_floating]), U(t[SL_LN_integer]), U(t[SL_LN_move]), U(t[SL_LN_conversion]),
         U(t[SL_LN_memory]), U(t[SL_LN_barrier]), U(t[SL_LN_control]));
  printf("  additions     %llu (%.2f an element), barriers %llu\n", U(sl__adds(t)),
         n > 0 ? (double)sl__adds(t) / n : 0.0, U(t[SL_LN_barriers]));
  if (sl__wavefronts(t))
    printf("  shared        %llu loads, %llu stores, %llu wavefronts,\n"
           "                %llu of them replays",
           U(t[SL_LN_shared_ld_requests]), U(t[SL_LN_shared_st_requests]), U(sl__wavefronts(t)),
           U(sl__replays(t)));
  if (sl__wavefronts(t)) printf(sl__way(t) ? ", worst %llu-way\n" : "\n", U(sl__way(t)));
  if (sl__sectors(t))
    printf("  global        %llu sectors read, %llu written;\n"
           "                %llu would do for the %llu bytes\n",
           U(t[SL_LN_global_ld_sectors]), U(t[SL_LN_global_st_sectors]), U(t[SL_LN_global_ideal_sectors]),
           U(t[SL_LN_global_bytes]));
  if (t[SL_LN_shared_atomics])
    printf("  atomics       %llu in shared memory take %llu passes\n", U(t[SL_LN_shared_atomics]),
           U(t[SL_LN_atomic_wavefronts]));
  if (t[SL_LN_atomic_sectors])
    printf("  atomics       %llu in global memory touch %llu sectors\n",
           U(t[SL_LN_atomics] - t[SL_LN_shared_atomics]), U(t[SL_LN_atomic_sectors]));
  if (t[SL_LN_atomic_lanes] > 1)
    printf("                up to %llu threads of a warp at one address\n", U(t[SL_LN_atomic_lanes]));
#undef U
}

static void put_bar(uint64_t v, uint64_t most) {
  const uint64_t left = (uint64_t)sl__width() - 15,
                 bar = left < BAR ? left : BAR; // a step and its count stand before it
  for (uint64_t k = 0; most && k < (v * bar + most - 1) / most; k++) putchar('#');
}

static void show_steps(const sl_sum *s) {
  uint64_t most = 0;
  for (unsigned k = 0; k < s->n_phases; k++)
    if (s->replays[0][k] + s->replays[1][k] > most) most = s->replays[0][k] + s->replays[1][k];
  if (!most) return;
  printf("\n  replays by step (a step ends at a barrier)\n");
  for (unsigned k = 0; k < s->n_phases; k++) {
    uint64_t v = s->replays[0][k] + s->replays[1][k];
    printf("  %4u %6llu  ", k, (unsigned long long)v);
    put_bar(v, most);
    putchar('\n');
  }
}

static void show_profile(const sl_observed *o, const sl_sum *s, size_t n) {
  sl__show_observed(stdout, o);
  for (size_t k = 0; k < n; k++) {
    if (!s[k].n_lines) continue;
    show_totals(o, &s[k]);
    show_worst(o, &s[k]);
    show_steps(&s[k]);
    putchar('\n');
    sl__annotate(o, &s[k]);
  }
}

// JSON and the plot -----------------------------------------------------------------------------------------

static json_t *counters_json(const uint64_t *c) {
  json_t *o = json_object();
  for (size_t k = 0; k < SL_LN_COUNT; k++)
    json_object_set_new(o, sl__line_counters()[k], json_integer((json_int_t)c[k]));
  return o;
}

static int print_profile_json(const sl_observed *o, const sl_sum *s, size_t n) {
  json_t *kernels = json_array();
  for (size_t k = 0; k < n; k++) {
    json_t *lines = json_array();
    for (size_t l = 0; l < s[k].n_lines; l++) {
      json_t *x = counters_json(s[k].lines[l].c);
      json_object_set_new(x, "line", json_integer(s[k].lines[l].line));
      json_array_append_new(lines, x);
    }
    json_array_append_new(kernels,
                          json_pack("{s:s, s:i, s:o, s:o}", "name", s[k].name, "launches", (int)s[k].launches,
                                    "total", counters_json(s[k].total), "lines", lines));
  }
  json_auto_t *all =
      json_pack("{s:s, s:s, s:O, s:b, s:o}", "lab", o->lab->name, "file", o->kernel, "n",
                json_object_get(o->record, "n"), "right", sl__was_right(o), "kernels", kernels);
  bool ok = sl_json_print(all);
  return ok ? SL_EXIT_OK : SL_EXIT_INFRA;
}

// Begins a histogram of stacked bars.
static sl_plot *open_bars(const char *path, const char *title, const char *x, const char *y, bool any,
                          sl_error *e) {
  sl_plot *p = sl__plot_open(path, title, 760, 380, e);
  if (!p) return NULL;
  sl__plot(p, "set title \"%s\" noenhanced font ',15'\nset xlabel '%s'\nset ylabel '%s'\n", title, x, y);
  sl__plot(p,
           "set style data histograms\nset style histogram rowstacked\nset boxwidth 0.8\n"
           "set style fill solid 0.9 noborder\nset yrange [0:%s]\nset offsets 0, 0, graph 0.05, 0\nset grid "
           "ytics lc rgb '#dddddd'\nset border 3\n"
           "set tics nomirror out\nset key outside top center horizontal\n$bars << EOD\n",
           any ? "*" : "10");
  return p;
}

static bool plot_steps(const sl_sum *s, const char *path, sl_error *e) {
  char title[200];
  snprintf(title, sizeof title, "%s: shared-memory replays by step", s->name);
  sl_plot *p = open_bars(path, title, "step: barriers passed before it", "replays", true, e);
  if (!p) return false;
  for (unsigned k = 0; k < s->n_phases; k++)
    sl__plot(p, "%u %llu %llu\n", k, (unsigned long long)s->replays[0][k],
             (unsigned long long)s->replays[1][k]);
  sl__plot(p, "EOD\nplot $bars using 2:xtic(1) title 'loads' lc rgb '#2b6cb0', '' using 3 title 'stores' lc "
              "rgb '#dd6b20'\n");
  return sl__plot_close(p, e);
}

static uint64_t passes_of(const uint64_t *c) {
  return c[SL_LN_shared_ld_wavefronts] + c[SL_LN_shared_st_wavefronts] + c[SL_LN_atomic_wavefronts];
}
static uint64_t sectors_of(const uint64_t *c) {
  return c[SL_LN_global_ld_sectors] + c[SL_LN_global_st_sectors] + c[SL_LN_atomic_sectors];
}
static uint64_t traffic_of(const uint64_t *c) { return passes_of(c) + sectors_of(c); }

// A kernel without replays: what its lines cost in memory.
static bool plot_lines(const sl_sum *s, const char *path, sl_error *e) {
  char title[200];
  snprintf(title, sizeof title, "%s: memory accesses by line (no bank conflicts)", s->name);
  sl_plot *p = open_bars(path, title, "line", "passes and sectors", traffic_of(s->total) > 0, e);
  if (!p) return false;
  for (size_t k = 0; k < s->n_lines; k++) {
    const uint64_t *c = s->lines[k].c, all = sectors_of(c),
                   ideal = c[SL_LN_global_ideal_sectors] + c[SL_LN_atomic_sectors];
    if (!s->lines[k].line || !traffic_of(c)) continue;
    sl__plot(p, "%u %llu %llu %llu\n", s->lines[k].line, (unsigned long long)passes_of(c),
             (unsigned long long)(ideal < all ? ideal : all),
             (unsigned long long)(ideal < all ? all - ideal : 0));
  }
  sl__plot(p, "EOD\nplot $bars using 2:xtic(1) title 'passes through shared memory' lc rgb '#2b6cb0', '' "
              "using 3 title 'sectors of global memory' lc rgb '#15803d', '' using 4 title 'sectors too "
              "many' lc rgb '#dd6b20'\n");
  return sl__plot_close(p, e);
}

// The kernel with most replays by step; if there are none, the one with most traffic by line.
static bool plot_costs(const sl_sum *s, size_t n, const char *path, sl_error *e) {
  const sl_sum *most = &s[0], *busiest = &s[0];
  for (size_t k = 1; k < n; k++) {
    if (sl__replays(s[k].total) > sl__replays(most->total)) most = &s[k];
    if (traffic_of(s[k].total) > traffic_of(busiest->total)) busiest = &s[k];
  }
  return sl__replays(most->total) ? plot_steps(most, path, e) : plot_lines(busiest, path, e);
}

static int profile(const char *lab, const options *o) {
  sl_error e = {0};
  sl_observed seen;
  sl_sum *s = NULL;
  size_t n = 0;
  int code = SL_EXIT_OK;
  bool ok = sl__observe(&(sl_to_observe){lab, o->file, &o->input}, "--lines", &seen, &e);
  if (ok) s = sl__sums(&seen, o->kernel, &n);
  if (ok && !n) sl__no_such_kernel(&seen, o->kernel, &e);
  if (!e.code && o->svg) plot_costs(s, n, o->svg, &e);
  if (!e.code && o->json) code = print_profile_json(&seen, s, n);
  else if (!e.code) show_profile(&seen, s, n);
  if (!e.code && o->svg && !o->json) printf("\nplot: %s\n", o->svg);
  sl__sums_free(s, n);
  sl__observed_free(&seen);
  return e.code ? sl__stop("profile", &e) : code;
}

int sl__profile(int argc, char **argv) {
  options o = {.input = {.n = "1024"}};
  const sl_opt opts[] = {
      SL_OPT_TEXT("--file", &o.file, "KERNEL.cu", "kernel to look at (default: the lab's kernel.cu)"),
      SL_OPT_TEXT("--kernel", &o.kernel, "NAME", "only kernels whose name contains NAME"),
      SL_OPT_TEXT("--svg", &o.svg, "FILE", "write a plot to FILE: replays by step, or else traffic by line"),
      SL_INPUT_OPTIONS(&o.input),
      SL_OPT_FLAG("--json", &o.json, "print one JSON object instead"),
      SL_OPT_END};
  const sl_cli cli = {"scanlab profile", "Shows what each line of a kernel costs, worst lines first.",
                      "./scanlab profile 03 --n 1024", "LAB", opts};
  int n;
  sl_cli_parse(&cli, argc, argv, &n);
  return profile(argv[1], &o);
}
