// What the student's process may use, and for how long: threads, memory, processor time, and time in which
// nothing happens. One that has had more is killed, and what it had too much of is noted.
//
// Interface: runner.h, limits.c.
#include "judge/runner.h"
#include "judge/cases.h"

#include <signal.h>
#include <time.h>

static bool kill_for(sl_student *s, bool *what) {
  kill(s->child.pid, SIGKILL);
  return *what = true;
}

// Threads cost the machine kernel memory and process numbers.
static bool is_crowded(sl_student *s) {
  char path[64];
  struct stat st;
  snprintf(path, sizeof path, "/proc/%d/task", (int)s->program);
  if (stat(path, &st) != 0 || st.st_nlink <= SL_STUDENT_THREADS + 2) return false;
  return kill_for(s, &s->crowded);
}

static unsigned long long pages_used(int pid) {
  char path[64];
  unsigned long long all, used = 0;
  snprintf(path, sizeof path, "/proc/%d/statm", pid);
  SL_CLOSED FILE *f = fopen(path, "r");
  if (f && fscanf(f, "%llu %llu", &all, &used) != 2) used = 0;
  return used;
}

// Bytes of the files without a name that it has open: memory that belongs to no process.
static unsigned long long nameless_bytes(int pid) {
  char path[64];
  unsigned long long bytes = 0;
  struct stat st;
  snprintf(path, sizeof path, "/proc/%d/fd", pid);
  SL_LISTED DIR *d = opendir(path);
  for (struct dirent *one; d && (one = readdir(d));)
    if (fstatat(dirfd(d), one->d_name, &st, 0) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 0)
      bytes += (unsigned long long)st.st_blocks * 512;
  return bytes;
}

// On a real GPU the driver reserves addresses without bound, so only what is used tells.
static bool is_greedy(sl_student *s) {
  if (!s->watched) return false;
  const unsigned long long used = pages_used((int)s->program) * (unsigned long long)sysconf(_SC_PAGESIZE) +
                                  nameless_bytes((int)s->program);
  if (used >> 20 <= (unsigned long long)s->most_mib) return false;
  return kill_for(s, &s->greedy);
}

// Seconds that all threads of the program have computed. False: the system does not tell, as of an ended one.
static bool has_computed(pid_t program, double *seconds) {
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(program, &clock) != 0 || clock_gettime(clock, &t) != 0) return false;
  *seconds = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
  return true;
}

// A driver computes while it waits for a real GPU.
static double may_compute(const sl_student *s, double seconds) {
  return s->watched ? 0 : seconds <= SL_SHORT_SECONDS ? 1 : 2 + (int)seconds / 60;
}

// Seconds for which the program or its simulated GPU have computed, or both had nothing to do.
static double seconds_used(const sl_student *s) {
  double own = 0, device = 0;
  if (s->program > 0) has_computed(s->program, &own);
  if (s->device > 0) has_computed(s->device, &device);
  return own + device + s->idle;
}

// What the program and its simulated GPU have done: run or been ready to. A thread that has ended counts by
// what its process has computed. False: nobody can tell.
static bool has_done(const sl_student *s, double *seconds) {
  const pid_t both[] = {s->program, s->device};
  *seconds = 0;
  for (int k = 0; k < 2; k++) {
    double computed = 0, active = sl_active_seconds(both[k]);
    if (active < 0 || !has_computed(both[k], &computed)) return false;
    *seconds += active > computed ? active : computed;
  }
  return true;
}

void sl_student_give_time(sl_student *s, double seconds) {
  s->deadline = sl_now() + seconds;
  s->idle = s->waited = 0;
  s->seen = false;
  s->seconds = seconds;
  s->used_from = seconds_used(s);
  s->idle_most = seconds <= SL_SHORT_SECONDS ? 1 : SL_STUDENT_IDLE;
  s->cpu_most = may_compute(s, seconds);
  s->cpu_from = 0;
  if (s->program > 0) has_computed(s->program, &s->cpu_from);
}

static bool is_busy(sl_student *s) {
  double seconds;
  if (s->cpu_most == 0 || s->program <= 0 || !has_computed(s->program, &seconds)) return false;
  if (seconds - s->cpu_from <= s->cpu_most) return false;
  return kill_for(s, &s->busy);
}

// To ask the system about each thread takes longer than most calls do, so what both had done before is asked
// only when the program has been waited for. Idle time counts from there on.
static bool is_first_look(sl_student *s) {
  if (s->seen) return false;
  if (!has_done(s, &s->done)) s->done = -1;
  s->waited = 0;
  return s->seen = true;
}

int sl__student_look_ms(const sl_student *s) {
  return s->seen || s->device <= 0 ? SL_STUDENT_LOOK_MS : SL_STUDENT_FIRST_LOOK_MS;
}

// Only a kernel is worth waiting for. A program that writes a little now and then is idle, too. How
// long a thread was ready the system tells once it runs, on a busy machine after a while: until then the time
// goes to the next look. So whether both wait is asked first: who waits has been told all of it.
bool sl__student_is_lazy(sl_student *s) {
  double done;
  if (s->device <= 0 || s->program <= 0 || s->waited < sl__student_look_ms(s) / 1e3 || is_first_look(s))
    return false;
  const bool waits = sl_waits(s->program), device_waits = sl_waits(s->device);
  if (!has_done(s, &done)) done = -1;
  const bool told = done >= 0 && s->done >= 0;
  if (told && !waits) return false;
  const double rest = told ? s->waited - (done - s->done) : waits ? s->waited : 0;
  if (rest > 0 && device_waits) s->idle += rest; // while it runs, it executes a kernel
  s->waited = 0;
  s->done = done;
  if (s->idle <= s->idle_most) return false;
  return kill_for(s, &s->lazy);
}

// The simulated GPU ends a kernel by processor time, nine tenths of the case's, and says where it stood.
// It is waited for: on a busy machine the deadline passes before, and where a program computes first. Both
// together have a fifth more time than a kernel; BUSY_SECONDS fit into what graders allow.
enum { BUSY_SECONDS = 50 };
bool sl__student_is_late(const sl_student *s) {
  const double over = sl_now() - s->deadline;
  return over >= 0 &&
         (s->device <= 0 || over >= BUSY_SECONDS || seconds_used(s) - s->used_from >= 1.1 * s->seconds);
}

bool sl__student_takes_too_much(sl_student *s) { return is_crowded(s) || is_greedy(s) || is_busy(s); }
