// One device and one student's process for several cases, one after the other.
//
// Interface: sl_session_new, sl_session_end (judge.h); sl__session_take, sl__session_give (run.h). Starting
// them takes longer than most cases do; a machine even makes all CUDA contexts one after the other. A process
// stays while it answers as it should and prints nothing; its end is looked at behind the last case.
#include "jail/sandbox.h"
#include "judge/run.h"

struct sl_session {
  sl_device *device;
  sl_student student;
  sl_buffers open;
  sl_host_traffic traffic;
  sl_kept kept;
  bool started, broken;
  size_t cases, launches; // so far
  sl_device **spare;      // where the device goes at the end
  double seconds;
};

sl_session *sl_session_new(double seconds) {
  sl_session *s = sl_must(calloc(1, sizeof *s));
  s->seconds = seconds;
  return s;
}

double sl__session_seconds(const sl_session *s, double one) { return s ? s->seconds : one; }

// The simulated GPU gets the settings of the case, and forgets the launches of the one before.
static bool prepare_device(sl_judging *j, sl_gpu_options *o, sl_error *e) {
  sl_control *control = sl_device_control(j->device);
  if (!control) return true;
  o->max_launches += j->job->session->launches;
  return sl_control_configure(control, o, e) && sl_control_reset(control, e);
}

// A case begins with what the one before has left.
bool sl__session_take(sl_judging *j, sl_gpu_options *o, sl_error *e) {
  sl_session *s = j->job->session;
  if (!s || !s->started) return true;
  j->device = s->device, j->student = s->student, j->started = true, j->open = s->open,
  j->traffic = s->traffic, j->kept = s->kept;
  sl_student_give_time(&j->student, j->job->c->timeout);
  j->v->sandbox = sl_sandbox_name(sl_sandbox_find(), j->student.apart);
  s->device = NULL, s->started = false, s->open = (sl_buffers){0};
  return prepare_device(j, o, e);
}

// Is the process as good as a new one? A session's first case must pass, without text or findings.
static bool is_good(const sl_judging *j, const sl_session *s) {
  bool begun = s->cases > 0 || j->v->status == SL_PASS;
  return begun && j->started && j->answered && j->student.text_len == 0 && j->v->n_findings == 0;
}

// Keeps device and process for the next case. False: there is none, or the process is not to be relied on.
bool sl__session_give(sl_judging *j) {
  sl_session *s = j->job->session;
  if (!s) return false;
  if (j->device) sl__fetch_findings(j);
  s->broken = s->broken || !is_good(j, s);
  if (s->broken) return false;
  s->cases++;
  s->spare = j->job->spare;
  s->launches += j->launches;
  s->device = j->device, s->student = j->student, s->started = true, s->open = j->open,
  s->traffic = j->traffic, s->kept = j->kept;
  return true;
}

bool sl_session_broken(const sl_session *s) { return s->broken; }

bool sl_session_end(sl_session *s) {
  sl_error e = {0};
  bool right = !s->broken;
  if (s->started) {
    sl_exit_status how = {.code = -1};
    s->student.deadline = sl_now() + SL_SESSION_END;
    right = sl_student_end(&s->student, &how) == SL_ENDED && right && how.code == 0 && how.signal == 0;
    free(s->student.text);
  }
  for (int k = 0; k < SL_BUF_COUNT; k++)
    if (s->open.used[k]) sl_buffer_free(&s->open.at[k], s->device);
  if (!right || !sl_device_leave(s->device, s->spare)) right = sl_device_close(s->device, &e) && right;
  free(s);
  return right;
}
