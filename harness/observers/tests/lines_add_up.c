// Runs a program on the simulated GPU with counters of every line; fails unless those of each launch add up
// to the launch's own. Usage: lines_add_up SL-SIM PROGRAM REPORT
#include "base/json.h"

static const char *const counters[] = {"warp_instructions",  "thread_instructions",
                                       "adds_float",         "adds_int",
                                       "barriers",           "shared_ld_requests",
                                       "shared_st_requests", "shared_ld_replays",
                                       "shared_st_replays",  "global_ld_requests",
                                       "global_st_requests", "global_ld_sectors",
                                       "global_st_sectors",  "atomics"};

static int check_launch(const json_t *launch) {
  int bad = 0;
  for (size_t k = 0; k < sizeof counters / sizeof *counters; k++) {
    json_int_t sum = 0, all = sl_json_int(json_object_get(launch, "counters"), counters[k]);
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(launch, "lines"), i, line) sum += sl_json_int(line, counters[k]);
    if (sum == all) continue;
    printf("%s, launch %lld: %s: lines %lld, launch %lld\n",
           json_string_value(json_object_get(launch, "name")), (long long)sl_json_int(launch, "launch"),
           counters[k], (long long)sum, (long long)all);
    bad++;
  }
  return bad;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  char *run[] = {argv[1], "--no-checks", "--lines", "--report", argv[3], "--", argv[2], NULL}, *out = NULL;
  sl_error e = {0};
  sl_exit_status s = sl_run(run, NULL, 120, 1 << 20, &out, &e);
  json_t *report = e.code || s.code ? NULL : json_load_file(argv[3], 0, NULL),
         *launches = json_object_get(report, "kernels");
  int bad = 0;
  if (!report) printf("no report: %s\n%s\n", e.text, out ? out : "");
  for (size_t k = 0; k < json_array_size(launches); k++) bad += check_launch(json_array_get(launches, k));
  printf("%zu launches, %d counters differ\n", json_array_size(launches), bad);
  bool ok = json_array_size(launches) > 0 && bad == 0;
  json_decref(report);
  free(out);
  return ok ? 0 : 1;
}
