// sl-bench: `scanlab bench sim`. Speed and memory of the simulated GPU on three workloads (workloads.cu), in ns an
// element and simulated lane-instructions a second; peak memory of the simulator against its bound. One table a run: compare
// figures of one run, machines differ and are noisy.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "cudart/control.h"

static const char *build_dir(void) {
  const char *b = getenv("SCANLAB_BUILD");
  return b && *b ? b : ".";
}

// VmHWM of a process in KiB, 0 if unknown.
static uint64_t peak_kib(pid_t pid) {
  char *path = sl_path("/proc/%d/status", (int)pid), line[256];
  FILE *f = fopen(path, "r");
  uint64_t kib = 0;
  free(path);
  if (!f) return 0;
  while (fgets(line, sizeof line, f))
    if (!strncmp(line, "VmHWM:", 6)) kib = strtoull(line + 6, NULL, 10);
  fclose(f);
  return kib;
}

typedef struct bench_result {
  char text[4096];             // what the workloads printed
  uint64_t peak_kib;
  uint64_t lanes[3];           // thread instructions of one repetition of each workload; 0: not counted
} bench_result;

// Which workload a launch belongs to, by its place in a run of one repetition: 3 launches of scan, 5 of split, 1 of count.
static void sum_lanes(const sl_launch_record *r, size_t n, uint64_t lanes[3]) {
  for (size_t i = 0; i < n; i++) lanes[i < 3 ? 0 : i < 8 ? 1 : 2] += r[i].counters.thread_instructions;
}

static bool run_workloads(bool counters, int64_t n, int64_t reps, bench_result *out, sl_error *e) {
  sl_gpu_options o;
  sl_gpu_options_init(&o);
  o.counters = counters;
  o.checks = false;
  sl_control *c = sl_control_start(&o, NULL, e);
  if (!c) return false;
  char *program = sl_path("%s/bin/bench_workloads", build_dir()), *lib = sl_path("LD_LIBRARY_PATH=%s/lib", build_dir());
  char *gpu = sl_path("SCANLAB_GPU=%s", sl_control_socket(c)), *ns = sl_path("%lld", (long long)n), *rs = sl_path("%lld", (long long)reps);
  char *argv[] = {(char *)"env", lib, gpu, program, ns, rs, NULL}, *text = NULL;
  sl_exit_status st = sl_run(argv, NULL, 600, sizeof out->text - 1, &text, e);
  bool ok = !st.timed_out && st.code == 0 && text;
  if (ok) snprintf(out->text, sizeof out->text, "%s", text);
  else sl_fail(e, SL_EXIT_INFRA, NULL, "the workloads ended with %d: %.200s", st.code, text ? text : "");
  out->peak_kib = peak_kib(sl_control_pid(c));
  if (ok && counters) {
    sl_launch_record *records = NULL;
    size_t count = 0;
    ok = sl_control_launches(c, &records, &count, e);
    if (ok) sum_lanes(records, count, out->lanes);
    free(records);
  }
  sl_error ignored = {0};
  sl_control_stop(c, 10, &ignored);
  free(program); free(lib); free(gpu); free(ns); free(rs); free(text);
  return ok;
}

// Prints one row a workload; false when a result was wrong or a line is missing.
static bool print_table(const bench_result *fast, const bench_result *counted, int64_t n) {
  static const char *const names[] = {"scan", "split", "count"};
  bool ok = true;
  printf("%-8s %12s %12s %14s %16s %14s %8s\n", "workload", "ns/element", "min", "with counters", "lane-instr/elem",
         "Mlane-instr/s", "wrong");
  for (int k = 0; k < 3; k++) {
    char key[16];
    double median, least, slow_median = 0, slow_least;
    int wrong = -1, wrong2 = -1;
    snprintf(key, sizeof key, "%s ", names[k]);
    const char *line = strstr(fast->text, key), *slow = strstr(counted->text, key);
    if (!line || sscanf(line + strlen(key), "%lf %lf %d", &median, &least, &wrong) != 3 || !slow ||
        sscanf(slow + strlen(key), "%lf %lf %d", &slow_median, &slow_least, &wrong2) != 3) {
      printf("%-8s no result\n", names[k]);
      ok = false;
      continue;
    }
    double per = (double)counted->lanes[k] / (double)n;
    printf("%-8s %12.1f %12.1f %14.1f %16.1f %14.0f %8d\n", names[k], median, least, slow_median, per, per / median * 1e3, wrong + wrong2);
    ok = ok && wrong == 0 && wrong2 == 0;
  }
  return ok;
}

static void print_memory(const bench_result *r) {
  const char *line = strstr(r->text, "device_bytes ");
  double device = line ? strtod(line + 13, NULL) / 1048576.0 : 0, peak = (double)r->peak_kib / 1024.0;
  printf("memory: simulator peak %.1f MiB, device memory in use %.1f MiB, bound 64 + 3 x device = %.1f MiB (%s)\n", peak, device,
         64 + 3 * device, peak <= 64 + 3 * device ? "kept" : "EXCEEDED");
}

int main(int argc, char **argv) {
  int64_t n = 1 << 20, reps = 5;
  const sl_opt opts[] = {{"--n", 'i', &n, "N", "elements, a multiple of 1024 (default 2^20)", 1024, 1 << 20},
                         {"--reps", 'i', &reps, "R", "repetitions, the median counts (default 5)", 1, 99},
                         {0}};
  const sl_cli cli = {"scanlab bench", "Speed and memory of the simulated GPU.", "./scanlab bench sim --reps 9", "sim", opts, 1, 1};
  int operands;
  sl_cli_parse(&cli, argc, argv, &operands);
  sl_error e = {0};
  if (strcmp(argv[1], "sim") != 0) {
    sl_fail(&e, SL_EXIT_USAGE, "`./scanlab bench sim` measures the simulated GPU", "unknown benchmark '%s'", argv[1]);
    sl_error_print("scanlab bench", &e);
    return e.code;
  }
  if (n % 1024) {
    sl_fail(&e, SL_EXIT_USAGE, NULL, "--n %lld is not a multiple of 1024", (long long)n);
    sl_error_print("scanlab bench", &e);
    return e.code;
  }
  bench_result fast = {0}, counted = {0};
  if (!run_workloads(false, n, reps, &fast, &e) || !run_workloads(true, n, 1, &counted, &e)) {
    sl_error_print("scanlab bench", &e);
    return e.code ? e.code : SL_EXIT_INFRA;
  }
  printf("simulated GPU, n = %lld, median of %lld repetitions, no counters and no checks unless said\n", (long long)n, (long long)reps);
  bool ok = print_table(&fast, &counted, n);
  print_memory(&fast);
  return ok ? SL_EXIT_OK : SL_EXIT_FAILED;
}
