// Lines of a benchmark: versions of the labs through the judge, the CPU, tuned versions, CUB and thrust.
//
// Interface: measure.h. A point of a lab is one case judged as `scanlab run` does it, so a wrong result is an
// error and gives no point. On the real GPU the time is measured from outside the program, over batches of
// calls (judge/contest.h). On the simulated GPU the cost comes from a model (sl_model_ms).
#include "tools/bench/measure.h"
#include "compile/build.h"
#include "judge/model.h"
#include "reference/reference.h"

#include <time.h>

typedef struct line {
  const char *lab, *family, *name;
  sl_entry entry;
  unsigned bits;
  uint64_t max_n; // 0: the lab's
} line;

static const line lines[] = {
#define SL_LAB(number, name, title, ...) {#number, "scan", #number " " title, SL_ENTRY_SCAN, 0, 0},
#include "scanlab/labs.def"
    {"06", "sort", "06 1-bit digits", SL_ENTRY_SORT, 1, 1 << 24},
    {"06", "sort", "06 4-bit digits", SL_ENTRY_SORT, 4, 1 << 24},
    {"06", "sort", "06 8-bit digits", SL_ENTRY_SORT, 8, 1 << 24},
};

static bool take_point(const line *l, const char *elements, sl_backend backend, const sl_verdict *v,
                       sl_points *p, sl_error *e) {
  if (v->status != SL_PASS)
    return sl_fail(e, v->exit_code ? v->exit_code : SL_EXIT_FAILED, v->hint, "%s, n = %llu: %s", l->name,
                   (unsigned long long)v->n, v->message);
  sl_point x = {.family = l->family,
                .elements = elements,
                .n = v->n,
                .lo = v->times.device_min,
                .hi = v->times.device_max,
                .ms = v->times.device_median};
  if (v->speed.rounds)
    x.ms = v->speed.own.value, x.lo = v->speed.own.lo, x.hi = v->speed.own.hi,
    x.copy_ms = v->speed.copy.value;
  if (backend == SL_BACKEND_SIM) x.ms = x.lo = x.hi = sl_model_ms(&v->counters);
  snprintf(x.name, sizeof x.name, "%s", l->name);
  sl__point_add(p, &x);
  return true;
}

enum { POINT_SECONDS = 2 }; // time for the batches of one point: there are some forty points

// Repeats where no batches are timed. Each call has its own input, which takes the CPU seconds if n is large.
static unsigned repeats_of(const sl_sizes *r, unsigned log) {
  return log <= 20 || r->repeats < 3 ? r->repeats : log <= 24 ? 5 : 3;
}

// [of]: the lab, its program and the backend.
static bool measure_line(const line *l, const sl_judge_job *of, const sl_sizes *r, sl_points *p,
                         sl_error *e) {
  const sl_lab_info *lab = of->lab;
  const sl_backend backend = of->backend;
  uint64_t most = l->max_n ? l->max_n : lab->max_n;
  bool ok = true;
  for (unsigned log = r->from; log <= r->to && 1ull << log <= most && ok; log += r->step) {
    sl_case c;
    sl_case_init(&c, lab);
    snprintf(c.id, sizeof c.id, "bench");
    c.n = 1ull << log, c.entry = l->entry, c.seed = 1, c.timeout = 600;
    if (l->bits) c.bits = l->bits;
    const sl_elements *x = r->elements ? r->elements : sl__elements_of(c.type, c.op);
    c.type = x->type, c.op = x->op;
    snprintf(c.dist, sizeof c.dist, "%s",
             l->entry == SL_ENTRY_SORT ? "bits"
             : c.type == SL_AFFINE     ? "affine_random"
                                       : "uniform_int");
    sl_judge_job job = {.lab = lab,
                        .c = &c,
                        .kind = SL_PART_CORRECT,
                        .runner = of->runner,
                        .backend = backend,
                        .repeats = backend == SL_BACKEND_SIM ? 1
                                   : sl_contest_takes(&c)    ? 0
                                                             : repeats_of(r, log),
                        .choose_check = true,
                        .contest = backend == SL_BACKEND_GPU,
                        .contest_seconds = POINT_SECONDS};
    SL_VERDICT v = {0};
    fprintf(stderr, "\r%-24s n = 2^%-4u", l->name, log);
    sl_judge(&job, &v);
    ok = take_point(l, l->entry == SL_ENTRY_SORT ? x->key : x->name, backend, &v, p, e);
  }
  fprintf(stderr, "\r%40s\r", "");
  return ok;
}

// Can the line take these elements? A scan of any pair takes all, a sort every key; others one kind.
static bool takes(const line *l, const sl_lab_info *lab, const sl_elements *x) {
  if (!x || (lab->any_pair && x->type != SL_TYPE_COUNT)) return true;
  if (l->entry == SL_ENTRY_SORT) return x->op == SL_ADD && x->type != SL_TYPE_COUNT;
  return x->type == lab->type && x->op == SL_ADD;
}

bool sl__measure_lab(const char *number, sl_backend backend, const sl_sizes *r, sl_points *p, sl_error *e) {
  const sl_lab_info *lab = sl_lab_find(number, e);
  if (!lab) return false;
  SL_FREED char *kernel = sl_path("%s/solutions/%s/kernel.cu", sl_course_root(), lab->name), *runner = NULL,
                *log = NULL;
  sl_build_config config = {.native = backend == SL_BACKEND_GPU};
  bool ok = sl_build_runner(lab->number, kernel, &config, &runner, &log, e);
  const sl_judge_job of = {.lab = lab, .runner = runner, .backend = backend};
  for (size_t k = 0; k < sizeof lines / sizeof *lines && ok; k++)
    if (!strcmp(lines[k].lab, lab->number) && takes(&lines[k], lab, r->elements))
      ok = measure_line(&lines[k], &of, r, p, e);
  return ok;
}

// CPU -------------------------------------------------------------------------------------------------------

enum { CPU_REPEATS = 5 };

static bool scan_one(const sl_elements *x, size_t n, const void *in, void *out) {
  return sl__elements_scan(x, n, in, out), true;
}
static bool scan_all(const sl_elements *x, size_t n, const void *in, void *out) {
  const sl_scan_spec spec = {x->type, x->op, SL_EXCLUSIVE, n};
  return sl_scan_run_parallel(&spec, 0, in, out);
}
static bool sort_one(const sl_elements *x, size_t n, const void *in, void *out) {
  return sl_sort_order(x->type, in, n, out, 1);
}
static bool sort_all(const sl_elements *x, size_t n, const void *in, void *out) {
  return sl_sort_order(x->type, in, n, out, 0);
}

static const struct {
  const char *family, *name;
  bool (*run)(const sl_elements *x, size_t n, const void *in, void *out);
  unsigned max_log;
  bool wide; // takes the elements that no lab has
} cpu_lines[] = {{"scan", "CPU one core", scan_one, 40, true},
                 {"scan", "CPU all cores", scan_all, 40, false},
                 {"sort", "CPU one core", sort_one, 24, false},
                 {"sort", "CPU all cores", sort_all, 26, false}};

typedef struct cpu_arrays {
  void *in, *out;
  const sl_elements *elements;
} cpu_arrays;

static bool cpu_point(size_t k, const cpu_arrays *a, unsigned log, sl_points *p) {
  double ms[CPU_REPEATS];
  bool ok = true;
  for (int i = 0; i < CPU_REPEATS && ok; i++) {
    double t = sl_clock(CLOCK_MONOTONIC);
    ok = cpu_lines[k].run(a->elements, (size_t)1 << log, a->in, a->out);
    ms[i] = 1e3 * (sl_clock(CLOCK_MONOTONIC) - t);
  }
  sl_point x = {.family = cpu_lines[k].family, .n = 1ull << log, .ms = sl__median(ms, CPU_REPEATS)};
  x.elements = strcmp(x.family, "sort") ? a->elements->name : a->elements->key;
  x.lo = ms[0], x.hi = ms[CPU_REPEATS - 1];
  snprintf(x.name, sizeof x.name, "%s", cpu_lines[k].name);
  if (ok) sl__point_add(p, &x);
  return ok;
}

// Whole numbers as floats, so that no value is a denormal or NaN; other elements any bits.
static void fill_words(uint32_t *words, size_t n, const char *type) {
  bool f32 = !strcmp(type, "f32"), f64 = !strcmp(type, "f64");
  for (size_t i = 0; i < n; i++) {
    float x = (float)(i * 2654435761u >> 16 & 0xff);
    words[i] = f64 && i % 2 ? 0x3ff00000u : (uint32_t)(i * 2654435761u);
    if (f32) memcpy(&words[i], &x, sizeof x);
  }
}

bool sl__measure_cpu_lines(const sl_sizes *r, bool sorts, sl_points *p, sl_error *e) {
  cpu_arrays a = {.elements = r->elements ? r->elements : sl__elements};
  size_t bytes = a.elements->bytes << r->to;
  a.in = sl_alloc_array(bytes), a.out = sl_alloc_array(bytes);
  bool ok = a.in && a.out;
  if (ok) fill_words(a.in, bytes / 4, a.elements->key);
  if (ok) memset(a.out, 1, bytes); // touches the pages
  for (unsigned log = r->from; log <= r->to && ok; log += r->step)
    for (size_t k = 0; k < sizeof cpu_lines / sizeof *cpu_lines && ok; k++)
      if (log <= cpu_lines[k].max_log && (cpu_lines[k].wide || a.elements->type != SL_TYPE_COUNT) &&
          (sorts || strcmp(cpu_lines[k].family, "sort")))
        ok = cpu_point(k, &a, log, p);
  free(a.in);
  free(a.out);
  return ok || sl_fail(e, SL_EXIT_INFRA, "choose smaller sizes with --to",
                       "not enough memory for 2^%u elements", r->to);
}

// Tuned versions, CUB, thrust, copy -------------------------------------------------------------------------

// Lines "FAMILY NAME N MEDIAN LO HI" (LO to HI: 95 % interval of the median) of the program that runs them in
// turns (solutions/06_radix_sort/further).
static bool read_lines(char *text, const sl_elements *elements, sl_points *p, sl_error *e) {
  static const char *const families[] = {"scan", "sort"};
  size_t found = 0;
  for (char *save, *row = strtok_r(text, "\n", &save); row; row = strtok_r(NULL, "\n", &save)) {
    char family[8], name[48];
    unsigned long long n;
    sl_point x = {0};
    if (sscanf(row, "line %7s %47s %llu %lf %lf %lf", family, name, &n, &x.ms, &x.lo, &x.hi) != 6) continue;
    x.family = families[!strcmp(family, "sort")];
    x.elements = strcmp(family, "sort") ? elements->name : elements->key;
    x.n = n;
    snprintf(x.name, sizeof x.name, "%s", name);
    sl__point_add(p, &x);
    found++;
  }
  return found > 0 || sl_fail(e, SL_EXIT_INFRA, NULL, "the program of the tuned versions printed no times");
}

bool sl__measure_further(const sl_sizes *r, const char *family, sl_points *p, sl_error *e) {
  SL_FREED char *program = sl_tool_path("further_bench"), *text = NULL, *from = sl_path("%u", r->from),
                *to = sl_path("%u", r->to), *step = sl_path("%u", r->step);
  const sl_elements *x = r->elements ? r->elements : sl__elements;
  sl_exit_status s =
      sl_run_by_work(SL_ARGV(program, "lines", family, from, to, step, x->key, sl_op_names[x->op]), NULL, 900,
                     1 << 20, &text, e);
  return s.code == 0 && text ? read_lines(text, x, p, e)
                             : sl_fail(e, SL_EXIT_FAILED, "run it by itself to see what it says",
                                       "%s ended with %d: %.300s", program, s.code, text ? text : "");
}
