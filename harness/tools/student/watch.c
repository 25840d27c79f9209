// scanlab check --watch: looks at the student's file until its text changes.
//
// Interface: sl__file_text, sl__wait_for_change (student.h).
#include "student.h"

#include <time.h>

enum { MAX_WATCHED = 4 << 20 }; // bytes of a file

char *sl__file_text(const char *path) {
  size_t len = 0;
  char *text = sl_read_file(path, MAX_WATCHED, &len, NULL);
  if (text && !len) free(text), text = NULL;
  return text;
}

// Says that the file has gone, once it has been away for longer than an editor takes, and that it is back.
// Returns for how many looks it has been away.
static int tell_missing(const char *path, bool there, int missing) {
  enum { LOOKS = 5 };
  if (there ? missing >= LOOKS : missing + 1 == LOOKS)
    printf("%s %s\n", sl_short_path(path),
           there              ? "is back"
           : sl_is_file(path) ? "is empty or cannot be read: waiting for its text"
                              : "is gone: waiting until it is back"),
        fflush(stdout);
  return there ? 0 : missing < LOOKS ? missing + 1 : missing;
}

void sl__wait_for_change(const char *path, const char *checked) {
  const struct timespec pause = {.tv_nsec = 200000000};
  char *before = NULL;
  bool saved = false;
  int missing = 0;
  while (!saved) {
    nanosleep(&pause, NULL);
    char *now = sl__file_text(path);
    missing = tell_missing(path, now != NULL, missing);
    saved = now && before && !strcmp(now, before) && (!checked || strcmp(now, checked) != 0);
    free(before);
    before = now;
  }
  free(before);
}
