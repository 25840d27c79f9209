// What a submission did wrong, from CUDA errors, signals, silence and findings: a reason and its fields.
//
// Interface: run.h, verdict.c. The first verdict wins. Its message (reason.c) is one printable line that says
// in which call it happened. Details keep their lines, each printable.
#include "judge/run.h"

#include <driver_types.h>
#include <signal.h>

// Details ---------------------------------------------------------------------------------------------------

static void append(sl_verdict *v, const char *text) {
  size_t old = v->detail ? strlen(v->detail) : 0, more = strlen(text);
  char *grown = realloc(v->detail, old + more + 1);
  if (!grown) return;
  memcpy(grown + old, text, more + 1);
  v->detail = grown;
}

void sl__verdict_add_detail(sl_verdict *v, const char *title, const char *text) {
  char line[1024], clean[4096];
  if (!text || !text[0]) return;
  if (title) append(v, title);
  while (*text) {
    size_t len = strcspn(text, "\n"), take = len < sizeof line ? len : sizeof line - 1;
    memcpy(line, text, take);
    line[take] = 0;
    append(v, sl_printable(line, clean, sizeof clean));
    append(v, "\n");
    text += len + (text[len] == '\n');
  }
}

// Verdicts --------------------------------------------------------------------------------------------------

void sl__verdict_word(sl_verdict *v) {
  char line[1900];
  sl_printable(sl_reason_text(v->reason, v->fields, line, sizeof line), v->message, sizeof v->message);
}

static void decide(sl_verdict *v, sl_status status, sl_reason why, json_t *fields) {
  json_decref(v->fields);
  v->status = status, v->reason = why, v->fields = fields;
  sl__verdict_word(v);
}

// Names the call, if the case has more than one.
static void add_call(const sl_judging *j, const sl_case_call *c, json_t *fields) {
  const sl_case *k = j->job->c;
  if (!c || (c->number == 0 && !sl_case_has_companions(k))) return;
  json_object_set_new(fields, "call", json_integer(c->number + 1));
  json_object_set_new(fields, "n", json_integer(SL_INT(c->in.n)));
  if (j->of) json_object_set_new(fields, "of", json_string(j->of));
}

bool sl__verdict_fail(sl_judging *j, const sl_case_call *c, sl_reason why, json_t *fields,
                      const char *detail) {
  if (!fields) fields = json_object();
  if (j->v->status != SL_PASS) return json_decref(fields), false;
  add_call(j, c, fields);
  decide(j->v, SL_FAIL, why, fields);
  sl__verdict_add_detail(j->v, NULL, detail);
  SL_FREED char *scalars = c ? sl__own_scalars(c) : NULL;
  if (scalars) sl__verdict_add_detail(j->v, "called with ", scalars);
  j->v->exit_code = SL_EXIT_FAILED;
  return false;
}

bool sl__verdict_error(sl_judging *j, const sl_error *e) {
  char text[sizeof j->v->message];
  if (j->v->status != SL_PASS) return false;
  sl_printable(e->text, text, sizeof text);
  sl_printable(e->hint, j->v->hint, sizeof j->v->hint);
  decide(j->v, SL_ERROR, SL_REASON_JUDGE_ERROR, json_pack("{s:s}", "text", text));
  j->v->exit_code = e->code ? e->code : SL_EXIT_INFRA;
  return false;
}

bool sl__verdict_cannot(sl_judging *j, int code, const char *hint, const char *fmt, ...) {
  char text[sizeof((sl_error *)NULL)->text];
  sl_error e = {0};
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  sl_fail(&e, code, hint, "%s", text);
  return sl__verdict_error(j, &e);
}

// Findings --------------------------------------------------------------------------------------------------

// Takes the folder of [path] out of [text], wherever it stands.
static void remove_folder_of(const char *path, char *text) {
  size_t len = (size_t)(sl_base_name(path) - path);
  char folder[512];
  if (len == 0 || len >= sizeof folder) return;
  memcpy(folder, path, len);
  folder[len] = 0;
  for (char *at; (at = strstr(text, folder));) memmove(at, at + len, strlen(at + len) + 1);
}

// Kernels are compiled in a folder that the student does not know: the file's name is enough.
static void shorten(sl_finding *f) {
  char *const names[] = {f->file, f->other_file};
  for (int k = 0; k < 2; k++) {
    remove_folder_of(names[k], f->account);
    remove_folder_of(names[k], names[k]);
  }
}

void sl__fetch_findings(sl_judging *j) {
  sl_error e = {0};
  sl_control *control = j->device ? sl_device_control(j->device) : NULL;
  if (!control || j->v->findings) return;
  if (!sl_control_findings(control, &j->v->findings, &j->v->n_findings, &e)) sl__verdict_error(j, &e);
  for (size_t k = 0; k < j->v->n_findings; k++) shorten(&j->v->findings[k]);
}

json_t *sl__first_finding(sl_judging *j) {
  sl__fetch_findings(j);
  if (j->v->n_findings == 0) return NULL;
  const sl_finding *f = &j->v->findings[0];
  char what[1024], file[2 * sizeof f->file];
  json_t *o = json_pack("{s:s, s:s}", "finding", sl_found_name(f->id), "what",
                        sl_finding_what(f, &j->job->telling, what, sizeof what));
  if (f->cause)
    json_object_set_new(o, sl_trait_keys[SL_TRAIT_CAUSE],
                        json_string(sl_trait_word(SL_TRAIT_CAUSE, f->cause)));
  if (!f->file[0]) return o;
  json_object_set_new(o, "file", json_string(sl_printable(f->file, file, sizeof file)));
  json_object_set_new(o, "line", json_integer(f->line));
  return o;
}

// Part "clean": what was found says more than what became of it.
void sl__prefer_findings(sl_judging *j) {
  char result[sizeof j->v->message];
  if (j->v->status != SL_FAIL || json_object_get(j->v->fields, "finding")) return;
  json_t *fields = sl__first_finding(j);
  if (!fields) return;
  json_object_set_new(fields, "findings", json_integer(SL_INT(j->v->n_findings)));
  snprintf(result, sizeof result, "%s", j->v->message);
  j->v->credit = 0;
  decide(j->v, SL_FAIL, SL_REASON_FINDINGS, fields);
  sl__verdict_add_detail(j->v, "besides: ", result);
}

// Was the call refused for what it asked? Then it did nothing, and what later kernels lack follows from that.
static bool is_refused(int error) {
  return error == cudaErrorInvalidValue || error == cudaErrorInvalidConfiguration ||
         error == cudaErrorLaunchOutOfResources;
}

// The last finding comes first.
static void put_last_first(sl_verdict *v) {
  const sl_finding last = v->findings[v->n_findings - 1];
  memmove(v->findings + 1, v->findings, (v->n_findings - 1) * sizeof last);
  v->findings[0] = last;
}

void sl__tell_failed_call(sl_judging *j) {
  sl_error e = {0};
  sl_control *control = sl_device_control(j->device);
  const size_t before = j->v->n_findings;
  if (!control || !j->job->observe || !j->failed_with || (before && !is_refused(j->failed_with))) return;
  if (!sl_control_failed(control, j->failed_with, &e)) {
    sl__verdict_error(j, &e);
    return;
  }
  free(j->v->findings);
  j->v->findings = NULL, j->v->n_findings = 0;
  sl__fetch_findings(j);
  if (before && j->v->n_findings > before) put_last_first(j->v);
}

// CUDA errors -----------------------------------------------------------------------------------------------

static const char *entry_name(const sl_judging *j) {
  return sl__is_sort(j) ? j->job->lab->sort : j->job->lab->entry;
}

bool sl__verdict_cuda(sl_judging *j, const sl_case_call *c, const sl_case_reply *r) {
  char error[200], detail[400];
  sl_reason why = r->returned ? SL_REASON_CUDA_RETURNED
                  : r->sync   ? SL_REASON_CUDA_KERNEL
                              : SL_REASON_CUDA_UNREPORTED;
  j->failed_with = r->returned ? r->returned : r->sync ? r->sync : r->last;
  sl_device_error_text(j->device, j->failed_with, error, sizeof error);
  json_t *fields = json_pack("{s:s, s:s}", "entry", entry_name(j), "error", error),
         *finding = sl__first_finding(j);
  if (!finding) return sl__verdict_fail(j, c, why, fields, NULL);
  size_t lead = c->buffers.at[SL_BUF_IN].lead;
  sl_reason_text(why, fields, detail, sizeof detail);
  sl_append(detail, sizeof detail, "", "\n");
  if (lead)
    sl_append(detail, sizeof detail, "", "in this call every array begins %zu bytes into its allocation\n",
              lead);
  json_object_update(finding, fields);
  json_decref(fields);
  return sl__verdict_fail(j, c, SL_REASON_CUDA_FINDING, finding, detail);
}

// Silence ---------------------------------------------------------------------------------------------------

// The judge has not done it. Lack of the machine's memory is not the submission's fault.
static bool killed(sl_judging *j, const sl_case_call *c) {
  if (sl_oom_kills() == j->student.oom_kills)
    return sl__verdict_fail(j, c, SL_REASON_PROGRAM_KILLED, json_pack("{s:s}", "entry", entry_name(j)), NULL);
  return sl__verdict_cannot(j, SL_EXIT_INFRA,
                            "Close other programs, or give the machine more memory; then run it again",
                            "the system killed the program, because the machine's memory had run out");
}

bool sl__verdict_ended(sl_judging *j, const sl_case_call *c, const sl_exit_status *s, sl_reason crashed,
                       sl_reason ended, const char *detail) {
  if (s->signal == SIGKILL) return killed(j, c);
  json_t *fields = !s->signal
                       ? json_pack("{s:s, s:i}", "entry", entry_name(j), "exit_code", s->code)
                       : json_pack("{s:s, s:i, s:s?, s:s}", "entry", entry_name(j), "signal", s->signal,
                                   "name", sigabbrev_np(s->signal), "means", strsignal(s->signal));
  return sl__verdict_fail(j, c, s->signal ? crashed : ended, fields, detail);
}

static bool late(sl_judging *j, const sl_case_call *c) {
  json_t *fields = json_pack("{s:s, s:f}", "entry", entry_name(j), "seconds", j->job->c->timeout),
         *finding = sl__first_finding(j);
  sl_reason why = finding ? SL_REASON_LATE_FINDING : SL_REASON_LATE;
  json_object_update(fields, finding);
  json_decref(finding);
  return sl__verdict_fail(j, c, why, fields, NULL);
}

bool sl__verdict_no_answer(sl_judging *j, const sl_case_call *c, sl_answer a) {
  sl_exit_status how = sl_student_stop(&j->student);
  if (j->student.crowded)
    return sl__verdict_fail(j, c, SL_REASON_PROGRAM_CROWDED, json_pack("{s:i}", "most", SL_STUDENT_THREADS),
                            NULL);
  if (j->student.greedy)
    return sl__verdict_fail(j, c, SL_REASON_PROGRAM_GREEDY, json_pack("{s:i}", "most", j->student.most_mib),
                            NULL);
  if (j->student.busy)
    return sl__verdict_fail(j, c, SL_REASON_PROGRAM_BUSY,
                            json_pack("{s:s, s:f}", "entry", entry_name(j), "seconds", j->student.cpu_most),
                            NULL);
  if (j->student.lazy)
    return sl__verdict_fail(j, c, SL_REASON_PROGRAM_IDLE,
                            json_pack("{s:s, s:f}", "entry", entry_name(j), "seconds", j->student.idle_most),
                            NULL);
  if (a == SL_GARBAGE) return sl__verdict_fail(j, c, SL_REASON_PROGRAM_GARBAGE, NULL, NULL);
  if (a == SL_LATE || how.timed_out) return late(j, c);
  const char *why = how.signal == SIGSEGV ? "d_in, d_out and what cudaMalloc gives are addresses of the "
                                            "device: only kernels and cudaMemcpy can use them"
                                          : NULL;
  return sl__verdict_ended(j, c, &how, SL_REASON_PROGRAM_CRASHED, SL_REASON_PROGRAM_EXITED, why);
}
