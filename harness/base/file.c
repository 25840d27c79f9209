// Files: read whole within a bound, written whole or not at all.
//
// Interface: sl_read_file takes regular files only (a FIFO or device would hang or never end) and names the
// file in every error. sl_open_atomic .. sl_commit write PATH.tmp.PID.N beside the target, fsync and rename
// it: a reader of PATH sees the old content or the new, never a part. sl_write_passing leaves the fsync out.
// Devices and pipes (/dev/stdout) are written directly. Exit codes: a wrong path, and one that may not be
// written, is SL_EXIT_INPUT, a full or failing disk SL_EXIT_INFRA (sl_write_fault).
#include "base/base.h"

#include <stdatomic.h>

// Names -----------------------------------------------------------------------------------------------------

const char *sl_base_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path ? path : "";
}

char *sl_folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? sl_path("%.*s", slash == path ? 1 : (int)(slash - path), path) : sl_path(".");
}

char *sl_path(const char *fmt, ...) {
  char *s = NULL;
  va_list ap;
  va_start(ap, fmt);
  if (vasprintf(&s, fmt, ap) < 0) {
    fputs("scanlab: error: out of memory\n", stderr);
    exit(SL_EXIT_INFRA);
  }
  va_end(ap);
  return s;
}

char *sl_exe_dir(void) {
  char buf[PATH_MAX];
  ssize_t len = readlink("/proc/self/exe", buf, sizeof buf - 1);
  if (len <= 0) return sl_path(".");
  buf[len] = 0;
  return sl_folder_of(buf);
}

static bool has_mode(const char *path, mode_t type) {
  struct stat st;
  return stat(path, &st) == 0 && (st.st_mode & S_IFMT) == type;
}

bool sl_is_dir(const char *path) { return has_mode(path, S_IFDIR); }
bool sl_is_file(const char *path) { return has_mode(path, S_IFREG); }

// Reading ---------------------------------------------------------------------------------------------------

static bool check_readable(const char *path, const struct stat *st, size_t max, sl_error *e) {
  if (S_ISDIR(st->st_mode))
    return sl_fail(e, SL_EXIT_INPUT, "name a file inside it", "%s: expected a file, found a directory", path);
  if (!S_ISREG(st->st_mode))
    return sl_fail(e, SL_EXIT_INPUT, "save the data in a file first",
                   "%s: expected a regular file, found a device, pipe or socket", path);
  if ((uint64_t)st->st_size > max)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: expected at most %zu bytes, found %lld", path, max,
                   (long long)st->st_size);
  return true;
}

// Reads up to [cap] bytes; returns their number, -1 on error.
static ssize_t read_all(int fd, char *buf, size_t cap) {
  size_t used = 0;
  while (used < cap) {
    ssize_t got = read(fd, buf + used, cap - used);
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    used += (size_t)got;
  }
  return (ssize_t)used;
}

static char *read_open_file(int fd, const char *path, size_t max, size_t *len, sl_error *e) {
  struct stat st;
  if (fstat(fd, &st) != 0) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: %s", path, strerror(errno)), NULL;
  if (!check_readable(path, &st, max, e)) return NULL;
  // Files under /proc claim 0 bytes whatever they hold.
  size_t cap = st.st_size > 0 ? (size_t)st.st_size : max < 65536 ? max : 65536;
  char *buf = sl_alloc_array(cap + 1);
  if (!buf) return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: not enough memory for %zu bytes", path, cap), NULL;
  ssize_t got = read_all(fd, buf, cap);
  if (got < 0) {
    sl_fail(e, SL_EXIT_INPUT, NULL, "%s: cannot read: %s", path, strerror(errno));
    free(buf);
    return NULL;
  }
  buf[got] = 0;
  if (len) *len = (size_t)got;
  return buf;
}

void *sl_read_file(const char *path, size_t max, size_t *len, sl_error *e) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: cannot open: %s", path, strerror(errno)), NULL;
  char *data = read_open_file(fd, path, max, len, e);
  close(fd);
  return data;
}

// Writing ---------------------------------------------------------------------------------------------------

struct sl_out {
  int fd, slot;         // slot: registration of tmp in cleanup.c
  char *path, *tmp;     // tmp NULL: written directly
  bool failed, passing; // passing: the disk is not waited for
  size_t used;
  off_t written, begun; // bytes written; bytes that the disk has been told to write
  char buf[65536];
};

// The disk starts on each piece of this size while the next one is made, so that fsync has little left to do.
// Without it the fsync of 256 MiB took as long as writing them.
enum { DISK_PIECE = 4 << 20 };

int sl_write_fault(int err) {
  bool machine = err == ENOSPC || err == EDQUOT || err == EFBIG || err == EIO || err == ENOMEM;
  return machine ? SL_EXIT_INFRA : SL_EXIT_INPUT;
}

static bool fail_write(sl_out *o, sl_error *e, const char *doing) {
  int err = errno;
  const char *hint = err == ENOSPC || err == EDQUOT ? "free some space, or name a folder on another disk"
                     : err == EFBIG                 ? "the file size limit is too low: see ulimit -f"
                     : err == ENOENT || err == EACCES || err == EROFS
                         ? "check that the folder exists and that you may write there"
                         : NULL;
  o->failed = true;
  return sl_fail(e, sl_write_fault(err), hint, "%s: %s: %s", o->path, doing, strerror(err));
}

// Tells the disk to start on the pieces that are complete. It may fail: the file is the same without it.
static void start_disk(sl_out *o) {
  if (!o->tmp || o->written - o->begun < DISK_PIECE) return;
  (void)sync_file_range(o->fd, o->begun, o->written - o->begun, SYNC_FILE_RANGE_WRITE);
  o->begun = o->written;
}

bool sl_write_all(int fd, const void *data, size_t len) {
  for (const char *p = data; len > 0;) {
    const ssize_t n = write(fd, p, len);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    p += n;
    len -= (size_t)n;
  }
  return true;
}

static bool write_all(sl_out *o, const char *p, size_t len, sl_error *e) {
  while (len > 0) {
    ssize_t done = write(o->fd, p, len < DISK_PIECE ? len : DISK_PIECE);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail_write(o, e, "cannot write");
    p += done;
    len -= (size_t)done;
    o->written += done;
    start_disk(o);
  }
  return true;
}

static void release_out(sl_out *o) {
  if (o->fd >= 0) close(o->fd);
  if (o->tmp) unlink(o->tmp);
  sl_keep_on_signal(o->slot);
  free(o->tmp);
  free(o->path);
  free(o);
}

// Opens the temporary file under a name that is new in this process. A file of that name is a dead process's.
static bool open_temporary(sl_out *o, sl_error *e) {
  static atomic_uint serial;
  o->tmp = sl_path("%s.tmp.%ld.%u", o->path, (long)getpid(), atomic_fetch_add(&serial, 1));
  o->slot = sl_remove_on_signal(o->tmp);
  if (o->slot < 0)
    return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: name too long or too many files being written", o->path);
  unlink(o->tmp);
  o->fd = open(o->tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return o->fd >= 0 || fail_write(o, e, "cannot create");
}

sl_out *sl_open_atomic(const char *path, sl_error *e) {
  sl_out *o = calloc(1, sizeof *o);
  if (!o) return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: out of memory", path), NULL;
  o->fd = o->slot = -1;
  struct stat st;
  bool exists = stat(path, &st) == 0;
  o->path = exists && S_ISREG(st.st_mode) ? realpath(path, NULL) : NULL; // a link stays a link
  if (!o->path) o->path = sl_path("%s", path);
  bool ok;
  if (exists && S_ISDIR(st.st_mode)) {
    ok = sl_fail(e, SL_EXIT_INPUT, "name a file inside it", "%s: expected a file, found a directory", path);
  } else if (exists && !S_ISREG(st.st_mode)) {
    o->fd = open(path, O_WRONLY | O_CLOEXEC);
    ok = o->fd >= 0 || fail_write(o, e, "cannot open");
  } else {
    ok = open_temporary(o, e);
  }
  if (ok) return o;
  release_out(o);
  return NULL;
}

static bool flush(sl_out *o, sl_error *e) {
  size_t len = o->used;
  o->used = 0;
  return write_all(o, o->buf, len, e);
}

bool sl_write(sl_out *o, const void *data, size_t len, sl_error *e) {
  if (o->failed) return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: an earlier write failed", o->path);
  if (o->used + len > sizeof o->buf && !flush(o, e)) return false;
  if (len > sizeof o->buf) return write_all(o, data, len, e);
  memcpy(o->buf + o->used, data, len);
  o->used += len;
  return true;
}

bool sl_printf(sl_out *o, sl_error *e, const char *fmt, ...) {
  SL_FREED char *s = NULL;
  va_list ap;
  va_start(ap, fmt);
  int len = vasprintf(&s, fmt, ap);
  va_end(ap);
  if (len < 0) {
    o->failed = true;
    return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: out of memory", o->path);
  }
  return sl_write(o, s, (size_t)len, e);
}

static bool publish(sl_out *o, sl_error *e) {
  if (o->failed) return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: an earlier write failed", o->path);
  if (!flush(o, e)) return false;
  if (o->tmp && !o->passing && fsync(o->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
    return fail_write(o, e, "cannot write");
  int fd = o->fd;
  o->fd = -1;
  if (close(fd) != 0 && errno != EINTR) return fail_write(o, e, "cannot write");
  if (o->tmp && rename(o->tmp, o->path) != 0)
    return fail_write(o, e, "cannot rename the finished file to it");
  return true;
}

bool sl_commit(sl_out *o, sl_error *e) {
  bool ok = publish(o, e);
  release_out(o);
  return ok;
}

void sl_abandon(sl_out *o) {
  if (o) release_out(o);
}

bool sl_finish(sl_out *o, bool ok, sl_error *e) {
  if (o && ok) return sl_commit(o, e);
  sl_abandon(o);
  return false;
}

static bool write_file(const char *path, const void *data, size_t len, bool passing, sl_error *e) {
  sl_out *o = sl_open_atomic(path, e);
  if (!o) return false;
  o->passing = passing;
  return sl_finish(o, sl_write(o, data, len, e), e);
}

bool sl_write_file(const char *path, const void *data, size_t len, sl_error *e) {
  return write_file(path, data, len, false, e);
}

bool sl_write_passing(const char *path, const void *data, size_t len, sl_error *e) {
  return write_file(path, data, len, true, e);
}

// Folders ---------------------------------------------------------------------------------------------------

static bool make_dir(const char *path, sl_error *e) {
  if (mkdir(path, 0777) == 0) return true;
  int err = errno; // sl_is_dir changes it
  if (sl_is_dir(path)) return true;
  return sl_fail(e, sl_write_fault(err), NULL, "%s: cannot make the folder: %s", path,
                 err == EEXIST ? "a file of that name is in the way" : strerror(err));
}

bool sl_mkdirs(const char *path, sl_error *e) {
  if (!*path) return sl_fail(e, SL_EXIT_INPUT, NULL, "cannot make a folder with an empty name");
  SL_FREED char *copy = sl_path("%s", path);
  bool ok = true;
  for (char *p = copy + 1; ok && *p; p++) {
    if (*p != '/') continue;
    *p = 0;
    ok = make_dir(copy, e);
    *p = '/';
  }
  ok = ok && make_dir(copy, e);
  return ok;
}
