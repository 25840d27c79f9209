// The connection to sl-gpu: made at the first call that needs the device, one request at a time.
//
// Interface: sl__call sends a request, with those that held.c keeps, and waits for its answer. Without a
// simulated GPU, calls fail as the real runtime's do without a driver, and one line on stderr says how to
// start the program. After a fork the child has no device.
#include "libcudart/client.h"
#include "gpu/wire.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock;
static pthread_once_t lock_once = PTHREAD_ONCE_INIT;
static struct {
  int fd;
  pid_t pid;
  uint32_t sequence;
  cudaError_t state;
  cudaError_t failed; // the error of a failed kernel, which all later calls return
  bool tried;
  bool idle;     // the host has waited for all that this program has begun
  uint64_t told; // how many streams, events and graphs the device knows of
  sl_device_info info;
} conn = {.fd = -1};
static uint32_t text_waiting;
static uint64_t waits;
static __thread bool on_stream; // this thread runs a host function of a stream
static unsigned depth;          // how often the thread that has the lock has taken it

static void make_lock(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &a);
}

void sl__enter(void) {
  pthread_once(&lock_once, make_lock);
  pthread_mutex_lock(&lock);
  depth++;
}

void sl__leave(void) {
  depth--;
  pthread_mutex_unlock(&lock);
}

bool sl__within_call(void) { return depth > 1; }

void sl__run_host(void (*fn)(void *), void *data) {
  const cudaError_t before = sl__swap_last(cudaSuccess); // on a GPU another thread runs it
  on_stream = true;
  fn(data);
  on_stream = false;
  sl__swap_last(before);
}

bool sl__on_stream(void) { return on_stream; }

bool sl__forbidden(void) {
  if (!on_stream || sl__within_call()) return false;
  sl__notice(SL_NOTICE_FORBIDDEN, "%s", "");
  return true;
}

const sl_device_info *sl__device(void) { return &conn.info; }
bool sl__connected(void) { return conn.fd >= 0 && conn.pid == getpid(); }

// Closes the connection: every later call fails with [e].
static cudaError_t give_up(cudaError_t e) {
  if (conn.fd >= 0) close(conn.fd);
  conn.fd = -1;
  conn.state = e;
  return e;
}

// Is [e] the error of a kernel? Then every later call that needs the device returns it.
static bool stays(cudaError_t e) {
  return e == cudaErrorIllegalAddress || e == cudaErrorMisalignedAddress || e == cudaErrorAssert ||
         e == cudaErrorLaunchFailure || e == cudaErrorLaunchTimeout || e == cudaErrorIllegalInstruction ||
         e == cudaErrorDevicesUnavailable;
}

// Does the request begin nothing for which the host would have to wait?
static const bool begins_nothing[SL_MSG_COUNT] = {
    [SL_MSG_WRITE] = true,  [SL_MSG_READ] = true,   [SL_MSG_RANGE] = true,  [SL_MSG_MEMINFO] = true,
    [SL_MSG_EXPORT] = true, [SL_MSG_IMPORT] = true, [SL_MSG_KERNEL] = true, [SL_MSG_SYMBOL] = true,
    [SL_MSG_NOTICE] = true, [SL_MSG_COPIED] = true};

// Has the host waited for all with it? With ALLOC and FREE, too, but in a stream or for the host.
static bool waits_for_all(const sl_msg *m) {
  return (m->op == SL_MSG_SYNC && m->arg[0] == SL_SEQUENCE_ALL) ||
         (m->op == SL_MSG_ALLOC && !m->arg[1] && !m->arg[3]) ||
         (m->op == SL_MSG_FREE && !m->arg[1] && !m->arg[2]);
}

bool sl__idle(void) { return conn.idle; }

void sl__waited(void) { waits++; }
uint64_t sl__waits(void) { return waits; }

static cudaError_t lost(void) {
  if (errno == EFAULT)
    sl__say("a copy was given host memory that the program cannot access: wrong pointer or too many bytes");
  else sl__say("the connection to the simulated GPU was lost (sl-gpu has ended)");
  return give_up(cudaErrorDevicesUnavailable);
}

// Keeps a request without an answer, and sends those before it if there is no room for it.
static cudaError_t hold(struct iovec *piece, int n) {
  conn.idle = false;
  if (sl__held_add(piece, n)) return conn.failed;
  struct iovec before = sl__held_take();
  errno = 0;
  return sl__send_all(conn.fd, &before, 1) && sl__held_add(piece, n) ? conn.failed : lost();
}

// One request and its answer over an open connection.
static cudaError_t exchange(sl_call *k) {
  sl_msg m = {.magic = SL_MSG_MAGIC,
              .op = k->op,
              .sequence = ++conn.sequence,
              .length = (uint32_t)(k->out_len[0] + k->out_len[1] + k->out_len[2])};
  memcpy(m.arg, k->arg, sizeof m.arg);
  const bool unanswered = k->unanswered && conn.info.host_checks & SL_HOST_SEALED;
  if (unanswered) m.unanswered = 1;
  struct iovec piece[5] = {{0},
                           {&m, sizeof m},
                           {(void *)k->out[0], k->out_len[0]},
                           {(void *)k->out[1], k->out_len[1]},
                           {(void *)k->out[2], k->out_len[2]}};
  if (unanswered) return hold(piece + 1, 4);
  piece[0] = sl__held_take();
  sl_msg reply;
  errno = 0;
  if (!sl__send_all(conn.fd, piece, 5) || !sl__recv_all(conn.fd, &reply, sizeof reply) ||
      !sl__is_reply(&reply, &m, k->in_cap) || !sl__recv_all(conn.fd, k->in, reply.length))
    return lost();
  sl__held_note(&m, &reply);
  memcpy(k->arg, reply.arg, sizeof k->arg);
  k->in_len = reply.length;
  text_waiting = reply.text;
  if (waits_for_all(&m)) sl__waited();
  conn.idle = !reply.status && (waits_for_all(&m) || (conn.idle && begins_nothing[m.op]));
  if (stays((cudaError_t)reply.status)) conn.failed = (cudaError_t)reply.status;
  return (cudaError_t)reply.status;
}

static cudaError_t no_device(const char *path) {
  if (!path)
    sl__say("there is no simulated GPU (SCANLAB_GPU is not set): start the program with ./scanlab sim -- "
            "PROGRAM");
  else
    sl__say("no simulated GPU answers at %s (%s): start the program with ./scanlab sim -- PROGRAM", path,
            strerror(errno));
  return give_up(cudaErrorNoDevice);
}

static cudaError_t open_link(void) {
  const char *path = getenv(SL_GPU_ENV);
  conn.tried = true;
  conn.pid = getpid();
  if (!path || !path[0]) return no_device(NULL);
  if ((conn.fd = sl__connect(path)) < 0) return no_device(path);
  sl_call k = {
      .op = SL_MSG_HELLO, .arg = {SL_PROTOCOL_VERSION}, .in = &conn.info, .in_cap = sizeof conn.info};
  cudaError_t e = exchange(&k);
  if (e == cudaSuccess && k.in_len == sizeof conn.info) {
    sl__notices_begin(conn.info.host_checks & ~(uint32_t)SL_HOST_SEALED);
    return cudaSuccess;
  }
  if (e == cudaErrorSystemDriverMismatch)
    sl__say("libcudart and sl-gpu are of different builds; build both again");
  return give_up(e ? e : cudaErrorDevicesUnavailable);
}

cudaError_t sl__ready(void) {
  if (!conn.tried) return open_link();
  if (conn.pid != getpid()) return cudaErrorInitializationError;
  return conn.state;
}

cudaError_t sl__alive(void) {
  cudaError_t e = sl__ready();
  return e ? e : conn.failed;
}

cudaError_t sl__call(sl_call *k) {
  cudaError_t e = sl__ready();
  return e ? e : exchange(k);
}

cudaError_t sl__call_placed(sl_call *k) {
  sl_place place;
  SL_TRY(sl__ready());
  sl__place(&place);
  unsigned at = 0;
  while (at < 2 && k->out_len[at]) at++;
  if (place.n) k->out[at] = &place, k->out_len[at] = sizeof place;
  return exchange(k);
}

cudaError_t sl__call1(uint16_t op, uint64_t a0, uint64_t a1, uint64_t a2) {
  sl_call k = {.op = op, .arg = {a0, a1, a2}};
  return sl__call(&k);
}

// Device printf ---------------------------------------------------------------------------------------------

void sl__print_text(void) {
  if (!text_waiting || !sl__connected()) return;
  size_t cap = SL_MAX_TEXT + 4096;
  char *text = malloc(cap);
  sl_call k = {.op = SL_MSG_TEXT, .in = text, .in_cap = cap};
  if (text && exchange(&k) == cudaSuccess) {
    fwrite(text, 1, k.in_len, stdout);
    fflush(stdout);
  }
  text_waiting = 0;
  free(text);
}

cudaError_t sl__synchronise(void) {
  const uint64_t had = sl__streams_had() + sl__graphs_had();
  sl_call k = {.op = SL_MSG_SYNC, .arg = {SL_SEQUENCE_ALL, 0, 0, had}};
  sl__pending_all();
  cudaError_t e = sl__ready();
  if (!e && !(conn.idle && conn.told == had)) e = exchange(&k), conn.told = had;
  sl__managed_open();
  sl__print_text();
  return e;
}

static __attribute__((destructor)) void at_exit(void) {
  sl__enter();
  sl__print_text();
  sl__pending_forget();
  if (sl__connected() && !conn.idle) sl__call1(SL_MSG_MEMINFO, 0, 0, 0); // takes what is held along
  if (sl__connected()) sl__notices_end();
  if (sl__connected()) close(conn.fd);
  conn.fd = -1;
  conn.state = cudaErrorCudartUnloading;
  conn.tried = true;
  sl__leave();
}
