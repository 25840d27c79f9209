// Starting, asking and stopping the student's process.
//
// Interface: runner.h. All waiting is one poll loop over the socket, the program's output and its end, with
// one deadline for the whole case. Output beyond the cap is read and dropped, so a program that prints
// without end neither blocks nor fills anything.
#include "judge/runner.h"
#include "jail/sandbox.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>

// What its group may have besides, so that a program that takes too much is told so by its own limit first.
enum { GROUP_MIB = 256 };

// Wait ------------------------------------------------------------------------------------------------------

void sl_student_add_text(sl_student *s, const char *text, size_t len) {
  size_t room = SL_STUDENT_TEXT - s->text_len, take = len < room ? len : room;
  memcpy(s->text + s->text_len, text, take);
  s->text_len += take;
  s->text_dropped += len - take;
}

// Takes what the program printed. False at the end of its output.
static bool take_text(sl_student *s) {
  char buf[8192];
  for (int k = 0; k < 16; k++) {
    ssize_t got = read(s->child.out, buf, sizeof buf);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    sl_student_add_text(s, buf, (size_t)got);
  }
  return true;
}

static void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

typedef struct event {
  bool socket, ended, late;
} event;

enum { LOOK_FOR_END_MS = 5 }; // how often the end is looked for where the system has no pidfd, as gVisor

// Waits until the socket has something, the program ends or the deadline passes. Takes output meanwhile.
static event wait_event(sl_student *s, bool want_socket) {
  for (double from = sl_now();;) {
    struct pollfd p[3] = {{.fd = want_socket ? s->socket : -1, .events = POLLIN},
                          {.fd = s->pidfd, .events = POLLIN},
                          {.fd = s->child.out, .events = POLLIN}};
    double left = (s->deadline - sl_now()) * 1e3;
    int look = s->pidfd >= 0 ? sl__student_look_ms(s) : LOOK_FOR_END_MS;
    int n = poll(p, 3, left > 0 && left < look ? (int)left + 1 : look);
    if (n < 0 && errno != EINTR) return (event){.late = true};
    if (p[2].revents && !take_text(s)) close_fd(&s->child.out);
    bool ended = s->pidfd >= 0 ? p[1].revents != 0 : sl_has_ended(s->child.pid);
    const double now = sl_now();
    s->waited += now - from;
    from = now;
    const bool lazy = sl__student_is_lazy(s);
    event ev = {p[0].revents != 0 && !lazy, ended && !lazy, sl__student_is_late(s)};
    if (ev.socket || ev.ended) return ev;
    if (lazy || ev.late || sl__student_takes_too_much(s)) return ev;
  }
}

// Reads [bytes] bytes. Data that came before the program ended counts.
static sl_answer receive(sl_student *s, void *to, size_t bytes) {
  size_t have = 0;
  while (have < bytes) {
    ssize_t got = read(s->socket, (char *)to + have, bytes - have);
    if (got > 0) {
      have += (size_t)got;
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    bool closed = got == 0 || errno != EAGAIN; // the program ended, or closed the descriptor
    event ev = wait_event(s, !closed);
    if (!ev.socket) return ev.ended ? SL_ENDED : SL_LATE;
  }
  return SL_ANSWERED;
}

// Start -----------------------------------------------------------------------------------------------------

// The command line of sl-jail for a program: rules, then the program.
static void make_command(sl_command *c, const sl_student *s, const sl_start *how, int far_end) {
  const bool gpu = how->backend == SL_BACKEND_GPU, boxed = sl_sandbox_find() != SL_SANDBOX_NONE;
  sl_command_add(c, "run");
  sl_command_add(c, "%d", far_end);
  sl_command_add(c, "%d", (int)how->seconds + 2);
  sl_command_add(c, "%d", gpu ? 0 : s->most_mib);
  sl_command_off(c);
  if (gpu) sl_sandbox_gpu_needs(c);
  if (boxed && !gpu) sl_command_add(c, "+apart");
  if (boxed) sl_sandbox_program(c, how->runner, how->env, gpu);
  sl_command_words(c, SL_WORDS("--", how->runner));
  sl_sandbox_wrap(c, how->env);
  sl_group_wrap(c, &s->group);
}

static bool spawn(sl_student *s, const sl_start *how, int far_end, sl_error *e) {
  char full[PATH_MAX];
  int keep[] = {far_end, -1};
  bool ok = (realpath(how->runner, full) && access(full, X_OK) == 0) ||
            sl_fail(e, SL_EXIT_INFRA, NULL, "%s: cannot run: %s", how->runner, strerror(errno));
  ok = ok && (sl_is_file(full) || sl_fail(e, SL_EXIT_INFRA, NULL, "%s: not a program", how->runner));
  if (!ok || !sl_sandbox_check(e)) return false;
  sl_command c;
  sl_group_open(&s->group, s->most_mib + GROUP_MIB);
  sl_command_begin(&c);
  make_command(&c, s, &(sl_start){full, how->env, how->backend, how->seconds}, far_end);
  sl_error why = {0};
  sl_process jail = {c.argv, how->env, "/", keep, SL_STDIO_CAPTURE};
  if (!sl_spawn(&s->child, &jail, &why)) ok = sl_fail(e, SL_EXIT_INFRA, why.hint, "%s", why.text);
  sl_command_end(&c);
  return ok;
}

// Asks the kernel to say who sends what comes from the program.
static void want_sender(const sl_student *s, int want) {
  setsockopt(s->socket, SOL_SOCKET, SO_PASSCRED, &want, sizeof want);
}

// Takes the byte that waits, and who has sent it.
static char take_ready(sl_student *s) {
  char byte = 0, space[CMSG_SPACE(sizeof(struct ucred))] = {0};
  struct iovec to = {&byte, 1};
  struct msghdr m = {.msg_iov = &to, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  struct ucred who = {.pid = s->child.pid};
  if (recvmsg(s->socket, &m, 0) != 1) return 0;
  const struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  if (c && c->cmsg_type == SCM_CREDENTIALS) memcpy(&who, CMSG_DATA(c), sizeof who);
  s->program = who.pid;
  want_sender(s, 0);
  return byte;
}

// No code of the student's runs before this byte comes, so errors up to here are not the submission's fault.
static bool wait_for_jail(sl_student *s, sl_error *e) {
  char text[512], byte = wait_event(s, true).socket ? take_ready(s) : 0;
  bool ready = byte == SL_JAIL_READY || byte == SL_JAIL_APART;
  s->apart = byte == SL_JAIL_APART;
  if (ready) return true;
  take_text(s);
  return sl_fail(e, SL_EXIT_INFRA, NULL, "the runner's jail could not be set up: %s",
                 sl_printable(s->text, text, sizeof text));
}

bool sl_student_start(sl_student *s, const sl_start *how, sl_error *e) {
  int pair[2];
  *s = (sl_student){.socket = -1, .pidfd = -1, .child = {.out = -1}, .text = calloc(1, SL_STUDENT_TEXT + 1)};
  if (!s->text || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return sl_fail(e, SL_EXIT_INFRA, NULL, "cannot start the runner: %s", strerror(errno));
  s->socket = pair[0];
  s->most_mib = (int)(sl_memory_share() >> 20); // who takes it all ends itself and nobody else
  s->oom_kills = sl_oom_kills();
  s->watched = how->backend == SL_BACKEND_GPU;
  want_sender(s, 1);
  bool ok = spawn(s, how, pair[1], e);
  close(pair[1]);
  if (!ok) return false;
  fcntl(s->socket, F_SETFL, O_NONBLOCK);
  fcntl(s->child.out, F_SETFL, O_NONBLOCK);
  s->pidfd = (int)syscall(SYS_pidfd_open, s->child.pid, 0);
  sl_student_give_time(s, how->seconds);
  if (s->pidfd < 0 && errno != ENOSYS)
    return sl_fail(e, SL_EXIT_INFRA, NULL, "pidfd_open: %s", strerror(errno));
  return wait_for_jail(s, e);
}

// Ask -------------------------------------------------------------------------------------------------------

static uint64_t new_ticket(void) {
  uint64_t t;
  while (getrandom(&t, sizeof t, 0) != sizeof t) {
  }
  return t;
}

// A program that does not read its socket fills it. This waits for it up to the deadline.
static sl_answer send_message(sl_student *s, const sl_case_msg *m) {
  size_t done = 0;
  while (done < sizeof *m) {
    ssize_t n = send(s->socket, (const char *)m + done, sizeof *m - done, MSG_NOSIGNAL);
    if (n > 0) {
      done += (size_t)n;
    } else if (errno == EAGAIN) {
      struct pollfd p = {.fd = s->socket, .events = POLLOUT};
      poll(&p, 1, 100);
      if (sl_now() >= s->deadline) return SL_LATE;
    } else if (errno != EINTR) {
      return wait_event(s, false).ended ? SL_ENDED : SL_LATE;
    }
  }
  return SL_ANSWERED;
}

sl_answer sl_student_ask(sl_student *s, sl_case_msg *m, sl_case_reply *reply) {
  m->magic = SL_CASE_MAGIC;
  m->ticket = new_ticket();
  sl_answer a = send_message(s, m);
  if (a == SL_ANSWERED) a = receive(s, reply, sizeof *reply);
  if (a != SL_ANSWERED) return a;
  bool ours = reply->magic == SL_CASE_MAGIC && reply->kind == m->kind && reply->ticket == m->ticket;
  return ours ? SL_ANSWERED : SL_GARBAGE;
}

sl_answer sl_student_end(sl_student *s, sl_exit_status *how) {
  sl_case_msg m = {.magic = SL_CASE_MAGIC, .kind = SL_CASE_END};
  char byte;
  send_message(s, &m);
  event ev = wait_event(s, false);
  bool more = recv(s->socket, &byte, 1, MSG_DONTWAIT) == 1;
  *how = sl_student_stop(s);
  if (more) return SL_GARBAGE;
  return ev.ended ? SL_ENDED : SL_LATE;
}

sl_exit_status sl_student_stop(sl_student *s) {
  sl_exit_status how = {.code = -1};
  close_fd(&s->socket); // a runner that waits for a message ends by itself
  if (s->child.pid > 0) {
    // Waits shortly for an end that is near, so that its cause is known; then ends the whole group.
    how = sl_wait(&s->child, 0.2);
    bool shell = sl_sandbox_find() == SL_SANDBOX_BUBBLEWRAP; // says 128 + N of a program that signal N ended
    if (shell && how.code > 128) how.signal = how.code - 128, how.code = -1;
    if (s->child.out >= 0) take_text(s);
  }
  s->greedy = s->greedy || sl_group_exceeded(&s->group);
  sl_group_close(&s->group);
  close_fd(&s->child.out);
  close_fd(&s->pidfd);
  return how;
}
