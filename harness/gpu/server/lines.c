// Asks addr2line which functions and lines the addresses in a program belong to.
//
// Interface: sl__lines_ask. An enclosed process starts no other: its addr2line was started before, for the
// one program whose lines may be told, and answers through pipes (sl__lines_open). Any other process starts
// one for each question.
#include "gpu/server/server.h"

#include <poll.h>

enum { MOST_TEXT = 1 << 16, WAIT_MS = 5000 };

static struct {
  sl_child child;
  const char *name; // the program's, without its folder
  int to, from;
} beside;

bool sl__lines_open(const char *program, sl_error *e) {
  int in[2], out[2];
  char *argv[] = {"addr2line", "-aCfi", "-e", (char *)program, NULL};
  if (pipe2(in, O_CLOEXEC) != 0) return sl_fail(e, SL_EXIT_INFRA, NULL, "cannot make a pipe");
  if (pipe2(out, O_CLOEXEC) != 0) return sl_fail(e, SL_EXIT_INFRA, NULL, "cannot make a pipe");
  const bool started = sl_spawn(&beside.child, &(sl_process){.argv = argv, .io = {in[0], out[1]}}, NULL);
  close(in[0]), close(out[1]);
  beside.to = in[1], beside.from = out[0];
  if (started) beside.name = sl_base_name(program); // without addr2line there are no lines
  return true;
}

bool sl__lines_wanted(void) { return beside.name; }

static bool has_ended(const char *text) {
  static const char none[] = "??\n??:0\n"; // for address 0, which is asked for last
  const size_t n = strlen(text), end = sizeof none - 1;
  const char *last = n > end ? strstr(text, "0x0000000000000000\n") : NULL;
  return last && strcmp(text + n - end, none) == 0;
}

// Takes out the lines that repeat an address.
static void drop_addresses(char *text) {
  char *to = text;
  for (char *at = text; *at;) {
    const size_t len = strcspn(at, "\n"), whole = len + (at[len] == '\n');
    if (strncmp(at, "0x", 2) != 0) memmove(to, at, whole), to += whole;
    at += whole;
  }
  *to = 0;
}

static char *receive_answer(void) {
  char *text = calloc(1, MOST_TEXT);
  size_t len = 0;
  while (text && len < MOST_TEXT - 1 && !has_ended(text)) {
    struct pollfd p = {.fd = beside.from, .events = POLLIN};
    const ssize_t got = poll(&p, 1, WAIT_MS) > 0 ? read(beside.from, text + len, MOST_TEXT - 1 - len) : 0;
    if (got <= 0) {
      beside.name = NULL; // it has ended, or hangs
      free(text);
      return NULL;
    }
    len += (size_t)got;
  }
  if (text) drop_addresses(text);
  return text;
}

static char *ask_beside(const uint64_t *at, uint32_t n) {
  char words[(SL_PLACE_DEPTH + 1) * 24];
  size_t used = 0;
  for (uint32_t k = 0; k < n; k++)
    used += (size_t)snprintf(words + used, sizeof words - used, "0x%llx\n", (unsigned long long)at[k]);
  used += (size_t)snprintf(words + used, sizeof words - used, "0x0\n");
  return write(beside.to, words, used) == (ssize_t)used ? receive_answer() : NULL;
}

static char *ask_alone(const char *object, const uint64_t *at, uint32_t n) {
  char hex[SL_PLACE_DEPTH][24], *out = NULL;
  char *argv[SL_PLACE_DEPTH + 6] = {"addr2line", "-Cfi", "-e", (char *)object, NULL};
  sl_error e = {0};
  for (uint32_t k = 0; k < n; k++) {
    snprintf(hex[k], sizeof hex[k], "0x%llx", (unsigned long long)at[k]);
    argv[4 + k] = hex[k];
  }
  const sl_exit_status st = sl_run_by_work(argv, NULL, 10, MOST_TEXT, &out, &e);
  if (st.code == 0 && !st.timed_out) return out;
  free(out);
  return NULL;
}

char *sl__lines_ask(const char *object, const uint64_t *at, uint32_t n) {
  const bool named = object[0] == '/';
  if (beside.name) return named && strcmp(sl_base_name(object), beside.name) ? NULL : ask_beside(at, n);
  return named ? ask_alone(object, at, n) : NULL;
}

void sl__lines_close(void) {
  if (beside.child.pid > 0) close(beside.to), close(beside.from); // without questions it ends
}
