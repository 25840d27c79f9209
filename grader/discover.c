// Finds the submissions in a folder and looks at each kernel.cu before anything is done with it.
//
// Interface: sl__discover takes a folder that is one submission (it has an entry named like a lab) or holds
// one folder a student; "solutions" and "labs" are the course's own. sl__inspect_kernel says why a file
// cannot be graded. It follows no link out of the student's folder and opens nothing that could block
// (pipes, devices).
#include "grade.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_KERNEL = 1 << 20 }; // a kernel.cu of more bytes is refused

// One kernel ------------------------------------------------------------------------------------------------

static const char *type_name(mode_t mode) {
  return S_ISDIR(mode)    ? "a directory"
         : S_ISLNK(mode)  ? "a symbolic link"
         : S_ISREG(mode)  ? "a regular file"
         : S_ISFIFO(mode) ? "a named pipe"
         : S_ISSOCK(mode) ? "a socket"
                          : "a device";
}

static const char no_kernel[] = "no kernel.cu";

// Says why [path] is not of [type]; NULL if it is. A missing file is "no kernel.cu".
static const char *wrong_type(sl_arena *a, const char *path, mode_t type, const char *what) {
  struct stat st;
  if (lstat(path, &st) != 0)
    return errno == ENOENT || errno == ENOTDIR
               ? no_kernel
               : sl__str(a, "%s cannot be looked at: %s", what, strerror(errno));
  if ((st.st_mode & S_IFMT) == type) return NULL;
  return sl__str(a, "%s is %s; it must be %s", what, type_name(st.st_mode),
                 type == S_IFDIR ? "a folder" : "a regular file");
}

// Reads the open kernel; returns why it cannot be graded.
static const char *check_content(sl_arena *a, int fd, char hash[SL_HEX256]) {
  struct stat st;
  char *text = sl__alloc(a, MAX_KERNEL + 1);
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return "kernel.cu is not a regular file";
  ssize_t len = 0, got;
  while (len <= MAX_KERNEL && (got = read(fd, text + len, (size_t)(MAX_KERNEL + 1 - len))) != 0) {
    if (got < 0) return sl__str(a, "kernel.cu cannot be read: %s", strerror(errno));
    len += got;
  }
  if (len == 0) return "kernel.cu is empty";
  if (len > MAX_KERNEL) return sl__str(a, "kernel.cu is larger than %d bytes", MAX_KERNEL);
  if (memchr(text, 0, (size_t)len)) return "kernel.cu is a binary file, not text";
  sl__hash(text, (size_t)len, hash);
  return NULL;
}

// The kernel is not in its place. Names a file elsewhere that may be meant.
static void explain_missing(sl_arena *a, const char *sub_dir, const char *lab_name, sl_graded_lab *gl) {
  const char *other = sl__find_misplaced(a, sub_dir, lab_name);
  gl->absent = !other;
  sl__set_problem(
      a, gl, SL_REASON_HANDED_IN_NOTHING,
      other ? sl__str(a, "%s: there is %s, which belongs into %s/kernel.cu", no_kernel, other, lab_name)
            : no_kernel);
}

// Why the kernel cannot be opened or read; NULL: it is in gl->hash.
static const char *read_kernel(sl_arena *a, sl_graded_lab *gl) {
  int fd = open(gl->kernel, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return sl__str(a, "kernel.cu cannot be read: %s", strerror(errno));
  const char *wrong = check_content(a, fd, gl->hash);
  close(fd);
  return wrong;
}

void sl__inspect_kernel(sl_arena *a, const char *sub_dir, const char *lab_name, sl_graded_lab *gl) {
  const char *folder = sl__str(a, "%s/%s", sub_dir, lab_name);
  gl->kernel = sl__str(a, "%s/kernel.cu", folder);
  const char *wrong = wrong_type(a, sub_dir, S_IFDIR, "the submission");
  if (!wrong) wrong = wrong_type(a, folder, S_IFDIR, lab_name);
  if (!wrong) wrong = wrong_type(a, gl->kernel, S_IFREG, "kernel.cu");
  if (!wrong) wrong = read_kernel(a, gl);
  if (wrong == no_kernel) explain_missing(a, sub_dir, lab_name, gl);
  else if (wrong) sl__set_problem(a, gl, SL_REASON_HANDED_IN_WRONG, wrong);
}

// Submissions -----------------------------------------------------------------------------------------------

static bool has_labs(const char *dir) {
  struct stat st;
  bool found = false;
  for (const sl_lab_info *l = sl_labs; l->name && !found; l++) {
    char *path = sl_path("%s/%s", dir, l->name);
    found = lstat(path, &st) == 0;
    free(path);
  }
  return found;
}

static void add_submission(sl_grading *g, const char *name, const char *dir) {
  sl_submission *s = &g->subs[g->n++];
  s->name = sl__safe(g->arena, name);
  s->id = sl__safe_name(g->arena, name);
  s->dir = sl__str(g->arena, "%s", dir);
}

static bool is_wanted(const sl_grading *g, const char *name) {
  return !g->course.only || !strcmp(g->course.only, name);
}

static int is_candidate(const struct dirent *d) { return d->d_name[0] != '.'; }

static bool add_students(sl_grading *g, const char *dir, sl_error *e) {
  struct dirent **list;
  int n = scandir(dir, &list, is_candidate, alphasort), with_labs = 0;
  if (n < 0) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: cannot be read: %s", dir, strerror(errno));
  g->subs = sl__alloc(g->arena, (size_t)(n + 1) * sizeof *g->subs);
  g->is_class = !g->course.only;
  for (int i = 0; i < n; i++) {
    char *path = sl_path("%s/%s", dir, list[i]->d_name);
    if (sl_is_dir(path)) {
      with_labs += has_labs(path);
      if (is_wanted(g, list[i]->d_name)) add_submission(g, list[i]->d_name, path);
    }
    free(path);
    free(list[i]);
  }
  free(list);
  if (with_labs && !g->n)
    return sl_fail(e, SL_EXIT_INPUT, "name it as its folder is named, without a slash",
                   "%s: there is no submission \"%s\"", dir, g->course.only);
  return with_labs ||
         sl_fail(e, SL_EXIT_INPUT,
                 "a submission holds folders such as 03_blelloch/kernel.cu; a class is a folder of those",
                 "%s: expected a submission or a folder of submissions, found no lab folder in it", dir);
}

static const char *own_folder(sl_grading *g, const char *dir) {
  static const char *const own[] = {"solutions", "labs", NULL};
  for (int i = 0; own[i]; i++)
    if (strcmp(dir, own[i]) == 0 && g->course.root) return sl__str(g->arena, "%s/%s", g->course.root, dir);
  return dir;
}

bool sl__discover(sl_grading *g, const char *dir, sl_error *e) {
  char real[PATH_MAX];
  const char *path = own_folder(g, dir);
  if (!realpath(path, real))
    return sl_fail(e, SL_EXIT_INPUT, "name a folder, or 'solutions' or 'labs' for the course's own",
                   "%s: cannot be opened: %s", path, strerror(errno));
  if (!sl_is_dir(real))
    return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: expected a folder of submissions, found a file", path);
  if (!has_labs(real)) return add_students(g, real, e);
  if (g->course.only)
    return sl_fail(e, SL_EXIT_INPUT, "leave --only out, or name the folder of the class",
                   "%s: is one submission, of which --only can choose none", path);
  g->subs = sl__alloc(g->arena, sizeof *g->subs);
  add_submission(g, strcmp(real, "/") ? strrchr(real, '/') + 1 : "root", real);
  return true;
}
