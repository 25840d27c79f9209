// Names of files, labs and numbers as people read them.
//
// Interface: student.h, place.c.
#include "student.h"

enum { NARROW = 40, WIDE = 160 };

bool sl__has_kernel(const sl_lab_info *lab) {
  SL_FREED char *path = sl_lab_kernel(lab->name);
  return sl_is_file(path);
}

sl_lab *sl__load_lab(const char *name, sl_error *e) {
  const sl_lab_info *info = sl_lab_find(name, e);
  if (!info) return NULL;
  SL_FREED char *path = sl_path("%s/labs/%s/lab.json", sl_course_root(), info->name);
  return sl_lab_load(path, e);
}

int sl__width(void) {
  const int width = isatty(STDOUT_FILENO) ? sl_columns(STDOUT_FILENO, WIDE) : SL_COLUMNS;
  return width < NARROW ? NARROW : width;
}

void sl__tell_width(void) {
  char width[16];
  snprintf(width, sizeof width, "%d", sl__width());
  if (isatty(STDOUT_FILENO)) setenv(SL_COLUMNS_OF_PARENT, width, 1);
}

int sl__title_width(void) {
  enum { LEAST = 8 };
  const int left = SL_TITLE - (SL_COLUMNS - sl__width());
  return left > SL_TITLE ? SL_TITLE : left < LEAST ? 0 : left;
}

char *sl__short_title(const char *title, char out[static SL_TITLE + 1]) {
  const int most = sl__title_width();
  snprintf(out, (size_t)most + 1, "%s", title);
  if ((int)strlen(title) <= most || !most) return out;
  out[most - 3] = 0;
  char *space = strrchr(out, ' ');
  return strcpy(space ? space : out + most - 3, " .."), out;
}

void sl__wrap(FILE *f, const char *first, const char *indent, const char *text) {
  const int most = sl__width();
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
