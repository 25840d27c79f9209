// `--check-order`: does the program end only because blocks start in the order of their index? It runs twice
// more, with two resident blocks at once, as on a very small device: in order, and in reverse. If it ends in
// order and hangs in reverse, a block waits for one of lower index that has no room to start. If it hangs
// both times, it needs more blocks resident together, and --resident checks that.
#include "tools/sim/sim.h"

enum { RESIDENT = 2 };

static void choose_order(const sl_schedules *a, uint32_t order, sl_gpu_options *o) {
  *o = *a->first;
  o->order = order, o->resident = RESIDENT, o->warps = SL_WARPS_GREEDY, o->visibility = SL_VISIBILITY_STRONG;
  o->counters = o->record = o->repeat = 0;
  o->copies[0] = 0;
  sl__replay("scanlab sim", o, a->program, o->replay, sizeof o->replay);
}

// Runs the program. True: it hung, and *[out] says where.
static bool hangs(const sl_schedules *a, const char *lib, uint32_t order, int quiet, sl_finding *out,
                  sl_error *e) {
  sl_gpu_options o;
  SL_FREED sl_finding *f = NULL;
  size_t n = 0, k = 0;
  choose_order(a, order, &o);
  sl_control *c = sl_control_start(&o, NULL, e);
  if (!c) return false;
  sl_run_args r = {.argv = a->program,
                   .lib_dir = lib,
                   .socket = sl_control_socket(c),
                   .control = c,
                   .io = {sl__input_open(a->input), quiet}};
  sl__run_program(&r, e);
  if (r.io.in >= 0) close(r.io.in);
  sl__hold_signals(false);
  if (sl_control_findings(c, &f, &n, e))
    while (k < n && f[k].id != SL_FOUND_PROGRESS_DEADLOCK) k++;
  bool found = k < n;
  if (found) *out = f[k]; // other findings follow from this one
  else sl__add_new_findings(a->control, f, n, o.replay, e);
  sl_control_stop(c, 5, NULL);
  return found;
}

// The finding's replay command makes both runs again; a detail names the command of the run that hangs.
static void name_commands(const sl_schedules *a, sl_finding *f) {
  char alone[SL_REPLAY_MAX + 8];
  size_t n = strlen(f->details);
  sl_finding_replay(f, alone, sizeof alone);
  if (n + strlen(alone) + 16 < sizeof f->details)
    snprintf(f->details + n, sizeof f->details - n, "hangs %s\n", alone);
  sl__replay("scanlab sim --check-order", a->first, a->program, f->replay, sizeof f->replay);
}

bool sl__check_order(const sl_schedules *a, sl_error *e) {
  SL_FREED sl_finding *f = calloc(1, sizeof *f);
  int quiet = open("/dev/null", O_RDWR | O_CLOEXEC);
  SL_FREED char *lib = sl_tool_path("../lib");
  bool ok = (f && quiet >= 0) || sl_fail(e, SL_EXIT_INFRA, NULL, "cannot open /dev/null");
  bool wrong = ok && !hangs(a, lib, SL_ORDER_IN, quiet, f, e) && !e->code &&
               hangs(a, lib, SL_ORDER_REVERSE, quiet, f, e);
  if (wrong) {
    char text[sizeof f->account];
    memcpy(text, f->account, sizeof text);
    f->id = SL_FOUND_PROGRESS_ORDER;
    snprintf(f->what, sizeof f->what,
             "the program ends only because blocks start in order of their index: with %d blocks at once, "
             "in reverse order, none can go on",
             RESIDENT);
    snprintf(f->account, sizeof f->account, "%.319s; %.680s", f->what, text);
    f->why[0] = f->advice[0] = 0;
    name_commands(a, f);
    ok = sl_control_note(a->control, f, e);
  }
  if (quiet >= 0) close(quiet);
  return ok && !e->code;
}
