// Fuzz target: any bytes as what a client sends. The first byte chooses an ordinary or the control
// connection, the rest arrives in pieces of its own sizes. The server must neither crash nor leak.
#include <sys/socket.h>
#include "gpu/server/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

// A device whose memory, filled when it is given out, does not exhaust the fuzzer's.
static const sl_gpu_config *small_device(void) {
  static sl_profile small;
  static sl_gpu_config config;
  if (config.profile) return &config;
  small = *sl_profile_find("small");
  small.total_memory = 64 << 20;
  config = sl_gpu_defaults();
  config.max_instructions = 100000;
  config.profile = &small;
  return &config;
}

// The server, with the small device again: the input before may have asked for another.
static sl_server *server(void) {
  static sl_server s = {.listener = -1, .next_owner = 1};
  sl_error e = {0};
  s.config = *small_device();
  if (s.gpu && sl_gpu_configure(s.gpu, &s.config, &e)) return &s;
  s.gpu = sl_gpu_create(&s.config, &e);
  if (s.gpu) sl_observe(s.gpu);
  if (!s.gpu || !sl__watcher_start(&s, -1, &e)) abort();
  return &s;
}

// What the client would read; false when the server has answered nothing.
static void drain(int fd) {
  char buf[65536];
  while (recv(fd, buf, sizeof buf, MSG_DONTWAIT) > 0) {
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
  int pair[2];
  sl_server *s = server();
  if (len == 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 0;
  sl_client *c = sl__client_add(s, pair[0], data[0] & 1);
  if (!c) abort();
  for (size_t at = 1; at < len && !c->gone;) {
    size_t n = 1 + data[at] * 37u % 4096;
    if (n > len - at) n = len - at;
    ssize_t sent = send(pair[1], data + at, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) at += (size_t)sent;
    for (int i = 0; i < 64 && !c->gone; i++) {
      if (c->out.len > 0) sl__client_writable(c);
      else sl__client_readable(s, c);
      drain(pair[1]);
    }
    if (sent <= 0) break;
  }
  s->n_clients = 0;
  s->quit = false;
  sl__client_free(s, c);
  close(pair[1]);
  if (sl_gpu_memory_used(s->gpu) != 0 || s->n_tokens != 0) abort(); // a client's memory goes with it
  return 0;
}
