// Child processes that cannot outlive the call that waits for them.
//
// Interface: sl_spawn starts a child as leader of its own process group. sl_wait and sl_kill end the whole
// group, with everything that the child started. The kernel kills the child when the thread that started it
// ends; cleanup.c kills the group on Ctrl-C. A child whose output is captured reads from /dev/null. The
// reader closes child->out, sl_wait does not.
#include "base/base.h"
#include "base/cleanup.h"
#include "base/usage.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

// Starting --------------------------------------------------------------------------------------------------

// Marks all descriptors above 2 but those in [keep] to be closed at exec.
static void close_others(const int *keep) {
  if (syscall(SYS_close_range, 3u, INT_MAX, 4u /* CLOSE_RANGE_CLOEXEC */) != 0) {
    long max = sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < (max > 0 && max < 65536 ? max : 65536); fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  for (; keep && *keep >= 0; keep++) fcntl(*keep, F_SETFD, 0);
}

// No handler of the parent's may run in a child that has its memory.
static void reset_signals(void) {
  static const int handled[] = {SIGXFSZ, SIGPIPE, SIGINT, SIGTERM, SIGHUP};
  struct sigaction now;
  for (size_t k = 0; k < sizeof handled / sizeof *handled; k++)
    if (sigaction(handled[k], NULL, &now) == 0 && (k < 2 || now.sa_handler != SIG_IGN))
      signal(handled[k], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

// Runs in the child between vfork and exec, in the parent's memory, with async-signal-safe calls only. Sends
// errno to [err_fd] on failure.
static _Noreturn void child_main(const sl_process *p, int err_fd, pid_t parent) {
  sl_stdio io = p->io;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  reset_signals();
  bool ok = true;
  if (io.out >= 0 && io.in < 0) io.in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (io.out >= 0) ok = io.in >= 0 && dup2(io.out, 1) == 1 && dup2(io.out, 2) == 2;
  if (ok && io.in >= 0) ok = dup2(io.in, 0) == 0;
  if (ok && p->cwd) ok = chdir(p->cwd) == 0;
  if (ok) {
    close_others(p->keep);
    if (p->env) execvpe(p->argv[0], p->argv, p->env);
    else execvp(p->argv[0], p->argv);
  }
  int err = errno;
  ssize_t ignored = write(err_fd, &err, sizeof err);
  (void)ignored;
  _exit(127);
}

// Starts a process with signals held back, so that a signal never finds a child that is not registered yet.
// fork would copy the tables of all memory that a judge has.
static pid_t fork_registered(const sl_process *p, int err_fd) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pid_t parent = getpid(), pid = vfork();
  if (pid == 0) child_main(p, err_fd, parent);
  if (pid > 0) {
    setpgid(pid, pid);
    sl__cleanup_add_group(pid);
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return pid;
}

static void close_fd(int fd) {
  if (fd >= 0) close(fd);
}

bool sl_spawn(sl_child *c, const sl_process *p, sl_error *e) {
  sl_process now = *p;
  int out[2] = {-1, -1}, report[2] = {-1, -1}, err = 0;
  *c = (sl_child){.pid = 0, .out = -1};
  if (pipe2(report, O_CLOEXEC) != 0 || (p->io.out == SL_CAPTURED && pipe2(out, O_CLOEXEC) != 0)) {
    err = errno;
  } else {
    if (p->io.out == SL_CAPTURED) now.io.out = out[1];
    c->pid = fork_registered(&now, report[1]);
    if (c->pid < 0) err = errno;
  }
  close_fd(report[1]);
  close_fd(out[1]);
  if (!err && read(report[0], &err, sizeof err) != sizeof err) err = 0;
  close_fd(report[0]);
  if (!err) {
    c->out = out[0];
    return true;
  }
  close_fd(out[0]);
  sl_kill(c);
  return sl_fail(e, err == ENOENT || err == EACCES || err == ENOTDIR ? SL_EXIT_INPUT : SL_EXIT_INFRA, NULL,
                 "cannot start %s%s%s: %s", p->argv[0], p->cwd ? " in " : "", p->cwd ? p->cwd : "",
                 strerror(err));
}

// Ending ----------------------------------------------------------------------------------------------------

bool sl_has_ended(pid_t pid) {
  siginfo_t info = {0};
  int rc = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
  return (rc != 0 && errno == ECHILD) || info.si_pid == pid;
}

// Ends the group, then reaps the child and returns its status. Until it is reaped its number is not reused.
static sl_exit_status reap(sl_child *c) {
  sl_exit_status s = {.code = -1};
  int status = 0;
  if (c->pid <= 0) return s;
  kill(-c->pid, SIGKILL);
  pid_t got;
  while ((got = waitpid(c->pid, &status, 0)) < 0 && errno == EINTR) {
  }
  sl__cleanup_drop_group(c->pid);
  if (got == c->pid && WIFEXITED(status)) s.code = WEXITSTATUS(status);
  if (got == c->pid && WIFSIGNALED(status)) s.signal = WTERMSIG(status);
  c->pid = 0;
  return s;
}

// Milliseconds until [deadline], for poll; at most [cap], unless that is -1.
static int poll_ms(double deadline, int cap) {
  if (deadline <= 0) return cap;
  double left = (deadline - sl_now()) * 1e3 + 1;
  if (left < 0) left = 0;
  if (left > 1e9) left = 1e9;
  return cap >= 0 && left > cap ? cap : (int)left;
}

// Milliseconds until the next look at a child that began at [began], where the system has no pidfd. Looks
// grow rarer, as they cost much in gVisor; the end is seen at most a tenth, or 5 ms, late.
static int look_ms(double began) {
  double ms = (sl_now() - began) * 100;
  return ms < 5 ? 5 : ms > 100 ? 100 : (int)ms;
}

// Sleeps until the child ends, [fd] (-1: none) is readable or [deadline] passes. Without a pidfd it polls.
static void wait_event(int pidfd, int fd, double began, double deadline) {
  struct pollfd p[2] = {{.fd = pidfd, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
  poll(p, 2, poll_ms(deadline, pidfd >= 0 ? -1 : look_ms(began)));
}

static int open_pidfd(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

sl_exit_status sl_wait(sl_child *c, double seconds) {
  double began = sl_now(), deadline = seconds > 0 ? began + seconds : 0;
  bool timed_out = false;
  if (c->pid > 0) {
    int pidfd = open_pidfd(c->pid);
    while (!sl_has_ended(c->pid) && !timed_out) {
      wait_event(pidfd, -1, began, deadline);
      timed_out = deadline > 0 && sl_now() >= deadline && !sl_has_ended(c->pid);
    }
    close_fd(pidfd);
  }
  sl_exit_status s = reap(c);
  s.timed_out = timed_out;
  return s;
}

void sl_kill(sl_child *c) { reap(c); }

// Limits ----------------------------------------------------------------------------------------------------

// Looks at a group from time to time. A system that tells no processor time tells nothing of waiting either.
typedef struct watch {
  const sl_limits *most;
  double next, last, idle; // idle: seconds so far
  sl_usage now;
} watch;

// All of /proc is read for a look. A twentieth of what is allowed is soon enough, or half a second.
static double look_seconds(const sl_limits *most) {
  const double shorter =
      most->idle > 0 && (most->busy <= 0 || most->idle < most->busy) ? most->idle : most->busy;
  return shorter / 20 > 0.5 ? shorter / 20 : 0.5;
}

static void look(watch *w, pid_t group) {
  const double at = sl_now(), before = w->now.seconds;
  if ((!w->most->busy && !w->most->idle) || at < w->next) return;
  w->now = sl__usage_of(group);
  if (w->now.waits && w->now.seconds > 0 && w->now.seconds <= before) w->idle += at - w->last;
  w->last = at, w->next = at + look_seconds(w->most);
}

static bool is_over(const watch *w, sl_exit_status *s) {
  s->busy = w->most->busy > 0 && w->now.seconds > w->most->busy;
  s->idle = w->most->idle > 0 && w->idle > w->most->idle;
  return s->busy || s->idle;
}

// Running to the end ----------------------------------------------------------------------------------------

typedef struct collected {
  char *data;
  size_t len, cap;
} collected;

// Reads what the pipe holds now, and drops what exceeds the cap. False at the end of the pipe.
static bool drain(int fd, collected *c) {
  char buf[16384];
  for (int i = 0; i < 16; i++) { // bounded: a child that never stops writing still meets its deadline
    ssize_t got = read(fd, buf, sizeof buf);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 && errno == EAGAIN;
    size_t take = c->cap - c->len < (size_t)got ? c->cap - c->len : (size_t)got;
    char *more = realloc(c->data, c->len + take + 1);
    if (!more) return false;
    memcpy(more + c->len, buf, take);
    c->data = more;
    c->len += take;
    c->data[c->len] = 0;
    if ((size_t)got < sizeof buf) break;
  }
  return true;
}

// The earlier of two times, of which each may be none (0).
static double earlier(double a, double b) { return a <= 0 || (b > 0 && b < a) ? b : a; }

// Waits for the end of the child, or of what it may take; takes its output meanwhile. *[open]: more may come.
static sl_exit_status wait_within(sl_child *c, watch *w, int pidfd, collected *all, bool *open) {
  sl_exit_status s = {0}, end;
  double began = sl_now(), deadline = w->most->wall > 0 ? began + w->most->wall : 0;
  w->last = began, w->next = w->most->busy || w->most->idle ? began + look_seconds(w->most) : 0;
  while (!sl_has_ended(c->pid) && !s.timed_out && !is_over(w, &s)) {
    wait_event(pidfd, *open ? c->out : -1, began, earlier(deadline, w->next));
    if (*open) *open = drain(c->out, all);
    look(w, c->pid);
    s.timed_out = deadline > 0 && sl_now() >= deadline && !sl_has_ended(c->pid);
  }
  if (s.timed_out) w->now = sl__usage_of(c->pid);
  end = reap(c);
  end.timed_out = s.timed_out, end.busy = s.busy, end.idle = s.idle;
  end.cpu = s.timed_out || s.busy || s.idle ? w->now.seconds : 0;
  return end;
}

sl_exit_status sl_run_within(char *const argv[], const char *cwd, const sl_limits *most, size_t cap,
                             char **out, sl_error *e) {
  sl_child c;
  collected all = {calloc(1, 1), 0, cap};
  sl_exit_status s = {.code = 127};
  watch w = {.most = most};
  if (all.data && sl_spawn(&c, &(sl_process){.argv = argv, .cwd = cwd, .io = SL_STDIO_CAPTURE}, e)) {
    int fd = c.out, pidfd = open_pidfd(c.pid);
    bool open = true;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    s = wait_within(&c, &w, pidfd, &all, &open);
    if (open) { // the rest that the group wrote: at most a pipe buffer
      size_t before;
      do before = all.len;
      while (drain(fd, &all) && all.len > before);
    }
    close_fd(fd);
    close_fd(pidfd);
  }
  if (out) *out = all.data;
  else free(all.data);
  return s;
}

sl_exit_status sl_run(char *const argv[], const char *cwd, double seconds, size_t cap, char **out,
                      sl_error *e) {
  return sl_run_within(argv, cwd, &(sl_limits){.wall = seconds > 0 ? seconds : 0}, cap, out, e);
}

sl_exit_status sl_run_by_work(char *const argv[], const char *cwd, double seconds, size_t cap, char **out,
                              sl_error *e) {
  const sl_limits most = {.wall = SL_CLOCK_TIMES * seconds, .busy = seconds, .idle = seconds};
  sl_exit_status s = sl_run_within(argv, cwd, &most, cap, out, e);
  s.timed_out |= s.busy || s.idle;
  return s;
}
