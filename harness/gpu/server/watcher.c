// A thread that ends a running launch when the client that waits for it has gone, when sl-gpu's starter has
// gone, or when the launch has used up its time. The main loop cannot watch: it is inside the launch.
//
// Interface: sl__watch_begin and sl__watch_end stand around each launch. When the control connection ends,
// the process has GRACE_SECONDS to write its report; then the thread ends it. Most launches are short, and
// calls of the system take as long as they do: sockets stay in the thread's set, and the timer of one launch
// goes on behind it. It rings too early for a later one, and is then set to what that has left.
#include "gpu/server/server.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>

enum { GRACE_SECONDS = 10 };
#define TIMER UINT32_MAX // stands for no client

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t running; // the client whose launch runs, by its sl_client.watch; 0: none
static double begun;     // processor time of this process when it began
static double timed;     // seconds of the launch for which the timer was set; 0: it does not run
static unsigned missed;  // how often a socket has reported while no launch waited for it
static bool ended;       // the control connection has ended

static void set_timer(sl_server *s, double seconds) { // 0: stops it
  struct itimerspec t = {.it_value = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}};
  timerfd_settime(s->timer, 0, &t, NULL);
}

// Is the time of the running launch up? False for the timer of an earlier launch. On a busy machine a launch
// takes longer by the clock, and has what it lacks of processor time.
static bool time_is_up(sl_server *s) {
  uint64_t times;
  if (read(s->timer, &times, sizeof times) != sizeof times) return false; // it has been set anew since
  if (!running) timed = 0;
  if (!running) return false;
  const double left = s->launch_seconds - (sl_clock(CLOCK_PROCESS_CPUTIME_ID) - begun);
  if (left > 0) set_timer(s, left + 0.01); // 0 would be no timer
  return left <= 0;
}

// Cancels the launch of client [number], if it runs. True: the event is about the control connection.
static bool cancel_for(sl_server *s, uint32_t number) {
  pthread_mutex_lock(&lock);
  if (number == 0) ended = true;
  if (ended || number == running) s->cancel = SL_CANCEL_GONE;
  else if (number != TIMER) missed++;
  else if (time_is_up(s)) s->cancel = (int)(s->launch_seconds * 1000);
  pthread_mutex_unlock(&lock);
  return ended;
}

static void *watch(void *arg) {
  sl_server *s = arg;
  for (;;) {
    struct epoll_event ev;
    int n = epoll_wait(s->watch, &ev, 1, -1);
    if (n < 0 && errno != EINTR) return NULL;
    if (n <= 0) continue;
    if (cancel_for(s, ev.data.u32)) break;
  }
  sleep(GRACE_SECONDS);
  _exit(SL_EXIT_INFRA);
}

static bool add_timer(sl_server *s) {
  struct epoll_event ev = {.events = EPOLLIN, .data.u32 = TIMER};
  s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  return s->timer >= 0 && epoll_ctl(s->watch, EPOLL_CTL_ADD, s->timer, &ev) == 0;
}

// Has a socket, perhaps a new one, report once. [number]: 0: the control connection, else sl_client.watch.
static bool watch_socket(sl_server *s, int how, int fd, uint32_t number) {
  struct epoll_event ev = {.events = EPOLLRDHUP | EPOLLHUP | EPOLLONESHOT, .data.u32 = number};
  return epoll_ctl(s->watch, how, fd, &ev) == 0;
}

bool sl__watcher_start(sl_server *s, int control_fd, sl_error *e) {
  pthread_t t;
  s->watch = epoll_create1(EPOLL_CLOEXEC);
  int rc =
      s->watch < 0 || !add_timer(s) || (control_fd >= 0 && !watch_socket(s, EPOLL_CTL_ADD, control_fd, 0))
          ? errno
          : pthread_create(&t, NULL, watch, s);
  if (rc != 0) return sl_fail(e, SL_EXIT_INFRA, NULL, "cannot start the watcher thread: %s", strerror(rc));
  pthread_detach(t);
  return true;
}

// A socket that reported before its client's launch began does so again. Reports come late: one of a client
// that has gone must not meet another with its number.
void sl__watch_begin(sl_server *s, sl_client *c) {
  static uint32_t numbers;
  const int how = c->watch ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  pthread_mutex_lock(&lock);
  const bool rests = !c->watch || c->missed != missed;
  if (!c->watch) c->watch = ++numbers;
  running = c->watch;
  begun = sl_clock(CLOCK_PROCESS_CPUTIME_ID);
  s->cancel = ended ? SL_CANCEL_GONE : 0;
  if (timed != s->launch_seconds) set_timer(s, timed = s->launch_seconds);
  c->missed = missed;
  pthread_mutex_unlock(&lock);
  if (rests) watch_socket(s, how, c->fd, c->watch);
}

void sl__watch_end(void) {
  pthread_mutex_lock(&lock);
  running = 0;
  pthread_mutex_unlock(&lock);
}
