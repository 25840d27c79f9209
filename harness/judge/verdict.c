// The words of a verdict: what a submission did wrong, from CUDA errors, signals, silence and findings.
//
// Interface: run.h, verdict.c. Every message is one printable line that says in which call it happened; the
// first verdict wins. Details keep their lines, each printable.
#include "judge/run.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// "call 2 (n = 33): " when the case has more than its one call.
static void put_call(const sl_judging *j, const sl_call *c, char *out, size_t cap) {
  const sl_case *k = j->job->c;
  out[0] = 0;
  if (c && (c->number > 0 || k->n_also > 0 || k->calls > 1))
    snprintf(out, cap, "call %u (n = %zu): ", c->number + 1, c->in.n);
}

bool sl__verdict_fail(sl_judging *j, const sl_call *c, const char *detail, const char *fmt, ...) {
  char text[1800], where[64], line[1900];
  va_list ap;
  if (j->v->status != SL_PASS) return false;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  put_call(j, c, where, sizeof where);
  snprintf(line, sizeof line, "%s%s", where, text);
  sl_printable(line, j->v->message, sizeof j->v->message);
  sl__verdict_add_detail(j->v, NULL, detail);
  j->v->status = SL_FAIL;
  j->v->exit_code = SL_EXIT_FAILED;
  return false;
}

bool sl__verdict_error(sl_judging *j, const sl_error *e) {
  if (j->v->status != SL_PASS) return false;
  sl_printable(e->text, j->v->message, sizeof j->v->message);
  sl_printable(e->hint, j->v->hint, sizeof j->v->hint);
  j->v->status = SL_ERROR;
  j->v->exit_code = e->code ? e->code : SL_EXIT_INFRA;
  return false;
}

// Findings --------------------------------------------------------------------------------------------------

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Takes the folder of [path] out of [text], wherever it stands.
static void remove_folder_of(const char *path, char *text) {
  size_t len = (size_t)(base_name(path) - path);
  char folder[512];
  if (len == 0 || len >= sizeof folder) return;
  memcpy(folder, path, len);
  folder[len] = 0;
  for (char *at; (at = strstr(text, folder));) memmove(at, at + len, strlen(at + len) + 1);
}

// Kernels are compiled in a folder that the student has never seen: the file's name is enough.
static void shorten(sl_finding *f) {
  char *const names[] = {f->file, f->other_file};
  for (int k = 0; k < 2; k++) {
    remove_folder_of(names[k], f->message);
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

// The first finding as a sentence: "kernel.cu:57: [memory.bounds] ...".
static bool first_finding(sl_judging *j, char *out, size_t cap) {
  sl__fetch_findings(j);
  if (j->v->n_findings == 0) return false;
  const sl_finding *f = &j->v->findings[0];
  char what[1024];
  sl_finding_what(f, &j->job->telling, what, sizeof what);
  if (f->file[0]) snprintf(out, cap, "%s:%u: [%s] %s", f->file, f->line, sl_found_name(f->id), what);
  else snprintf(out, cap, "[%s] %s", sl_found_name(f->id), what);
  return true;
}

// CUDA errors -----------------------------------------------------------------------------------------------

static const char *entry_name(const sl_judging *j) {
  static const char *const names[] = {"lab01_naive_scan",    "lab02_double_buffer_scan",
                                      "lab03_blelloch_scan", "lab04_padded_scan",
                                      "lab05_scan",          "lab06_single_pass_scan"};
  return j->job->c->entry == SL_ENTRY_SORT ? "lab06_sort" : names[atoi(j->job->lab->number) - 1];
}

bool sl__verdict_cuda(sl_judging *j, const sl_call *c, const sl_case_reply *r) {
  char text[200], finding[1700], detail[400];
  int code = r->returned ? r->returned : r->sync ? r->sync : r->last;
  sl_device_error_text(j->device, code, text, sizeof text);
  const char *how = r->returned ? "returned"
                    : r->sync   ? "started a kernel that ended with"
                                : "did not report";
  size_t lead = c->buffers.at[SL_BUF_IN].lead;
  size_t used = (size_t)snprintf(detail, sizeof detail, "%s %s %s\n", entry_name(j), how, text);
  if (lead && used < sizeof detail)
    snprintf(detail + used, sizeof detail - used,
             "in this call every array begins %zu bytes into its allocation\n", lead);
  if (first_finding(j, finding, sizeof finding)) return sl__verdict_fail(j, c, detail, "%s", finding);
  return sl__verdict_fail(j, c, NULL, "%s %s %s", entry_name(j), how, text);
}

// Silence ---------------------------------------------------------------------------------------------------

char *sl__how_it_ended(const sl_exit_status *s, char *text, size_t cap) {
  if (s->signal)
    snprintf(text, cap, "it crashed with signal %d (SIG%s: %s)", s->signal, sigabbrev_np(s->signal),
             strsignal(s->signal));
  else snprintf(text, cap, "it ended by itself with exit code %d", s->code);
  return text;
}

static bool late(sl_judging *j, const sl_call *c) {
  char finding[1700];
  double limit = j->job->c->timeout;
  if (first_finding(j, finding, sizeof finding))
    return sl__verdict_fail(j, c, NULL, "%s does not end: stopped after %g s; %s", entry_name(j), limit,
                            finding);
  return sl__verdict_fail(j, c, NULL, "%s, or a kernel that it starts, does not end: stopped after %g s",
                          entry_name(j), limit);
}

bool sl__verdict_no_answer(sl_judging *j, const sl_call *c, sl_answer a) {
  sl_exit_status how = sl_student_stop(&j->student);
  char text[128];
  if (j->student.crowded)
    return sl__verdict_fail(j, c, NULL,
                            "the program started more than %d threads of its own on the host, and was ended",
                            SL_STUDENT_THREADS);
  if (a == SL_GARBAGE)
    return sl__verdict_fail(
        j, c, NULL, "the program wrote to the judge's connection: its descriptor 3 is not for submissions");
  if (a == SL_LATE || how.timed_out) return late(j, c);
  const char *why = how.signal == SIGSEGV ? "d_in, d_out and what cudaMalloc gives are addresses of the "
                                            "device: only kernels and cudaMemcpy can use them"
                                          : NULL;
  return sl__verdict_fail(j, c, why, "the program did not come back from %s: %s", entry_name(j),
                          sl__how_it_ended(&how, text, sizeof text));
}
