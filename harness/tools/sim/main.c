// sl-sim (`scanlab sim`): runs a CUDA program on the simulated GPU, and prints what the GPU found.
#include "tools/sim/sim.h"
#include "device/settings.h"

typedef struct args {
  const char *findings, *report, *schedule, *order, *warps, *lanes, *visibility, *memory, *device, *checks,
      *digest, *copies;
  const char *seed, *resident;
  int64_t timeout, schedules, cores;
  const char *disassemble, *trace, *trace_file;
  sl_trace_options traced;
  bool counters, no_counters, no_checks, gpu, lines, check_order, check_repeat, thorough, stop_at_first;
} args;

static bool wants_list(const args *a) { return a->device && strcmp(a->device, "list") == 0; }

static args given = {.checks = "all", .traced = {.lane = SL_TRACE_FIRST, .limit = 1000}};
static const sl_opt opts[] = {
    SL_OPT_TEXT("--report", &given.report, "FILE", "write findings and counters to FILE as JSON"),
    SL_OPT_FLAG("--lines", &given.lines, "counters of every source line in the report, too (slower)"),
    SL_OPT_TEXT("--order", &given.order, "ORDER", "start order of blocks: in, reverse or random"),
    SL_OPT_TEXT("--warps", &given.warps, "ORDER",
                "warps of a block: greedy, round-robin, random or one-ahead"),
    SL_OPT_TEXT("--lanes", &given.lanes, "ORDER", "lanes of a warp in an atomic: in, reverse or random"),
    SL_OPT_TEXT("--visibility", &given.visibility, "WHEN",
                "other blocks see stores at once (strong) or late (weak)"),
    SL_OPT_TEXT("--memory", &given.memory, "WHAT",
                "what new memory holds: marked (0xCD bytes), zeros or random"),
    SL_OPT_TEXT("--seed", &given.seed, "N", "seed of all random choices"),
    SL_OPT_TEXT("--resident", &given.resident, "N",
                "blocks resident at once (default 0: what the device holds)"),
    SL_OPT_TEXT("--device", &given.device, "NAME", "device to simulate: a name, a .json file, or list"),
    SL_OPT_TEXT("--profile", &given.device, "NAME", "the same as --device"),
    SL_OPT_TEXT("--schedule", &given.schedule, "WORDS", "all of these as one word: order=in,warps=random,.."),
    SL_OPT_NUMBER("--schedules", &given.schedules, "K", 1, 100000,
                  "run it under K different schedules and compare the results"),
    SL_OPT_FLAG("--check-order", &given.check_order,
                "find programs that end only if blocks start in order (runs it twice more)"),
    SL_OPT_FLAG("--check-repeat", &given.check_repeat,
                "run each launch twice: find launches that depend on what they left behind"),
    SL_OPT_FLAG("--thorough", &given.thorough, "--check-order --check-repeat --schedules 8"),
    SL_OPT_NUMBER("--cores", &given.cores, "N", 1, SL_CORES_MAX,
                  "cores for a launch without checks (default: all; the result is the same)"),
    SL_OPT_FLAG("--counters", &given.counters, "print a line of counters for each launch"),
    SL_OPT_FLAG("--no-counters", &given.no_counters, "do not count (faster)"),
    SL_OPT_TEXT("--checks", &given.checks, "LIST", sl_checks_help),
    SL_OPT_FLAG("--no-checks", &given.no_checks, "check bounds and alignment only (faster)"),
    SL_OPT_FLAG("--stop-at-first", &given.stop_at_first,
                "end a launch at its first bad access (default: leave it out and go on)"),
    SL_OPT_NUMBER("--timeout", &given.timeout, "S", 0, 86400,
                  "end a kernel after S seconds (default: 60 without progress)"),
    SL_OPT_TEXT("--findings", &given.findings, "FILE", "write findings to FILE as another sl-sim reads them"),
    SL_OPT_TEXT("--digest", &given.digest, "FILE",
                "write exit status and hash of all bytes copied from the device to FILE"),
    SL_OPT_TEXT("--copies", &given.copies, "FILE",
                "write what is copied from the device to FILE, up to 64 MiB"),
    SL_OPT_MAYBE("--disassemble", &given.disassemble, "[=KERNEL]",
                 "print the kernels as decoded, with source lines; nothing is run"),
    SL_OPT_MAYBE("--trace", &given.trace, "[=KERNEL]", "print what a warp executes, with values"),
    SL_OPT_NUMBER("--trace-block", &given.traced.block, "B", -1, INT64_MAX,
                  "trace this block (default 0; -1: all)"),
    SL_OPT_NUMBER("--trace-warp", &given.traced.warp, "W", -1, 31,
                  "trace this warp of the block (default 0; -1: all)"),
    SL_OPT_NUMBER("--trace-lane", &given.traced.lane, "L", -1, 31,
                  "show this lane's values (default: the first that executes; -1: all)"),
    SL_OPT_NUMBER("--trace-limit", &given.traced.limit, "N", 1, INT64_MAX,
                  "trace at most N instructions of a launch (default 1000)"),
    SL_OPT_TEXT("--trace-file", &given.trace_file, "FILE", "write the trace to FILE (default: stderr)"),
    SL_OPT_FLAG("--gpu", &given.gpu, "run on the real GPU instead"),
    SL_OPT_END};

// Where the options end: at "--", else at the first word that is neither an option nor an option's argument.
static void read_args(int argc, char **argv, args *a, int *n) {
  const sl_cli cli = {"scanlab sim",
                      "Runs a CUDA program on the simulated GPU; exits with the program's status.",
                      "./scanlab sim --report r.json -- ./my_scan 1024", "-- PROGRAM [ARGUMENT...]", opts};
  sl_cli_parse(&cli, argc, argv, n);
  given.check_order |= given.thorough, given.check_repeat |= given.thorough;
  if (given.thorough && !given.schedules) given.schedules = 8;
  *a = given;
}

static bool fill_schedule(const args *a, sl_gpu_options *o, sl_error *e) {
  const struct {
    const char *key, *value;
  } words[] = {{"order", a->order},   {"warps", a->warps},       {"visibility", a->visibility},
               {"seed", a->seed},     {"resident", a->resident}, {"device", a->device},
               {"memory", a->memory}, {"lanes", a->lanes}};
  bool ok = sl_schedule_choose(a->schedule, o, e);
  for (size_t k = 0; k < sizeof words / sizeof *words && ok; k++)
    ok = !words[k].value || sl_schedule_set(o, words[k].key, words[k].value, e);
  return ok;
}

// Which words the user has chosen: --schedules leaves them alone.
static uint32_t fixed_words(const args *a) {
  return (a->order ? SL_FIX_ORDER : 0) | (a->lanes ? SL_FIX_LANES : 0) | (a->warps ? SL_FIX_WARPS : 0) |
         (a->visibility ? SL_FIX_VISIBILITY : 0) | (a->resident ? SL_FIX_RESIDENT : 0);
}

static bool fill_options(const args *a, char **argv, sl_gpu_options *o, sl_error *e) {
  if (a->counters && a->no_counters)
    return sl_fail(e, SL_EXIT_USAGE, "leave one out", "--counters and --no-counters exclude each other");
  *o = sl_gpu_options_default();
  o->counters = !a->no_counters;
  o->repeat = a->check_repeat;
  o->stop_at_first = a->stop_at_first;
  o->record = a->lines ? SL_RECORD_LINES : 0;
  if (!sl_checks_read(a->no_checks ? "none" : a->checks, &o->checks, e) || !fill_schedule(a, o, e) ||
      !sl_gpu_cores(o, a->cores, true, e))
    return false;
  if (a->timeout) o->watchdog_seconds = o->launch_seconds = (double)a->timeout;
  if (a->copies && strlen(a->copies) >= sizeof o->copies)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "--copies: the name is too long");
  if (a->copies) snprintf(o->copies, sizeof o->copies, "%s", a->copies);
  char command[64];
  snprintf(command, sizeof command, "scanlab sim%s%s", a->check_repeat ? " --check-repeat" : "",
           a->stop_at_first ? " --stop-at-first" : "");
  sl__replay(command, o, argv, o->replay, sizeof o->replay);
  return true;
}

// Makes the file, so that a wrong name is reported before anything runs. The device appends to it.
static bool fill_trace(const args *a, sl_trace_options *t, sl_error *e) {
  char path[4096] = "";
  if (!a->trace && a->trace_file)
    return sl_fail(e, SL_EXIT_USAGE, "--trace, or --trace=KERNEL", "--trace-file without --trace");
  if (!a->trace) return true;
  if (a->trace_file && (!sl_write_file(a->trace_file, "", 0, e) || !realpath(a->trace_file, path)))
    return false;
  if (strlen(path) >= sizeof t->file || strlen(a->trace) >= sizeof t->kernel)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "the name of the %s is too long",
                   strlen(path) >= sizeof t->file ? "trace file" : "kernel");
  *t = a->traced;
  t->on = 1;
  memcpy(t->kernel, a->trace, strlen(a->trace) + 1);
  memcpy(t->file, path, strlen(path) + 1);
  return true;
}

// False: it could not; it has said why.
static bool tell_findings(const args *a, sl_control *c, const sl_telling *t) {
  SL_FREED sl_finding *f = NULL;
  size_t n = 0;
  sl_error e = {0};
  if (sl_control_findings(c, &f, &n, &e)) sl__print_findings(f, n, t);
  if (!e.code && a->findings) sl_write_file(a->findings, f, n * sizeof *f, &e);
  if (e.code) sl_error_print("sl-sim", &e);
  return !e.code;
}

static void tell_counters(sl_control *c) {
  SL_FREED sl_launch_record *at = NULL;
  size_t n = 0;
  sl_error e = {0};
  if (sl_control_launches(c, 0, &at, &n, &e)) sl__print_counters(at, n);
  else sl_error_print("sl-sim", &e);
}

// "exit status 0, hash 0123456789abcdef of 4096 bytes"
static bool describe_run(sl_control *c, int code, char *out, size_t cap, sl_error *e) {
  sl_digest d;
  if (!sl_control_digest(c, &d, e)) return false;
  snprintf(out, cap, "exit status %d, hash %016llx of %llu bytes", code, (unsigned long long)d.hash,
           (unsigned long long)d.bytes);
  return true;
}

static bool write_digest(const char *path, const char *text, sl_error *e) {
  sl_out *f = sl_open_atomic(path, e);
  return sl_finish(f, f && sl_printf(f, e, "%s", text), e);
}

static bool runs_again(const args *a) { return a->schedules > 1 || a->check_order; }

// After the program's end: --digest, --schedules.
static void follow_up(const args *a, char **argv, const sl_gpu_options *o, sl_control *c, const char *input,
                      int code) {
  char digest[128];
  sl_error e = {0};
  if (!a->digest && !runs_again(a)) return;
  bool ok = describe_run(c, code, digest, sizeof digest, &e);
  if (ok && a->digest) ok = write_digest(a->digest, digest, &e);
  const sl_schedules s = {.program = argv,
                          .control = c,
                          .digest = digest,
                          .checks = a->no_checks ? "none" : a->checks,
                          .input = input,
                          .first = o,
                          .fixed = fixed_words(a),
                          .timeout = a->timeout};
  if (ok && a->check_order) ok = sl__check_order(&s, &e);
  if (ok && a->schedules > 1) ok = sl__run_schedules(&s, a->schedules, &e);
  if (a->schedules > 1 && !a->copies) unlink(o->copies);
  if (!ok) sl_error_print("sl-sim", &e);
}

static int simulate(const args *a, char **argv, sl_error *e) {
  sl_gpu_options o;
  const sl_report_to report = {.file = a->report, .telling = {.program = argv[0]}};
  sl__hold_signals(true);
  sl_control *c =
      fill_options(a, argv, &o, e) && fill_trace(a, &o.trace, e) ? sl_control_start(&o, &report, e) : NULL;
  if (!c) return e->code;
  if (a->schedules > 1 && !a->copies) {
    snprintf(o.copies, sizeof o.copies, "%s/copies", sl_control_dir(c));
    sl_control_configure(c, &o, NULL);
  }
  SL_FREED char *lib = sl_tool_path("../lib");
  sl_run_args r = {
      .argv = argv, .lib_dir = lib, .socket = sl_control_socket(c), .control = c, .io = SL_STDIO_SAME};
  sl_kept_input in = {.was = -1, .copy = -1, .to = -1};
  int code = !runs_again(a) || sl__input_begin(&in, sl_control_dir(c), e) ? sl__run_program(&r, e) : e->code;
  sl__input_end(&in);
  sl__hold_signals(false);
  if (!sl__stopped()) follow_up(a, argv, &o, c, in.path, code);
  if (in.path[0]) unlink(in.path);
  sl__hold_signals(true);
  if (a->counters) tell_counters(c);
  const bool told = tell_findings(a, c, &report.telling);
  if (sl__stopped()) code = SL_EXIT_INTERRUPTED;
  sl_error report_error = {0};
  if (!sl_control_stop(c, 30, &report_error)) {
    if (told) sl_error_print("sl-sim", &report_error);
    if (code == 0) code = SL_EXIT_INFRA;
  }
  return code;
}

static int run_on_gpu(const args *a, char **argv, sl_error *e) {
  sl_run_args r = {.argv = argv, .io = SL_STDIO_SAME};
  if ((a->report || a->counters) &&
      !sl_fail(e, SL_EXIT_USAGE, NULL, "%s needs the simulated GPU; leave --gpu out",
               a->report ? "--report" : "--counters"))
    return e->code;
  if (!sl__real_gpu(&r.lib_dir, e)) return e->code;
  return sl__run_program(&r, e);
}

static unsigned capability(const args *a) {
  sl_gpu_options o = sl_gpu_options_default();
  sl_error said_later = {0};
  fill_schedule(a, &o, &said_later);
  const sl_profile *p = sl_profile_find(o.profile[0] ? o.profile : "default");
  return o.own.sm ? o.own.sm : p->sm;
}

int main(int argc, char **argv) {
  args a;
  int n = 0;
  sl_error e = {0};
  sl_program p;
  read_args(argc, argv, &a, &n);
  if (wants_list(&a)) return sl_device_list(), SL_EXIT_OK;
  if (n < 1)
    return sl_fail(&e, SL_EXIT_USAGE, "see ./scanlab sim --help", "which program? it follows the options"),
           sl_error_print("sl-sim", &e), e.code;
  char **child = argv + 1;
  child[n] = NULL;
  int code = SL_EXIT_LAUNCH;
  if (sl__program_find(child[0], &p, &e) && (a.gpu || sl__program_check(&p, capability(&a), &e))) {
    child[0] = p.path;
    if (a.disassemble) code = sl__disassemble(&p, capability(&a), a.disassemble, &e) ? SL_EXIT_OK : e.code;
    else code = a.gpu ? run_on_gpu(&a, child, &e) : simulate(&a, child, &e);
  }
  sl__program_free(&p);
  if (e.code) sl_error_print("sl-sim", &e);
  return e.code ? e.code : code;
}
