// Keeps the stored headers of few compilers: each new compiler, system or version of the course makes a set
// of them, and most of the old ones are never used again.
//
// Interface: sets.h. A set's time of change is the time of its last use. Who compiles with a set shares its
// folder's lock; who removes it has it alone. A folder that holds anything but a set's files stays as it is.
#include "compile/sets.h"
#include "base/base.h"

#include <sys/file.h>
#include <time.h>

enum { MAX_SETS = 256, KEY_DIGITS = 16, DAY = 24 * 60 * 60 };
static const char prefix[] = "headers-";

typedef struct set {
  char name[sizeof prefix + KEY_DIGITS];
  struct timespec used;
} set;

const char *const sl__set_files[] = {"headers.h",   "headers.h.gch", "front.text",   "front.image",
                                     "device.text", "device.image",  "front.macros", "device.macros",
                                     "front.names", "device.names",  "plan",         NULL};

int sl__set_use(const char *path) {
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  flock(fd, LOCK_SH);
  futimens(fd, NULL); // does nothing in the cache of another user
  return fd;
}

static bool is_set_name(const char *name) {
  const char *key = name + sizeof prefix - 1;
  return !strncmp(name, prefix, sizeof prefix - 1) && strspn(key, "0123456789abcdef") == KEY_DIGITS &&
         !key[KEY_DIGITS];
}

static size_t list_sets(DIR *folder, set *sets) {
  size_t n = 0;
  struct stat st;
  for (struct dirent *f; n < MAX_SETS && (f = readdir(folder));) {
    if (!is_set_name(f->d_name) || fstatat(dirfd(folder), f->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISDIR(st.st_mode))
      continue;
    memcpy(sets[n].name, f->d_name, sizeof sets[n].name); // is_set_name has measured it
    sets[n++].used = st.st_mtim;
  }
  return n;
}

static int last_used_first(const void *a, const void *b) {
  const struct timespec *x = &((const set *)a)->used, *y = &((const set *)b)->used;
  if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? 1 : -1;
  return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

static bool is_set_file(const char *name) {
  const char *const *file = sl__set_files;
  while (*file && strcmp(*file, name) != 0) file++;
  return *file || !strcmp(name, ".") || !strcmp(name, "..");
}

static bool holds_only_a_set(int fd) {
  const int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  SL_LISTED DIR *d = again < 0 ? NULL : fdopendir(again);
  bool only = d != NULL;
  for (struct dirent *f; only && (f = readdir(d));) only = is_set_file(f->d_name);
  return only;
}

static void remove_set(int folder, const char *name) {
  const int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  char asked[sizeof prefix + KEY_DIGITS + sizeof SL_ASKED];
  if (fd < 0) return;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 && holds_only_a_set(fd)) {
    for (const char *const *file = sl__set_files; *file; file++) unlinkat(fd, *file, 0);
    unlinkat(folder, name, AT_REMOVEDIR);
    snprintf(asked, sizeof asked, "%s" SL_ASKED, name);
    unlinkat(folder, asked, 0);
  }
  close(fd);
}

void sl__set_remove(const char *path) {
  SL_FREED char *above = sl_path("%s/..", path);
  SL_LISTED DIR *folder = opendir(above);
  if (!folder) return;
  remove_set(dirfd(folder), strrchr(path, '/') + 1);
}

// The sets in the folder, the last used first; malloc'ed.
static set *sorted_sets(DIR *folder, size_t *n) {
  set *sets = folder ? calloc(MAX_SETS, sizeof *sets) : NULL;
  *n = sets ? list_sets(folder, sets) : 0;
  if (*n) qsort(sets, *n, sizeof *sets, last_used_first);
  return sets;
}

void sl__sets_trim(const char *path) {
  size_t n = 0;
  SL_LISTED DIR *folder = opendir(path);
  SL_FREED set *sets = sorted_sets(folder, &n);
  for (size_t k = SL_SETS_KEPT; k < n; k++) remove_set(dirfd(folder), sets[k].name);
}

bool sl__sets_have_room(const char *path) {
  size_t n = 0;
  SL_LISTED DIR *folder = opendir(path);
  SL_FREED set *sets = sorted_sets(folder, &n);
  return n < SL_SETS_KEPT || sets[SL_SETS_KEPT - 1].used.tv_sec < time(NULL) - DAY;
}
