// The grader's side of reading an archive: starts the process that reads it and takes its frames.
//
// Interface: sl__read_archive never fails: what went wrong is a reason in the haul. Two entries of one name
// with different contents are both refused, and so is a file whose folder is a file.
#include "intake/intake.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

enum { MAX_FRAMES = 25000, MAX_FRAME_PATH = 1 << 16, MAX_REASON = 1000, MAX_REFUSED = 200 };

// Frames ----------------------------------------------------------------------------------------------------

static bool read_whole(int fd, void *out, size_t len, double end) {
  for (char *p = out; len > 0;) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    double left = end - sl_now();
    if (left <= 0 || poll(&ready, 1, (int)(left * 1000) + 1) == 0) return false;
    ssize_t got = read(fd, p, len);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    p += got;
    len -= (size_t)got;
  }
  return true;
}

static void add_refused(sl_arena *a, sl_haul *h, const char *path, const char *why) {
  if (h->n_refused >= MAX_REFUSED) return;
  h->refused = sl__more(a, h->refused, h->n_refused, sizeof *h->refused);
  h->refused[h->n_refused++] = (sl_refused){sl__safe(a, path), sl__safe(a, why)};
}

static void add_file(sl_arena *a, sl_haul *h, char *path, char *text, size_t len) {
  h->files = sl__more(a, h->files, h->n, sizeof *h->files);
  h->files[h->n++] = (sl_file){path, text, len};
}

// Takes one frame. False: it was the last.
static bool take_frame(sl_arena *a, sl_haul *h, int fd, double end) {
  sl_told f;
  if (!read_whole(fd, &f, sizeof f, end)) return false;
  if (f.path > MAX_FRAME_PATH || f.data > (f.kind == SL_TOLD_FILE ? SL_MAX_KERNEL : MAX_REASON)) return false;
  char *path = sl__alloc(a, f.path + 1), *data = sl__alloc(a, f.data + 1);
  if (!read_whole(fd, path, f.path, end) || !read_whole(fd, data, f.data, end)) return false;
  if (f.kind == SL_TOLD_FILE) add_file(a, h, path, data, f.data);
  if (f.kind == SL_TOLD_REFUSED) add_refused(a, h, path, data);
  if (f.kind == SL_TOLD_PROBLEM) h->problem = sl__safe(a, data);
  if (f.kind == SL_TOLD_END) h->problem = NULL;
  return f.kind == SL_TOLD_FILE || f.kind == SL_TOLD_REFUSED;
}

// Names twice, and names below names ------------------------------------------------------------------------

static bool clash(const sl_file *f, const sl_file *other) {
  size_t n = strlen(f->path), k = strlen(other->path);
  if (n == k && !strcmp(f->path, other->path)) return true;
  return k < n ? f->path[k] == '/' && !strncmp(f->path, other->path, k)
               : other->path[n] == '/' && !strncmp(f->path, other->path, n);
}

static bool same_file(const sl_file *a, const sl_file *b) {
  return !strcmp(a->path, b->path) && a->len == b->len && !memcmp(a->text, b->text, a->len);
}

// Why file [i] cannot be taken, "" if it stands there before, NULL if it is taken.
static const char *reason_of(const sl_haul *h, size_t i) {
  const char *why = NULL;
  for (size_t k = 0; k < h->n; k++) {
    if (k == i || !clash(&h->files[i], &h->files[k])) continue;
    if (!same_file(&h->files[i], &h->files[k])) return "it stands there twice, with different contents";
    if (k < i) why = "";
  }
  return why;
}

static void drop_doubles(sl_arena *a, sl_haul *h) {
  sl_file *kept = sl__alloc(a, (h->n + 1) * sizeof *kept);
  size_t n = 0;
  for (size_t i = 0; i < h->n; i++) {
    const char *why = reason_of(h, i);
    if (!why) kept[n++] = h->files[i];
    else if (*why) add_refused(a, h, h->files[i].path, why);
  }
  h->files = kept;
  h->n = n;
}

// The process that reads ------------------------------------------------------------------------------------

static pid_t start_reader(int archive, int *answer) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    static const int own[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) signal(own[i], SIG_DFL);
    close(ends[0]);
    sl__unpack(archive, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) close(ends[0]);
  *answer = ends[0];
  return pid;
}

// Says why the process ended without a last frame.
static const char *cause_of_death(sl_arena *a, int status) {
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return "it takes more than 10 s to unpack, or too much memory: not unpacked";
  return sl__str(a, "the archive cannot be unpacked: the program that reads it ended (status %d)", status);
}

static void read_open_archive(sl_arena *a, int archive, sl_haul *h) {
  static const char open_end[] = "it did not end";
  int answer, status = 0;
  pid_t pid = start_reader(archive, &answer);
  if (pid < 0) {
    h->problem = sl__str(a, "the archive cannot be unpacked: %s", strerror(errno));
    return;
  }
  double end = sl_now() + SL_CLOCK_TIMES * SL_UNPACK_SECONDS;
  h->problem = open_end;
  for (int n = 0; n < MAX_FRAMES && take_frame(a, h, answer, end); n++) continue;
  close(answer);
  kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (h->problem == open_end) h->problem = cause_of_death(a, status);
}

void sl__read_archive(sl_arena *a, const char *path, sl_haul *h) {
  struct stat st;
  *h = (sl_haul){0};
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    h->problem =
        errno == ELOOP ? "it is a symbolic link" : sl__str(a, "it cannot be read: %s", strerror(errno));
  else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) h->problem = "it is no regular file";
  else if (st.st_size == 0) h->problem = "the file is empty";
  else read_open_archive(a, fd, h);
  if (fd >= 0) close(fd);
  if (h->problem) h->n = 0;
  else drop_doubles(a, h);
}
