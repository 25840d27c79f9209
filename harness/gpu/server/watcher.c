// A thread that ends a running launch when the client that waits for it has gone, when sl-gpu's starter has
// gone, or when the launch has used up its time. The main loop cannot watch: it is inside the launch.
//
// Interface: sl__watch_client puts a client's socket into the thread's set, or takes it out. When the control
// connection ends, the process has GRACE_SECONDS to write its report; then the thread ends it.
#include "gpu/server/server.h"

#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_SECONDS = 10 };
#define TIMER UINT32_MAX // stands for no client

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t running; // the client whose launch runs; 0: none
static double begun;     // processor time of this process when it began
static bool ended;       // the control connection has ended

static void set_timer(sl_server *s, double seconds) {
  struct itimerspec t = {.it_value = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}};
  if (s->launch_seconds > 0) timerfd_settime(s->timer, 0, &t, NULL);
}

// Is the time of the running launch up? False for the timer of an earlier launch: it has been set anew since.
// On a busy machine a launch takes longer by the clock, and has what it lacks of processor time.
static bool time_is_up(sl_server *s) {
  uint64_t times;
  if (read(s->timer, &times, sizeof times) != sizeof times || !running) return false;
  const double left = s->launch_seconds - (sl_clock(CLOCK_PROCESS_CPUTIME_ID) - begun);
  if (left > 0) set_timer(s, left + 0.01); // 0 would be no timer
  return left <= 0;
}

// Cancels the launch of client [owner], if it still runs: an event may come late, during another client's
// launch. Returns true if the event is about the control connection.
static bool cancel_for(sl_server *s, uint32_t owner) {
  pthread_mutex_lock(&lock);
  if (owner == 0) ended = true;
  if (ended || owner == running) s->cancel = SL_CANCEL_GONE;
  else if (owner == TIMER && time_is_up(s)) s->cancel = (int)(s->launch_seconds * 1000);
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

// Adds a socket to the set; it reports once each time that it is added. [owner]: 0 for the control
// connection, else the client's number.
static bool watch_client(sl_server *s, int fd, uint32_t owner) {
  struct epoll_event ev = {.events = EPOLLRDHUP | EPOLLHUP | EPOLLONESHOT, .data.u32 = owner};
  return epoll_ctl(s->watch, EPOLL_CTL_ADD, fd, &ev) == 0;
}

bool sl__watcher_start(sl_server *s, int control_fd, sl_error *e) {
  pthread_t t;
  s->watch = epoll_create1(EPOLL_CLOEXEC);
  int rc = s->watch < 0 || !add_timer(s) || (control_fd >= 0 && !watch_client(s, control_fd, 0))
               ? errno
               : pthread_create(&t, NULL, watch, s);
  if (rc != 0) return sl_fail(e, SL_EXIT_INFRA, NULL, "cannot start the watcher thread: %s", strerror(rc));
  pthread_detach(t);
  return true;
}

void sl__watch_client(sl_server *s, const sl_client *c, bool on) {
  pthread_mutex_lock(&lock);
  running = on ? c->owner : 0;
  begun = sl_clock(CLOCK_PROCESS_CPUTIME_ID);
  s->cancel = ended ? SL_CANCEL_GONE : 0;
  set_timer(s, on ? s->launch_seconds : 0);
  pthread_mutex_unlock(&lock);
  if (on) watch_client(s, c->fd, c->owner);
  else epoll_ctl(s->watch, EPOLL_CTL_DEL, c->fd, NULL);
}
