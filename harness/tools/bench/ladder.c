// The steps of lab 05's ladder and lab 06's tuned scan and sort, simulated: their counts, as a model's cost.
//
// Interface: sl__measure_ladder (measure.h). A ladder's program makes one scan or sort, compares it with the
// CPU and prints the name of the step; sl-sim reports what its launches counted. On a real GPU the ladders
// run in turns with CUB (lines.c).
#include "base/json.h"
#include "judge/model.h"
#include "tools/bench/measure.h"

enum { REPORT_CAP = 64 << 20, SECONDS = 300 };

// The program, how many steps it has, and the device that they need.
static const struct {
  char *program, *device;
  unsigned steps;
} ladders[] = {
    [SL_FURTHER_05] = {"ladder_once", "default", 5}, [SL_FURTHER_06] = {"further_once", "h200", 5}};

static uint64_t counter(const json_t *launch, const char *name) {
  return (uint64_t)json_integer_value(json_object_get(json_object_get(launch, "counters"), name));
}

static bool read_report(const char *path, sl_counter_sum *sum, sl_error *e) {
  size_t k;
  json_t *report = sl_json_read(path, REPORT_CAP, e), *launch;
  json_array_foreach(json_object_get(report, "kernels"), k, launch) {
    sl_counters c = {0};
    c.threads = 1;
    for (size_t d = 0; d < 3; d++)
      c.threads *= (uint64_t)json_integer_value(json_array_get(json_object_get(launch, "block"), d));
#define TAKE(name) c.name = counter(launch, #name)
    TAKE(warp_instructions), TAKE(shared_bytes), TAKE(blocks), TAKE(block_cycles), TAKE(path);
    TAKE(global_ld_sectors), TAKE(global_st_sectors), TAKE(global_st_bytes), TAKE(global_atomic_sectors);
    TAKE(shared_ld_requests), TAKE(shared_st_requests), TAKE(shared_ld_replays), TAKE(shared_st_replays);
#undef TAKE
    sl_counter_add(sum, &c);
  }
  json_decref(report);
  return sum->launches > 0 || sl_fail(e, SL_EXIT_INFRA, NULL, "%s: no launches in the report", path);
}

typedef struct run {
  sl_further which;
  unsigned step, log; // of the ladder; it has 2^log elements
  const sl_elements *x;
  char *report;
} run;

// Runs one step; *said gets what the program printed.
static bool run_once(const run *r, char **said, sl_error *e) {
  const sl_further which = r->which;
  const sl_elements *x = r->x;
  SL_FREED char *step = sl_path("%u", r->step), *n = sl_path("%llu", 1ull << r->log);
  SL_FREED char *sim = sl_tool_path("sl-sim"), *program = sl_tool_path(ladders[which].program);
  // one-ahead: blocks that stay draw tickets as they get on, so all get on alike
  char *const *argv =
      SL_ARGV(sim, "--no-checks", "--warps", "one-ahead", "--device", ladders[which].device, "--report",
              r->report, "--", program, "once", step, n, x->key, sl_op_names[x->op]);
  sl_exit_status s = sl_run_by_work(argv, NULL, SECONDS, 1 << 16, said, e);
  return s.code == 0 || sl_fail(e, SL_EXIT_FAILED, NULL, "%s once %s %s ended with %d: %.300s", program, step,
                                n, s.code, *said ? *said : "");
}

static bool step_point(const run *r, sl_points *p, sl_error *e) {
  char family[16];
  SL_FREED char *said = NULL;
  sl_counter_sum sum = {0};
  sl_point point = {.elements = r->x->name, .n = 1ull << r->log};
  bool ok = run_once(r, &said, e) && read_report(r->report, &sum, e);
  ok = ok && (sscanf(said, "once %15s %47s", family, point.name) == 2 ||
              sl_fail(e, SL_EXIT_INFRA, NULL, "%s did not say what it ran", ladders[r->which].program));
  point.family = ok && !strcmp(family, "sort") ? "sort" : "scan";
  point.ms = point.lo = point.hi = sl_model_ms(&sum);
  if (ok) sl__point_add(p, &point);
  return ok;
}

bool sl__measure_ladder(sl_further which, const sl_sizes *r, sl_points *p, sl_error *e) {
  SL_FREED char *report =
      sl_path("%s/scanlab_ladder_%d.json", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (int)getpid());
  bool ok = true;
  for (unsigned step = 0; step < ladders[which].steps && ok; step++)
    for (unsigned log = r->from; log <= r->to && ok; log += r->step)
      ok = step_point(&(run){which, step, log, r->elements ? r->elements : sl__elements, report}, p, e);
  remove(report);
  return ok;
}
