// The protocol against a running sl-gpu: what breaks it ends the connection and nobody else notices; one
// client cannot hold up or look into another.
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include "base/unit.h"
#include "gpu/poison.h"
#include "gpu/start/control.h"
#include "gpu/wire.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, NOT_PERMITTED = 800, INVALID_HANDLE = 400, NO_IMAGE = 209 };

static int start_with(void **state, bool enclosed) {
  const sl_report_to report = {.enclosed = enclosed};
  sl_error e = {0};
  sl_gpu_options o = sl_gpu_options_default();
  *state = sl_control_start(&o, &report, &e);
  if (!*state) sl_error_print("protocol_test", &e);
  return *state ? 0 : -1;
}

static int open_server(void **state) { return start_with(state, false); }
static int open_enclosed(void **state) { return start_with(state, true); }
static int close_server(void **state) { return sl_control_stop(*state, 5, NULL) ? 0 : -1; }

typedef struct peer {
  int fd;
  uint32_t sequence;
  sl_msg reply;
  uint8_t data[4096];
} peer;

static void send_msg(peer *p, sl_msg m, const void *data) {
  struct iovec piece[2] = {{&m, sizeof m}, {(void *)data, m.length}};
  assert_true(sl__send_all(p->fd, piece, 2));
}

static sl_msg msg(peer *p, uint16_t op, uint64_t a0, uint64_t a1, uint32_t length) {
  return (sl_msg){
      .magic = SL_MSG_MAGIC, .op = op, .sequence = ++p->sequence, .length = length, .arg = {a0, a1}};
}

// One request with its answer; returns the status.
static int ask(peer *p, uint16_t op, uint64_t a0, uint64_t a1, const void *data, uint32_t len) {
  sl_msg m = msg(p, op, a0, a1, len);
  send_msg(p, m, data);
  assert_true(sl__recv_all(p->fd, &p->reply, sizeof p->reply));
  assert_true(sl__is_reply(&p->reply, &m, sizeof p->data));
  assert_true(sl__recv_all(p->fd, p->data, p->reply.length));
  return p->reply.status;
}

static peer join(void **state) {
  peer p = {.fd = sl__connect(sl_control_socket(*state))};
  assert_true(p.fd >= 0);
  assert_int_equal(ask(&p, SL_MSG_HELLO, SL_PROTOCOL_VERSION, 0, NULL, 0), SUCCESS);
  assert_int_equal(p.reply.length, sizeof(sl_device_info));
  return p;
}

static void assert_dropped(const peer *p) {
  struct pollfd f = {.fd = p->fd, .events = POLLIN};
  char c;
  assert_int_equal(poll(&f, 1, 5000), 1);
  assert_true(recv(p->fd, &c, 1, 0) <= 0);
}

TEST(test_memory) {
  peer p = join(state);
  uint8_t bytes[100];
  memset(bytes, 7, sizeof bytes);
  assert_int_equal(ask(&p, SL_MSG_ALLOC, 100, 0, NULL, 0), SUCCESS);
  uint64_t at = p.reply.arg[0];
  assert_int_equal(ask(&p, SL_MSG_WRITE, at, 0, bytes, sizeof bytes), SUCCESS);
  assert_int_equal(ask(&p, SL_MSG_READ, at, 100, NULL, 0), SUCCESS);
  assert_int_equal(p.reply.length, 100);
  assert_memory_equal(p.data, bytes, 100);
  assert_int_equal(ask(&p, SL_MSG_WRITE, at + 1, 0, bytes, sizeof bytes), INVALID_VALUE);
  assert_int_equal(ask(&p, SL_MSG_READ, at, 101, NULL, 0), INVALID_VALUE);
  assert_int_equal(ask(&p, SL_MSG_READ, at, UINT64_MAX, NULL, 0), INVALID_VALUE);
  assert_int_equal(ask(&p, SL_MSG_FREE, at + 4, 0, NULL, 0), INVALID_VALUE);
  assert_int_equal(ask(&p, SL_MSG_FREE, at, 0, NULL, 0), SUCCESS);
  assert_int_equal(ask(&p, SL_MSG_FREE, at, 0, NULL, 0), INVALID_VALUE);
  close(p.fd);
}

// Each row spoils one field of an acceptable header.
TEST(test_broken_headers) {
  const sl_msg rows[] = {
      {.magic = 0x12345678, .op = SL_MSG_SYNC},
      {.magic = SL_MSG_MAGIC, .op = SL_MSG_COUNT},
      {.magic = SL_MSG_MAGIC, .op = 65535},
      {.magic = SL_MSG_MAGIC, .op = SL_MSG_SYNC, .unanswered = 1},
      {.magic = SL_MSG_MAGIC, .op = SL_MSG_LAUNCH, .unanswered = 2},
      {.magic = SL_MSG_MAGIC, .op = SL_MSG_SYNC, .status = 5},
      {.magic = SL_MSG_MAGIC, .op = SL_MSG_SYNC, .text = 5},
      {.magic = SL_MSG_MAGIC, .op = SL_MSG_SYNC, .length = 1},
      {.magic = SL_MSG_MAGIC, .op = SL_MSG_WRITE, .length = SL_CHUNK + 1},
      {.magic = SL_MSG_MAGIC, .op = SL_MSG_LOAD, .length = UINT32_MAX},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    peer p = join(state);
    struct iovec piece = {(void *)&rows[i], sizeof rows[i]};
    assert_true(sl__send_all(p.fd, &piece, 1));
    assert_dropped(&p);
    close(p.fd);
  }
}

TEST(test_before_hello) {
  peer p = {.fd = sl__connect(sl_control_socket(*state))};
  assert_int_equal(ask(&p, SL_MSG_ALLOC, 100, 0, NULL, 0), NOT_PERMITTED);
  assert_dropped(&p);
  close(p.fd);
}

TEST(test_privileges) {
  static const uint16_t ops[] = {SL_MSG_LAUNCHES, SL_MSG_FINDINGS, SL_MSG_CLEAR, SL_MSG_RENEW,
                                 SL_MSG_POISON,   SL_MSG_STORED,   SL_MSG_QUIT};
  peer p = join(state);
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    assert_int_equal(ask(&p, ops[i], 0, 0, NULL, 0), NOT_PERMITTED);
  sl_gpu_options o = sl_gpu_options_default();
  assert_int_equal(ask(&p, SL_MSG_CONFIGURE, 0, 0, &o, sizeof o), NOT_PERMITTED);
  close(p.fd);
}

// Half a header, half a payload, answers that nobody reads: others are served all the same.
TEST(test_slow_clients) {
  peer half = {.fd = sl__connect(sl_control_socket(*state))}, payload = join(state), deaf = join(state);
  assert_int_equal(send(half.fd, "GPU", 3, 0), 3);
  assert_int_equal(ask(&payload, SL_MSG_ALLOC, 1000, 0, NULL, 0), SUCCESS);
  sl_msg m = msg(&payload, SL_MSG_WRITE, payload.reply.arg[0], 0, 1000);
  assert_int_equal(send(payload.fd, &m, sizeof m, 0), sizeof m);
  assert_int_equal(ask(&deaf, SL_MSG_ALLOC, SL_CHUNK, 0, NULL, 0), SUCCESS);
  uint64_t at = deaf.reply.arg[0];
  for (int i = 0; i < 20; i++) send_msg(&deaf, msg(&deaf, SL_MSG_READ, at, SL_CHUNK, 0), NULL);
  peer p = join(state);
  for (int i = 0; i < 10; i++) assert_int_equal(ask(&p, SL_MSG_SYNC, 0, 0, NULL, 0), SUCCESS);
  close(half.fd), close(payload.fd), close(deaf.fd), close(p.fd);
}

// Requests without a reply run in their order; the next reply says once that one of them was refused.
TEST(test_unanswered) {
  peer p = join(state);
  assert_int_equal(ask(&p, SL_MSG_ALLOC, 64, 0, NULL, 0), SUCCESS);
  const uint64_t at = p.reply.arg[0];
  for (uint64_t value = 1; value <= 100; value++) {
    sl_msg m = msg(&p, SL_MSG_FILL, at, value, 0);
    m.arg[2] = 64, m.unanswered = 1;
    send_msg(&p, m, NULL);
  }
  assert_int_equal(ask(&p, SL_MSG_READ, at, 64, NULL, 0), SUCCESS);
  assert_int_equal(p.data[0], 100);
  sl_msg m = msg(&p, SL_MSG_FILL, at, 7, 0);
  m.arg[2] = 65, m.unanswered = 1;
  send_msg(&p, m, NULL);
  m.arg[2] = 64, m.sequence = ++p.sequence;
  send_msg(&p, m, NULL); // behind one that is refused: not made
  assert_int_equal(ask(&p, SL_MSG_READ, at, 64, NULL, 0), INVALID_VALUE);
  assert_int_equal(p.reply.length, 0);
  assert_int_equal(ask(&p, SL_MSG_READ, at, 64, NULL, 0), SUCCESS);
  assert_int_equal(p.data[0], 100);
  close(p.fd);
}

TEST(test_isolation_and_ipc) {
  peer a = join(state), b = join(state);
  assert_int_equal(ask(&a, SL_MSG_ALLOC, 64, 0, NULL, 0), SUCCESS);
  uint64_t at = a.reply.arg[0];
  assert_int_equal(ask(&a, SL_MSG_WRITE, at, 0, "secret", 6), SUCCESS);
  assert_int_equal(ask(&b, SL_MSG_READ, at, 6, NULL, 0), INVALID_VALUE);
  assert_int_equal(ask(&b, SL_MSG_EXPORT, at, 0, NULL, 0), INVALID_VALUE);
  assert_int_equal(ask(&b, SL_MSG_FREE, at, 0, NULL, 0), INVALID_VALUE);
  assert_int_equal(ask(&a, SL_MSG_EXPORT, at + 5, 0, NULL, 0), SUCCESS);
  uint64_t token[2] = {a.reply.arg[0], a.reply.arg[1]};
  assert_int_equal(ask(&b, SL_MSG_IMPORT, token[0] ^ 1, token[1], NULL, 0), INVALID_HANDLE);
  assert_int_equal(ask(&b, SL_MSG_IMPORT, token[0], token[1], NULL, 0), SUCCESS);
  assert_int_equal(b.reply.arg[0], at);
  assert_int_equal(b.reply.arg[1], 64);
  assert_int_equal(ask(&b, SL_MSG_READ, at, 6, NULL, 0), SUCCESS);
  assert_memory_equal(b.data, "secret", 6);
  assert_int_equal(ask(&b, SL_MSG_FREE, at, 0, NULL, 0), INVALID_VALUE);
  close(a.fd);
  for (int i = 0; i < 500 && ask(&b, SL_MSG_READ, at, 6, NULL, 0) == SUCCESS; i++) poll(NULL, 0, 10);
  assert_int_equal(b.reply.status, INVALID_VALUE); // gone with its owner
  assert_int_equal(ask(&b, SL_MSG_IMPORT, token[0], token[1], NULL, 0), INVALID_HANDLE);
  close(b.fd);
}

TEST(test_unknown_ids) {
  peer p = join(state);
  static const uint8_t junk[64];
  assert_int_not_equal(ask(&p, SL_MSG_LAUNCH, 5, 0, junk, sizeof junk), SUCCESS);
  assert_int_not_equal(ask(&p, SL_MSG_KERNEL, 99, 0, "k", 1), SUCCESS);
  assert_int_not_equal(ask(&p, SL_MSG_SYMBOL, UINT64_MAX, 0, "v", 1), SUCCESS);
  assert_int_not_equal(ask(&p, SL_MSG_UNLOAD, 3, 0, NULL, 0), SUCCESS);
  assert_int_equal(ask(&p, SL_MSG_LOAD, 0, 0, junk, sizeof junk), NO_IMAGE);
  assert_true(p.reply.length > 2 && p.data[p.reply.length - 1] == 0); // with a reason
  close(p.fd);
}

// Where host checks are off, as in grading, a client's words make no finding (test_control counts them).
TEST(test_notices) {
  peer p = join(state);
  sl_notice n;
  sl_place place;
  memset(&n, 0xff, sizeof n), memset(&place, 0xff, sizeof place);
  assert_int_equal(ask(&p, SL_MSG_NOTICE, 0, 0, &n, sizeof n), SUCCESS);
  assert_int_equal(ask(&p, SL_MSG_NOTICE, 0, 0, &n, 8), SUCCESS);
  n.kind = 0;
  assert_int_equal(ask(&p, SL_MSG_NOTICE, 0, 0, &n, sizeof n), SUCCESS);
  n.kind = SL_NOTICE_EARLY;
  assert_int_equal(ask(&p, SL_MSG_NOTICE, 0, 0, &n, sizeof n), SUCCESS);
  assert_int_equal(ask(&p, SL_MSG_ALLOC, 64, 0, &place, sizeof place), SUCCESS);
  assert_int_equal(ask(&p, SL_MSG_ALLOC, 64, UINT64_MAX, &place, sizeof place), SUCCESS);
  uint64_t at = p.reply.arg[0];
  assert_int_equal(ask(&p, SL_MSG_FREE, at + 1, 1, &place, sizeof place), INVALID_VALUE);
  assert_int_equal(ask(&p, SL_MSG_FREE, at, 3, &place, sizeof place), SUCCESS);
  assert_int_equal(ask(&p, SL_MSG_BYE, 0, 0, NULL, 0), SUCCESS);
  close(p.fd);
}

// Notes of no kind are refused; one whose texts have no end is kept with its texts cut.
static void test_foreign_notes(sl_control *c) {
  static sl_finding note;
  SL_FREED sl_finding *f = NULL;
  size_t n = 0;
  sl_error e = {0};
  memset(&note, 'A', sizeof note);
  assert_false(sl_control_note(c, &note, &e));
  e = (sl_error){0};
  note.id = SL_FOUND_PROGRESS_ORDER;
  assert_true(sl_control_note(c, &note, &e));
  assert_true(sl_control_findings(c, &f, &n, &e));
  assert_int_equal(n, 1);
  assert_int_equal(strlen(f[0].details), sizeof f[0].details - 1);
  assert_int_equal(strlen(f[0].me.role), sizeof f[0].me.role - 1);
  assert_true(sl_control_reset(c, &e));
}

TEST(test_control) {
  sl_finding *f = NULL;
  SL_FREED sl_launch_record *l = NULL;
  size_t n = 0;
  sl_error e = {0};
  assert_true(sl_control_findings(*state, &f, &n, &e));
  assert_int_equal(n, 1); // the LOAD of test_unknown_ids
  assert_int_equal(f[0].id, SL_FOUND_LOAD_IMAGE);
  free(f);
  assert_true(sl_control_reset(*state, &e));
  test_foreign_notes(*state);
  assert_true(sl_control_findings(*state, &f, &n, &e) && n == 0);
  free(f);
  assert_true(sl_control_launches(*state, 0, &l, &n, &e) && n == 0);
  sl_gpu_options o = sl_gpu_options_default();
  strcpy(o.profile, "defalt");
  assert_false(sl_control_configure(*state, &o, &e));
  assert_string_equal(e.hint, "did you mean default?");
  o = (sl_gpu_options){.order = 77};
  memset(&e, 0, sizeof e);
  assert_false(sl_control_configure(*state, &o, &e));
}

// A renewed device knows no program: connections end, and the next program gets the addresses of a first one.
TEST(test_renew) {
  sl_error e = {0};
  sl_gpu_options o = sl_gpu_options_default();
  uint64_t at[2];
  for (int k = 0; k < 2; k++) {
    assert_true(sl_control_renew(*state, &o, &e));
    peer p = join(state);
    assert_int_equal(ask(&p, SL_MSG_ALLOC, 1000, 0, NULL, 0), SUCCESS);
    at[k] = p.reply.arg[0];
    assert_int_equal(ask(&p, SL_MSG_READ, at[k], 4, NULL, 0), SUCCESS);
    assert_memory_equal(p.data, "\xcd\xcd\xcd\xcd", 4);
    assert_int_equal(ask(&p, SL_MSG_WRITE, at[k], 0, "left", 4), SUCCESS);
    assert_true(sl_control_renew(*state, &o, &e));
    assert_dropped(&p);
    close(p.fd);
  }
  assert_int_equal(at[0], at[1]);
}

// The starter fills a program's memory, but not that of one which has opened another's.
TEST(test_poison) {
  sl_error e = {0};
  peer p = join(state), guest = join(state);
  assert_int_equal(ask(&p, SL_MSG_ALLOC, 100, 0, NULL, 0), SUCCESS);
  const uint64_t at = p.reply.arg[0];
  assert_true(sl_control_poison(*state, at + 4, 92, 7, &e));
  assert_int_equal(ask(&p, SL_MSG_READ, at, 100, NULL, 0), SUCCESS);
  uint32_t words[25];
  memcpy(words, p.data, sizeof words);
  assert_int_equal(words[0], 0xcdcdcdcd);
  for (uint64_t k = 0; k < 23; k++) assert_int_equal(words[k + 1], sl_poison_word(7, k));
  assert_int_equal(words[24], 0xcdcdcdcd);
  assert_false(sl_control_poison(*state, at + 4, 100, 7, &e));
  assert_int_equal(ask(&p, SL_MSG_EXPORT, at, 0, NULL, 0), SUCCESS);
  assert_int_equal(ask(&guest, SL_MSG_IMPORT, p.reply.arg[0], p.reply.arg[1], NULL, 0), SUCCESS);
  assert_int_equal(ask(&guest, SL_MSG_ALLOC, 100, 0, NULL, 0), SUCCESS);
  assert_false(sl_control_poison(*state, guest.reply.arg[0], 8, 7, &e));
  close(p.fd), close(guest.fd);
}

// Has sl-gpu made a file that an order of its starter names, outside of its folder?
static bool writes_elsewhere(sl_control *c) {
  sl_error e = {0};
  char path[] = "/tmp/scanlab-protocol-XXXXXX";
  assert_true(mkdtemp(path) != NULL);
  sl_gpu_options o = sl_gpu_options_default();
  snprintf(o.copies, sizeof o.copies, "%s/copies", path);
  assert_true(sl_control_configure(c, &o, &e));
  bool made = unlink(o.copies) == 0;
  rmdir(path);
  return made;
}

static char *status_of(pid_t pid) {
  SL_FREED char *path = sl_path("/proc/%d/status", (int)pid);
  char *text = sl_read_file(path, 1 << 16, NULL, NULL);
  assert_non_null(text);
  return text;
}

// A report that does not come is no end of sl-gpu.
TEST(test_late) {
  void *own = NULL;
  sl_error e = {0};
  assert_int_equal(open_server(&own), 0);
  assert_int_equal(kill(sl_control_pid(own), SIGSTOP), 0);
  assert_false(sl_control_stop(own, 0.3, &e));
  assert_string_equal(e.text, "the simulated GPU (sl-gpu) did not write its report in time");
}

TEST(test_open) { assert_true(writes_elsewhere(*state)); }

static void test_enclosed(void **state) {
  SL_FREED char *status = status_of(sl_control_pid(*state));
  assert_non_null(strstr(status, "Seccomp:\t2"));
  if (strstr(status, "NoNewPrivs:\t1")) assert_false(writes_elsewhere(*state));
}

// qemu, which imitates a processor, knows no filter of system calls; there no server can be enclosed.
static bool has_filters(void) {
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT;
}

int main(void) {
  const struct CMUnitTest enclosed[] = {
      cmocka_unit_test(test_enclosed),    cmocka_unit_test(test_memory),
      cmocka_unit_test(test_privileges),  cmocka_unit_test(test_isolation_and_ipc),
      cmocka_unit_test(test_unknown_ids), cmocka_unit_test(test_control),
      cmocka_unit_test(test_renew),       cmocka_unit_test(test_poison),
  };
  const int failed = RUN_TESTS(open_server, close_server);
  if (has_filters()) return failed + cmocka_run_group_tests(enclosed, open_enclosed, close_server);
  puts("not tried: an enclosed server, for this kernel has no filter of system calls");
  return failed;
}
