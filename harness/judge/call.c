// One call of a case: makes its input and reference, gives its buffers to the student's process, checks.
//
// Interface: sl__judge_call (run.h). The order matters: the input and the right result exist before the
// student's process sees anything of the call. Its answer says only when to look and what went wrong.
#include "jail/sandbox.h"
#include "judge/run.h"

#include <driver_types.h>

// Before the call -------------------------------------------------------------------------------------------

// Exact and rounding apply to float sums; everything else is exact.
static bool choose_check(sl_judging *j, sl_case_call *c) {
  const sl_case *k = j->job->c;
  if (j->job->lab->own) return true; // reference.c says how outputs are compared
  bool float_sum = !sl__is_sort(j) && k->type == SL_F32 && k->op == SL_ADD;
  bool exact = !float_sum || sl_input_exact(c->in.data, c->in.n);
  c->check = j->job->choose_check ? (exact ? SL_CHECK_EXACT : SL_CHECK_ROUNDING) : k->check;
  if (exact || c->check == SL_CHECK_ROUNDING) return true;
  return sl__verdict_cannot(j, SL_EXIT_INPUT,
                            "use \"check\": \"rounding\", or a distribution of small whole numbers",
                            "case %s wants exact float sums, but its input has none", k->id);
}

// The maximum of numbers and a NaN is not defined: right kernels differ there.
static bool check_defined(sl_judging *j, const sl_case_call *c) {
  const sl_case *k = j->job->c;
  if (sl__is_sort(j) || k->type != SL_F32 || k->op != SL_MAX) return true;
  size_t i = sl_input_nan(c->in.data, c->in.n);
  return i == c->in.n || sl__verdict_cannot(j, SL_EXIT_INPUT, "choose another distribution",
                                            "the input has a NaN at %zu, and max of NaN is not defined", i);
}

enum { LARGE_N = 1 << 20 }; // from so many elements on all cores compute the reference

// A large result whose right one need not be kept (check.c): new memory costs more than the sums.
static bool is_walked(const sl_judging *j, const sl_case_call *c) {
  const sl_case *k = j->job->c;
  return j->job->backend == SL_BACKEND_SIM && j->job->results_only && c->in.n >= LARGE_N && !sl__is_sort(j) &&
         !(k->type == SL_F32 && k->op == SL_ADD);
}

static bool make_reference(sl_judging *j, sl_case_call *c) {
  const sl_case *k = j->job->c;
  double start = sl_now();
  unsigned cores = c->in.n < LARGE_N ? 1 : 0; // all
  bool ok;
  if (j->job->lab->own) {
    if (!sl__own_make(j, c)) return false;
    ok = true;
  } else if (sl__is_sort(j)) {
    c->order = sl_alloc_array(c->in.n * sizeof *c->order);
    ok = c->order && sl_sort_order(k->type, c->in.data, c->in.n, c->order, cores);
  } else {
    sl_scan_spec spec = {k->type, k->op, k->kind, c->in.n};
    c->scan = (sl_scan_ref){.spec = spec};
    ok = is_walked(j, c) ||
         sl_scan_ref_make(&c->scan, &spec, c->in.data, c->check == SL_CHECK_ROUNDING, cores);
  }
  if (c->number == 0)
    j->v->reference_ms = (sl_now() - start) * 1e3, j->v->reference_cores = cores ? cores : sl_cores();
  return ok || sl__verdict_cannot(j, SL_EXIT_INFRA, NULL, "out of memory for the reference of %zu elements",
                                  c->in.n);
}

static bool make_input(sl_judging *j, sl_case_call *c) {
  sl_error e = {0};
  if (!sl_source_take(&j->source, c->n, c->number, &c->in, &e)) return sl__verdict_error(j, &e);
  if (c->number == 0) j->v->n = c->in.n;
  if (c->in.n > j->job->lab->max_n)
    return sl__verdict_cannot(j, SL_EXIT_INPUT, NULL,
                              "lab %s takes at most %llu elements, this input has %zu", j->job->lab->name,
                              (unsigned long long)j->job->lab->max_n, c->in.n);
  if (!check_defined(j, c) || !choose_check(j, c)) return false;
  if (c->number == 0) j->v->check = c->check;
  return true;
}

// Buffers ---------------------------------------------------------------------------------------------------

// Which arrays a call has from the one before, if that had its size, too: bit k is for SL_BUF_k. The second
// in a row has all, then come the inputs, the first output and the second input, and all but that.
static const unsigned kept_arrays[] = {0x00, 0x3f, 0x15, 0x26, 0x3b};

// Does the array of the call before serve this one, with other data in it? A program that takes equal
// addresses for equal data is found so. On the simulated GPU only calls of one size have the same arrays, and
// these not all: a program that takes an equal size, or some equal addresses, for the same call, as a graph
// kept for them, is found so.
static bool serves(const sl_judging *j, const sl_case_call *c, unsigned which, sl_guards g, size_t bytes) {
  enum { ROUNDS = sizeof kept_arrays / sizeof *kept_arrays };
  const unsigned before = c->n == j->last_n ? j->calls_of_n : 0;
  const bool kept = j->job->backend != SL_BACKEND_SIM || kept_arrays[before % ROUNDS] >> which & 1;
  return kept && sl_buffer_fits(&j->open.at[which], j->device, g, bytes);
}

static bool make_buffer(sl_judging *j, sl_case_call *c, unsigned which, const char *name, const void *data,
                        size_t bytes) {
  sl_buffer *b = &c->buffers.at[which], *before = &j->open.at[which];
  sl_error e = {0};
  const sl_guards g = sl_guards_of(j->job->backend, j->job->c->unaligned, bytes);
  const bool again = j->open.used[which] && serves(j, c, which, g, bytes);
  if (again) *b = *before, *before = (sl_buffer){0}, j->open.used[which] = false;
  c->buffers.used[which] = true;
  b->name = name, b->data = data, b->seed = j->secret + which;
  return (again ? sl_buffer_refill : sl_buffer_make)(b, j->device, g, bytes, &e) || sl__verdict_error(j, &e);
}

static bool make_own_buffers(sl_judging *j, sl_case_call *c) {
  sl_buffer b;
  size_t bytes;
  for (unsigned k = 0; k < SL_BUF_COUNT; k++)
    if (sl__own_array(c, k, &b, &bytes) && !make_buffer(j, c, k, b.name, b.data, bytes)) return false;
  return true;
}

static bool make_buffers(sl_judging *j, sl_case_call *c) {
  if (j->job->lab->own) return make_own_buffers(j, c);
  bool sort = sl__is_sort(j), values = c->in.values != NULL;
  size_t bytes = c->in.n * sl_elem_size(j->job->c->type);
  return make_buffer(j, c, SL_BUF_IN, sort ? "keys_in" : "in", c->in.data, bytes) &&
         make_buffer(j, c, SL_BUF_OUT, sort ? "keys_out" : "out", NULL, bytes) &&
         (!values || make_buffer(j, c, SL_BUF_VALUES_IN, "values_in", c->in.values, c->in.n * 4)) &&
         (!values || make_buffer(j, c, SL_BUF_VALUES_OUT, "values_out", NULL, c->in.n * 4));
}

void sl__buffers_free(sl_judging *j, sl_buffers *b) {
  for (int k = 0; k < SL_BUF_COUNT; k++)
    if (b->used[k]) sl_buffer_free(&b->at[k], j->device);
  *b = (sl_buffers){0};
}

// The arrays of the call are now those of the call before. What it left of these goes; a real GPU keeps them.
static void pass_on_buffers(sl_judging *j, const sl_case_call *c) {
  sl_buffers all = c->buffers;
  for (int k = 0; k < SL_BUF_COUNT && j->job->backend == SL_BACKEND_GPU; k++) {
    if (all.used[k] || !j->open.used[k]) continue;
    all.at[k] = j->open.at[k], all.used[k] = true;
    j->open.used[k] = false;
  }
  sl__buffers_free(j, &j->open);
  j->open = all;
}

void sl__call_free(sl_case_call *c) {
  sl_input_free(&c->in);
  sl_scan_ref_free(&c->scan);
  sl__own_free(&c->own);
  free(c->order);
  c->order = NULL;
}

// The call --------------------------------------------------------------------------------------------------

static bool describe_call(sl_judging *j, sl_case_call *c, sl_case_msg *m) {
  const sl_case *k = j->job->c;
  sl_error e = {0};
  *m = (sl_case_msg){.calls = c->times,
                     .n = c->in.n,
                     .type = k->type,
                     .op = k->op,
                     .scan = k->kind,
                     .tile = k->tile,
                     .bits = k->bits,
                     .events = j->job->backend == SL_BACKEND_GPU};
  m->sort = sl__is_sort(j);
  memcpy(m->scalars, c->own.scalars, sizeof m->scalars);
  for (int b = 0; b < SL_BUF_COUNT; b++)
    if (c->buffers.used[b] && !sl_buffer_share(&c->buffers.at[b], j->device, &m->buffers[b], &e))
      return sl__verdict_error(j, &e);
  return true;
}

static bool start_call(sl_judging *j) {
  sl_error e = {0};
  j->started = true;
  double seconds = sl__session_seconds(j->job->session, j->job->c->timeout);
  sl_start how = {j->job->runner, sl_device_env(j->device), j->job->backend, seconds};
  if (sl_student_start(&j->student, &how, &e)) {
    if (sl_device_control(j->device)) j->student.device = sl_control_pid(sl_device_control(j->device));
    sl_student_give_time(&j->student, j->job->c->timeout); // the time of a case, not that of the session
    j->v->sandbox = sl_sandbox_name(sl_sandbox_find(), j->student.apart);
    return true;
  }
  return sl__verdict_error(j, &e);
}

// Does the driver say by this error that it cannot work at all?
static bool is_start_error(int code) {
  static const int codes[] = {
      cudaErrorInitializationError, cudaErrorInsufficientDriver, cudaErrorNoDevice, cudaErrorOperatingSystem,
      cudaErrorNotPermitted,        cudaErrorSystemNotReady,     cudaErrorUnknown};
  for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
    if (codes[k] == code) return true;
  return false;
}

// The judge's CUDA works, the program's does not: only the sandbox differs.
static bool no_start(sl_judging *j, int code) {
  char text[160];
  return sl__verdict_cannot(
      j, SL_EXIT_INFRA,
      "run it once with SCANLAB_SANDBOX=off: if that helps, the sandbox lacks a file of the driver",
      "the program cannot initialise CUDA (sandbox: %s): %s", j->v->sandbox,
      sl_device_error_text(j->device, code, text, sizeof text));
}

// The student's process could not open the judge's buffers. If the judge cannot either, it is not at fault.
static bool cannot_open(sl_judging *j, const sl_case_call *c, int code) {
  sl_error e = {0};
  char text[160];
  int64_t at;
  if (!sl_buffer_guards(&c->buffers.at[SL_BUF_OUT], j->device, 1, &at, &e)) return sl__verdict_error(j, &e);
  if (c->number == 0 && j->job->backend == SL_BACKEND_GPU && is_start_error(code)) return no_start(j, code);
  return sl__verdict_fail(
      j, c, SL_REASON_BUFFER_OPEN,
      json_pack("{s:s}", "error", sl_device_error_text(j->device, code, text, sizeof text)), NULL);
}

static bool open_buffers(sl_judging *j, sl_case_call *c, sl_case_msg *m) {
  sl_case_reply r;
  m->kind = SL_CASE_OPEN;
  sl_answer a = sl_student_ask(&j->student, m, &r);
  if (a != SL_ANSWERED) return sl__verdict_no_answer(j, c, a);
  sl__buffers_free(j, &j->open); // the process has closed them by now
  return r.returned == 0 || cannot_open(j, c, r.returned);
}

static bool go(sl_judging *j, sl_case_call *c, sl_case_msg *m) {
  sl_case_reply r;
  m->kind = SL_CASE_GO;
  double begin = sl_now();
  sl_answer a = sl_student_ask(&j->student, m, &r);
  double ms = (sl_now() - begin) * 1e3;
  if (a != SL_ANSWERED) return sl__verdict_no_answer(j, c, a);
  if (r.returned || r.sync || r.last) return sl__verdict_cuda(j, c, &r);
  j->answered = true;
  if (c->timed && j->n_ms < SL_MAX_PLAN) {
    j->ms[j->n_ms] = ms;
    j->device_ms[j->n_ms++] = r.device_ms;
  }
  return true;
}

// Returns the seconds since *since and sets *since to now.
static double lap(double *since) {
  double before = *since;
  return (*since = sl_now()) - before;
}

bool sl__judge_call(sl_judging *j, sl_case_call *c) {
  sl_case_msg m;
  sl_effort *spent = &j->v->effort;
  double begin = sl_now(), now = begin;
  bool ok = make_input(j, c);
  spent->input += lap(&now);
  ok = ok && make_reference(j, c);
  spent->reference += lap(&now);
  ok = ok && make_buffers(j, c) && describe_call(j, c, &m);
  spent->upload += lap(&now);
  j->student.deadline += now - begin; // the judge's time does not count as the program's
  j->answered = false;
  ok = ok && (j->started || start_call(j)) && open_buffers(j, c, &m) && go(j, c, &m);
  spent->program += lap(&now);
  const bool right = ok && (j->findings_only || sl__check_buffers(j, c));
  if (!right && j->answered) sl__note_host(j, c);
  ok = right && sl__check_computed(j, c);
  if (ok && sl__has_bounds(j->job)) sl__look_at_bounds(j, c);
  spent->check += lap(&now);
  pass_on_buffers(j, c);
  return ok;
}
