// One connection to sl-gpu: bytes in, one message at a time, bytes out.
//
// Interface: the loop calls sl__client_readable and sl__client_writable when poll says so. Nothing here
// blocks. While a reply is leaving, no further message of that client is read: a client that does not read
// its replies holds up only itself. A buffer grows with the bytes that arrive, not as a header announces.
#include "gpu/server/server.h"

#include <sys/socket.h>

sl_client *sl__client_add(sl_server *s, int fd, bool control) {
  sl_client *c = s->n_clients < SL_MAX_CLIENTS ? calloc(1, sizeof *c) : NULL;
  if (!c) {
    close(fd);
    return NULL;
  }
  c->fd = fd;
  c->control = control;
  c->owner = control ? 0 : s->next_owner++;
  s->clients[s->n_clients++] = c;
  return c;
}

void sl__client_reset(sl_server *s, sl_client *c) {
  for (size_t i = 0; i < c->n_modules; i++)
    if (c->modules[i]) sl_gpu_unload(s->gpu, c->modules[i]);
  free(c->modules);
  free(c->kernels);
  c->modules = NULL;
  c->kernels = NULL;
  c->n_modules = c->n_kernels = 0;
  if (!c->control) {
    sl__drop_tokens(s, c->owner, 0);
    sl_gpu_free_all(s->gpu, c->owner);
  }
  c->failed = 0;
  c->told = false;
}

void sl__client_free(sl_server *s, sl_client *c) {
  sl__client_reset(s, c);
  close(c->fd);
  sl__bytes_free(&c->in);
  sl__bytes_free(&c->out);
  sl__bytes_free(&c->text);
  free(c);
}

// Sending ---------------------------------------------------------------------------------------------------

void sl__client_writable(sl_client *c) {
  while (!c->gone && c->sent < c->out.len) {
    ssize_t sent = send(c->fd, c->out.at + c->sent, c->out.len - c->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (sent <= 0) c->gone = true;
    else c->sent += (size_t)sent;
  }
  c->out.len = c->sent = 0;
}

// Sends header and payload. c->out keeps what the socket does not take at once.
static void send_reply(sl_client *c, const sl_msg *m, const void *data, size_t len) {
  struct iovec piece[2] = {{(void *)m, sizeof *m}, {(void *)data, len}};
  struct msghdr h = {.msg_iov = piece, .msg_iovlen = len > 0 ? 2 : 1};
  ssize_t sent = sendmsg(c->fd, &h, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) c->gone = true;
  size_t done = sent > 0 ? (size_t)sent : 0;
  if (c->gone || done == sizeof *m + len) return;
  size_t in_header = done < sizeof *m ? done : sizeof *m, in_data = done - in_header;
  if (!sl__bytes_add(&c->out, (const char *)m + in_header, sizeof *m - in_header) ||
      !sl__bytes_add(&c->out, (const char *)data + in_data, len - in_data))
    c->gone = true;
}

enum { UNANSWERED = 16 }; // so many requests without a reply make a turn; of others one does

// Receiving -------------------------------------------------------------------------------------------------

// The length of the message in c->in; that of a header until the header is complete.
static size_t wanted(const sl_client *c) {
  if (c->in.len < sizeof(sl_msg)) return sizeof(sl_msg);
  return sizeof(sl_msg) + ((const sl_msg *)(const void *)c->in.at)->length;
}

// Reads at most up to the end of the message. False if nothing more is there now, or the client has gone.
static bool read_some(sl_client *c) {
  enum { STEP = 256 << 10 };
  size_t missing = wanted(c) - c->in.len, room = missing < STEP ? missing : STEP;
  size_t need = c->in.len + room;
  if (need > c->in.cap && !sl__bytes_reserve(&c->in, need > 2 * c->in.cap ? need : 2 * c->in.cap)) {
    c->gone = true;
    return false;
  }
  ssize_t got = recv(c->fd, c->in.at + c->in.len, room, MSG_DONTWAIT);
  if (got < 0 && errno == EINTR) return true;
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) c->gone = true;
  if (got <= 0) return false;
  c->in.len += (size_t)got;
  return true;
}

// Runs the request, unless one before it that got no reply has failed: then its error is the answer.
static void serve(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  if (c->owed) r->status = c->owed;
  else sl__dispatch(s, c, q, r);
  if (s->hold && c->guest) sl__hold_text(s, c);
  c->owed = q->msg->unanswered ? r->status : 0;
}

// True if there was nothing to answer.
static bool answer(sl_server *s, sl_client *c) {
  sl_msg m;
  memcpy(&m, c->in.at, sizeof m);
  sl_request q = {&m, c->in.at + sizeof m, m.length};
  sl_reply r = {0};
  serve(s, c, &q, &r);
  sl_msg out = {.magic = SL_MSG_MAGIC,
                .op = m.op,
                .sequence = m.sequence,
                .status = r.status,
                .length = (uint32_t)r.len,
                .text = (uint32_t)c->text.len};
  memcpy(out.arg, r.arg, sizeof out.arg);
  if (!m.unanswered) send_reply(c, &out, r.data, r.len);
  free(r.owned);
  c->in.len = 0;
  if (c->in.cap > 2 * SL_CHUNK) sl__bytes_free(&c->in);
  return m.unanswered;
}

void sl__client_readable(sl_server *s, sl_client *c) {
  int turn = UNANSWERED;
  while (read_some(c)) {
    if (c->in.len < sizeof(sl_msg)) continue;
    if (!sl__msg_ok((const sl_msg *)(const void *)c->in.at)) {
      c->gone = true;
      return;
    }
    if (c->in.len < wanted(c)) continue;
    if (!answer(s, c) || --turn == 0) return; // every client gets its turn
  }
}
