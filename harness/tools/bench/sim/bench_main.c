// sl-bench: `scanlab bench sim`. Speed and memory of the simulated GPU on three workloads (workloads.cu), in
// ns an element and simulated lane-instructions a second, and the same workloads on other systems that are
// installed. One table a run: compare figures of one run, machines differ and are noisy.
#include "tools/bench/sim/bench.h"
#include "gpu/start/schedule.h"

#define ROWS 16
typedef struct table {
  bench_row row[ROWS];
  int n;
  bool best;
  double lanes[BENCH_WORKLOADS]; // thread instructions an element
} table;

static void add_row(void *ctx, const bench_row *row) {
  table *t = ctx;
  if (t->n == ROWS) return;
  t->row[t->n] = *row;
  if (t->best) memcpy(t->row[t->n].ns, row->least, sizeof row->ns);
  t->n++;
}

// Observed systems are compared with the observed simulator, the others with the plain one.
static const bench_row *base_of(const table *t, const bench_row *r) {
  const bench_row *base = &t->row[0];
  for (int k = 0; r->observed && k < t->n; k++)
    if (t->row[k].observed) return &t->row[k];
  return base;
}

static bool print_row(const table *t, const bench_row *r) {
  const bench_row *base = base_of(t, r);
  printf("%-34s %9lld", r->system, (long long)r->n);
  for (int k = 0; k < BENCH_WORKLOADS; k++) printf(" %9.1f", r->ns[k]);
  for (int k = 0; k < BENCH_WORKLOADS; k++) printf(" %8.0f", t->lanes[k] / r->ns[k] * 1e3);
  for (int k = 0; k < BENCH_WORKLOADS && base != r; k++) printf(" %7.2f", r->ns[k] / base->ns[k]);
  printf("%s\n", r->wrong ? "  WRONG RESULTS" : "");
  return r->wrong == 0;
}

static bool print_table(const table *t) {
  bool ok = true;
  printf("%-34s %9s %29s %26s %23s\n", "", "", "ns an element", "million lane-instr. a second",
         "times scanlab");
  printf("%-34s %9s", "system", "n");
  for (int g = 0; g < 3; g++)
    for (int k = 0; k < BENCH_WORKLOADS; k++) printf(" %*s", g == 0 ? 9 : g == 1 ? 8 : 7, bench_names[k]);
  printf("\n");
  for (int k = 0; k < t->n; k++) ok = print_row(t, &t->row[k]) && ok;
  return ok;
}

static bool print_memory(const bench_row *r) {
  double bound = 64 + 3 * r->device_mib;
  printf("memory, n = %lld: simulator peak %.1f MiB, device memory in use %.1f MiB, bound 64 + 3 x device = "
         "%.1f MiB (%s)\n",
         (long long)r->n, r->peak_mib, r->device_mib, bound, r->peak_mib <= bound ? "kept" : "EXCEEDED");
  return r->peak_mib <= bound;
}

static bool bench_table(int64_t n, int64_t reps, int64_t cores, bool best, bool alone, sl_error *e) {
  table t = {.best = best};
  bench_row row;
  const bench_how rows[] = {{false, false, 1, n, reps},
                            {true, false, 1, n, reps},
                            {true, true, 1, n, reps},
                            // the last two: on several cores
                            {false, false, cores, n, reps},
                            {true, false, cores, n, reps}};
  for (int k = 0; k < (cores > 1 ? 5 : 3); k++) {
    if (!bench_simulator(&rows[k], &row, e)) return false;
    add_row(&t, &row);
  }
  for (int k = 0; k < BENCH_WORKLOADS; k++) t.lanes[k] = (double)t.row[1].lanes[k] / (double)n;
  printf("%s of %lld repetitions\n", best ? "best" : "median", (long long)reps);
  if (!alone) bench_peers(n, reps, add_row, &t);
  bool ok = print_table(&t);
  printf("lane-instructions an element: scan %.1f, split %.1f, count %.1f\n", t.lanes[0], t.lanes[1],
         t.lanes[2]);
  ok = print_memory(&t.row[0]) && ok;
  return ok || sl_fail(e, SL_EXIT_FAILED, NULL, "a result is wrong or a bound is exceeded");
}

// Does time grow linearly, and how much memory does it take?
static bool bench_sizes(int64_t most, int64_t reps, int64_t cores, bool best, bool checks, sl_error *e) {
  bool ok = true;
  printf("%11s %9s %9s %9s %9s %14s %14s %14s\n", "n", "scan", "split", "count", "CPU", "peak MiB",
         "device MiB", "bound MiB");
  for (int64_t n = 1 << 16; n <= most; n *= 4) {
    bench_row r;
    const bench_how how = {checks, checks, cores, n, reps};
    if (!bench_simulator(&how, &r, e)) return false;
    double bound = 64 + 3 * r.device_mib, *ns = best ? r.least : r.ns;
    printf("%11lld %9.1f %9.1f %9.1f %9.1f %14.1f %14.1f %14.1f%s%s\n", (long long)n, ns[0], ns[1], ns[2],
           r.cpu_ns, r.peak_mib, r.device_mib, bound, checks || r.peak_mib <= bound ? "" : "  EXCEEDED",
           r.wrong ? "  WRONG RESULTS" : "");
    fflush(stdout);
    ok = ok && !r.wrong && (checks || r.peak_mib <= bound);
  }
  printf("CPU: processor time of the simulator for all three and the copies; it does not depend on what else "
         "the machine does.\n"
         "ns an element, %s of %lld repetitions%s, %lld core%s\n",
         best ? "best" : "median", (long long)reps, checks ? ", all observers" : "", (long long)cores,
         sl_plural(cores));
  return ok || sl_fail(e, SL_EXIT_FAILED, NULL, "a result is wrong or a bound is exceeded");
}

int main(int argc, char **argv) {
  sl_fit_terminal();
  int64_t n = 0, reps = 5, cores = 0;
  const char *schedule = NULL;
  bool best = false, sizes = false, alone = false, checks = false;
  const sl_opt opts[] = {
      SL_OPT_NUMBER("--n", &n, "N", 1024, 1 << 26,
                    "elements, a multiple of 1024 (default 2^20; with --sizes the largest, 2^26)"),
      SL_OPT_NUMBER("--reps", &reps, "R", 1, 99, "repetitions, the median counts (default 5)"),
      SL_OPT_FLAG("--best", &best, "the best repetition counts instead: for a busy machine"),
      SL_OPT_FLAG("--sizes", &sizes, "sizes from 2^16, times four: time an element and memory"),
      SL_OPT_FLAG("--checks", &checks, "with --sizes: all observers on"),
      SL_OPT_NUMBER(
          "--cores", &cores, "N", 1, SL_CORES_MAX,
          "cores of the rows that use several (default: all); with --sizes of every row (default 1)"),
      SL_OPT_FLAG("--alone", &alone, "the simulator alone, no other systems"),
      SL_OPT_TEXT("--schedule", &schedule, "WORDS", SL_SCHEDULE_HELP),
      SL_OPT_END};
  const sl_cli cli = {"scanlab bench", "Measures speed and memory of the simulated GPU.",
                      "./scanlab bench sim --reps 9", "sim", opts};
  sl_cli_parse(&cli, argc, argv, NULL);
  sl_error e = {0};
  sl_gpu_options o;
  bool ok;
  if (strcmp(argv[1], "sim") != 0)
    ok = sl_fail(&e, SL_EXIT_USAGE, "`./scanlab bench sim` measures the simulated GPU",
                 "unknown benchmark '%s'", argv[1]);
  else if (!sl_schedule_export(schedule, &e) || !sl_gpu_cores(&o, cores, !sizes, &e)) ok = false;
  else if (n % 1024)
    ok = sl_fail(&e, SL_EXIT_USAGE, NULL, "--n %lld is not a multiple of 1024", (long long)n);
  else if (sizes) ok = bench_sizes(n ? n : 1 << 26, reps, o.cores, best, checks, &e);
  else ok = bench_table(n ? n : 1 << 20, reps, o.cores, best, alone, &e);
  if (!ok) sl_error_print("scanlab bench", &e);
  return ok ? SL_EXIT_OK : e.code ? e.code : SL_EXIT_FAILED;
}
