// What a program asks of the simulated GPU: waits and copies send a message only where there is something to
// wait for, and the device learns of every stream and event. A thread stands for sl-gpu and counts requests.
#include "base/unit.h"
#include "gpu/protocol.h"
#include "gpu/wire.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>

enum { SUCCESS = 0, BASE = 1 << 30 };
static unsigned asked[SL_MSG_COUNT];
static uint64_t handles; // as the last SYNC told

static void *serve(void *arg) {
  static char payload[1 << 16];
  const sl_device_info device = {.window_base = BASE, .window_size = BASE, .total_memory = BASE};
  sl_msg m;
  while (sl__recv_all(*(int *)arg, &m, sizeof m) && sl__recv_all(*(int *)arg, payload, m.length)) {
    asked[m.op]++;
    if (m.op == SL_MSG_SYNC && m.arg[0] == SL_SEQUENCE_ALL) handles = m.arg[3];
    const size_t len = m.op == SL_MSG_HELLO ? sizeof device : m.op == SL_MSG_READ ? m.arg[1] : 0;
    m.arg[0] = BASE, m.length = (uint32_t)len;
    sl__send_all(*(int *)arg,
                 (struct iovec[]){{&m, sizeof m}, {m.op == SL_MSG_HELLO ? (void *)&device : payload, len}},
                 2);
  }
  return NULL;
}

static int connect_program(void **) {
  static int fd[2];
  static char name[32];
  pthread_t thread;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) != 0 || pthread_create(&thread, NULL, serve, &fd[1]) != 0)
    return -1;
  snprintf(name, sizeof name, "fd:%d", fd[0]);
  return setenv(SL_GPU_ENV, name, 1);
}

static unsigned count(sl_op_code op) {
  const unsigned n = asked[op];
  asked[op] = 0;
  return n;
}

static void *memory(void) {
  void *p = NULL;
  assert_int_equal(cudaMalloc(&p, 4), SUCCESS);
  return p;
}

// Begins something without a wait.
static void begin(void *at) { assert_int_equal(cudaMemsetAsync(at, 1, 4, NULL), SUCCESS); }

TEST(test_waits_for_nothing) {
  int x = 0;
  void *p = memory();
  count(SL_MSG_SYNC);
  assert_int_equal(cudaMemcpy(p, &x, 4, cudaMemcpyHostToDevice), SUCCESS);
  assert_int_equal(cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost), SUCCESS);
  assert_int_equal(cudaDeviceSynchronize(), SUCCESS);
  assert_int_equal(cudaStreamSynchronize(NULL), SUCCESS);
  assert_int_equal(cudaFree(p), SUCCESS);
  assert_int_equal(count(SL_MSG_SYNC) + count(SL_MSG_WORK), 0);
}

TEST(test_waits_for_what_was_begun) {
  int x = 0;
  void *p = memory();
  begin(p);
  count(SL_MSG_WORK);
  assert_int_equal(cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost), SUCCESS);
  assert_int_equal(count(SL_MSG_WORK), 1); // it stands behind what was begun
  assert_int_equal(cudaDeviceSynchronize(), SUCCESS);
  assert_int_equal(cudaDeviceSynchronize(), SUCCESS);
  assert_int_equal(count(SL_MSG_SYNC), 1);
  begin(p);
  assert_int_equal(cudaStreamSynchronize(NULL), SUCCESS); // one stream of perhaps several: others may work on
  assert_int_equal(cudaDeviceSynchronize(), SUCCESS);
  assert_int_equal(count(SL_MSG_SYNC), 2);
}

TEST(test_a_copy_to_which_nobody_waits_is_told) {
  void *p = memory(), *q = memory();
  count(SL_MSG_WORK);
  assert_int_equal(cudaMemcpyAsync(p, q, 4, cudaMemcpyDeviceToDevice, NULL), SUCCESS);
  assert_int_equal(count(SL_MSG_WORK), 1);
}

TEST(test_a_fill_of_one_row_is_one_message) {
  void *p = NULL;
  assert_int_equal(cudaMalloc(&p, 64), SUCCESS);
  count(SL_MSG_FILL), count(SL_MSG_WORK);
  assert_int_equal(cudaMemset(p, 0, 64), SUCCESS);
  assert_int_equal(count(SL_MSG_FILL) + count(SL_MSG_WORK), 1);
  assert_int_equal(cudaMemset2D(p, 32, 0, 8, 2), SUCCESS);
  assert_int_equal(count(SL_MSG_FILL), 2);
  assert_int_equal(count(SL_MSG_WORK), 1);
}

TEST(test_events_are_told) {
  cudaEvent_t e;
  float ms;
  assert_int_equal(cudaDeviceSynchronize(), SUCCESS);
  assert_int_equal(cudaEventCreate(&e), SUCCESS);
  assert_int_equal(cudaDeviceSynchronize(), SUCCESS);
  assert_int_equal(handles, 1);
  count(SL_MSG_SYNC);
  assert_int_equal(cudaEventRecord(e, NULL), SUCCESS);
  assert_int_equal(cudaEventSynchronize(e), SUCCESS);
  assert_int_equal(count(SL_MSG_SYNC), 2);
  assert_int_equal(cudaDeviceSynchronize(), SUCCESS);
  assert_int_equal(cudaEventElapsedTime(&ms, e, e), SUCCESS);
  assert_int_equal(count(SL_MSG_SYNC), 1);
  assert_int_equal(cudaEventDestroy(e), SUCCESS);
  assert_int_equal(cudaDeviceSynchronize(), SUCCESS);
  assert_int_equal(handles, 0);
}

int main(void) { return RUN_TESTS(connect_program, NULL); }
