// The control connection to sl-gpu: starts the process, sends its orders, ends it.
//
// Interface: control.h. sl-gpu ends when the connection ends, even if this process is killed, and removes the
// folder of the socket.
#include "gpu/start/control.h"
#include "gpu/start/folder.h"
#include "gpu/wire.h"

#include <driver_types.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

struct sl_control {
  sl_child gpu;
  int fd;
  uint32_t sequence;
  uint64_t oom_kills; // when it started
  sl_gpu_folder folder;
  double patience; // seconds for which sl-gpu may rest before it answers; 0: any
};

const char *sl_control_socket(const sl_control *c) { return c->folder.socket; }
const char *sl_control_dir(const sl_control *c) { return c->folder.path; }
pid_t sl_control_pid(const sl_control *c) { return c->gpu.pid; }

// One request, one reply ------------------------------------------------------------------------------------

typedef struct call {
  uint16_t op;
  uint64_t first, second, third; // arguments
  const void *data;
  size_t len;
  sl_msg reply;
  void *payload;
} call;
static void end_call(call *k) { free(k->payload); }
#define CALL __attribute__((cleanup(end_call))) call // its payload is freed at the end of the block

// The reply of a refused request holds message NUL hint NUL.
static bool refused(const call *k, sl_error *e) {
  const char *text = k->payload, *end = text + k->reply.length;
  if (!text || k->reply.length < 2 || end[-1] != 0)
    return sl_fail(e, SL_EXIT_INFRA, NULL, "the simulated GPU refused request %u (status %d)", k->op,
                   k->reply.status);
  const char *hint = text + strlen(text) + 1 < end ? text + strlen(text) + 1 : "";
  const int code = k->reply.status == cudaErrorInvalidValue ? SL_EXIT_USAGE : SL_EXIT_INFRA;
  return sl_fail(e, code, hint, "%s", text);
}

// The signal that has ended the process, and what processor time it has had; 0: none, or it has not ended.
static int ended_by(const sl_control *c, struct rusage *used) {
  siginfo_t info = {0};
  for (int k = 0; k < 200 && !info.si_pid; k++) {
    if (k) poll(NULL, 0, 1);
    if (syscall(SYS_waitid, P_PID, c->gpu.pid, &info, WEXITED | WNOHANG | WNOWAIT, used) != 0) return 0;
  }
  return info.si_pid && info.si_code != CLD_EXITED ? info.si_status : 0;
}

// For a limit of one second, which sl-gpu cannot lower (main.c). These seconds are coarser than its limit's.
static bool has_used_up(const struct rusage *used) {
  struct rlimit most;
  return getrlimit(RLIMIT_CPU, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
         sl_used_seconds(used) >= 0.75 * (double)most.rlim_cur;
}

static bool lost(const sl_control *c, sl_error *e) {
  struct rusage used = {0};
  const int by = ended_by(c, &used);
  if (sl_oom_kills() != c->oom_kills)
    return sl_fail(e, SL_EXIT_INFRA, "close other programs, or give the machine more memory",
                   "the system killed the simulated GPU (sl-gpu): the machine's memory had run out");
  if (by == SIGXCPU || (by == SIGKILL && has_used_up(&used)))
    return sl_fail(e, SL_EXIT_INFRA, "raise the limit (ulimit -t), or give the program less to do",
                   "the simulated GPU (sl-gpu) has used up the processor time that its shell allows");
  if (by == SIGKILL || by == SIGTERM)
    return sl_fail(e, SL_EXIT_INFRA, "run it again", "the simulated GPU (sl-gpu) was ended from outside: %s",
                   strsignal(by));
  return sl_fail(e, SL_EXIT_INFRA, "this is a fault of scanlab: report it with the program that shows it",
                 "the simulated GPU (sl-gpu) has ended unexpectedly%s%s", by ? ": " : "",
                 by ? strsignal(by) : "");
}

// Waits for a reply while sl-gpu works on it: a report may be long, and the machine busy. False where sl-gpu
// has rested for so long, or worked for 30 times as long.
static bool answers(const sl_control *c) {
  const double last = sl_now() + 30 * c->patience;
  for (double idle = 0; idle < c->patience && sl_now() < last; idle += sl_waits(c->gpu.pid) ? 0.1 : 0) {
    struct pollfd p = {.fd = c->fd, .events = POLLIN};
    if (poll(&p, 1, 100) != 0) return true;
  }
  return false;
}

// Sends a request and receives its reply.
static bool transact(sl_control *c, call *k, sl_error *e) {
  sl_msg m = {.magic = SL_MSG_MAGIC, .op = k->op, .sequence = ++c->sequence, .length = (uint32_t)k->len};
  m.arg[0] = k->first, m.arg[1] = k->second, m.arg[2] = k->third;
  struct iovec piece[2] = {{&m, sizeof m}, {(void *)k->data, k->len}};
  k->payload = NULL;
  if (!sl__send_all(c->fd, piece, 2)) return lost(c, e);
  if (c->patience > 0 && !answers(c))
    return sl_fail(e, SL_EXIT_INFRA, "close other programs, and run it again",
                   "the simulated GPU (sl-gpu) did not write its report in time");
  if (!sl__recv_all(c->fd, &k->reply, sizeof k->reply)) return lost(c, e);
  if (!sl__is_reply(&k->reply, &m, SL_CHUNK))
    return sl_fail(e, SL_EXIT_INFRA, NULL, "sl-gpu gave no valid answer");
  k->payload = malloc(k->reply.length + 1);
  if (!k->payload) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
  if (!sl__recv_all(c->fd, k->payload, k->reply.length)) return lost(c, e);
  return k->reply.status == 0 || refused(k, e);
}

static bool order(sl_control *c, uint16_t op, const void *data, size_t len, sl_error *e) {
  CALL k = {.op = op, .data = data, .len = len};
  return transact(c, &k, e);
}

bool sl_control_configure(sl_control *c, const sl_gpu_options *o, sl_error *e) {
  return order(c, SL_MSG_CONFIGURE, o, sizeof *o, e);
}

bool sl_control_note(sl_control *c, const sl_finding *f, sl_error *e) {
  return order(c, SL_MSG_NOTE, f, sizeof *f, e);
}

bool sl_control_reset(sl_control *c, sl_error *e) { return order(c, SL_MSG_CLEAR, NULL, 0, e); }

bool sl_control_renew(sl_control *c, const sl_gpu_options *o, sl_error *e) {
  return order(c, SL_MSG_RENEW, NULL, 0, e) && sl_control_configure(c, o, e);
}

bool sl_control_poison(sl_control *c, uint64_t at, uint64_t bytes, uint64_t seed, sl_error *e) {
  CALL k = {.op = SL_MSG_POISON, .first = at, .second = bytes, .third = seed};
  return transact(c, &k, e);
}

bool sl_control_stored(sl_control *c, uint64_t at, bool *stored, sl_error *e) {
  CALL k = {.op = SL_MSG_STORED, .first = at};
  const bool ok = transact(c, &k, e);
  *stored = ok && k.reply.arg[0] != 0;
  return ok;
}

typedef struct sl_fetched {
  void *list; // malloc'ed
  size_t n;
} sl_fetched;

// Fetches a list in batches, from entry [first] on.
static bool fetch(sl_control *c, uint16_t op, uint64_t first, size_t size, sl_fetched *out, sl_error *e) {
  SL_FREED char *all = NULL;
  size_t have = 0, total = 0; // of those from [first] on
  do {
    CALL k = {.op = op, .first = first + have};
    if (!transact(c, &k, e)) return false;
    size_t got = k.reply.length / size;
    char *grown = got ? realloc(all, (have + got) * size) : all;
    if (got && !grown) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
    all = grown;
    if (got) memcpy(all + have * size, k.payload, got * size);
    have += got;
    total = got ? k.reply.arg[1] - first : have;
  } while (have < total);
  *out = (sl_fetched){all, have}, all = NULL;
  return true;
}

bool sl_control_launches(sl_control *c, uint64_t first, sl_launch_record **out, size_t *n, sl_error *e) {
  sl_fetched all = {0};
  bool ok = fetch(c, SL_MSG_LAUNCHES, first, sizeof **out, &all, e);
  *out = all.list, *n = all.n;
  return ok;
}

bool sl_control_failed(sl_control *c, int error, sl_error *e) {
  CALL k = {.op = SL_MSG_FAILED, .first = (uint64_t)error};
  return transact(c, &k, e);
}

static bool told_alike(const sl_finding *a, const sl_finding *b) {
  return b->me.host[0] && a->id == b->id && a->line == b->line && !strcmp(a->file, b->file) &&
         !strcmp(a->kernel, b->kernel) && !strcmp(a->object.name, b->object.name);
}

// Several accesses may go back to one call of the host: they are told as one.
static size_t join_same_places(sl_finding *f, size_t n) {
  size_t kept = 0;
  for (size_t k = 0; k < n; k++) {
    size_t i = 0;
    while (i < kept && !told_alike(&f[i], &f[k])) i++;
    if (i < kept) f[i].count += f[k].count;
    else if (kept++ != k) f[kept - 1] = f[k];
  }
  return kept;
}

bool sl_control_findings(sl_control *c, sl_finding **out, size_t *n, sl_error *e) {
  sl_fetched all = {0};
  bool ok = fetch(c, SL_MSG_FINDINGS, 0, sizeof **out, &all, e);
  *out = all.list;
  *n = join_same_places(all.list, all.n);
  return ok;
}

bool sl_control_host_traffic(sl_control *c, sl_host_traffic *out, sl_error *e) {
  CALL k = {.op = SL_MSG_HOSTTRAFFIC};
  if (!transact(c, &k, e)) return false;
  if (k.reply.length != sizeof *out) return sl_fail(e, SL_EXIT_INFRA, NULL, "sl-gpu gave no valid answer");
  memcpy(out, k.payload, sizeof *out);
  return true;
}

bool sl_control_printed(sl_control *c, char **text, size_t *len, sl_error *e) {
  CALL k = {.op = SL_MSG_PRINTED};
  bool ok = transact(c, &k, e);
  *text = ok ? k.payload : NULL;
  *len = ok ? k.reply.length : 0;
  if (ok) k.payload = NULL; // the caller's
  return ok;
}

bool sl_control_digest(sl_control *c, sl_digest *out, sl_error *e) {
  CALL k = {.op = SL_MSG_DIGEST};
  if (!transact(c, &k, e)) return false;
  *out = (sl_digest){k.reply.arg[0], k.reply.arg[1]};
  return true;
}

// Start and end ---------------------------------------------------------------------------------------------

// Waits [seconds] for the process to end by itself, then kills it.
static sl_exit_status wait_or_kill(sl_control *c, double seconds) {
  double deadline = sl_now() + seconds;
  siginfo_t info = {0};
  while (waitid(P_PID, (id_t)c->gpu.pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0 &&
         sl_now() < deadline)
    poll(NULL, 0, 1);
  if (info.si_pid == 0) kill(c->gpu.pid, SIGKILL);
  return sl_wait(&c->gpu, 0);
}

// Sends the first order, which sl-gpu answers once it listens. If it ended instead, it said why on stderr.
static bool first_order(sl_control *c, const sl_gpu_options *o, sl_error *e) {
  sl_error lost_error = {0};
  if (sl_control_configure(c, o, &lost_error)) return true;
  if (lost_error.code == SL_EXIT_USAGE) {
    if (e) *e = lost_error;
    return false;
  }
  sl_exit_status s = wait_or_kill(c, 5);
  return sl_fail(e, s.code > 0 ? s.code : SL_EXIT_INFRA, NULL,
                 "the simulated GPU (sl-gpu) could not be started");
}

static void add_option(char **argv, size_t *n, const char *name, const char *value) {
  if (!value) return;
  argv[(*n)++] = (char *)name;
  argv[(*n)++] = (char *)value;
}

// sl-gpu, or the one that is compiled for the widest vectors that the processor has.
static char *gpu_program(void) {
#ifdef SL_WIDE_PROCESSOR
  if (SL_WIDEST_PROCESSOR) return sl_tool_path("sl-gpu-widest");
  if (SL_WIDE_PROCESSOR) return sl_tool_path("sl-gpu-wide");
#endif
  return sl_tool_path("sl-gpu");
}

static bool spawn(sl_control *c, const sl_report_to *report, sl_error *e) {
  int pair[2];
  c->oom_kills = sl_oom_kills();
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return sl_fail(e, SL_EXIT_INFRA, NULL, "cannot make a socket pair: %s", strerror(errno));
  char number[16];
  SL_FREED char *path = gpu_program();
  snprintf(number, sizeof number, "%d", pair[1]);
  char *argv[16] = {path};
  size_t n = 1;
  add_option(argv, &n, "--listen", c->folder.socket);
  add_option(argv, &n, "--control-fd", number);
  if (report && report->file) {
    add_option(argv, &n, "--report", report->file);
    add_option(argv, &n, "--program", report->telling.program);
    add_option(argv, &n, "--source", report->telling.source);
  }
  if (report) add_option(argv, &n, "--lines", report->lines);
  if (report && report->enclosed) argv[n++] = "--enclosed";
  int keep[] = {pair[1], -1};
  bool ok = sl_spawn(&c->gpu, &(sl_process){.argv = argv, .keep = keep, .io = SL_STDIO_SAME}, e);
  close(pair[1]);
  c->fd = pair[0];
  return ok;
}

sl_control *sl_control_start(const sl_gpu_options *o, const sl_report_to *report, sl_error *e) {
  sl_control *c = calloc(1, sizeof *c);
  if (!c) {
    sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
    return NULL;
  }
  c->fd = -1;
  if (sl__folder_make(&c->folder, e) && spawn(c, report, e) && first_order(c, o, e)) return c;
  sl_control_abort(c);
  sl_control_stop(c, 0.1, NULL);
  return NULL;
}

bool sl_control_stop(sl_control *c, double seconds, sl_error *e) {
  bool ok = true;
  if (c->gpu.pid > 0) {
    c->patience = seconds > 0 ? seconds : 1;
    ok = order(c, SL_MSG_QUIT, NULL, 0, e);
  }
  if (c->fd >= 0) close(c->fd);
  if (c->gpu.pid > 0) wait_or_kill(c, seconds > 0 ? seconds : 1);
  sl__folder_end(&c->folder);
  free(c);
  return ok;
}

void sl_control_abort(sl_control *c) {
  if (c->gpu.pid > 0) kill(c->gpu.pid, SIGKILL);
  sl__folder_remove(&c->folder);
}
