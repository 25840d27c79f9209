// `--schedules K`: the program runs under K schedules: orders of blocks and warps, numbers of resident
// blocks, visibilities of stores, seeds. Its exit status and what it copies from the device must be the same
// in all runs. If they differ, the program lacks a barrier, a fence or an atomic. A finding that only one
// schedule makes is reported with that schedule.
//
// The first run is an ordinary one. The others are runs of sl-sim itself with --digest, as many at once as
// there are cores, with the same input and without output. They are read in their order, so the report does
// not depend on the number of cores.
#include "tools/sim/sim.h"

enum { MOST = 64 };

typedef struct schedule {
  sl_gpu_options o;
  char digest[160], copies[160], findings[160], words[512];
  sl_child child;
} schedule;

// Chooses schedule [k], from 1. Neighbours differ in nearly everything that is not fixed; within eight, each
// order of warps has met both visibilities. When a choice comes again, its seed is new.
static void choose_schedule(schedule *s, const sl_schedules *a, int64_t k) {
  static const uint32_t ORDERS[] = {SL_ORDER_REVERSE, SL_ORDER_RANDOM, SL_ORDER_IN},
                        WARPS[] = {SL_WARPS_ROUND_ROBIN, SL_WARPS_RANDOM, SL_WARPS_ONE_AHEAD,
                                   SL_WARPS_GREEDY},
                        RESIDENT[] = {0, 2, 1, 0, 7};
  s->o = *a->first;
  if (!(a->fixed & SL_FIX_ORDER)) s->o.order = ORDERS[(k - 1) % 3];
  if (!(a->fixed & SL_FIX_WARPS)) s->o.warps = WARPS[(k - 1) % 4];
  if (!(a->fixed & SL_FIX_LANES)) s->o.lanes = (uint32_t)k % SL_LANES_COUNT;
  if (!(a->fixed & SL_FIX_VISIBILITY))
    s->o.visibility = (k + (k - 1) / 4) % 2 ? SL_VISIBILITY_WEAK : SL_VISIBILITY_STRONG;
  if (!(a->fixed & SL_FIX_RESIDENT)) s->o.resident = RESIDENT[(k - 1) % 5];
  s->o.seed += (uint64_t)k;
  sl__replay("scanlab sim", &s->o, a->program, s->o.replay, sizeof s->o.replay);
  sl_gpu_options_text(&s->o, s->words, sizeof s->words);
  snprintf(s->digest, sizeof s->digest, "%s/run-%lld", sl_control_dir(a->control), (long long)k);
  snprintf(s->copies, sizeof s->copies, "%s/copies-%lld", sl_control_dir(a->control), (long long)k);
  snprintf(s->findings, sizeof s->findings, "%s/findings-%lld", sl_control_dir(a->control), (long long)k);
}

static bool begin_run(schedule *s, const sl_schedules *a, int quiet, sl_error *e) {
  size_t words = 0, n = 0;
  char timeout[24];
  while (a->program[words]) words++;
  snprintf(timeout, sizeof timeout, "%lld", (long long)a->timeout);
  SL_FREED char *sim = sl_tool_path("sl-sim"), **argv = calloc(words + 24, sizeof *argv);
  const char *const head[] = {sim,        "--schedule", s->words,    "--timeout",     timeout,   "--checks",
                              a->checks,  "--findings", s->findings, "--no-counters", "--cores", "1",
                              "--digest", s->digest,    "--copies",  s->copies,       "--"};
  bool ok = argv != NULL;
  for (; ok && n < sizeof head / sizeof *head; n++) argv[n] = (char *)head[n];
  for (size_t k = 0; ok && k < words; k++) argv[n++] = a->program[k];
  int in = sl__input_open(a->input);
  ok = ok && sl_spawn(&s->child, &(sl_process){.argv = argv, .io = {in, quiet}}, e);
  if (in >= 0) close(in);
  if (ok) sl__stop_with_us(s->child.pid, true);
  return ok;
}

// Reads what the run wrote with --digest; "" if it wrote nothing.
static void finish_run(schedule *s, char *out, size_t cap) {
  size_t len = 0;
  pid_t group = s->child.pid;
  sl_wait(&s->child, 0);
  sl__stop_with_us(group, false);
  SL_FREED char *text = sl_read_file(s->digest, 1 << 12, &len, NULL);
  snprintf(out, cap, "%.*s", (int)len, text ? text : "");
  unlink(s->digest);
}

static void make_finding(sl_finding *f, const sl_schedules *a, const schedule *s, const char *got) {
  char where[256];
  *f = (sl_finding){.id = SL_FOUND_SCHEDULE_DIFFERS, .count = 0};
  sl__copies_differ(a->first->copies, s->copies, where, sizeof where);
  snprintf(f->what, sizeof f->what,
           "the result depends on the schedule: %s after %.400s, but %s after the schedule of the replay%s%s",
           a->digest, a->first->replay, *got ? got : "no result", *where ? "; " : "", where);
  snprintf(f->replay, sizeof f->replay, "%s", s->o.replay);
}

typedef struct outcome {
  int64_t differ;
  sl_finding first; // from the first schedule that differs
} outcome;

bool sl__add_new_findings(sl_control *c, sl_finding *f, size_t n, const char *replay, sl_error *e) {
  SL_FREED sl_finding *known = NULL;
  size_t n_known = 0;
  bool ok = sl_control_findings(c, &known, &n_known, e);
  for (size_t k = 0; ok && k < n; k++) {
    size_t at = 0;
    while (at < n_known && !sl_finding_same_place(&known[at], &f[k])) at++;
    if (at < n_known) continue;
    snprintf(f[k].replay, sizeof f[k].replay, "%s", replay);
    ok = sl_control_note(c, &f[k], e);
  }
  return ok;
}

static bool take_findings(const sl_schedules *a, const schedule *s, sl_error *e) {
  enum { MOST_BYTES = 1 << 24 };
  size_t len = 0;
  SL_FREED sl_finding *f = sl_read_file(s->findings, MOST_BYTES, &len, NULL);
  bool ok = !f || sl__add_new_findings(a->control, f, len / sizeof *f, s->o.replay, e);
  unlink(s->findings);
  return ok;
}

static bool look_at(const sl_schedules *a, schedule *s, outcome *out, sl_error *e) {
  char got[256];
  finish_run(s, got, sizeof got);
  if (strcmp(got, a->digest) != 0 && out->differ++ == 0) make_finding(&out->first, a, s, got);
  unlink(s->copies);
  return take_findings(a, s, e);
}

static int64_t cores(void) { return sl_jobs() < MOST ? sl_jobs() : MOST; }

bool sl__run_schedules(const sl_schedules *a, int64_t count, sl_error *e) {
  SL_FREED schedule *run = calloc(MOST, sizeof *run);
  int64_t started = 1, seen = 1, at_once = cores();
  outcome out = {0};
  int quiet = open("/dev/null", O_RDWR | O_CLOEXEC);
  bool ok = (run && quiet >= 0) || sl_fail(e, SL_EXIT_INFRA, NULL, "cannot open /dev/null");
  while (seen < started || (ok && started < count)) {
    ok = ok && !sl__stopped();
    if (ok && started < count && started - seen < at_once) {
      choose_schedule(&run[started % MOST], a, started);
      ok = begin_run(&run[started % MOST], a, quiet, e);
      started += ok;
    } else if (seen < started) {
      ok &= look_at(a, &run[seen % MOST], &out, e);
      seen++;
    }
  }
  if (quiet >= 0) close(quiet);
  if (sl__stopped()) return false;
  out.first.count = (uint64_t)out.differ;
  if (ok && out.differ) ok = sl_control_note(a->control, &out.first, e);
  if (ok)
    fprintf(stderr, "sl-sim: %lld schedules, %lld differ from the first\n", (long long)count,
            (long long)out.differ);
  return ok;
}
