// sl-measure: `scanlab bench cpu|LAB|all`. Times of every version of a lab's solution at many sizes, with the
// CPU, the previous labs and, on a real GPU, the tuned versions, CUB, thrust and a plain copy beside them.
//
// Prints tables and writes bench.csv, scan.svg and sort.svg to OUT (default: build/PRESET/bench). Exit codes:
// 0 measured, 1 a result was wrong, 2 misuse, 4 the machine is at fault.
#include "tools/bench/measure.h"

typedef struct options {
  const char *backend, *out, *type, *op, *unit;
  char *folder;                // folder of the results
  const sl_elements *elements; // as --type and --op say; NULL: neither is given
  int64_t from, to, step, repeats;
} options;

// Prints what the driver says about the device now: clocks, temperature, throttling.
static void print_device(const char *when) {
  sl_device_state s;
  char text[256];
  sl_device_state_read(NULL, &s);
  printf("%s: %s, driver %s: %s\n", when, s.name, s.driver, sl_device_state_text(&s, text, sizeof text));
}

// Writes what is measured so far, so that an interrupted run or a wrong result loses nothing. Returns [ok].
static bool keep_points(bool ok, const sl_points *p, const options *o, sl_error *e) {
  sl_error own = {0};
  if (sl_mkdirs(o->folder, &own) && sl__points_csv(p, o->folder, o->unit, &own)) return ok;
  return ok && sl_fail(e, own.code, own.hint, "%s", own.text);
}

static bool measure(const char *what, const options *o, sl_backend backend, sl_points *p, sl_error *e) {
  sl_sizes r = {(unsigned)o->from, (unsigned)o->to, (unsigned)o->step, (unsigned)o->repeats, o->elements};
  bool all = !strcmp(what, "all"), ok = true;
  const sl_lab_info *last = all ? NULL : sl_lab_find(what, e);
  if (!all && !last) return false;
  for (const sl_lab_info *lab = sl_labs; lab->name && ok; lab++) {
    ok = keep_points(sl__measure_lab(lab->number, backend, &r, p, e), p, o, e);
    if (lab == last) break; // the labs before it are its comparison
  }
  bool lab_type = !o->elements || o->elements->type != SL_TYPE_COUNT;
  bool sorts = (all || last->sort) && lab_type && (!o->elements || o->elements->op == SL_ADD),
       gpu = backend == SL_BACKEND_GPU;
  unsigned types_at = gpu ? 24 : 14;
  ok = ok && keep_points(sl__measure_cpu_lines(&r, sorts, p, e), p, o, e);
  bool ladder = all || !last->one_block; // "scan" on a real GPU has it
  if (!gpu) ok = ok && (!ladder || sl__measure_ladder(SL_FURTHER_05, &r, p, e));
  ok = ok && (!gpu || keep_points(sl__measure_further(&r, "scan", p, e), p, o, e));
  ok = ok && (!gpu || !sorts || keep_points(sl__measure_further(&r, "sort", p, e), p, o, e));
  ok = ok && (!all || o->elements ||
              sl__measure_types(backend, types_at < r.to ? types_at : r.to, r.repeats, p, e));
  return keep_points(ok, p, o, e);
}

static bool report_points(const sl_points *p, const options *o, bool sim, sl_error *e) {
  if (sim)
    printf("Simulated GPU: lines of the labs are estimated H200 times in ms, NOT measured\n"
           "(docs/student/tools.md says what they are worth); lines of the CPU are measured.\n\n");
  sl__points_print(p, sim ? "model ms (CPU: ms)" : "ms", !sim);
  sl__types_print(p, sim ? "model ms" : "ms");
  sl__points_print_harris(p, sim ? "CPU in ms, GPU in model ms" : "ms");
  printf("\n%s/bench.csv\n", o->folder);
  return sl__points_plot(p, o->folder, sim ? "modelled cost (ms); CPU: time (ms)" : "time (ms)", e);
}

static int stop_bench(const sl_error *e) {
  sl_error_print("scanlab bench", e);
  return e->code ? e->code : SL_EXIT_INFRA;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "cpu")) return sl__measure_cpu(argc - 1, argv + 1);
  if (argc > 1 && !strcmp(argv[1], "rank")) return sl__measure_rank(argc - 1, argv + 1);
  options o = {.backend = SL_DEFAULT_BACKEND, .from = 10, .to = 0, .step = 2, .repeats = 25};
  const sl_opt opts[] = {
      SL_OPT_TEXT("--backend", &o.backend, "sim|gpu",
                  "simulated GPU (estimated times) or real GPU (measured)"),
      SL_OPT_NUMBER("--from", &o.from, "L", 5, 30, "smallest size, 2^L elements (default 10)"),
      SL_OPT_NUMBER("--to", &o.to, "L", 5, 30, "largest size (default: 18 simulated, 26 real)"),
      SL_OPT_NUMBER("--step", &o.step, "S", 1, 10, "each size is 2^S times the one before (default 2)"),
      SL_OPT_NUMBER("--repeats", &o.repeats, "R", 1, 256,
                    "timed calls up to 2^20 (real GPU; default 25); fewer for larger sizes"),
      SL_OPT_TEXT("--type", &o.type, "T",
                  "element type: u32, i32, f32, affine, u64, f64 (default: each line's own); lines without "
                  "it are left out"),
      SL_OPT_TEXT("--op", &o.op, "OP", "operator: add, max, compose"),
      SL_OPT_TEXT("--out", &o.out, "DIR",
                  "folder of bench.csv and the plots (default: bench/ in the build folder)"),
      SL_OPT_END};
  const sl_cli cli = {"scanlab bench", "Measures every version of a lab's solution at many sizes.",
                      "./scanlab bench 05 --backend gpu", "sim|cpu|rank|LAB|all", opts};
  sl_error e = {0};
  sl_points p = {0};
  sl_cli_parse(&cli, argc, argv, NULL);
  int backend = sl_name_find("backend", o.backend, sl_backend_names, SL_EXIT_USAGE, &e);
  if (backend < 0) return stop_bench(&e);
  if ((o.type || o.op) && !(o.elements = sl__elements_named(o.type, o.op, &e))) return stop_bench(&e);
  if (o.elements && !sl__elements_run_on(o.elements, (sl_backend)backend))
    return sl_fail(&e, SL_EXIT_USAGE, "choose --backend gpu",
                   "no lab takes %s: only the tuned versions of lab 06 do, on a real GPU", o.type),
           stop_bench(&e);
  if (!o.to) o.to = backend == SL_BACKEND_SIM ? 18 : 26;
  if (o.to < o.from)
    return sl_fail(&e, SL_EXIT_USAGE, NULL, "--to %d is below --from %d", (int)o.to, (int)o.from),
           stop_bench(&e);
  o.unit = backend == SL_BACKEND_SIM ? "model_ms" : "ms";
  o.folder = o.out ? sl_path("%s", o.out) : sl_path("%s/bench", sl_work_folder());
  if (backend == SL_BACKEND_GPU) print_device("before");
  bool ok = measure(argv[1], &o, (sl_backend)backend, &p, &e);
  if (backend == SL_BACKEND_GPU) print_device("after");
  ok = ok && report_points(&p, &o, backend == SL_BACKEND_SIM, &e);
  free(p.at);
  free(o.folder);
  return ok ? SL_EXIT_OK : stop_bench(&e);
}
