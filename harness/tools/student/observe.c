// An observed run: sl-run builds and judges, with a report of the simulated GPU that is read back.
//
// Interface: observe.h. A process of its own, so that everything that protects the judge protects this.
#include "observe.h"

enum { MAX_ARGS = 48, OUT_CAP = 4 << 20, REPORT_CAP = 512 << 20, SECONDS = 900 };

typedef struct line {
  char *argv[MAX_ARGS];
  int n;
} line;

static void word(line *l, const char *text) {
  if (l->n < MAX_ARGS - 1) l->argv[l->n++] = sl_path("%s", text);
}
static void option(line *l, const char *name, const char *value) {
  if (value) word(l, name), word(l, value);
}
static void number_argument(line *l, const char *name, int64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%lld", (long long)value);
  option(l, name, value ? text : NULL);
}

static void compose_command(line *l, const sl_observed *o, const sl_input_choice *c, const char *what,
                            const char *report, int repeats) {
  char *tool = sl_tool_path("sl-run"), times[16];
  snprintf(times, sizeof times, "%d", repeats);
  const struct {
    const char *name, *value;
  } texts[] = {{"--file", o->kernel},    {"--report", report},
               {"--repeats", times},     {"--backend", report ? "sim" : what},
               {"--case", c->name},      {"--n", c->n},
               {"--dist", c->dist},      {"--type", c->type},
               {"--op", c->op},          {"--scan", c->scan},
               {"--tile", c->tile},      {"--entry", c->entry},
               {"--data", c->data},      {"--schedule", c->schedule},
               {"--scalars", c->scalars}};
  word(l, tool), word(l, o->lab->number);
  if (report) word(l, what);
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) option(l, texts[k].name, texts[k].value);
  number_argument(l, "--seed", c->seed), number_argument(l, "--bits", c->bits);
  if (c->values) word(l, "--values");
  free(tool);
}

// Prints what the compiler said; [e] gets the record's message on what went wrong before the kernel ran.
static bool refused(const json_t *record, const char *said, int code, sl_error *e) {
  const char *text = json_string_value(json_object_get(record, "message"));
  if (said) fputs(said, stderr);
  return sl_fail(e, code, json_string_value(json_object_get(record, "hint")), "%s",
                 text ? text : "the kernel could not be run");
}

static bool run_recorded(line *l, const char *path, sl_observed *o, sl_error *e) {
  SL_FREED char *out = NULL;
  option(l, "--record", path);
  sl_exit_status s = sl_run_by_work(l->argv, NULL, SECONDS, OUT_CAP, &out, e);
  o->record = e->code ? NULL : sl_json_read(path, OUT_CAP, NULL);
  bool judged = o->record && (s.code == SL_EXIT_OK || s.code == SL_EXIT_FAILED);
  if (!judged) refused(o->record, out, s.code, e);
  unlink(path);
  return judged;
}

static bool run_observed(line *l, sl_observed *o, sl_error *e) {
  SL_FREED char *record = sl__scratch("record.json", e);
  bool ok = record && run_recorded(l, record, o, e);
  for (int k = 0; k < l->n; k++) free(l->argv[k]);
  return ok;
}

static bool read_report(sl_observed *o, const char *path, sl_error *e) {
  o->report = sl_json_read(path, REPORT_CAP, e);
  return o->report || sl_fail(e, SL_EXIT_INFRA, NULL, "%s: the simulated GPU's report cannot be read", path);
}

bool sl__kernel_there(const char *path, const char *hint, sl_error *e) {
  return sl_is_file(path) ||
         sl_fail(e, SL_EXIT_INPUT, hint, sl_is_dir(path) ? "%s: is a folder" : "%s: no such file", path);
}

static bool find_files(const sl_to_observe *of, sl_observed *out, sl_error *e) {
  *out = (sl_observed){.lab = sl_lab_find(of->lab, e)};
  if (!out->lab) return false;
  out->kernel = of->file ? sl_path("%s", of->file) : sl_lab_kernel(out->lab->name);
  return sl__kernel_there(out->kernel, of->file ? "name a kernel.cu" : "name a kernel.cu with --file", e);
}

bool sl__timed(const sl_to_observe *of, const char *backend, int repeats, sl_observed *out, sl_error *e) {
  line l = {.n = 0};
  if (!find_files(of, out, e)) return false;
  compose_command(&l, out, of->input, backend, NULL, repeats);
  return run_observed(&l, out, e);
}

// The lab and the options of a run that is alike; malloc'ed.
static char *options_of(const line *l, const sl_input_choice *c) {
  static const char *const leave[] = {
      "--data=", "--lines", "--steps", "--file=", "--report=", "--repeats=", "--backend=", NULL};
  return sl_shell_line(l->argv + 1, leave + !c->temporary);
}

// A call that launches nothing has no picture and no counters: what the judge says of it is why.
static bool has_launched(const sl_observed *o, sl_error *e) {
  const char *hint = sl_json_text(o->record, "hint"), *path = sl_short_path(o->kernel);
  if (json_array_size(json_object_get(o->report, "kernels"))) return true;
  if (sl__was_right(o))
    return sl_fail(e, SL_EXIT_INPUT, "the result is right without one: choose a larger input",
                   "%s launched no kernel", path);
  if (sl__reason_of(o->record) == SL_REASON_RESULT_NO_LAUNCH) hint = "fill in its TODO regions first";
  return sl_fail(e, SL_EXIT_INPUT, hint, "%s: %s", path, sl_json_text(o->record, "message"));
}

bool sl__observe(const sl_to_observe *of, const char *what, sl_observed *out, sl_error *e) {
  if (!find_files(of, out, e)) return false;
  SL_FREED char *report = sl__scratch("report.json", e);
  if (!report) return false;
  line l = {.n = 0};
  compose_command(&l, out, of->input, what, report, 0);
  out->again = options_of(&l, of->input);
  bool ok = run_observed(&l, out, e) && read_report(out, report, e) && has_launched(out, e) &&
            (out->source = sl_read_file(out->kernel, 1 << 20, NULL, e));
  unlink(report);
  return ok;
}

void sl__observed_free(sl_observed *o) {
  free(o->kernel);
  free(o->source);
  free(o->again);
  json_decref(o->record);
  json_decref(o->report);
}

bool sl__was_right(const sl_observed *o) {
  return sl_status_find(sl_json_text(o->record, "status")) == SL_PASS;
}

void sl__show_observed(FILE *f, const sl_observed *o) {
  size_t findings = json_array_size(json_object_get(o->report, "findings"));
  char head[160];
  snprintf(head, sizeof head, "lab %s, n = %lld,", o->lab->name,
           (long long)json_integer_value(json_object_get(o->record, "n")));
  const char *path = sl_short_path(o->kernel), *right = sl__was_right(o) ? "right" : "wrong";
  const bool fits = strlen(head) + strlen(path) + strlen("  : result wrong") <= (size_t)sl__width();
  fprintf(f, "%s%s%s: result %s\n", head, fits ? " " : "\n  ", path, right);
  if (!sl__was_right(o)) sl__wrap(f, "  ", "  ", sl_json_text(o->record, "message"));
  if (!findings) return;
  fprintf(f, "  %zu finding%s: %s run %s --check", findings, sl_plural(findings), sl_scanlab(), o->again);
  sl__put_file(f, o->lab, o->kernel);
  fprintf(f, findings == 1 ? " tells it\n" : " tells them\n");
}
