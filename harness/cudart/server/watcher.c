// A thread that watches for the two events which must end a launch that is running: the client that waits for it has
// gone, or whoever started sl-gpu has. The main loop cannot see them, since it is inside the launch.
//
// Interface: sl__watch_client puts a client's socket into the set of the thread and takes it out again. When the control
// connection ends, the process has GRACE_SECONDS to write its report; then it is ended whatever it does.
#include "cudart/server/server.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { GRACE_SECONDS = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t running;  // the client whose launch runs; 0: none
static bool ended;        // the control connection has

// A report may come late, when another client's launch runs already. True when it is about the control connection.
static bool cancel_for(sl_server *s, uint32_t owner) {
  pthread_mutex_lock(&lock);
  if (owner == 0) ended = true;
  if (ended || owner == running) s->cancel = 1;
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

// One report for each time that a socket is put in. Data: 0 for the control connection, else the owner's number.
static bool add(sl_server *s, int fd, uint32_t owner) {
  struct epoll_event ev = {.events = EPOLLRDHUP | EPOLLHUP | EPOLLONESHOT, .data.u32 = owner};
  return epoll_ctl(s->watch, EPOLL_CTL_ADD, fd, &ev) == 0;
}

bool sl__watcher_start(sl_server *s, int control_fd, sl_error *e) {
  pthread_t t;
  s->watch = epoll_create1(EPOLL_CLOEXEC);
  int rc = s->watch < 0 || (control_fd >= 0 && !add(s, control_fd, 0)) ? errno : pthread_create(&t, NULL, watch, s);
  if (rc != 0) return sl_fail(e, SL_EXIT_INFRA, NULL, "cannot start the watcher thread: %s", strerror(rc));
  pthread_detach(t);
  return true;
}

void sl__watch_client(sl_server *s, const sl_client *c, bool on) {
  pthread_mutex_lock(&lock);
  running = on ? c->owner : 0;
  s->cancel = ended;
  pthread_mutex_unlock(&lock);
  if (on) add(s, c->fd, c->owner);
  else epoll_ctl(s->watch, EPOLL_CTL_DEL, c->fd, NULL);
}
