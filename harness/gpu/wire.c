// Whole messages over a stream socket, for the clients of sl-gpu.
//
// Interface: wire.h. All calls block; a signal does not interrupt them. SIGPIPE is never raised.
#include "gpu/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// Drops the first [sent] bytes of the pieces; returns the first piece that is left.
static int advance(struct iovec *piece, int at, int n, size_t sent) {
  while (at < n && sent >= piece[at].iov_len) sent -= piece[at++].iov_len;
  if (at < n) {
    piece[at].iov_base = (char *)piece[at].iov_base + sent;
    piece[at].iov_len -= sent;
  }
  return at;
}

bool sl__send_all(int fd, struct iovec *piece, int n) {
  int at = advance(piece, 0, n, 0);
  while (at < n) {
    struct msghdr m = {.msg_iov = piece + at, .msg_iovlen = (size_t)(n - at)};
    ssize_t sent = sendmsg(fd, &m, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at = advance(piece, at, n, (size_t)sent);
  }
  return true;
}

bool sl__recv_all(int fd, void *to, size_t len) {
  char *p = to;
  while (len > 0) {
    ssize_t got = recv(fd, p, len, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    p += got;
    len -= (size_t)got;
  }
  return true;
}

// Takes a connection made before the program started: programs in sl-jail cannot connect by themselves.
static int inherited(const char *number) {
  char *end;
  errno = 0;
  long fd = strtol(number, &end, 10);
  if (end == number || *end || fd < 0 || fd > INT_MAX) {
    errno = EBADF;
    return -1;
  }
  return fcntl((int)fd, F_SETFD, FD_CLOEXEC) == 0 ? (int)fd : -1;
}

int sl__connect(const char *path) {
  if (strncmp(path, "fd:", 3) == 0) return inherited(path + 3);
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof a.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(a.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0) return fd;
  int err = errno;
  close(fd);
  errno = err;
  return -1;
}

bool sl__is_reply(const sl_msg *reply, const sl_msg *request, size_t cap) {
  return reply->magic == SL_MSG_MAGIC && reply->op == request->op && reply->sequence == request->sequence &&
         reply->length <= cap;
}
