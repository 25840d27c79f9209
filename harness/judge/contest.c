// The contest: rounds of submission, reference, copy and empty handshake until intervals are narrow.
//
// Interface: contest.h. Each round makes its inputs from a fresh random key. The reference is first timed
// alone, before the submission's process exists. If it is slower beside the submission, it is timed alone
// again when that process has ended: if it is then as slow, the GPU is slower than it was, which all
// contenders felt alike. If not, the submission disturbs it, and there is no verdict.
#include "judge/contest.h"
#include "judge/work.h"

#include <sys/random.h>

enum { MOST_ROUNDS = 200, ALONE_ROUNDS = 12, WARM_ROUNDS = 3, MOST_CALLS = 256, TURN_MS = 20, MORE_TIME = 4 };
static const sl_stop_rule RULE = {.width = 0.01, .seconds = 6, .least = 10, .most = MOST_ROUNDS};
static const double POOL_BYTES = 2147483648.0, DISTURBED = 1.1;

typedef enum who { SUBMISSION, REFERENCE, COPY, EMPTY, WHO_COUNT } who;

// The times of one contender, in ms a round: [all] from inputs to checked outputs, [answer] from GO to DONE,
// [events] as the process itself measured them (for the copy: the judge).
typedef struct record {
  double all[MOST_ROUNDS], answer[MOST_ROUNDS], events[MOST_ROUNDS];
  unsigned n;
} record;

struct sl_contest {
  sl_work *work;
  sl_batch batch;
  sl_student reference;
  bool has_reference;
  record of[WHO_COUNT], alone, alone_again; // alone: before the submission, and when it has ended
  sl_case_msg open;
};

// What is timed ---------------------------------------------------------------------------------------------

static bool work_kind_of(const sl_case *c, sl_work_kind *kind) {
  bool word = c->type == SL_U32 || c->type == SL_I32, sort = c->entry == SL_ENTRY_SORT;
  *kind = sort ? SL_WORK_U32_SORT : c->type == SL_F32 ? SL_WORK_F32_SCAN : SL_WORK_U32_SCAN;
  if (!sort && c->kind == SL_INCLUSIVE) *kind |= SL_WORK_INCLUSIVE;
  if (c->n <= 1 || c->n == SL_WHOLE || c->values) return false;
  return sort ? c->type == SL_U32 : c->op == SL_ADD && (word || c->type == SL_F32);
}

bool sl_contest_takes(const sl_case *c) {
  sl_work_kind kind;
  return work_kind_of(c, &kind);
}

static bool wanted(const sl_judging *j) {
  const sl_judge_job *job = j->job;
  bool speed = job->kind == SL_PART_SPEED && job->backend == SL_BACKEND_GPU;
  // a batch has one input and one output, which is not all that the entry point of an optional lab may take
  return speed || (job->contest && !job->lab->own && sl_contest_takes(job->c));
}

static void describe_contest(sl_judging *j, struct sl_contest *t) {
  const sl_case *c = j->job->c;
  t->open = (sl_case_msg){.stride = t->batch.stride * 4,
                          .n = c->n,
                          .type = c->type,
                          .op = c->op,
                          .scan = c->kind,
                          .tile = c->tile,
                          .bits = c->bits,
                          .sort = c->entry == SL_ENTRY_SORT};
}

static bool make_pools(sl_judging *j, struct sl_contest *t, sl_error *e) {
  sl_batch *b = &t->batch;
  enum { APART = 64 }; // words between the calls' arguments; each begins at a multiple of 256 bytes
  b->n = j->job->c->n;
  b->stride = (b->n + 2 * APART - 1) / APART * APART;
  double room = (double)sl_work_free_memory(t->work) / 4, bytes = (double)b->stride * 8;
  double calls = (room < POOL_BYTES ? room : POOL_BYTES) / bytes;
  b->calls = calls > MOST_CALLS ? MOST_CALLS : calls > 1 ? (unsigned)calls : 1;
  sl_case_buffer *in = &t->open.buffers[SL_BUF_IN], *out = &t->open.buffers[SL_BUF_OUT];
  describe_contest(j, t);
  in->present = out->present = 1;
  return sl_device_alloc(j->device, b->stride * 4 * b->calls, (void **)&b->in, e) &&
         sl_device_alloc(j->device, b->stride * 4 * b->calls, (void **)&b->out, e) &&
         sl_device_handle(j->device, b->in, in->handle, e) &&
         sl_device_handle(j->device, b->out, out->handle, e);
}

// One round -------------------------------------------------------------------------------------------------

static uint64_t new_key(void) {
  uint64_t key;
  while (getrandom(&key, sizeof key, 0) != sizeof key) {
  }
  return key;
}

static bool reference_failed(sl_judging *j, const char *how) {
  return sl__verdict_cannot(j, SL_EXIT_INFRA, "grade the solutions on this GPU first",
                            "the reference solution %s", how);
}

// Asks one of the two processes. False: the answer is bad, and the verdict says how.
static bool ask(sl_judging *j, struct sl_contest *t, who w, uint64_t calls, record *r) {
  bool own = w == SUBMISSION;
  sl_student *s = own ? &j->student : &t->reference;
  sl_case_msg m = {.kind = SL_CASE_GO, .calls = calls, .events = 1};
  sl_case_reply reply;
  s->deadline = sl_now() + j->job->c->timeout;
  double begin = sl_now();
  sl_answer a = sl_student_ask(s, &m, &reply);
  r->answer[r->n] = (sl_now() - begin) * 1e3;
  r->events[r->n] = reply.device_ms;
  if (a != SL_ANSWERED)
    return own ? sl__verdict_no_answer(j, NULL, a) : reference_failed(j, "gave no answer");
  const sl_case_call none = {0};
  if (reply.returned || reply.sync || reply.last)
    return own ? sl__verdict_cuda(j, &none, &reply) : reference_failed(j, "failed");
  return true;
}

static bool check_outputs(sl_judging *j, struct sl_contest *t, who w, uint64_t key, sl_error *e) {
  unsigned bad, calls = t->batch.calls;
  if (!sl_work_check(t->work, &t->batch, key, &bad, e)) return sl__verdict_error(j, e);
  if (bad == 0 || w == COPY || w == EMPTY) return true;
  if (w == REFERENCE) return reference_failed(j, "gave a wrong result in a timed call");
  return sl__verdict_fail(
      j, NULL, SL_REASON_TIMED_WRONG,
      json_pack("{s:I, s:I, s:I}", "wrong", SL_INT(bad), "calls", SL_INT(calls), "n", SL_INT(t->batch.n)),
      NULL);
}

static bool act(sl_judging *j, struct sl_contest *t, who w, record *r, sl_error *e) {
  who asked = w == EMPTY && !t->has_reference ? SUBMISSION : w;
  if (w != COPY) return ask(j, t, asked, w == EMPTY ? 0 : t->batch.calls, r);
  double begin = sl_now();
  bool ok = sl_work_copy(t->work, &t->batch, &r->events[r->n], e) || sl__verdict_error(j, e);
  r->answer[r->n] = (sl_now() - begin) * 1e3;
  return ok;
}

static bool play(sl_judging *j, struct sl_contest *t, who w, record *r) {
  sl_error e = {0};
  uint64_t key = new_key();
  if (!sl_work_prepare(t->work, &t->batch, &e)) return sl__verdict_error(j, &e);
  double begin = sl_now();
  if (!sl_work_fill(t->work, &t->batch, key, &e)) return sl__verdict_error(j, &e);
  if (!act(j, t, w, r, &e) || !check_outputs(j, t, w, key, &e)) return false;
  r->all[r->n++] = (sl_now() - begin) * 1e3;
  return true;
}

// Opens the pools in a process.
static bool open_in(sl_judging *j, struct sl_contest *t, sl_student *s) {
  sl_case_msg m = t->open;
  sl_case_reply r;
  bool own = s == &j->student;
  m.kind = SL_CASE_OPEN;
  s->deadline = sl_now() + j->job->c->timeout;
  sl_answer a = sl_student_ask(s, &m, &r);
  if (a != SL_ANSWERED)
    return own ? sl__verdict_no_answer(j, NULL, a) : reference_failed(j, "gave no answer");
  if (r.returned == 0) return true;
  if (!own) return reference_failed(j, "could not open its buffers");
  return sl__verdict_fail(j, NULL, SL_REASON_BUFFER_OPEN_TIMED, NULL, NULL);
}

// Before the submission -------------------------------------------------------------------------------------

static bool start_reference(sl_judging *j, struct sl_contest *t) {
  sl_error e = {0};
  if (!j->job->reference) return true;
  t->has_reference = true;
  sl_start how = {j->job->reference, sl_device_env(j->device), j->job->backend, j->job->c->timeout};
  if (!sl_student_start(&t->reference, &how, &e)) return sl__verdict_error(j, &e);
  return open_in(j, t, &t->reference);
}

// More turns tell more than long ones: as many calls a turn as the reference makes in TURN_MS. Inputs that
// were too large for the cache stay so.
static bool shorten_turns(sl_judging *j, struct sl_contest *t) {
  record first = {0};
  sl_batch all = t->batch, *b = &t->batch;
  if (!play(j, t, REFERENCE, &first)) return false;
  const double calls = all.calls * TURN_MS / first.answer[0];
  b->calls = calls < 1 ? 1 : calls < all.calls ? (unsigned)calls : all.calls;
  while (sl_work_is_cold(t->work, &all) && !sl_work_is_cold(t->work, b)) b->calls++;
  return true;
}

static bool play_alone(sl_judging *j, struct sl_contest *t, record *r) {
  record warm = {0};
  bool ok = true;
  for (int k = 0; ok && k < WARM_ROUNDS; k++) ok = play(j, t, REFERENCE, &warm);
  for (int k = 0; ok && k < ALONE_ROUNDS; k++) ok = play(j, t, REFERENCE, r);
  return ok;
}

bool sl__contest_begin(sl_judging *j) {
  sl_error e = {0};
  sl_work_kind kind;
  if (!wanted(j)) return true;
  if (!work_kind_of(j->job->c, &kind))
    return sl__verdict_cannot(j, SL_EXIT_INPUT, "sums of f32, i32, u32 and sorts of u32 keys can be",
                              "this case cannot be timed on a GPU");
  struct sl_contest *t = j->contest = calloc(1, sizeof *t);
  if (!t) return sl__verdict_cannot(j, SL_EXIT_INFRA, NULL, "out of memory");
  t->batch.kind = kind;
  t->reference = (sl_student){.socket = -1, .pidfd = -1, .child = {.out = -1}};
  t->work = sl_work_open(j->device, &e);
  if (!t->work || !make_pools(j, t, &e)) return sl__verdict_error(j, &e);
  sl_device_state_read(sl_work_bus_id(t->work), &j->v->speed.before);
  return start_reference(j, t) && (!t->has_reference || (shorten_turns(j, t) && play_alone(j, t, &t->alone)));
}

// What the rounds say ---------------------------------------------------------------------------------------

// The time of one call: the round's without the empty round's, [off]. The interval has the outer bounds.
static sl_interval a_call(const record *r, const sl_interval *off, unsigned calls, uint64_t seed) {
  sl_interval x = sl_median_interval(r->all, r->n, seed);
  return (sl_interval){(x.value - off->value) / calls, (x.lo - off->hi) / calls, (x.hi - off->lo) / calls};
}

static sl_sample whole_sample(const record *r) { return (sl_sample){r->all, r->n}; }

static sl_interval scaled(sl_interval x, double by) {
  return (sl_interval){x.value * by, x.lo * by, x.hi * by};
}

static double median_of(const double *x, unsigned n) { return sl_median_interval(x, n, 1).value; }

// Compares events with the host's clock for the two contenders that can be trusted.
static bool clocks_agree(sl_judging *j, const struct sl_contest *t) {
  static const who trusted[] = {REFERENCE, COPY};
  sl_interval empty = sl_median_interval(t->of[EMPTY].answer, t->of[EMPTY].n, 1);
  for (size_t k = 0; k < 2; k++) {
    const record *r = &t->of[trusted[k]];
    if (r->n == 0) continue;
    double events = median_of(r->events, r->n), host = median_of(r->answer, r->n),
           off = trusted[k] == COPY ? 0 : empty.value;
    if (!sl_clocks_agree(events, host, off, 0.05 + empty.hi - empty.lo))
      return sl__verdict_cannot(
          j, SL_EXIT_INFRA, "look at the GPU's clocks, and at what else runs on the machine",
          "the GPU's clock says %.3f ms where the host's says %.3f: no verdict", events, host);
  }
  return true;
}

// How much slower the reference was beside the submission than in [alone].
static sl_interval slower_than(const struct sl_contest *t, const record *alone) {
  return sl_ratio_interval(whole_sample(&t->of[REFERENCE]), whole_sample(alone), NULL, 1);
}

bool sl__contest_undisturbed(sl_judging *j) {
  struct sl_contest *t = j->contest;
  if (!t || !t->has_reference || slower_than(t, &t->alone).lo < DISTURBED) return true;
  if (!play_alone(j, t, &t->alone_again)) return false;
  sl_interval slower = slower_than(t, &t->alone_again);
  if (slower.lo < DISTURBED) return true;
  j->v->speed.basis = SL_BASIS_NONE;
  return sl__verdict_cannot(
      j, SL_EXIT_INFRA,
      "see what else uses the GPU; if nothing does, the submission goes on working after its answer",
      "the reference took %.2f times as long beside the submission as alone (%.2f at least): no verdict",
      slower.value, slower.lo);
}

// All contenders were throttled alike, as they took turns, so ratios still hold. The times mean less.
static void tell_throttled(sl_verdict *v) {
  char text[160];
  sl__verdict_add_detail(
      v, "the GPU was throttled while this was measured: ",
      sl_throttle_text(v->speed.before.throttle | v->speed.after.throttle, text, sizeof text));
}

// Without a reference the time is shown with its interval and not judged. Says so if the interval is too wide
// to compare the time with anything.
static void tell_noise(sl_judging *j) {
  const sl_interval *own = &j->v->speed.own;
  char text[160];
  if (sl_half_width(own) < SL_NOISE_FLOOR) return;
  snprintf(text, sizeof text, "%.5f ms a call may be %.5f to %.5f", own->value, own->lo, own->hi);
  sl__verdict_add_detail(j->v, "below the noise floor, compare it with nothing: ", text);
}

static sl_interval ratio_of(const struct sl_contest *t) {
  const sl_sample empty = whole_sample(&t->of[EMPTY]);
  return sl_ratio_interval(whole_sample(&t->of[REFERENCE]), whole_sample(&t->of[SUBMISSION]), &empty, 5);
}

static bool sum_up(sl_judging *j, const struct sl_contest *t) {
  const record *of = t->of;
  sl_speed *s = &j->v->speed;
  unsigned calls = t->batch.calls;
  s->basis = SL_BASIS_TIME;
  s->handshake = sl_median_interval(of[EMPTY].all, of[EMPTY].n, 4);
  s->rounds = of[SUBMISSION].n, s->calls = calls,
  s->cache = sl_work_is_cold(t->work, &t->batch) ? "cold" : "warm", s->bytes = 8.0 * (double)t->batch.n;
  s->own = a_call(&of[SUBMISSION], &s->handshake, calls, 1);
  s->copy = scaled(sl_median_interval(of[COPY].events, of[COPY].n, 3), 1.0 / calls);
  sl_device_state_read(sl_work_bus_id(t->work), &s->after);
  if (sl_is_throttled(s->before.throttle | s->after.throttle)) tell_throttled(j->v);
  if (!clocks_agree(j, t)) return s->basis = SL_BASIS_NONE, false;
  if (!t->has_reference) return tell_noise(j), true;
  s->reference = a_call(&of[REFERENCE], &s->handshake, calls, 2);
  s->ratio = ratio_of(t);
  s->credit = sl_speed_credit(s->ratio.hi, j->job->c->full);
  if (sl_half_width(&s->ratio) < SL_NOISE_FLOOR) return true;
  s->basis = SL_BASIS_NONE;
  return sl__verdict_cannot(
      j, SL_EXIT_INFRA, "grade again when the machine is quiet",
      "the ratio to the reference lies between %.2f and %.2f: below the noise, no verdict", s->ratio.lo,
      s->ratio.hi);
}

// Turns -----------------------------------------------------------------------------------------------------

// Plays each contender once; every second round in reverse order.
static bool play_round(sl_judging *j, struct sl_contest *t, unsigned round) {
  for (int k = 0; k < WHO_COUNT; k++) {
    who w = (who)(round % 2 ? WHO_COUNT - 1 - k : k);
    if (w == REFERENCE && !t->has_reference) continue;
    if (!play(j, t, w, &t->of[w])) return false;
  }
  return true;
}

// Is the interval so wide that a little more noise would spoil the verdict?
static bool is_doubtful(const struct sl_contest *t) {
  const sl_interval ratio = ratio_of(t);
  return !(sl_half_width(&ratio) < SL_NOISE_FLOOR / 2);
}

// Has the submission all points wherever in the interval its speed lies?
static bool is_settled(const sl_judging *j, const struct sl_contest *t) {
  if (j->job->contest || !t->has_reference || t->of[SUBMISSION].n < RULE.least) return false;
  return ratio_of(t).lo >= j->job->c->full;
}

bool sl__contest_run(sl_judging *j) {
  struct sl_contest *t = j->contest;
  if (!t) return true;
  record warm = {0};
  bool ok = open_in(j, t, &j->student);
  for (int k = 0; ok && k < WARM_ROUNDS; k++) ok = play(j, t, SUBMISSION, &warm);
  double begin = sl_now();
  sl_stop_rule rule = RULE;
  if (j->job->contest_seconds > 0) rule.seconds = j->job->contest_seconds;
  sl_stop stop = SL_GO_ON;
  for (unsigned round = 0; ok && stop == SL_GO_ON; round++) {
    ok = play_round(j, t, round);
    const record *a = &t->of[SUBMISSION], *b = &t->of[t->has_reference ? REFERENCE : COPY];
    sl_sample samples[] = {whole_sample(a), whole_sample(b)};
    const double elapsed = sl_now() - begin;
    stop = sl_stop_now(&rule, samples, 2, elapsed);
    if (stop == SL_STOP_TIME && elapsed < MORE_TIME * rule.seconds && t->has_reference && is_doubtful(t))
      stop = SL_GO_ON;
    if (ok && is_settled(j, t)) stop = SL_STOP_SETTLED;
  }
  j->v->speed.stopped = sl_stop_names[stop];
  return ok && sum_up(j, t);
}

void sl__contest_end(sl_judging *j) {
  struct sl_contest *t = j->contest;
  if (!t) return;
  if (t->has_reference) {
    sl_student_stop(&t->reference);
    free(t->reference.text);
  }
  sl_device_free(j->device, t->batch.in);
  sl_device_free(j->device, t->batch.out);
  sl_work_close(t->work);
  free(t);
  j->contest = NULL;
}
