// The workloads in the simulator: a fresh sl-gpu for each row, so that its peak memory is this row's.
#include <time.h>
#include "tools/bench/sim/bench.h"
#include "gpu/start/schedule.h"

const char *const bench_names[BENCH_WORKLOADS] = {"scan", "split", "count"};

bool bench_parse(const char *text, bench_row *row, sl_error *e) {
  row->wrong = 0;
  for (int k = 0; k < BENCH_WORKLOADS; k++) {
    const char *line = strstr(text, bench_names[k]);
    long long wrong;
    if (!line ||
        sscanf(line + strlen(bench_names[k]), " %lf %lf %lld", &row->ns[k], &row->least[k], &wrong) != 3)
      return sl_fail(e, SL_EXIT_INFRA, NULL, "the workloads printed no result for %s: %.300s", bench_names[k],
                     text);
    row->wrong += wrong;
  }
  const char *line = strstr(text, "device_bytes ");
  row->device_mib = line ? strtod(line + 13, NULL) / 1048576 : 0;
  return true;
}

// VmHWM of a process in MiB, 0 if unknown.
static double peak_mib(pid_t pid) {
  SL_FREED char *path = sl_path("/proc/%d/status", (int)pid);
  char line[256];
  SL_CLOSED FILE *f = fopen(path, "r");
  double kib = 0;
  if (!f) return 0;
  while (fgets(line, sizeof line, f))
    if (!strncmp(line, "VmHWM:", 6)) kib = strtod(line + 6, NULL);
  return kib / 1024;
}

// Processor time of a process and all its threads in ns, 0 if unknown.
static double cpu_ns(pid_t pid) {
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t)) return 0;
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Launches come in the order of the workloads. Two kernels mark where the second and the third begin.
static bool sum_lanes(sl_control *c, bench_row *row, sl_error *e) {
  SL_FREED sl_launch_record *r = NULL;
  size_t n = 0;
  int k = BENCH_SCAN;
  if (!sl_control_launches(c, 0, &r, &n, e)) return false;
  for (size_t i = 0; i < n; i++) {
    if (strstr(r[i].name, "flag_zeros")) k = BENCH_SPLIT;
    if (strstr(r[i].name, "count_digits")) k = BENCH_COUNT;
    row->lanes[k] += r[i].counters.thread_instructions / (uint64_t)row->reps;
  }
  return true;
}

static bool run_program(const sl_control *c, bench_row *row, sl_error *e) {
  SL_FREED char *program = sl_tool_path("bench_workloads"), *folder = sl_tool_path("../lib"),
                *lib = sl_path("LD_LIBRARY_PATH=%s", folder), *text = NULL,
                *gpu = sl_path("SCANLAB_GPU=%s", sl_control_socket(c)),
                *n = sl_path("%lld", (long long)row->n), *reps = sl_path("%lld", (long long)row->reps);
  sl_exit_status st = sl_run(SL_ARGV("env", lib, gpu, program, n, reps), NULL, 600, 4096, &text, e);
  if (!st.timed_out && st.code == 0 && text) return bench_parse(text, row, e);
  return sl_fail(e, SL_EXIT_INFRA, NULL, "the workloads ended with %d: %.200s", st.code, text ? text : "");
}

static void name_row(const bench_how *how, char *out, size_t cap) {
  snprintf(out, cap, "scanlab%s", how->checks ? ", all observers" : how->counters ? ", counters" : "");
  if (how->cores > 1) sl_append(out, cap, ", ", "%lld cores", (long long)how->cores);
}

bool bench_simulator(const bench_how *how, bench_row *row, sl_error *e) {
  bool counters = how->counters;
  int64_t n = how->n, reps = how->reps;
  sl_gpu_options o = sl_gpu_options_default();
  if (!sl_schedule_choose(NULL, &o, e)) return false;
  o.counters = counters;
  o.checks = how->checks ? SL_CHECK_ALL : 0;
  o.cores = (uint32_t)how->cores;
  *row = (bench_row){.observed = how->checks, .n = n, .reps = reps};
  name_row(how, row->system, sizeof row->system);
  sl_control *c = sl_control_start(&o, NULL, e);
  if (!c) return false;
  bool ok = run_program(c, row, e) && (!counters || sum_lanes(c, row, e));
  row->peak_mib = peak_mib(sl_control_pid(c));
  row->cpu_ns = cpu_ns(sl_control_pid(c)) / (double)(n * reps);
  sl_error ignored = {0};
  sl_control_stop(c, 10, &ignored);
  return ok;
}
