// scanlab diff NN A.cu B.cu: the counters and times of two versions of a kernel side by side, with ratios.
// scanlab diff NN MM: the lines that differ between the files of two labs.
//
// Exit codes: 0 shown (even if wrong), 2 misuse, 3 a file is missing or does not compile, 4 the machine.
#include "observe.h"
#include "findings/findings.h"

enum { TIMED = 5 };

typedef struct options {
  const char *backend, *kernel;
  int64_t repeats;
  sl_input_choice input;
  bool json, skeleton;
} options;

typedef struct version {
  sl_observed counted, timed;
  uint64_t c[SL_LN_COUNT], launches;
} version;

// Rows: counters that are shown, in this order.
static const struct row {
  const char *name;
  sl_line_counter a, b; // both are added; the same twice counts once
} rows[] = {
    {"warp instructions", SL_LN_warp_instructions, SL_LN_warp_instructions},
    {"thread instructions", SL_LN_thread_instructions, SL_LN_thread_instructions},
    {"  float", SL_LN_floating, SL_LN_floating},
    {"  integer", SL_LN_integer, SL_LN_integer},
    {"  memory", SL_LN_memory, SL_LN_memory},
    {"  control", SL_LN_control, SL_LN_control},
    {"float additions", SL_LN_adds_float, SL_LN_adds_float},
    {"integer additions", SL_LN_adds_int, SL_LN_adds_int},
    {"barriers", SL_LN_barriers, SL_LN_barriers},
    {"shared requests", SL_LN_shared_ld_requests, SL_LN_shared_st_requests},
    {"shared wavefronts", SL_LN_shared_ld_wavefronts, SL_LN_shared_st_wavefronts},
    {"shared replays", SL_LN_shared_ld_replays, SL_LN_shared_st_replays},
    {"worst conflict, ways", SL_LN_shared_degree, SL_LN_shared_degree},
    {"global sectors read", SL_LN_global_ld_sectors, SL_LN_global_ld_sectors},
    {"global sectors written", SL_LN_global_st_sectors, SL_LN_global_st_sectors},
    {"sectors needed", SL_LN_global_ideal_sectors, SL_LN_global_ideal_sectors},
    {"atomics", SL_LN_atomics, SL_LN_atomics},
    {"passes of shared atomics", SL_LN_atomic_wavefronts, SL_LN_atomic_wavefronts},
    {"sectors of global atomics", SL_LN_atomic_sectors, SL_LN_atomic_sectors},
    {"most lanes at one place", SL_LN_atomic_lanes, SL_LN_atomic_lanes},
    {"branches that split", SL_LN_divergent, SL_LN_divergent},
};
enum { ROWS = sizeof rows / sizeof *rows };

static uint64_t row_value(const version *v, const struct row *r) {
  return v->c[r->a] + (r->a == r->b ? 0 : v->c[r->b]);
}

static bool run_version(version *v, const char *lab, const char *file, const options *o, sl_error *e) {
  size_t n;
  if (!sl__observe(&(sl_to_observe){lab, file, &o->input}, "--lines", &v->counted, e)) return false;
  sl_sum *s = sl__sums(&v->counted, o->kernel, &n);
  for (size_t k = 0; k < n; k++) {
    sl__counters_join(v->c, s[k].total);
    v->launches += s[k].launches;
  }
  sl__sums_free(s, n);
  if (!n) return sl__no_such_kernel(&v->counted, o->kernel, e);
  return sl__timed(&(sl_to_observe){lab, file, &o->input}, o->backend, (int)o->repeats, &v->timed, e);
}

static double median(const version *v) {
  return json_number_value(json_object_get(json_object_get(v->timed.record, "times_ms"), "median"));
}

// Printing --------------------------------------------------------------------------------------------------

static void put_ratio(double a, double b) {
  if (a == b) printf("       =\n");
  else if (a == 0) printf("     new\n");
  else printf("%8.2f\n", b / a);
}

static void show_diff(const version *a, const version *b, const options *o) {
  const char *of = !strcmp(o->backend, "sim") ? "time of simulation, ms" : "time, ms";
  printf("lab %s, n = %lld\n\n", a->counted.lab->name,
         (long long)json_integer_value(json_object_get(a->counted.record, "n")));
  printf("A  %s\nB  %s\n\n", sl_short_path(a->counted.kernel), sl_short_path(b->counted.kernel));
  sl_heading(stdout);
  printf("%-26s%14s%14s%8s\n", "", "A", "B", "B/A");
  printf("%-26s%14s%14s\n", "result", sl__was_right(&a->counted) ? "right" : "wrong",
         sl__was_right(&b->counted) ? "right" : "wrong");
  printf("%-26s%14.3f%14.3f", of, median(a), median(b)), put_ratio(median(a), median(b));
  printf("%-26s%14llu%14llu", "launches", (unsigned long long)a->launches, (unsigned long long)b->launches);
  put_ratio((double)a->launches, (double)b->launches);
  for (size_t k = 0; k < ROWS; k++) {
    uint64_t x = row_value(a, &rows[k]), y = row_value(b, &rows[k]);
    if (!x && !y) continue;
    printf("%-26s%14llu%14llu", rows[k].name, (unsigned long long)x, (unsigned long long)y);
    put_ratio((double)x, (double)y);
  }
}

static json_t *version_json(const version *v) {
  json_t *counters = json_object();
  for (size_t k = 0; k < SL_LN_COUNT; k++)
    json_object_set_new(counters, sl__line_counters()[k], json_integer((json_int_t)v->c[k]));
  return json_pack("{s:s, s:b, s:f, s:I, s:o}", "file", v->counted.kernel, "right",
                   sl__was_right(&v->counted), "median_ms", median(v), "launches", (json_int_t)v->launches,
                   "counters", counters);
}

static int print_diff_json(const version *a, const version *b) {
  json_auto_t *o =
      json_pack("{s:s, s:o, s:o}", "lab", a->counted.lab->name, "a", version_json(a), "b", version_json(b));
  return sl_json_print(o) ? SL_EXIT_OK : SL_EXIT_INFRA;
}

static int diff(char **argv, const options *o) {
  static const char *const backends[] = {"sim", "gpu", NULL};
  sl_error e = {0};
  version a = {.launches = 0}, b = {.launches = 0};
  int code = SL_EXIT_OK;
  bool ok = sl_name_find("backend", o->backend, backends, SL_EXIT_USAGE, &e) >= 0 &&
            run_version(&a, argv[1], argv[2], o, &e) && run_version(&b, argv[1], argv[3], o, &e);
  if (ok && o->json) code = print_diff_json(&a, &b);
  else if (ok) show_diff(&a, &b, o);
  sl__observed_free(&a.counted), sl__observed_free(&a.timed);
  sl__observed_free(&b.counted), sl__observed_free(&b.timed);
  return ok ? code : sl__stop("diff", &e);
}

// Two labs --------------------------------------------------------------------------------------------------

// The lab's file as it is, or, if that is asked for, as it was before anybody worked on it; malloc'ed path,
// under [scratch] where it had to be written.
static char *file_of_lab(const sl_lab_info *lab, bool skeleton, char **scratch, sl_error *e) {
  char *own = sl_lab_kernel(lab->name);
  SL_SKELETON original = {0};
  *scratch = NULL;
  if (!skeleton || !sl_skeleton_original(lab, &original)) {
    sl__kernel_there(own, NULL, e);
    return own;
  }
  free(own);
  SL_FREED char *what = sl_path("%s.cu", lab->name);
  *scratch = sl__scratch(what, e);
  if (*scratch) sl_write_passing(*scratch, original.source, strlen(original.source), e);
  return sl_path("%s", *scratch ? *scratch : "");
}

static char *label_of(const sl_lab_info *lab, const char *path, bool written) {
  return written ? sl_path("skeleton of %s", lab->name) : sl_path("%s", sl_short_path(path));
}

// Runs the system's diff on the two files; it says nothing of what they have in common but a few lines.
static int show_lines(char *const files[2], char *const labels[2], sl_error *e) {
  const char *const colour = sl_wants_colour(STDOUT_FILENO) ? "--color=always" : "--color=never";
  char *const argv[] = {"diff",    "-u",      "-b",     (char *)colour, "--label", labels[0],
                        "--label", labels[1], files[0], files[1],       NULL};
  SL_FREED char *out = NULL;
  const sl_exit_status s = sl_run_by_work(argv, NULL, 60, 16 << 20, &out, e);
  if (s.code == 0) printf("%s and %s are the same\n", labels[0], labels[1]);
  else if (s.code == 1) fputs(out, stdout);
  else sl_fail(e, SL_EXIT_INFRA, "is the program diff installed?", "diff: %s", out ? out : "cannot be run");
  return e->code ? sl__stop("diff", e) : SL_EXIT_OK;
}

static int diff_labs(char **names, const options *o) {
  sl_error e = {0};
  char *files[2] = {0}, *labels[2] = {0}, *scratch[2] = {0};
  for (int k = 0; k < 2 && !e.code; k++) {
    const sl_lab_info *lab = sl_lab_find(names[k], &e);
    if (!lab) continue;
    files[k] = file_of_lab(lab, o->skeleton, &scratch[k], &e);
    labels[k] = label_of(lab, files[k], scratch[k] != NULL);
  }
  const int code = e.code ? sl__stop("diff", &e) : show_lines(files, labels, &e);
  for (int k = 0; k < 2; k++) {
    if (scratch[k]) unlink(scratch[k]);
    free(scratch[k]), free(files[k]), free(labels[k]);
  }
  return code;
}

int sl__diff(int argc, char **argv) {
  options o = {.backend = SL_DEFAULT_BACKEND, .repeats = TIMED, .input = {.n = "1024"}};
  const sl_opt opts[] = {
      SL_OPT_TEXT("--kernel", &o.kernel, "NAME", "only kernels whose name contains NAME"),
      SL_OPT_TEXT("--backend", &o.backend, "sim|gpu",
                  "where to measure times; counters are always the simulator's"),
      SL_OPT_NUMBER("--repeats", &o.repeats, "R", 1, 256, "timed calls after one warm-up (default 5)"),
      SL_INPUT_OPTIONS(&o.input),
      SL_OPT_FLAG("--json", &o.json, "print one JSON object instead"),
      SL_OPT_FLAG("--skeleton", &o.skeleton, "two labs: compare their skeletons, not your files"),
      SL_OPT_END};
  const sl_cli cli = {"scanlab diff",
                      "Compares two versions of a kernel, counters and times side by side (LAB A.cu B.cu), "
                      "or shows the lines in which two labs differ (LAB LAB).",
                      "./scanlab diff 03 old.cu labs/03_blelloch/kernel.cu", "LAB A.cu B.cu|LAB LAB", opts};
  int n;
  sl_error e = {0};
  sl_cli_parse(&cli, argc, argv, &n);
  if (n == 2 && !o.json) return diff_labs(argv + 1, &o);
  if (n == 2) sl_fail(&e, SL_EXIT_USAGE, NULL, "--json is for two versions of one lab");
  else if (o.skeleton) sl_fail(&e, SL_EXIT_USAGE, NULL, "--skeleton is for two labs");
  return e.code ? sl__stop("diff", &e) : diff(argv, &o);
}
