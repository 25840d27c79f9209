// Finds out what DIR is, and looks at each kernel.cu before anything is done with it.
//
// Interface: sl__discover takes one submission (a folder with an entry named like a lab, an archive), a class
// (a folder of those, or of an export) or a list of repositories; "solutions" and "labs" are the course's
// own. Then the roster gives people their names, and --only or --part chooses. sl__inspect_kernel says why a
// file cannot be graded. It follows no link out of the student's folder and opens nothing that could block
// (pipes, devices).
#include "intake/intake.h"
#include "judge/skeleton.h"

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

// Reads the open kernel into [text], which has room for one byte too many; returns why it cannot be graded.
static const char *check_content(sl_arena *a, int fd, char *text, char hash[SL_HEX256]) {
  struct stat st;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return "kernel.cu is not a regular file";
  ssize_t len = 0, got;
  while (len <= SL_MAX_KERNEL && (got = read(fd, text + len, (size_t)(SL_MAX_KERNEL + 1 - len))) != 0) {
    if (got < 0) return sl__str(a, "kernel.cu cannot be read: %s", strerror(errno));
    len += got;
  }
  if (len == 0) return "kernel.cu is empty";
  if (len > SL_MAX_KERNEL) return sl__str(a, "kernel.cu is larger than %d bytes", SL_MAX_KERNEL);
  if (sl_is_utf16(text, (size_t)len)) return "kernel.cu is encoded in UTF-16: save it as UTF-8";
  if (memchr(text, 0, (size_t)len)) return "kernel.cu is a binary file, not text";
  sl__hash(text, (size_t)len, hash);
  return NULL;
}

// Why the kernel cannot be opened or read; NULL: it is in gl->hash.
static const char *read_kernel(sl_arena *a, sl_graded_lab *gl) {
  int fd = open(gl->kernel, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return sl__str(a, "kernel.cu cannot be read: %s", strerror(errno));
  sl_arena *own = sl__arena_new(); // the text goes at once: a class has thousands of them
  const char *wrong = check_content(a, fd, sl__alloc(own, SL_MAX_KERNEL + 1), gl->hash);
  sl_arena_free(own);
  close(fd);
  return wrong;
}

void sl__inspect_file(sl_arena *a, const char *path, sl_graded_lab *gl) {
  gl->kernel = path;
  const char *wrong = wrong_type(a, path, S_IFREG, "kernel.cu");
  if (!wrong) wrong = read_kernel(a, gl);
  if (wrong) sl__set_problem(a, gl, SL_REASON_HANDED_IN_WRONG, wrong);
}

void sl__inspect_kernel(sl_arena *a, const char *sub_dir, const char *lab_name, sl_graded_lab *gl) {
  const char *folder = sl__str(a, "%s/%s", sub_dir, lab_name);
  gl->kernel = sl__str(a, "%s/kernel.cu", folder);
  const char *wrong = wrong_type(a, sub_dir, S_IFDIR, "the submission");
  if (!wrong) wrong = wrong_type(a, folder, S_IFDIR, lab_name);
  if (!wrong) wrong = wrong_type(a, gl->kernel, S_IFREG, "kernel.cu");
  if (!wrong) wrong = read_kernel(a, gl);
  if (wrong == no_kernel) {
    sl__set_problem(a, gl, SL_REASON_HANDED_IN_NOTHING, no_kernel);
    gl->absent = true;
    sl__name_misplaced(a, sub_dir, gl, lab_name);
  } else if (wrong) sl__set_problem(a, gl, SL_REASON_HANDED_IN_WRONG, wrong);
}

// Submissions -----------------------------------------------------------------------------------------------

static int by_name(const void *a, const void *b) {
  return strcmp(((const sl_submission *)a)->raw_name, ((const sl_submission *)b)->raw_name);
}

// Keeps only the submission that --only names: by its name, or by that of its file or folder.
static bool choose(sl_grading *g, sl_error *e) {
  const char *only = g->course.only;
  g->is_class = false;
  SL_EACH_SUB(g, s) {
    if (strcmp(only, s->raw_name) && strcmp(only, sl_base_name(s->in.source))) continue;
    g->subs[0] = *s;
    g->n = 1;
    return true;
  }
  return sl_fail(e, SL_EXIT_INPUT,
                 g->course.roster
                     ? "name it as the table of the class does, or as its folder is named, without a slash"
                     : "name it as its folder is named, without a slash; names of the roster need --roster",
                 "%s: there is no submission \"%s\"", g->class_dir ? g->class_dir : "the class", only);
}

// Keeps one part of the class: each [parts]-th submission, so that the work of parts is much the same.
static bool choose_part(sl_grading *g) {
  size_t n = 0;
  for (size_t i = 0; g->course.parts && i < g->n; i++)
    if ((int64_t)i % g->course.parts == g->course.part - 1) g->subs[n++] = g->subs[i];
  if (g->course.parts) g->n = n;
  return true;
}

static bool finish_class(sl_grading *g, sl_error *e) {
  if (!g->is_class) return true; // a folder of nothing but .cu files
  const sl_course *c = &g->course;
  if (c->roster && !sl__apply_roster(g, c->roster, e)) return false;
  if (c->times && !sl__apply_times(g, c->times, c->zone, e)) return false;
  sl__note_late(g);
  qsort(g->subs, g->n, sizeof *g->subs, by_name);
  return g->course.only ? choose(g, e) : choose_part(g);
}

static bool take_one(sl_grading *g, const char *path, sl_handed_kind kind, sl_error *e) {
  const char *name = strcmp(path, "/") ? strrchr(path, '/') + 1 : "root";
  size_t stem = kind == SL_PIECE_ARCHIVE ? sl__archive_name(name) : 0;
  if (g->course.only)
    return sl_fail(e, SL_EXIT_INPUT, "leave --only out, or name the folder of the class",
                   "%s: is one submission, of which --only can choose none", path);
  const char *own = stem ? sl__str(g->arena, "%.*s", (int)stem, name) : name;
  sl__add_submission(g, &(sl_person){.name = own}, (sl_handed_piece){kind, path, name});
  const char *table = g->course.roster ? "roster" : g->course.times ? "times" : NULL;
  return !table ||
         sl_fail(e, SL_EXIT_USAGE,
                 stem ? "a class in an archive, as systems export it, is to be unpacked: name its folder"
                      : "name the folder of the class",
                 "option --%s: %s is one submission", table, path);
}

static bool holds_labs(const sl_grading *g, const char *dir) {
  return sl__has_labs(dir) || sl__has_labs(sl__str(g->arena, "%s/labs", dir));
}

// Is it a folder that stands for a student's in a class: none that a submission has for its labs?
static bool is_students(const sl_grading *g, const char *dir, const char *name) {
  bool of_labs = name[0] == '.' || !strcmp(name, "labs");
  for (const char *const *lab = sl_lab_names; *lab; lab++) of_labs |= !strcmp(name, *lab);
  return !of_labs && holds_labs(g, sl__str(g->arena, "%s/%s", dir, name));
}

// A student's folder may be called as a lab's, or "labs": the class of the others stays one.
static bool is_one_folder(const sl_grading *g, const char *real) {
  enum { A_CLASS = 2 }; // one other folder with labs may be an older state of the work
  if (g->course.one || !holds_labs(g, real)) return g->course.one;
  struct dirent **list;
  int n = sl__list_folder(real, &list), students = 0;
  for (int i = 0; i < n; i++) {
    students += is_students(g, real, list[i]->d_name);
    free(list[i]);
  }
  if (n >= 0) free(list);
  return students < A_CLASS;
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
  const char *at = sl__str(g->arena, "%s", real);
  if (sl_is_file(at) && sl__is_archive(at)) return take_one(g, at, SL_PIECE_ARCHIVE, e);
  if (sl_is_file(at)) return sl__take_list(g, at, e) && finish_class(g, e);
  if (is_one_folder(g, at)) return take_one(g, at, SL_PIECE_FOLDER, e);
  return sl__take_class(g, at, e) && finish_class(g, e);
}

// Edits outside of the TODO regions -------------------------------------------------------------------------

// In words; NULL: there are none. A kernel that was written from scratch has no regions.
static const char *describe_edits(sl_arena *a, const char *kernel, const sl_skeleton *original) {
  SL_SKELETON s = {0};
  if (!sl_skeleton_read(kernel, original->lab, &s, NULL)) return "the TODO lines are not the handout's";
  SL_FREED char *lines = sl_skeleton_edits(&s, original);
  return lines ? sl__str(a, "line%s %s", strpbrk(lines, ",-") ? "s" : "", lines) : NULL;
}

void sl__find_edits(sl_grading *g) {
  for (size_t lab = 0; lab < g->course.n_labs; lab++) {
    SL_SKELETON original = {0};
    if (!sl_skeleton_original(g->course.labs[lab].lab->info, &original)) continue;
    SL_EACH_SUB(g, s) {
      sl_graded_lab *gl = &s->labs[lab];
      if (*gl->hash) gl->edited = describe_edits(g->arena, gl->kernel, &original);
    }
  }
}
