// Remembers which sources do not compile, with the compiler's messages.
//
// Interface: failure.h. What a fault of the machine could cause is not remembered: only messages that name a
// line of the source, and no fatal ones, which tell of files and memory, too. The file begins with two lines:
// with what it was compiled, and the error without the path of the kernel, which may be another one next
// time. The messages follow.
#include "compile/failure.h"
#include "compile/compiler.h"

// What the error says after the path of the kernel: "kernel.cu(7): error: .." NULL:
// it is about something else.
static const char *line_of(const sl_failed_build *b, const sl_error *e) {
  SL_FREED char *words = sl_path("%s" SL_NOT_COMPILED "%s", b->kernel, b->name);
  const size_t len = strlen(words);
  if (e->code != SL_EXIT_INPUT || strncmp(e->text, words, len) || !strchr("(:", e->text[len])) return NULL;
  const size_t digits = strspn(e->text + len + 1, "0123456789");
  return digits ? e->text + len - strlen(b->name) : NULL;
}

void sl__remember_failure(const sl_failed_build *b, const char *log, const sl_error *e) {
  const char *line = line_of(b, e);
  if (!line || strstr(log, "fatal error") || strstr(log, "catastrophic error")) return;
  SL_FREED char *text = sl_path("%s\n%s\n%s", b->with, line, log);
  sl_write_file(b->file, text, strlen(text), NULL);
}

// Ends the line at *[at], and moves *[at] behind it. NULL: there is none.
static char *take_line(char **at) {
  char *line = *at, *end = line ? strchr(line, '\n') : NULL;
  if (end) *end = 0;
  *at = end ? end + 1 : NULL;
  return end ? line : NULL;
}

bool sl__recall_failure(const sl_failed_build *b, char **log, sl_error *e) {
  SL_FREED char *text = sl_read_file(b->file, 2 * SL_MAX_LOG, NULL, NULL);
  char *at = text, *with = take_line(&at), *line = take_line(&at);
  if (!line || strcmp(with, b->with) != 0) return false;
  *log = sl_path("%s", at);
  sl_fail(e, SL_EXIT_INPUT, sl__later_gpu(line), "%s" SL_NOT_COMPILED "%s", b->kernel, line);
  return true;
}
