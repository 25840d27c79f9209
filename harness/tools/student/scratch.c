// Files of one command in BUILD/student, "PID.what": a report, an input, a record. Each command removes its
// own; what an interrupted one left goes with the next command.
//
// Interface: student.h, scratch.c.
#include "student.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

enum { STALE_SECONDS = 600 }; // a live command in a container has a number that is unknown here

// "4711.report.json", old, and no process has that number. "01.json" is the score of a lab.
static bool is_stale(int folder, const char *name) {
  char *end;
  struct stat s;
  long pid = strtol(name, &end, 10);
  return name[0] >= '1' && name[0] <= '9' && *end == '.' &&
         fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) == 0 && time(NULL) - s.st_mtime > STALE_SECONDS &&
         kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

static void sweep(const char *path) {
  SL_LISTED DIR *d = opendir(path);
  for (struct dirent *at; d && (at = readdir(d));)
    if (is_stale(dirfd(d), at->d_name)) unlinkat(dirfd(d), at->d_name, 0);
}

char *sl__scratch(const char *what, sl_error *e) {
  static atomic_bool swept;
  SL_FREED char *folder = sl_path("%s/student", sl_work_folder());
  if (!sl_mkdirs(folder, e)) return NULL;
  if (!atomic_exchange(&swept, true)) sweep(folder);
  return sl_path("%s/%d.%s", folder, (int)getpid(), what);
}
