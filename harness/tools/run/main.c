// sl-run: builds one kernel and runs one input of the user's choice through the judge.
//
// `scanlab run LAB [options]`. Prints the result, the times and the counters, or one JSON record. Exit codes:
// 0 the result is right, 1 it is not, 2 misuse, 3 a missing or wrong input (a kernel that does not compile is
// one), 4 the machine is at fault.
#include "base/json.h"
#include "jail/sandbox.h"
#include "compile/build.h"
#include "judge/judge.h"
#include "judge/model.h"
#include "gpu/start/schedule.h"
#include "device/settings.h"
#include "scanlab/generate.h"

#include <sys/prctl.h>

typedef struct options {
  const char *n, *name, *dist, *file, *backend, *type, *op, *scan, *tile, *entry, *data, *report, *record,
      *schedule, *scalars;
  int64_t seed, bits, repeats, timeout, colour;
  bool json, values, unaligned, check, lines, steps;
  char *source; // for findings to show
} options;

static char replay[SL_REPLAY_MAX]; // this command, without its schedule

// Tells the error: in the record if there is to be one, else on stderr.
static int stop_run(const options *o, const sl_error *e) {
  sl_error unwritten = {0};
  json_auto_t *record = o->record ? sl_error_record(e) : NULL;
  if (record && !sl_record_write(o->record, record, &unwritten)) sl_error_print("scanlab run", &unwritten);
  if (!record || unwritten.code) sl_error_print("scanlab run", e);
  return e->code;
}

// The case --------------------------------------------------------------------------------------------------

static bool choose_word(const char *what, const char *word, const char *const *names, void *out,
                        sl_error *e) {
  if (!word) return true;
  int k = sl_name_find(what, word, names, SL_EXIT_USAGE, e);
  if (k >= 0) memcpy(out, &k, sizeof k);
  return k >= 0;
}

static bool set_size(sl_case *c, const options *o, const sl_lab_info *lab, sl_error *e) {
  int64_t n = 1000;
  if (o->n && !sl_parse_int(o->n, 0, (int64_t)lab->max_n, &n))
    return sl_fail(e, SL_EXIT_USAGE,
                   lab->max_n < 1 << 20 ? "2^10 and 1k are valid, too" : "2^20 and 16k are valid, too",
                   "--n: expected a whole number from 0 to %llu for lab %s, found \"%s\"",
                   (unsigned long long)lab->max_n, lab->name, o->n);
  c->n = o->data && !o->n ? SL_WHOLE : (uint64_t)n;
  return true;
}

// Fills in what the user has not chosen, from the other choices.
static void fill_in(sl_case *c, const options *o, const sl_lab_info *lab) {
  if (!o->type && c->op == SL_COMPOSE) c->type = SL_AFFINE;
  if (!o->op && c->type == SL_AFFINE) c->op = SL_COMPOSE;
  if (!o->entry && lab->sort && (o->values || o->bits || c->type != SL_U32)) c->entry = SL_ENTRY_SORT;
  sl_dist_info d;
  for (size_t k = 0; !o->dist && !o->data && sl_dist_at(k, &d); k++) {
    bool usual = !strcmp(d.name, "uniform_int");
    if ((d.types & 1u << c->type) && (k == 0 || usual || !c->dist[0]))
      snprintf(c->dist, sizeof c->dist, "%s", d.name);
  }
}

// "33" or "33,7".
static bool set_scalars(sl_case *c, const options *o, sl_error *e) {
  SL_FREED char *list = o->scalars ? sl_path("%s", o->scalars) : NULL;
  for (char *rest, *word = list ? strtok_r(list, ",", &rest) : NULL; word; word = strtok_r(NULL, ",", &rest))
    if (c->n_scalars == SL_MAX_SCALARS ||
        !sl_parse_int(word, INT64_MIN, INT64_MAX, &c->scalars[c->n_scalars++]))
      return sl_fail(e, SL_EXIT_USAGE, "--scalars 33 or --scalars 33,7",
                     "--scalars: expected at most 4 whole numbers, found \"%s\"", o->scalars);
  memcpy(c->scalars_to, c->scalars, sizeof c->scalars_to); // none is drawn
  return true;
}

static bool set_data(sl_case *c, const options *o, sl_error *e) {
  if (o->data && o->dist) return sl_fail(e, SL_EXIT_USAGE, NULL, "--data and --dist exclude each other");
  if (o->data && strlen(o->data) >= sizeof c->dataset)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "--data: the name is too long");
  if (o->dist && strlen(o->dist) >= sizeof c->dist)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "--dist: the name is too long");
  c->dist[0] = 0;
  if (o->data) snprintf(c->dataset, sizeof c->dataset, "%s", o->data);
  if (o->dist) snprintf(c->dist, sizeof c->dist, "%s", o->dist);
  return true;
}

// The case of lab.json that --case names, with its own sizes, calls and expected counters.
static sl_lab *load_case(sl_case *c, const options *o, const sl_lab_info *lab, sl_error *e) {
  if (o->n || o->dist || o->data || o->type || o->op || o->scan || o->tile || o->entry || o->bits ||
      o->values || o->unaligned || o->scalars)
    return sl_fail(e, SL_EXIT_USAGE, "a case names its input itself",
                   "--case excludes all options of the input"),
           NULL;
  SL_FREED char *path = sl_path("%s/labs/%s/lab.json", sl_course_root(), lab->name);
  sl_lab *description = sl_lab_load(path, e);
  const sl_case *found = description ? sl_lab_case(description, o->name, e) : NULL;
  if (found && !sl_case_runs_on(found, o->backend))
    sl_fail(e, SL_EXIT_USAGE, "use --backend sim", "%s is judged by the simulator's counters", o->name);
  if (found && !e->code) {
    *c = *found;
    if (o->seed >= 0) c->seed = (uint64_t)o->seed;
    return description;
  }
  sl_lab_free(description);
  return NULL;
}

static bool make_case(sl_case *c, const options *o, const sl_lab_info *lab, sl_error *e) {
  sl_case_init(c, lab);
  snprintf(c->id, sizeof c->id, "run");
  if (o->seed >= 0) c->seed = (uint64_t)o->seed;
  if (o->bits) c->bits = (unsigned)o->bits;
  c->values = o->values;
  c->unaligned = o->unaligned;
  c->timeout = (double)o->timeout;
  bool ok = choose_word("type", o->type, sl_type_names, &c->type, e) &&
            choose_word("op", o->op, sl_op_names, &c->op, e) &&
            choose_word("scan", o->scan, sl_kind_names, &c->kind, e) &&
            choose_word("tile", o->tile, sl_tile_names, &c->tile, e) &&
            choose_word("entry", o->entry, sl_entry_names, &c->entry, e) && set_size(c, o, lab, e) &&
            set_data(c, o, e) && set_scalars(c, o, e);
  if (!ok) return false;
  fill_in(c, o, lab);
  return sl_case_check(c, lab, SL_EXIT_USAGE, e);
}

// Printing --------------------------------------------------------------------------------------------------

static const char *input_name(const sl_case *c) { return c->dataset[0] ? c->dataset : c->dist; }

static void print_head(const sl_lab_info *lab, const sl_case *c, const sl_verdict *v, const options *o) {
  printf("lab %s   n = %llu   ", lab->name, (unsigned long long)v->n);
  if (c->entry == SL_ENTRY_SORT)
    printf("sort of %s%s, %u bit%s a pass", sl_type_names[c->type], c->values ? " with values" : "", c->bits,
           sl_plural(c->bits));
  else if (lab->own) printf("%s", sl_type_names[c->type]);
  else printf("%s %s of %s", sl_kind_names[c->kind], sl_op_names[c->op], sl_type_names[c->type]);
  printf("\ninput     %s, seed %llu   %s\n", input_name(c), (unsigned long long)c->seed,
         !strcmp(o->backend, "sim") ? "simulated GPU" : "GPU");
}

static void print_state(const char *when, const sl_device_state *s) {
  char text[256];
  printf("%-9s %s\n", when, sl_device_state_text(s, text, sizeof text));
}

// Prints the times of batches of calls, measured from outside the program.
static void print_speed(const sl_speed *s) {
  const sl_interval *x = &s->own;
  printf("time      %.5f ms a call, %s cache (95 %%: %.5f to %.5f; %u rounds of %u calls, ended by %s)\n",
         x->value, s->cache, x->lo, x->hi, s->rounds, s->calls, s->stopped);
  printf("rate      %.1f GB/s of input and output, %.3f of a copy's\n", s->bytes / 1e6 / x->value,
         s->copy.value / x->value);
  printf("overhead  %.3f ms a round, subtracted (95 %%: %.3f to %.3f)\n", s->handshake.value, s->handshake.lo,
         s->handshake.hi);
  print_state("before", &s->before);
  print_state("after", &s->after);
}

static void print_times(const sl_verdict *v, const options *o) {
  const sl_times *t = &v->times;
  if (v->speed.rounds) print_speed(&v->speed);
  if (t->repeats)
    printf("%s  %.3f ms, median of %u (95 %%: %.3f to %.3f;\n          all: %.3f to %.3f)\n%s",
           v->speed.rounds ? "one call" : "time    ", t->median, t->repeats, t->lo, t->hi, t->min, t->max,
           !strcmp(o->backend, "sim") ? "          spent by the simulation, not by a GPU\n" : "");
  if (v->counters.launches)
    printf("model     %.5f ms: estimated time on an H200, not measured;\n"
           "          good for comparing two versions (docs/student/tools.md)\n",
           sl_model_ms(&v->counters));
  if (t->repeats && t->device_median >= 0 && strcmp(o->backend, "sim"))
    printf("events    %.3f ms, median, measured in the program itself: information only\n", t->device_median);
  printf("CPU       %.3f ms, the reference on %u core%s\n", v->reference_ms, v->reference_cores,
         sl_plural(v->reference_cores));
  const sl_effort *x = &v->effort;
  printf("judging   %.2f s: inputs %.2f, references %.2f, to the device %.2f,\n"
         "          the program %.2f, comparing %.2f\n",
         v->seconds, x->input, x->reference, x->upload, x->program, x->check);
}

static void print_counters(const sl_verdict *v) {
  if (!v->counters.launches) return;
  printf("counters of one call\n");
  for (const char *const *name = sl_counter_names(); *name; name++) {
    uint64_t value = sl_counter_value(&v->counters, *name);
    if (value) printf("  %-20s %12llu\n", *name, (unsigned long long)value);
  }
}

static void print_findings(const sl_verdict *v) {
  sl_telling t = v->telling;
  t.colour = sl_wants_colour(STDOUT_FILENO);
  if (v->n_findings) putchar('\n');
  sl_findings_print(stdout, v->findings, v->n_findings, &t);
}

// Its lines keep their indents, and so do the further lines of a long one.
static void print_detail(const char *text) {
  for (; *text; text = sl_next_line(text)) {
    SL_FREED char *line = sl_path("%.*s", (int)strcspn(text, "\n"), text);
    const int blanks = printf("%*s", (int)strspn(line, " "), "");
    sl_print_words(stdout, line + blanks, blanks, blanks + 2, SL_COLUMNS);
  }
}

static void print_text(const sl_lab_info *lab, const sl_case *c, const sl_verdict *v, const options *o) {
  print_head(lab, c, v, o);
  SL_FREED char *text = v->status == SL_PASS ? sl_path(" %s (%s)", v->message, sl_check_names[v->check])
                        : v->status == SL_ERROR
                            ? sl_path(" not judged: %s", v->message)
                            : sl_path(" %s: %s", v->speed.basis ? "right, but slow" : "wrong", v->message);
  sl_print_words(stdout, text, printf("result   "), (int)strlen("result    "), SL_COLUMNS);
  if (v->detail) print_detail(v->detail);
  if (v->status == SL_PASS || v->speed.basis) {
    print_times(v, o);
    print_counters(v);
  }
  print_findings(v);
}

// Writes the record to its file, or prints it.
static int tell_record(const sl_lab_info *lab, const sl_case *c, const sl_verdict *v, const options *o) {
  sl_error e = {0};
  sl_record_head head = {
      .lab = lab->name, .part = "run", .case_id = c->id, .backend = o->backend, .seed = c->seed};
  json_auto_t *record = sl_record(v, &head);
  json_object_del(record, "points");
  json_object_del(record, "max");
  json_object_set_new(record, "input", json_string(input_name(c)));
  json_object_set_new(record, "type", json_string(sl_type_names[c->type]));
  json_object_set_new(record, "check", json_string(sl_check_names[v->check]));
  bool ok = o->record ? sl_record_write(o->record, record, &e) : sl_json_print(record);
  if (e.code) sl_error_print("scanlab run", &e);
  return ok ? v->exit_code : SL_EXIT_INFRA;
}

// Running ---------------------------------------------------------------------------------------------------

static char *reference; // the solution's program, for a case of kind "speed" on a real GPU

static bool build_reference(const sl_lab_info *lab, const sl_case *c, sl_backend backend, sl_error *e) {
  if (!c->part || c->part->kind != SL_PART_SPEED || backend != SL_BACKEND_GPU) return true;
  SL_FREED char *log = NULL, *kernel = sl_path("%s/solutions/%s/kernel.cu", sl_course_root(), lab->name);
  sl_build_config config = {.native = true};
  return sl_build_runner(lab->number, kernel, &config, &reference, &log, e);
}

static bool build(const sl_lab_info *lab, options *o, char **runner, sl_error *e) {
  SL_FREED char *log = NULL, *standard = sl_lab_kernel(lab->name);
  o->source = sl_path("%s", o->file ? o->file : standard);
  sl_build_config config = {.native = !strcmp(o->backend, "gpu")};
  bool ok = sl_build_runner(lab->number, o->file ? o->file : standard, &config, runner, &log, e);
  if (!ok && log) fputs(log, stderr);
  return ok;
}

static int judge(const sl_lab_info *lab, const sl_case *c, const options *o, sl_backend backend,
                 const char *runner) {
  SL_VERDICT v = {0};
  sl_judge_job job = {.lab = lab,
                      .c = c,
                      .kind = c->part ? c->part->kind : SL_PART_CORRECT,
                      .runner = runner,
                      .backend = backend,
                      .repeats = (unsigned)o->repeats,
                      .choose_check = !c->part,
                      .reference = reference,
                      .contest = backend == SL_BACKEND_GPU,
                      .schedule = o->schedule,
                      .replay = replay,
                      .observe = o->check || o->report,
                      .telling = {.source = o->source, .colour = o->colour},
                      .gpu_report = o->report,
                      .record = (o->lines ? SL_RECORD_LINES : 0) | (o->steps ? SL_RECORD_STEPS : 0)};
  sl_judge(&job, &v);
  if (v.status == SL_ERROR && !o->record) {
    sl_error e = {.code = v.exit_code};
    snprintf(e.text, sizeof e.text, "%.1500s", v.message);
    snprintf(e.hint, sizeof e.hint, "%s", v.hint);
    stop_run(o, &e);
  }
  if (!o->json && !o->record && v.status != SL_ERROR) print_text(lab, c, &v, o);
  if (o->report && v.unreported.code && v.status != SL_ERROR) return stop_run(o, &v.unreported);
  return o->json || o->record ? tell_record(lab, c, &v, o) : v.exit_code;
}

static int run_lab(const char *name, options *o) {
  sl_error e = {0};
  sl_case c;
  const sl_lab_info *lab = sl_lab_find(name, &e);
  int backend = lab ? sl_name_find("backend", o->backend, sl_backend_names, SL_EXIT_USAGE, &e) : -1;
  if (backend < 0) return stop_run(o, &e);
  SL_LAB_FREED sl_lab *description = o->name ? load_case(&c, o, lab, &e) : NULL;
  if (o->name ? !description : !make_case(&c, o, lab, &e)) return stop_run(o, &e);
  SL_FREED char *runner = NULL;
  bool ok = build(lab, o, &runner, &e) && build_reference(lab, &c, (sl_backend)backend, &e);
  int code = ok ? judge(lab, &c, o, (sl_backend)backend, runner) : stop_run(o, &e);
  free(reference);
  free(o->source);
  return code;
}

int main(int argc, char **argv) {
  options o = {.backend = SL_DEFAULT_BACKEND, .seed = -1, .repeats = 5, .timeout = 600};
  const sl_opt opts[] = {
      SL_OPT_TEXT("--n", &o.n, "N", "elements (default 1000, or the whole dataset)"),
      SL_OPT_TEXT("--case", &o.name, "PART.CASE", "a case of the lab's tests, as check names it"),
      SL_OPT_TEXT("--dist", &o.dist, "NAME", "distribution of the input: see scanlab datasets list"),
      SL_OPT_NUMBER("--seed", &o.seed, "S", 0, INT64_MAX,
                    "seed of the input (default 1, or the one of the case)"),
      SL_OPT_TEXT("--data", &o.data, "NAME|FILE.npy", "a dataset, or a NumPy file, instead of --dist"),
      SL_OPT_TEXT("--file", &o.file, "KERNEL.cu", "kernel to run (default: the lab's kernel.cu)"),
      SL_OPT_TEXT("--backend", &o.backend, "sim|gpu", "simulated or real GPU"),
      SL_OPT_TEXT("--type", &o.type, "TYPE", "f32 i32 u32 affine (labs 05 and 06)"),
      SL_OPT_TEXT("--op", &o.op, "OP", "add max compose (lab 05)"),
      SL_OPT_TEXT("--scan", &o.scan, "KIND", "inclusive exclusive (lab 05)"),
      SL_OPT_TEXT("--tile", &o.tile, "TILE", "efficient naive (lab 05)"),
      SL_OPT_TEXT("--entry", &o.entry, "ENTRY", "scan sort (lab 06)"),
      SL_OPT_TEXT("--scalars", &o.scalars, "LIST", SL_SCALARS_HELP),
      SL_OPT_NUMBER("--bits", &o.bits, "B", 1, 8, "bits of a digit, 1 to 8 (lab 06, sort)"),
      SL_OPT_FLAG("--values", &o.values, "sort key-value pairs (lab 06)"),
      SL_OPT_FLAG("--unaligned", &o.unaligned, "arrays begin 4 bytes later (labs 05 and 06)"),
      SL_OPT_NUMBER("--repeats", &o.repeats, "R", 0, 256, "timed calls after one warm-up (default 5)"),
      SL_OPT_NUMBER("--timeout", &o.timeout, "SECONDS", 1, 3600,
                    "stop the program after S seconds (default 600)"),
      SL_OPT_FLAG("--check", &o.check, "look for races and other findings (simulator)"),
      SL_OPT_TEXT("--schedule", &o.schedule, "WORDS", SL_SCHEDULE_HELP),
      SL_OPT_TEXT("--report", &o.report, "FILE", "write findings and counters of every launch (simulator)"),
      SL_OPT_FLAG("--lines", &o.lines, "the report counts by source line, too"),
      SL_OPT_FLAG("--steps", &o.steps, "the report lists every access, too (small inputs)"),
      SL_OPT_FLAG("--json", &o.json, "print one JSON record"),
      SL_OPT_TEXT("--record", &o.record, "FILE", "write one JSON record, of an error too, and print neither"),
      SL_OPT_NUMBER("--colour", &o.colour, "0|1", 0, 1, "1: the texts of findings in a record are in colour"),
      SL_OPT_END};
  const sl_cli cli = {"scanlab run",
                      "Builds one kernel and runs it on one input of your choice, judged against the CPU.",
                      "./scanlab run 03 --n 1000 --dist ramp", "LAB", opts};
  char tool[SL_REPLAY_MAX];
  sl_schedule_words(sl_schedule_tool("scanlab run", tool, sizeof tool), argv, replay, sizeof replay);
  sl_cli_parse(&cli, argc, argv, NULL);
  if (!o.record) sl_sandbox_note("scanlab run");
  prctl(PR_SET_DUMPABLE, 0);
  int code = run_lab(argv[1], &o);
  prctl(PR_SET_DUMPABLE, 1); // leak checkers need it, and the student's process is gone
  return code;
}
