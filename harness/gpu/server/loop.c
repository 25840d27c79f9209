// The loop of sl-gpu: waits for connections, messages, room to answer; a client gets one message a turn.
//
// Interface: sl__listen, then sl__serve, which returns when the control connection has ended or asked to
// quit. A client that broke the protocol or has gone is dropped with all that it had.
#include "gpu/server/server.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

bool sl__listen(sl_server *s, const char *path, sl_error *e) {
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof a.sun_path)
    return sl_fail(e, SL_EXIT_INPUT, "use a shorter folder name, for example by setting TMPDIR=/tmp",
                   "the path of the socket is longer than %zu bytes: %s", sizeof a.sun_path - 1, path);
  strcpy(a.sun_path, path);
  s->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  mode_t old = umask(0177);
  bool ok = s->listener >= 0 && bind(s->listener, (struct sockaddr *)&a, sizeof a) == 0 &&
            listen(s->listener, 16) == 0;
  int err = errno;
  umask(old);
  if (ok) return true;
  return sl_fail(e, SL_EXIT_INFRA, NULL, "cannot listen on %s: %s", path, strerror(err));
}

static void accept_one(sl_server *s) {
  int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd >= 0) sl__client_add(s, fd, false);
}

// Fills one row for the listener and one for each client.
static nfds_t fill_polled(const sl_server *s, struct pollfd *p) {
  p[0] = (struct pollfd){.fd = s->n_clients < SL_MAX_CLIENTS ? s->listener : -1, .events = POLLIN};
  for (size_t i = 0; i < s->n_clients; i++) {
    const sl_client *c = s->clients[i];
    p[1 + i] = (struct pollfd){.fd = c->fd, .events = c->out.len > 0 ? POLLOUT : POLLIN};
  }
  return (nfds_t)(1 + s->n_clients);
}

static void serve_client(sl_server *s, sl_client *c, short events) {
  if (c->out.len > 0) {
    if (events & (POLLHUP | POLLERR)) c->gone = true;
    else if (events & POLLOUT) sl__client_writable(c);
  } else if (events) {
    sl__client_readable(s, c);
  }
}

static void drop_gone(sl_server *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->n_clients; i++) {
    sl_client *c = s->clients[i];
    if (!c->gone) {
      s->clients[kept++] = c;
      continue;
    }
    if (c->control) s->quit = true;
    sl__client_free(s, c);
  }
  s->n_clients = kept;
}

void sl__serve(sl_server *s) {
  struct pollfd p[1 + SL_MAX_CLIENTS];
  while (!s->quit) {
    nfds_t n = fill_polled(s, p);
    if (poll(p, n, -1) < 0 && errno != EINTR) return;
    for (nfds_t i = 1; i < n && i <= s->n_clients && !s->quit; i++) // RENEW leaves the first alone
      if (p[i].revents) serve_client(s, s->clients[i - 1], p[i].revents);
    if (p[0].revents && !s->quit) accept_one(s);
    drop_gone(s);
  }
}
