// Writes the page of the moving picture: its frame, style and program (player/), with the data between them.
//
// Interface: sl__write_page (player.h).
#include "picture/player.h"

// In a page "<" could end the data; it stands in strings alone.
static bool write_data(sl_out *o, const char *text, sl_error *e) {
  bool ok = true;
  for (size_t n; *text && ok; text += n) {
    n = strcspn(text, "<");
    ok = sl_write(o, text, n, e);
    if (ok && text[n] == '<') ok = sl_write(o, "\\u003c", 6, e), n++;
  }
  return ok;
}

static bool write_part(sl_out *o, const char *name, sl_error *e) {
  SL_FREED char *path = sl_path("%s/harness/picture/player/%s", sl_course_root(), name),
                *text = sl_read_file(path, 1 << 20, NULL, e);
  return text && sl_write(o, text, strlen(text), e);
}

// page.html has a line "<!-- NAME -->" where a file or the data belong.
static bool write_page(sl_out *o, const char *data, sl_error *e) {
  SL_FREED char *path = sl_path("%s/harness/picture/player/page.html", sl_course_root()),
                *page = sl_read_file(path, 1 << 20, NULL, e);
  bool ok = page != NULL;
  for (char *line = page, *end; ok && *line; line = end) {
    char name[32];
    end = line + strcspn(line, "\n"), end += *end == '\n';
    if (sscanf(line, "<!-- %31s -->", name) != 1) ok = sl_write(o, line, (size_t)(end - line), e);
    else ok = !strcmp(name, "data") ? write_data(o, data, e) : write_part(o, name, e);
  }
  return ok;
}

bool sl__write_page(const char *path, const json_t *data, sl_error *e) {
  SL_FREED char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(9) | JSON_PRESERVE_ORDER);
  sl_out *o = text ? sl_open_atomic(path, e) : NULL;
  if (!text) sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
  return sl_finish(o, o && write_page(o, text, e), e);
}
