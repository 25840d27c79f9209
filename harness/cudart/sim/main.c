// sl-sim (`scanlab sim`): runs a CUDA program on the simulated GPU, and tells what the GPU found.
#include "cudart/sim/sim.h"
#include "observers/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct args {
  const char *report, *order, *warps, *profile, *checks, *digest;
  int64_t seed, resident, timeout, schedules;
  bool no_counters, no_checks, gpu, lines;
} args;

// Where the options end: at "--", or else at the first word that is not an option (nor an option's argument).
static void read_args(int argc, char **argv, args *a, int *n) {
  *a = (args){.order = "in", .warps = "greedy", .profile = "default", .checks = "all"};
  const sl_opt opts[] = {
      {"--report", 's', &a->report, "FILE", "write findings and counters to FILE as JSON", 0, 0},
      {"--lines", 'b', &a->lines, NULL, "counters of every source line in the report, too (slower)", 0, 0},
      {"--order", 's', &a->order, "ORDER", "start order of blocks: in, reverse or random", 0, 0},
      {"--warps", 's', &a->warps, "ORDER", "warps of a block: greedy, round-robin, random or one-ahead", 0, 0},
      {"--seed", 'i', &a->seed, "N", "seed of random orders", 0, INT64_MAX},
      {"--resident", 'i', &a->resident, "N", "blocks resident at once (default: what the device holds)", 0,
       1 << 20},
      {"--profile", 's', &a->profile, "NAME", "device to simulate", 0, 0},
      {"--no-counters", 'b', &a->no_counters, NULL, "do not count (faster)", 0, 0},
      {"--checks", 's', &a->checks, "LIST", SL_CHECKS_HELP, 0, 0},
      {"--no-checks", 'b', &a->no_checks, NULL, "check bounds and alignment only (faster)", 0, 0},
      {"--timeout", 'i', &a->timeout, "S", "end a kernel after S seconds (default: 60 without progress)", 0,
       86400},
      {"--schedules", 'i', &a->schedules, "K", "run it under K orders of blocks and warps and compare the results", 1,
       100000},
      {"--digest", 's', &a->digest, "FILE", "write exit status and hash of all bytes copied from the device to FILE", 0,
       0},
      {"--gpu", 'b', &a->gpu, NULL, "run on the real GPU instead", 0, 0},
      {NULL, 0, NULL, NULL, NULL, 0, 0}};
  const sl_cli cli = {"sl-sim",
                      "Runs a CUDA program on the simulated GPU; exits with the program's status.",
                      "scanlab sim --report r.json -- ./my_scan 1024",
                      "-- PROGRAM [ARGUMENT...]",
                      opts,
                      1,
                      -1};
  sl_cli_parse(&cli, argc, argv, n);
}

static bool fill_options(const args *a, sl_gpu_options *o, sl_error *e) {
  sl_gpu_options_init(o);
  snprintf(o->profile, sizeof o->profile, "%s", a->profile);
  o->seed = (uint64_t)a->seed;
  o->resident = (uint32_t)a->resident;
  o->counters = !a->no_counters;
  o->record = a->lines ? SL_RECORD_LINES : 0;
  if (!sl_checks_read(a->no_checks ? "none" : a->checks, &o->checks, e)) return false;
  if (a->timeout) o->watchdog_seconds = o->launch_seconds = (double)a->timeout;
  return sl_gpu_order_read(a->order, &o->order, e) && sl_gpu_warps_read(a->warps, &o->warps, e);
}

static void tell_findings(sl_control *c) {
  sl_finding *f = NULL;
  size_t n = 0;
  sl_error e = {0};
  if (sl_control_findings(c, &f, &n, &e))
    sl__print_findings(f, n);
  else
    sl_error_print("sl-sim", &e);
  free(f);
}

// "exit status 0, hash 0123456789abcdef of 4096 bytes"
static bool describe(sl_control *c, int code, char *out, size_t cap, sl_error *e) {
  sl_digest d;
  if (!sl_control_digest(c, &d, e)) return false;
  snprintf(out, cap, "exit status %d, hash %016llx of %llu bytes", code, (unsigned long long)d.hash,
           (unsigned long long)d.bytes);
  return true;
}

static bool write_digest(const char *path, const char *text, sl_error *e) {
  sl_out *f = sl_open_atomic(path, e);
  return f && sl_printf(f, e, "%s", text) && sl_commit(f, e);
}

static bool compare(const args *a, char **argv, sl_control *c, const char *digest, sl_error *e) {
  char resident[24], timeout[24];
  snprintf(resident, sizeof resident, "%lld", (long long)a->resident);
  snprintf(timeout, sizeof timeout, "%lld", (long long)a->timeout);
  const sl_schedules s = {.program = argv,
                          .dir = sl_control_dir(c),
                          .digest = digest,
                          .order = a->order,
                          .warps = a->warps,
                          .profile = a->profile,
                          .resident = resident,
                          .timeout = timeout,
                          .seed = (uint64_t)a->seed};
  return sl__run_schedules(&s, a->schedules, e);
}

// After the program's end: --digest, --schedules.
static void follow_up(const args *a, char **argv, sl_control *c, int code) {
  char digest[128];
  sl_error e = {0};
  if (!a->digest && a->schedules < 2) return;
  bool ok = describe(c, code, digest, sizeof digest, &e);
  if (ok && a->digest) ok = write_digest(a->digest, digest, &e);
  if (ok && a->schedules > 1) ok = compare(a, argv, c, digest, &e);
  if (!ok) sl_error_print("sl-sim", &e);
}

static int simulate(const args *a, char **argv, sl_error *e) {
  sl_gpu_options o;
  sl__hold_signals(true);
  sl_control *c = fill_options(a, &o, e) ? sl_control_start(&o, a->report, e) : NULL;
  if (!c) return e->code;
  char *bin = sl_exe_dir(), *lib = sl_path("%s/../lib", bin);
  sl_run_args r = {argv, lib, sl_control_socket(c), c};
  int code = sl__run_program(&r, e);
  tell_findings(c);
  sl__hold_signals(false);
  follow_up(a, argv, c, code);
  sl__hold_signals(true);
  sl_error report_error = {0};
  if (!sl_control_stop(c, 30, &report_error)) {
    sl_error_print("sl-sim", &report_error);
    if (code == 0) code = SL_EXIT_INFRA;
  }
  free(lib);
  free(bin);
  return code;
}

static int run_on_gpu(const args *a, char **argv, sl_error *e) {
  sl_run_args r = {.argv = argv};
  if (a->report && !sl_fail(e, SL_EXIT_USAGE, NULL, "--report needs the simulated GPU; leave --gpu out"))
    return e->code;
  if (!sl__real_gpu(&r.lib_dir, e)) return e->code;
  return sl__run_program(&r, e);
}

// Of a device by name; an unknown name is refused later, where the list of names is given.
static unsigned capability(const char *profile) {
  const sl_profile *p = sl_profile_find(profile);
  return p ? p->sm : sl_profile_find("default")->sm;
}

int main(int argc, char **argv) {
  args a;
  int n = 0;
  sl_error e = {0};
  sl_program p;
  read_args(argc, argv, &a, &n);
  char **child = argv + 1;
  child[n] = NULL;
  int code = SL_EXIT_LAUNCH;
  if (sl__program_find(child[0], &p, &e) && (a.gpu || sl__program_check(&p, capability(a.profile), &e))) {
    child[0] = p.path;
    code = a.gpu ? run_on_gpu(&a, child, &e) : simulate(&a, child, &e);
  }
  sl__program_free(&p);
  if (e.code) sl_error_print("sl-sim", &e);
  return e.code ? e.code : code;
}
