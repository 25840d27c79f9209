// Remembers which sources do not compile, with the compiler's messages.
//
// Interface: failure.h. What a fault of the machine could cause is not remembered: only messages that name a
// line of the source, and no fatal ones, which tell of files and memory, too. The file begins with two lines:
// with what it was compiled, and the error without the path of the kernel, which may be another one next
// time. The messages follow.
#include "compile/failure.h"
#include "compile/compiler.h"

#include <ctype.h>

// Is the error about a line of the source: "kernel.cu(7): error: .."?
static bool is_of_line(const char *fault, const char *source) {
  const size_t len = strlen(source);
  return strncmp(fault, source, len) == 0 && fault[len] && strchr("(:", fault[len]) &&
         isdigit((unsigned char)fault[len + 1]);
}

void sl__remember_failure(const sl_failed_build *b, const char *log, const char *fault) {
  if (!is_of_line(fault, b->name) || strstr(log, "fatal error") || strstr(log, "catastrophic error")) return;
  SL_FREED char *text = sl_path("%s\n%s\n%s", b->with, fault, log);
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
  char *at = text, *with = take_line(&at), *fault = take_line(&at);
  if (!fault || strcmp(with, b->with) != 0) return false;
  *log = sl_path("%s", at);
  sl__fail_source(b->kernel, fault, e);
  return true;
}
