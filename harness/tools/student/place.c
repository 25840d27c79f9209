// Names of files, labs and numbers as people read them.
//
// Interface: student.h, place.c.
#include "student.h"

#include <limits.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROW = 40, WIDE = 160 };

static const char *without(const char *path, const char *folder) {
  size_t len = strlen(folder);
  return len && !strncmp(path, folder, len) && path[len] == '/' ? path + len + 1 : path;
}

const char *sl__short_path(const char *path) {
  char here[PATH_MAX];
  if (!getcwd(here, sizeof here)) here[0] = 0;
  const char *shorter = without(path, sl_course_root());
  return shorter == path ? without(path, here) : shorter;
}

sl_lab *sl__load_lab(const char *name, sl_error *e) {
  const sl_lab_info *info = sl_lab_find(name, e);
  if (!info) return NULL;
  SL_FREED char *path = sl_path("%s/labs/%s/lab.json", sl_course_root(), info->name);
  return sl_lab_load(path, e);
}

int sl__width(int usual) {
  struct winsize w;
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0 || w.ws_col == 0) return usual;
  return w.ws_col < NARROW ? NARROW : w.ws_col > WIDE ? WIDE : w.ws_col;
}

void sl__wrap(FILE *f, const char *first, const char *indent, const char *text) {
  const int most = sl__width(SL_COLUMNS);
  fputs(first, f);
  sl_print_words(f, text, (int)strlen(first), (int)strlen(indent),
                 most < 100 ? most : 100); // longer is hard to read
}

char *sl__points(double v, char out[16]) {
  snprintf(out, 16, "%.2f", v);
  size_t len = strlen(out);
  while (out[len - 1] == '0') out[--len] = 0;
  if (out[len - 1] == '.') out[len - 1] = 0;
  return out;
}

int sl__stop(const char *command, const sl_error *e) {
  char tool[64];
  snprintf(tool, sizeof tool, "scanlab %s", command);
  sl_error_print(tool, e);
  return e->code ? e->code : SL_EXIT_INFRA;
}
