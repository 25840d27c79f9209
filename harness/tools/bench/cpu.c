// `scanlab bench cpu`: how fast the CPU's own parts are: the scans that GPUs are compared with, and the
// generators of datasets (and of the disk: disk.c).
//
// Interface: sl__measure_cpu. A scan takes turns, in one run, with a plain loop over the same bytes (out[i] =
// in[i] + 1), which shows what memory allows on this machine now. Sequential figures are CPU time, so that
// other work disturbs them less. Figures of all cores are wall time.
#include "tools/bench/measure.h"
#include "reference/reference.h"
#include "scanlab/generate.h"
#include "scanlab/npy.h"

#include <time.h>

enum { MAX_REPS = 99 };

typedef struct arrays {
  uint32_t *in, *out;
  size_t n;
  unsigned reps;
} arrays;

// Scans -----------------------------------------------------------------------------------------------------

__attribute__((noinline)) static void plain_loop(const uint32_t *in, uint32_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = in[i] + 1;
}

// Ratios of one scan to the loop, and seconds of all three, in turns.
static bool scan_row(const arrays *a, const char *name, const sl_scan_spec *spec) {
  double loop[MAX_REPS], one[MAX_REPS], all[MAX_REPS], bytes = 8.0 * (double)a->n;
  bool ok = true;
  for (unsigned r = 0; r < a->reps && ok; r++) {
    double t = sl_clock(CLOCK_PROCESS_CPUTIME_ID);
    plain_loop(a->in, a->out, a->n);
    loop[r] = sl_clock(CLOCK_PROCESS_CPUTIME_ID) - t;
    t = sl_clock(CLOCK_PROCESS_CPUTIME_ID);
    sl_scan_run(spec, a->in, a->out);
    one[r] = sl_clock(CLOCK_PROCESS_CPUTIME_ID) - t;
    t = sl_clock(CLOCK_MONOTONIC);
    ok = sl_scan_run_parallel(spec, 0, a->in, a->out);
    all[r] = sl_clock(CLOCK_MONOTONIC) - t;
  }
  if (!ok) return false;
  double l = sl__median(loop, a->reps), o = sl__median(one, a->reps), p = sl__median(all, a->reps);
  printf("%-24s %9.2f %9.2f %10.2f %12.2f\n", name, bytes / o * 1e-9, bytes / l * 1e-9, o / l,
         bytes / p * 1e-9);
  return true;
}

static bool bench_scans(const arrays *a) {
  static const struct {
    const char *name;
    sl_type type;
    sl_op op;
    sl_kind kind;
  } rows[] = {{"inclusive add f32", SL_F32, SL_ADD, SL_INCLUSIVE},
              {"inclusive add i32", SL_I32, SL_ADD, SL_INCLUSIVE},
              {"exclusive add u32", SL_U32, SL_ADD, SL_EXCLUSIVE},
              {"inclusive max i32", SL_I32, SL_MAX, SL_INCLUSIVE}};
  printf("CPU scans, n = %zu, medians of %u; target: time/loop at most 1.3\n%-24s %9s %9s %10s %12s\n", a->n,
         a->reps, "scan", "GB/s", "loop GB/s", "time/loop", "all cores GB/s");
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_scan_spec spec = {rows[k].type, rows[k].op, rows[k].kind, a->n};
    if (!scan_row(a, rows[k].name, &spec)) return false;
  }
  return true;
}

// Datasets --------------------------------------------------------------------------------------------------

static bool generator_row(const arrays *a, const sl_dist_info *d, sl_type type, sl_error *e) {
  sl_gen_spec spec = {.dist = d->name, .type = type, .seed = 1, .n = a->n * 4 / sl_npy_item_size(type)};
  double s[MAX_REPS];
  for (unsigned r = 0; r < a->reps; r++) {
    double t = sl_clock(CLOCK_PROCESS_CPUTIME_ID);
    if (!sl_generate_part(&spec, 0, spec.n, a->out, e)) return false;
    s[r] = sl_clock(CLOCK_PROCESS_CPUTIME_ID) - t;
  }
  printf("%-16s %-7s %9.2f\n", d->name, sl_npy_type_name(type),
         4.0 * (double)a->n / sl__median(s, a->reps) * 1e-9);
  return true;
}

static bool bench_generators(const arrays *a, sl_error *e) {
  sl_dist_info d;
  printf("\ndataset generators, one core; target: 1 GB/s\n%-16s %-7s %9s\n", "distribution", "type", "GB/s");
  for (size_t k = 0; sl_dist_at(k, &d); k++)
    for (int type = 0; type < SL_TYPE_COUNT; type++)
      if ((d.types & 1u << type) && !generator_row(a, &d, (sl_type)type, e)) return false;
  return true;
}

int sl__measure_cpu(int argc, char **argv) {
  int64_t n = 1 << 24, reps = 5;
  const sl_opt opts[] = {
      SL_OPT_NUMBER("--n", &n, "N", 1 << 10, 1 << 30, "elements (default 2^24)"),
      SL_OPT_NUMBER("--reps", &reps, "R", 1, MAX_REPS, "repetitions, the median counts (default 5)"),
      SL_OPT_END};
  const sl_cli cli = {"scanlab bench cpu", "Speed of the CPU's scans and of the dataset generators.",
                      "./scanlab bench cpu --n 2^26", "", opts};
  sl_error e = {0};
  sl_cli_parse(&cli, argc, argv, NULL);
  size_t bytes = ((size_t)n * 4 + 4095) / 4096 * 4096; // direct writes want whole pages
  arrays a = {aligned_alloc(4096, bytes), aligned_alloc(4096, bytes), (size_t)n, (unsigned)reps};
  bool ok = a.in && a.out;
  for (size_t i = 0; ok && i < a.n; i++) a.in[i] = (uint32_t)(i & 7), a.out[i] = 0;
  ok = ok && bench_scans(&a);
  if (!ok)
    sl_fail(&e, SL_EXIT_INFRA, "choose a smaller --n", "not enough memory for two arrays of %zu elements",
            a.n);
  ok = ok && bench_generators(&a, &e) && sl__bench_disk(a.in, a.n, &e);
  free(a.in);
  free(a.out);
  if (!ok) sl_error_print("scanlab bench", &e);
  return ok ? SL_EXIT_OK : e.code;
}
