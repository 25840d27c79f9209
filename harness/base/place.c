// Where the course's files lie: its tree, the compiler, what commands write, the user's own labs.
//
// Interface: base.h, place.c. The environment that the entry script sets goes first. Without it a program
// finds its own tree by the file `course` in the folder above its own (BUILD/course, or
// PREFIX/lib/scanlab/course), which the build or the installation wrote: root=PATH from there, nvcc=FILE,
// host=FILE, installed=yes. A tree that was copied or moved so finds itself, never the original.
#include "base/base.h"

#include <pthread.h>
#include <pwd.h>

static struct {
  char *above; // the folder that holds bin/, lib/ and course
  char *root, *nvcc, *host, *libraries, *work, *kernels, *include;
  bool installed;
} own;

static const char *named_or(const char *variable, const char *otherwise) {
  const char *named = getenv(variable);
  return named && *named ? named : otherwise;
}

// The value of line NAME=VALUE in [text], malloc'ed; NULL when there is none.
static char *value_of(const char *text, const char *name) {
  size_t len = strlen(name);
  for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (!strncmp(line, name, len) && line[len] == '=')
      return sl_path("%.*s", (int)strcspn(line + len + 1, "\n"), line + len + 1);
  return NULL;
}

static char *real_name(const char *path) {
  char real[PATH_MAX];
  return sl_path("%s", realpath(path, real) ? real : path);
}

// The user's folder without HOME, as where a service starts it; "": not known. getpwuid needs libraries, and
// some of our programs have none.
static char *home_folder(void) {
  SL_CLOSED FILE *f = fopen("/etc/passwd", "re");
  for (const struct passwd *p; f && (p = fgetpwent(f));)
    if (p->pw_uid == geteuid()) return sl_path("%s", p->pw_dir);
  return sl_path("%s", "");
}

// Programs are run from there: below /tmp anybody could have put them.
static char *cache_folder(void) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache && *cache == '/') return sl_path("%s/scanlab", cache);
  SL_FREED char *known = home && *home ? NULL : home_folder();
  return sl_path("%s/.cache/scanlab", known ? known : home);
}

// Where the toolkit of [nvcc] has its libraries; "": the loader shall search.
static char *library_folder(const char *nvcc) {
  static const char *const folders[] = {"lib64", "lib", "targets/x86_64-linux/lib"};
  for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
    const char *slash = strrchr(nvcc, '/');
    SL_FREED char *folder = sl_path("%.*s/../%s", slash ? (int)(slash - nvcc) : 0, nvcc, folders[k]),
                  *library = sl_path("%s/libcudart.so.13", folder);
    if (slash && sl_is_file(library)) return real_name(folder);
  }
  return sl_path("%s", "");
}

static void look_around(void) {
  SL_FREED char *bin = sl_exe_dir(), *file = sl_path("%s/../course", bin), *above = sl_path("%s/..", bin);
  SL_FREED char *text = sl_read_file(file, 1 << 16, NULL, NULL), *root = value_of(text, "root"),
                *installed = value_of(text, "installed");
  own.above = real_name(above);
  SL_FREED char *named = sl_path("%s/%s", own.above, root ? root : "");
  own.root = real_name(named);
  own.nvcc = value_of(text, "nvcc");
  if (!own.nvcc) own.nvcc = sl_path("%s", "nvcc");
  own.host = value_of(text, "host");
  own.libraries = library_folder(named_or("SCANLAB_NVCC", own.nvcc));
  own.include = sl_path("%s/harness/include", own.root);
  own.work = installed ? cache_folder() : sl_path("%s", own.above);
  own.kernels = sl_path("%s/cache", own.work);
  own.installed = installed || getenv("SCANLAB_INSTALLED");
}

static void look_once(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look_around);
}

const char *sl_course_root(void) { return look_once(), named_or("SCANLAB_ROOT", own.root); }
const char *sl_work_folder(void) { return look_once(), named_or("SCANLAB_BUILD", own.work); }
const char *sl_kernel_cache(void) { return look_once(), own.kernels; }
const char *sl_include_folder(void) { return look_once(), own.include; }
const char *sl_nvcc(void) { return look_once(), named_or("SCANLAB_NVCC", own.nvcc); }
const char *sl_nvcc_host(void) { return look_once(), named_or("NVCC_CCBIN", own.host); }
const char *sl_cuda_libraries(void) { return look_once(), own.libraries; }
const char *sl_scanlab(void) { return look_once(), own.installed ? "scanlab" : "./scanlab"; }

char *sl_as_called(char *text) {
  const char *entry = sl_scanlab();
  for (char *at = text; entry[0] != '.' && (at = strstr(at, "./scanlab"));)
    memmove(at, at + 2, strlen(at + 2) + 1);
  return text;
}

char *sl_lab_kernel(const char *lab) {
  const char *labs = named_or("SCANLAB_LABS", NULL);
  return labs ? sl_path("%s/%s/kernel.cu", labs, lab)
              : sl_path("%s/labs/%s/kernel.cu", sl_course_root(), lab);
}

char *sl_tool_path(const char *name) {
  SL_FREED char *bin = sl_exe_dir();
  return sl_path("%s/%s", bin, name);
}
