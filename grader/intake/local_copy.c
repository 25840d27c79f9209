// A repository that somebody handed in as a folder: what git needs of it, copied into an empty one.
//
// Interface: sl__copy_repository. Git obeys what a repository says of itself: programs in its config and
// hooks, objects of others (alternates), another folder in its place (links, a .git that is a file,
// commondir). So it is never run in a stranger's. Of that one only HEAD, refs, packed-refs, shallow and
// objects are copied, regular files alone; each link, pipe or device among them is a reason to refuse all.
#include "intake/intake.h"

enum { MAX_FILES = 200000, MAX_DEPTH = 32, FILE_MODE = 0600, FOLDER_MODE = 0700 };

typedef struct copying {
  sl_arena *a;
  size_t files, bytes;
  const char *why; // why it cannot be taken; NULL: nothing was wrong
} copying;

static const char plain[] = "it must be a regular file or a folder";

static bool refuse(copying *c, const char *name, const char *why) {
  if (!c->why) c->why = sl__str(c->a, "%s in the repository: %s", sl__safe(c->a, name), why);
  return false;
}

// Opens what is no link and does not block. -1: it is not there, or refused.
static int open_plain(copying *c, int at, const char *name, int flags, const char *must) {
  int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags);
  bool other = fd < 0 && (errno == ELOOP || errno == ENXIO || errno == ENOTDIR);
  if (fd < 0 && errno != ENOENT) refuse(c, name, other ? must : strerror(errno));
  return fd;
}

static bool copy_data(copying *c, int from, int to, const char *name) {
  static char data[1 << 16];
  for (ssize_t got; (got = read(from, data, sizeof data)) != 0;) {
    if (got < 0) return refuse(c, name, strerror(errno));
    if ((c->bytes += (size_t)got) > SL_MAX_REPOSITORY) return refuse(c, name, "it is larger than 1 GiB");
    if (!sl_write_all(to, data, (size_t)got)) return refuse(c, name, strerror(errno));
  }
  return true;
}

static bool copy_file(copying *c, int from, int to, const char *name) {
  if (++c->files > MAX_FILES) return refuse(c, name, "it has more than 200000 files");
  int out = openat(to, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
  if (out < 0) return refuse(c, name, strerror(errno));
  bool ok = copy_data(c, from, out, name);
  return (close(out) == 0 || refuse(c, name, strerror(errno))) && ok;
}

static bool copy_entry(copying *c, int from, int to, const char *name, int depth);

// Copies a folder; takes [from].
static bool copy_folder(copying *c, int from, int to, const char *name, int depth) {
  int below = mkdirat(to, name, FOLDER_MODE) == 0 || errno == EEXIST
                  ? openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                  : -1;
  DIR *list = below < 0 ? NULL : fdopendir(from);
  bool ok = list || refuse(c, name, strerror(errno));
  if (!list) close(from);
  if (depth > MAX_DEPTH) ok = refuse(c, name, "it lies more than 32 folders deep");
  for (struct dirent *d; ok && (d = readdir(list));)
    if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
      ok = copy_entry(c, dirfd(list), below, d->d_name, depth + 1);
  if (list) closedir(list);
  if (below >= 0) close(below);
  return ok;
}

static bool copy_entry(copying *c, int from, int to, const char *name, int depth) {
  struct stat st;
  int fd = open_plain(c, from, name, 0, plain);
  if (fd < 0) return !c->why;
  if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) return copy_folder(c, fd, to, name, depth);
  bool ok = S_ISREG(st.st_mode) ? copy_file(c, fd, to, name) : refuse(c, name, plain);
  close(fd);
  return ok;
}

// The folder that git would read: [path]/.git, or [path] itself if it is bare. -1: refused, or not there.
static int open_git(copying *c, const char *path) {
  int at = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), git = -1;
  if (at < 0) return refuse(c, path, strerror(errno)), -1;
  git = open_plain(c, at, ".git", O_DIRECTORY, "it must be a folder");
  if (git < 0 && !c->why) return at;
  close(at);
  return git;
}

// What only leads to other repositories.
static bool stands_alone(copying *c, int git) {
  static const char *const elsewhere[] = {"commondir", "objects/info/alternates",
                                          "objects/info/http-alternates"};
  for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++)
    if (faccessat(git, elsewhere[k], F_OK, AT_SYMLINK_NOFOLLOW) == 0)
      return refuse(c, elsewhere[k], "it takes its content from another repository");
  return true;
}

const char *sl__copy_repository(sl_arena *a, const char *path, const char *clone) {
  static const char *const parts[] = {"HEAD", "packed-refs", "shallow", "refs", "objects"};
  copying c = {.a = a};
  int git = open_git(&c, path), to = git < 0 ? -1 : open(clone, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool ok = git >= 0 && (to >= 0 || refuse(&c, clone, strerror(errno))) && stands_alone(&c, git);
  for (size_t k = 0; ok && k < sizeof parts / sizeof *parts; k++) ok = copy_entry(&c, git, to, parts[k], 0);
  if (git >= 0) close(git);
  if (to >= 0) close(to);
  return c.why;
}
