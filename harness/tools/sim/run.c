// Runs the program as a foreground job: it gets the terminal, signals that stop sl-sim stop it too, and
// nothing of its process group stays behind.
#include "tools/sim/sim.h"
#include "gpu/protocol.h"

#include <signal.h>
#include <sys/personality.h>

extern char **environ;

// Stopping --------------------------------------------------------------------------------------------------

enum { MOST_GROUPS = 64 };
// The process groups of the program and of its runs under other schedules.
static volatile pid_t groups[MOST_GROUPS];
static volatile sig_atomic_t stopped;
static sl_control *volatile stop_control;

bool sl__stopped(void) { return stopped; }

void sl__stop_with_us(pid_t group, bool on) {
  int k = 0;
  while (k < MOST_GROUPS && groups[k] != (on ? 0 : group)) k++;
  if (k < MOST_GROUPS) groups[k] = on ? group : 0;
}

// If the output is a file or a pipe, the program may still buffer its own lines: this may be the only one.
static void say_stopped(int sig) {
  static const char text[] =
      "sl-sim: stopped by SIGTERM; what the program had printed but not yet written is lost\n";
  if (sig != SIGTERM) return;
  ssize_t ignored = write(2, text, sizeof text - 1);
  (void)ignored;
}

// timeout(1) sends its signal to the command and then to the command's group: within this time both are one.
static const double ONE_SIGNAL = 0.5; // seconds

// The first signal ends the program; sl-sim then reports what was found so far. The second ends sl-sim.
static void on_stop(int sig) {
  static double first;
  bool again = stopped;
  if (again && sl_now() - first < ONE_SIGNAL) return;
  if (!again) first = sl_now(), say_stopped(sig);
  stopped = 1;
  for (int k = 0; k < MOST_GROUPS; k++)
    if (groups[k] > 0) kill(-groups[k], SIGKILL);
  if (!again && stop_control) return;
  if (stop_control) sl_control_abort(stop_control);
  _exit(SL_EXIT_INTERRUPTED);
}

void sl__hold_signals(bool hold) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static void catch_signals(void) {
  struct sigaction act = {.sa_handler = on_stop};
  sigfillset(&act.sa_mask);
  sigaction(SIGINT, &act, NULL);
  sigaction(SIGTERM, &act, NULL);
  sigaction(SIGHUP, &act, NULL);
}

// The child's surroundings ----------------------------------------------------------------------------------

static bool replaced(const char *entry) {
  return strncmp(entry, "LD_LIBRARY_PATH=", 16) == 0 ||
         strncmp(entry, SL_GPU_ENV "=", sizeof SL_GPU_ENV) == 0;
}

// The environment with the library path and the socket; malloc'ed.
static char **make_env(const sl_run_args *r) {
  size_t n = 0, kept = 0;
  while (environ[n]) n++;
  char **env = calloc(n + 3, sizeof *env);
  if (!env) return NULL;
  const char *old = getenv("LD_LIBRARY_PATH");
  for (size_t i = 0; i < n; i++)
    if (!replaced(environ[i])) env[kept++] = environ[i];
  if (r->lib_dir)
    env[kept++] = sl_path("LD_LIBRARY_PATH=%s%s%s", r->lib_dir, old && *old ? ":" : "", old ? old : "");
  else if (old) env[kept++] = sl_path("LD_LIBRARY_PATH=%s", old);
  if (r->socket) env[kept] = sl_path(SL_GPU_ENV "=%s", r->socket);
  return env;
}

static void free_env(char **env) {
  for (char **at = env; at && *at; at++)
    if (replaced(*at)) free(*at); // ours: the inherited ones were left out
  free(env);
}

// The descriptors that sl-sim was given, for the program; ended by -1.
static void inherited_fds(int *out, size_t cap) {
  size_t n = 0;
  DIR *d = opendir("/proc/self/fd");
  for (struct dirent *entry; d && n + 1 < cap && (entry = readdir(d));) {
    int fd = atoi(entry->d_name), flags = fd > 2 ? fcntl(fd, F_GETFD) : -1;
    if (flags >= 0 && !(flags & FD_CLOEXEC)) out[n++] = fd;
  }
  if (d) closedir(d);
  out[n] = -1;
}

// Gives the terminal to [group], if it is ours.
static bool give_terminal(pid_t group) {
  if (!isatty(0) || tcgetpgrp(0) != getpgrp()) return false;
  signal(SIGTTOU, SIG_IGN);
  bool given = tcsetpgrp(0, group) == 0;
  if (given) kill(-group, SIGCONT); // it may have asked for the terminal too early, and stopped
  return given;
}

// Says which signal ended the program: the program cannot, and what it had printed may be lost.
static void tell_end(const sl_run_args *r, const sl_exit_status *s, sl_error *e) {
  if (stopped || r->io.out >= 0 || (s->signal == 0 && s->code >= 0) || s->signal == SIGINT) return;
  if (s->signal)
    sl_fail(e, 128 + s->signal,
            s->signal == SIGKILL ? "was it killed by hand, for want of memory (dmesg), or at the shell's "
                                   "limit of processor time (ulimit -t)?"
                                 : NULL,
            "%s was ended by signal %d (%s); what it had printed but not yet written is lost", r->argv[0],
            s->signal, strsignal(s->signal));
  else
    sl_fail(e, SL_EXIT_INFRA, "start it with SIGCHLD as usual", "the exit status of %s could not be read",
            r->argv[0]);
}

// Gives the program the same addresses in every run, if the system allows it. So findings that name an
// address are the same in every run, too.
static void fix_addresses(void) {
  int now = personality(0xffffffff);
  if (now != -1) personality((unsigned long)now | ADDR_NO_RANDOMIZE);
}

int sl__run_program(const sl_run_args *r, sl_error *e) {
  int keep[64];
  sl_child c;
  char **env = make_env(r);
  inherited_fds(keep, 64);
  stop_control = r->control;
  catch_signals();
  if (r->socket) fix_addresses();
  sl__hold_signals(true);
  if (!sl_spawn(&c, &(sl_process){.argv = r->argv, .env = env, .keep = keep, .io = r->io}, e)) {
    free_env(env);
    e->code = SL_EXIT_LAUNCH;
    return SL_EXIT_LAUNCH;
  }
  sl__stop_with_us(c.pid, true);
  sl__hold_signals(false);
  bool given = give_terminal(c.pid);
  sl_exit_status s = sl_wait(&c, 0);
  sl__hold_signals(true); // the rest takes no time, and must not be left half done
  sl__stop_with_us(c.pid, false);
  if (given) tcsetpgrp(0, getpgrp());
  free_env(env);
  tell_end(r, &s, e);
  return s.signal ? 128 + s.signal : s.code;
}
