// A file that is written with fprintf, and is there whole or not at all. No second copy of it is in memory.
//
// Interface: sl__whole_open, then the file's f, then sl__whole_close, which tells the first fault. The
// sl_whole_file must stay where it was opened.
#include "grade.h"

static ssize_t put(void *cookie, const char *data, size_t len) {
  sl_whole_file *s = cookie;
  return !s->fault.code && sl_write(s->o, data, len, &s->fault) ? (ssize_t)len : 0;
}

bool sl__whole_open(sl_whole_file *s, const char *path, sl_error *e) {
  *s = (sl_whole_file){.o = sl_open_atomic(path, e)};
  if (!s->o) return false;
  s->f = fopencookie(s, "w", (cookie_io_functions_t){.write = put});
  if (s->f) return true;
  sl_abandon(s->o);
  return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: out of memory", path);
}

bool sl__whole_close(sl_whole_file *s, bool ok, sl_error *e) {
  bool closed = fclose(s->f) == 0;
  if (ok && s->fault.code) *e = s->fault;
  else if (ok && !closed) sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
  return sl_finish(s->o, ok && closed && !s->fault.code, e);
}

bool sl__is_same_file(const char *path, const char *other) {
  struct stat a, b;
  return path && other && !stat(path, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
