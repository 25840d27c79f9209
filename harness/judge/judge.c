// Judges one case from the device to the verdict.
//
// Interface: sl_judge, sl_verdict_free (judge.h). The plan of calls: the case's size, its companions
// ("also"), its repetitions ("calls"), then timed repeats, and those of other cases ("then"); each has an
// input of its own and each result is checked.
#include "judge/contest.h"
#include "judge/run.h"
#include "gpu/start/schedule.h"
#include "jail/sandbox.h"
#include "device/settings.h"

#include <sys/random.h>
#include <sys/resource.h>

// The plan --------------------------------------------------------------------------------------------------

typedef struct plan {
  unsigned n;
  uint64_t size[SL_MAX_PLAN];
  unsigned times[SL_MAX_PLAN]; // in a row
  bool timed[SL_MAX_PLAN];
} plan;

static void add_to_plan(plan *p, uint64_t size, unsigned times, bool timed) {
  if (p->n == SL_MAX_PLAN) return;
  p->size[p->n] = size;
  p->times[p->n] = times;
  p->timed[p->n++] = timed;
}

// With repeats, the case's own calls are the warm-up.
static void make_plan(const sl_judge_job *job, plan *p) {
  const sl_case *c = job->c;
  bool own = job->repeats == 0;
  p->n = 0;
  add_to_plan(p, c->n, 1, own);
  for (unsigned k = 0; k < c->n_also; k++) add_to_plan(p, c->also[k], sl_case_times(c, k), false);
  for (unsigned k = 0; k < c->n_draw; k++) add_to_plan(p, sl_case_drawn(c, k), 1, false);
  for (unsigned k = 1; k < c->calls; k++) add_to_plan(p, c->n, 1, own);
  for (unsigned k = 0; k < job->repeats; k++) add_to_plan(p, c->n, 1, true);
}

// Times -----------------------------------------------------------------------------------------------------

static void summarize_times(sl_judging *j) {
  sl_times *t = &j->v->times;
  unsigned n = j->n_ms;
  if (n == 0) return;
  t->repeats = n;
  sl_interval median = sl_median_interval(j->ms, n, 1);
  t->median = sl__median(j->ms, n), t->lo = median.lo, t->hi = median.hi;
  t->min = j->ms[0];
  t->max = j->ms[n - 1];
  t->spread = t->median > 0 ? (t->max - t->min) / t->median : 0;
  t->device_median = sl__median(j->device_ms, n);
  t->device_min = j->device_ms[0];
  t->device_max = j->device_ms[n - 1];
}

// What is judged besides the results ------------------------------------------------------------------------

// Who has touched so much memory that no records were left could race where nobody looks.
static bool check_seen(sl_judging *j) {
  sl_host_traffic t = {0};
  sl_error e = {0};
  sl_control *control = sl_device_control(j->device);
  if (control && !sl_control_host_traffic(control, &t, &e)) return sl__verdict_error(j, &e);
  if (!t.unseen) return true;
  if (t.host_short)
    return sl__verdict_cannot(j, SL_EXIT_INFRA, "free some memory, or let fewer programs run at once",
                              "this machine has too little memory to look for races");
  return sl__verdict_fail(j, NULL, SL_REASON_UNSEEN, json_pack("{s:I}", "accesses", SL_INT(t.unseen)), NULL);
}

static bool check_clean(sl_judging *j) {
  json_t *fields = sl__first_finding(j);
  if (!fields) return check_seen(j);
  json_object_set_new(fields, "findings", json_integer(SL_INT(j->v->n_findings)));
  return sl__verdict_fail(j, NULL, SL_REASON_FINDINGS, fields, NULL);
}

static json_t *speed_fields(const sl_speed *s) {
  json_t *o = json_pack("{s:f, s:f, s:f, s:f}", "ratio", s->ratio.value, "own_ms", s->own.value,
                        "reference_ms", s->reference.value, "percent", 100 * s->credit);
  if (s->basis == SL_BASIS_MODEL) return o;
  json_t *timed =
      json_pack("{s:f, s:f, s:f, s:f, s:s, s:I, s:I}", "ratio_lo", s->ratio.lo, "ratio_hi", s->ratio.hi,
                "gb_per_s", s->bytes / 1e6 / s->own.value, "of_copy_rate", s->copy.value / s->own.value,
                "cache", s->cache, "rounds", SL_INT(s->rounds), "calls", SL_INT(s->calls));
  json_object_update(o, timed);
  json_decref(timed);
  return o;
}

// Words the comparison of speeds. Less than all points is a failure that keeps its share of them.
static bool tell_speed(sl_judging *j) {
  sl_verdict *v = j->v;
  bool model = v->speed.basis == SL_BASIS_MODEL;
  json_t *fields = speed_fields(&v->speed);
  v->credit = v->speed.credit;
  if (v->credit < 1)
    return sl__verdict_fail(j, NULL, model ? SL_REASON_SPEED_MODEL : SL_REASON_SPEED_TIMED, fields, NULL);
  v->reason = model ? SL_REASON_RIGHT_MODEL : SL_REASON_RIGHT_TIMED, v->fields = fields;
  sl__verdict_word(v);
  return true;
}

static sl_interval exactly(double ms) { return (sl_interval){ms, ms, ms}; }

// Without a GPU, compares what the simulated GPU counted with its counts for the reference solution.
static bool check_speed(sl_judging *j) {
  const sl_case *c = j->job->c;
  sl_speed *s = &j->v->speed;
  const sl_counters *total = &j->v->counters.total;
  if (j->job->backend == SL_BACKEND_GPU) return tell_speed(j);
  s->basis = SL_BASIS_MODEL;
  double traffic = sl_traffic_ms(j->v->counters.launches, sl_counted_sectors(&j->v->counters));
  s->own = exactly(fmax(traffic, sl_longest_ms(total->longest_warp)));
  s->reference = exactly(sl_traffic_ms(c->reference_launches, c->reference_sectors));
  s->ratio = exactly(s->reference.value / s->own.value);
  s->credit = sl_speed_credit(s->ratio.hi, c->full);
  return tell_speed(j);
}

static bool (*const kind_checks[])(sl_judging *j) = {[SL_PART_CORRECT] = sl__judge_bounds,
                                                     [SL_PART_COUNTERS] = sl__judge_bounds,
                                                     [SL_PART_CLEAN] = check_clean,
                                                     [SL_PART_SPEED] = check_speed};

// The order of things ---------------------------------------------------------------------------------------

// Warp instructions that one launch may execute: many times what any right kernel of a lab needs, and a
// second or so of a kernel that never ends. Unlike a time it is the same on every machine. 0: no limit.
static uint64_t instruction_limit(const sl_case *c) {
  const uint64_t least = 50000000, an_element = 1000;
  return c->n == SL_WHOLE ? 0 : least + an_element * sl_case_largest(c);
}

// Launches of all calls together: more than a call may have (computed.c). 0: no limit.
static uint64_t launch_limit(const sl_judge_job *job) {
  const sl_case *c = job->c;
  enum { MOST_KINDS = 64 };
  uint64_t calls = sl_case_calls(c) + job->repeats + (c->kinds ? MOST_KINDS : 0) + SL_MOST_ABOUT_CALLS;
  for (unsigned k = 0; k < c->n_then; k++) calls += sl_case_calls(c->then_case[k]);
  return job->contest ? 0 : SL_MOST_LAUNCHES * (calls + 1);
}

// A simulated GPU that another case has left, as good as a new one; NULL: there is none. To start one takes
// longer than most cases do.
static sl_device *take_spare(const sl_judge_job *job, const sl_gpu_options *o) {
  sl_error e = {0};
  sl_device *d = job->spare ? *job->spare : NULL;
  if (!d) return NULL;
  *job->spare = NULL;
  if (sl_device_renew(d, o, &e)) return d;
  sl_device_close(d, &e);
  return NULL;
}

// One that writes a report, or knows a program's lines, is not for another program.
static bool leave_spare(sl_judging *j) {
  const sl_judge_job *job = j->job;
  return !job->gpu_report && !job->observe && j->v->status <= SL_FAIL &&
         sl_device_leave(j->device, job->spare);
}

// The judge, the student's process and the simulated GPU wait for each other most of the time. With more
// elements, what the judge itself does on all cores is worth more.
static void stay_on_one_core(const sl_judge_job *job, const sl_gpu_options *o) {
  const uint64_t most = 1 << 25;
  if (o->cores == 1 && sl_case_largest(job->c) <= most) sl_stay();
}

static bool open_device(sl_judging *j) {
  const sl_judge_job *job = j->job;
  sl_error e = {0};
  const sl_report_to report = {.file = job->gpu_report,
                               .telling = job->telling,
                               .lines = job->observe ? job->runner : NULL,
                               .enclosed = !sl_sandbox_is_off()};
  sl_gpu_options o = sl_gpu_options_default();
  bool sim = job->backend == SL_BACKEND_SIM;
  // One core unless SCANLAB_CORES says more: the grader has judges on all of them.
  if (sim && (!sl_schedule_choose(job->schedule, &o, &e) || !sl_gpu_cores(&o, 0, false, &e)))
    return sl__verdict_error(j, &e);
  if (sim) stay_on_one_core(job, &o);
  if (job->replay) sl_schedule_replay(job->replay, &o, NULL, o.replay, sizeof o.replay);
  o.counters = job->results_only && !sl__counts_data(job) ? SL_COUNT_WORK : SL_COUNT_ALL;
  o.hold_text = 1;
  o.checks = job->kind == SL_PART_CLEAN || job->observe ? SL_CHECK_ALL : 0;
  o.stop_at_first = !o.checks;
  o.repeat = o.checks != 0; // repeats only kernels that change __device__ variables
  o.record = job->record | (sl__counts_data(job) ? SL_RECORD_DATA : 0);
  o.max_instructions = instruction_limit(job->c);
  o.max_launches = launch_limit(job);
  o.watchdog_seconds = job->c->timeout / 2;
  // the device ends the kernel and says where, before the judge's own time is over
  o.launch_seconds = job->c->timeout * 0.9;
  if (!sl__session_take(j, &o, &e)) return sl__verdict_error(j, &e);
  if (!j->device) j->device = take_spare(job, &o);
  if (!j->device) j->device = sl_device_open(job->backend, sim ? &o : NULL, &report, &e);
  return j->device || sl__verdict_error(j, &e);
}

static bool make_call(sl_judging *j, uint64_t n, unsigned times, bool timed) {
  j->n_calls += times;
  sl_case_call c = {.number = j->n_calls - 1, .n = n, .times = times, .timed = timed && !j->of};
  bool ok = sl__judge_call(j, &c);
  sl__call_free(&c);
  return ok;
}

static bool make_calls(sl_judging *j) {
  plan p;
  bool ok = true;
  make_plan(j->job, &p);
  for (unsigned k = 0; k < p.n && ok; k++) {
    ok = make_call(j, p.size[k], p.times[k], p.timed[k]);
    // It has left more behind than it found: for later calls, or for ever? Another one tells.
    if (ok && j->keeps && !j->job->contest) ok = make_call(j, p.size[k], 1, false);
  }
  return ok;
}

// The calls of another case, in the same process: with other bits, types or values. What a program keeps may
// fit no longer, and larger memory is no leak.
static bool follow_with(sl_judging *j, const char *name, const sl_case *next) {
  sl_error e = {0};
  const sl_judge_job *was = j->job;
  const sl_source source = j->source;
  sl_judge_job job = *was;
  sl_case c = *next;
  c.seed = sl_mix(was->c->seed ^ next->seed) >> 1; // salted as that of the case
  job.c = &c, j->job = &job, j->of = name;
  j->most_n = 0, j->last_n = SL_WHOLE - 1; // the size of no call
  bool ok = sl_source_open(&j->source, &c, job.data_dir, &e) || sl__verdict_error(j, &e);
  ok = ok && make_calls(j);
  sl_source_close(&j->source);
  j->source = source, j->job = was, j->of = NULL;
  return ok;
}

// A call about numbers of the source. Messages name it as `run` takes it. A part "clean" asks only what is
// found in it: what its result is worth, the other parts say.
static bool call_about(sl_judging *j, const sl_about_call *about) {
  sl_case one = *j->job->c;
  char name[SL_DIST_CHARS + 16];
  one.n = about->n, one.calls = 1, one.n_also = one.n_draw = 0;
  memcpy(one.dist, about->dist, sizeof one.dist);
  if (about->scalar) one.scalars[0] = one.scalars_to[0] = about->scalar;
  if (about->scalar) snprintf(name, sizeof name, "--scalars %lld", (long long)about->scalar);
  else snprintf(name, sizeof name, "%s", one.dist);
  j->findings_only = j->job->kind == SL_PART_CLEAN;
  const bool ok = follow_with(j, name, &one);
  j->findings_only = false;
  return ok;
}

static bool make_following(sl_judging *j) {
  const sl_case *c = j->job->c;
  sl_kind_name name;
  sl_case kind;
  sl_about_calls about = {0};
  bool ok = true;
  for (unsigned k = 0; k < c->n_then && ok && !j->job->contest; k++)
    ok = follow_with(j, c->then[k], c->then_case[k]);
  for (unsigned k = 0; c->kinds && ok && !j->job->contest && sl__kind(c, k, &kind, name); k++)
    ok = follow_with(j, name, &kind);
  sl__find_about(j->job, &about);
  for (unsigned k = 0; k < about.n && ok; k++) ok = call_about(j, &about.at[k]);
  return ok;
}

// A program that has answered everything right must still end as it should.
static bool end_program(sl_judging *j) {
  sl_exit_status how;
  if (j->job->session) return true; // it has more to do
  // Its calls may have taken nearly all of their time: its end has time of its own.
  sl_student_give_time(&j->student, j->job->c->timeout);
  sl_answer a = sl_student_end(&j->student, &how);
  if (a == SL_GARBAGE) return sl__verdict_no_answer(j, NULL, a);
  if (a == SL_LATE || how.timed_out) return sl__verdict_fail(j, NULL, SL_REASON_LATE_EXIT, NULL, NULL);
  if (how.signal == 0 && how.code == 0) return true;
  return sl__verdict_ended(j, NULL, &how, SL_REASON_EXIT_CRASHED, SL_REASON_EXIT_FAILED, NULL);
}

static void add_output(sl_judging *j) {
  sl_verdict *v = j->v;
  char line[96];
  sl__verdict_add_detail(v, "the program printed:\n", j->student.text);
  snprintf(line, sizeof line, "(%zu more bytes)", j->student.text_dropped);
  if (j->student.text_dropped) sl__verdict_add_detail(v, NULL, line);
  free(j->student.text);
  j->student.text = NULL;
}

static void close_all(sl_judging *j) {
  sl_error e = {0};
  if (sl__session_give(j)) {
    sl_source_close(&j->source);
    return;
  }
  if (j->started) {
    sl_student_stop(&j->student);
    sl__take_printed(j, true);
    add_output(j);
  }
  sl__contest_end(j);
  if (j->device) {
    sl__fetch_findings(j);
    if (j->job->kind == SL_PART_CLEAN) sl__prefer_findings(j);
    sl__tell_failed_call(j);
    sl__buffers_free(j, &j->open);
    if (!leave_spare(j) && !sl_device_close(j->device, &e)) sl__verdict_error(j, &e), j->v->unreported = e;
  }
  sl_source_close(&j->source);
}

// Processor time of this process and of all children that have ended.
static double processor_seconds(void) {
  double all = 0;
  for (int who = RUSAGE_CHILDREN; who <= RUSAGE_SELF; who++) {
    struct rusage u = {0};
    getrusage(who, &u);
    all += sl_used_seconds(&u);
  }
  return all;
}

static void judge_once(const sl_judge_job *job, sl_verdict *v) {
  double begin = sl_now(), processor = processor_seconds();
  sl_error e = {0};
  SL_FREED sl_judging *j = sl_must(calloc(1, sizeof *j));
  *v = (sl_verdict){.sandbox = sl_sandbox_name(sl_sandbox_find(), false), .telling = job->telling};
  sl__verdict_word(v);
  *j = (sl_judging){
      .job = job, .v = v, .least = {.left = 1}, .student = {.socket = -1, .pidfd = -1, .child = {.out = -1}}};
  if (getrandom(&j->secret, sizeof j->secret, 0) != sizeof j->secret) j->secret = (uint64_t)(begin * 1e9);
  bool ok = sl_source_open(&j->source, job->c, job->data_dir, &e) || sl__verdict_error(j, &e);
  ok = ok && open_device(j) && sl__contest_begin(j) && make_calls(j) && make_following(j) &&
       sl__contest_run(j) && end_program(j) && sl__contest_undisturbed(j) && kind_checks[job->kind](j) &&
       sl__judge_leak(j);
  (void)ok;
  summarize_times(j);
  close_all(j);
  v->seconds = sl_now() - begin, v->processor = processor_seconds() - processor;
}

// Adds the schedule under which the case failed.
static void name_schedule(sl_verdict *v, const char *words) {
  if (!v->fields) v->fields = json_object();
  json_object_set_new(v->fields, "schedule", json_string(words));
  sl__verdict_word(v);
}

// A wrong result of a case that is to be clean: under another schedule the cause may be found.
static bool is_consequence(const sl_judge_job *job, const sl_verdict *v) {
  return job->kind == SL_PART_CLEAN && v->n_findings == 0 &&
         (v->reason == SL_REASON_RESULT_WRONG || v->reason == SL_REASON_RESULT_UNSORTED ||
          v->reason == SL_REASON_RESULT_UNWRITTEN);
}

// Judges once, or under each schedule of the case until it fails; the command line's replaces them.
static void judge_schedules(const sl_judge_job *job, sl_verdict *v) {
  const char *at = job->schedule || job->backend != SL_BACKEND_SIM ? "" : job->c->schedules;
  double seconds = 0, processor = 0;
  sl_verdict first = {0}; // a consequence
  if (!*at) return judge_once(job, v);
  for (const char *end; (end = strchr(at, ';')); at = end + 1) {
    char words[sizeof job->c->schedules];
    sl_judge_job one = *job;
    snprintf(words, sizeof words, "%.*s", (int)(end - at), at);
    one.schedule = words;
    judge_once(&one, v);
    v->seconds = seconds += v->seconds, v->processor = processor += v->processor;
    if (v->status != SL_PASS) name_schedule(v, words);
    if (!end[1] || (v->status != SL_PASS && !is_consequence(job, v))) break;
    if (v->status == SL_PASS || first.status != SL_PASS) sl_verdict_free(v);
    else first = *v;
  }
  if (first.status == SL_PASS) return;
  const bool cause = v->status == SL_FAIL && !is_consequence(job, v);
  sl_verdict_free(cause ? &first : v);
  if (!cause) *v = first, v->seconds = seconds, v->processor = processor;
}

void sl_judge(const sl_judge_job *job, sl_verdict *v) {
  sl_case c = *job->c;
  sl_judge_job whole = *job;
  sl__add_named(job, &c);
  sl__begin_as_counted(&c);
  whole.c = &c;
  judge_schedules(&whole, v);
}

void sl_verdict_free(sl_verdict *v) {
  free(v->detail);
  free(v->findings);
  json_decref(v->fields);
  *v = (sl_verdict){0};
}
