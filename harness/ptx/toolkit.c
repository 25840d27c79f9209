// Whose a source file is: the user's own, or one of the headers that come with the compiler.
//
// Interface: sl_ptx_is_toolkit. When the course was configured, the compilers named the folders in which they
// look for headers; files in these belong to the toolkit. A program may come from another toolkit: an include
// folder with files that only a toolkit has belongs to one. A program may also come from another machine: a
// file that is missing here belongs to the toolkit if ours has it at the same place of its include folder.
#include "ptx/ir.h"

// The folders of nvcc and of its host compiler, each with a ':' after it (harness/cmake/ScanlabCuda.cmake).
static const char folders[] = SL_COMPILER_FOLDERS;

// A whole toolkit's include folder has all these. Wheels split it: runtime, compiler, CCCL, cuRAND.
static const char *const signs[] = {"cuda_runtime_api.h", "crt/host_config.h", "nv/target",
                                    "curand_kernel.h"};

static bool is_part(const char *at, size_t len, const char *part) {
  return len == strlen(part) && !memcmp(at, part, len);
}

// The length of [path] without its last part.
static size_t parent(const char *path, size_t n) {
  while (n && path[--n] != '/') {
  }
  return n;
}

// Makes "/a/c" from "/a/b/..//./c". False: [path] is too long.
static bool canonical(const char *path, char out[PATH_MAX]) {
  size_t n = 0;
  if (strlen(path) >= PATH_MAX) return false;
  for (size_t len; *path; path += len + (path[len] == '/')) {
    len = strcspn(path, "/");
    if (is_part(path, len, "..")) {
      n = parent(out, n);
    } else if (!is_part(path, len, ".") && len) {
      out[n++] = '/';
      memcpy(out + n, path, len);
      n += len;
    }
  }
  out[n] = 0;
  return true;
}

// The compilers' folder after [f]; begin with [folders]. NULL: no more. *[len]: its length.
static const char *next_folder(const char *f, size_t *len) {
  f += *len ? *len + 1 : 0;
  *len = strcspn(f, ":");
  return *len ? f : NULL;
}

static bool in_compilers_folder(const char *path) {
  size_t len = 0;
  for (const char *f = folders; (f = next_folder(f, &len));)
    if (!strncmp(path, f, len) && path[len] == '/') return true;
  return false;
}

static bool exists(const char *folder, size_t len, const char *file) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%.*s/%s", (int)len, folder, file);
  return access(path, F_OK) == 0;
}

static bool is_toolkits_folder(const char *folder, size_t len) {
  for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
    if (exists(folder, len, signs[i])) return true;
  return false;
}

static bool below_toolkits_folder(const char *path) {
  for (size_t len = strlen(path); (len = parent(path, len));)
    if (is_toolkits_folder(path, len)) return true;
  return false;
}

static bool our_toolkit_has(const char *file) {
  size_t len = 0;
  for (const char *f = folders; (f = next_folder(f, &len));)
    if (is_toolkits_folder(f, len) && exists(f, len, file)) return true;
  return false;
}

static bool is_toolkits_elsewhere(const char *path) {
  static const char include[] = "/include/";
  for (const char *at = path; (at = strstr(at, include)); at++)
    if (our_toolkit_has(at + sizeof include - 1)) return true;
  return false;
}

bool sl_ptx_is_toolkit(const char *file) {
  char path[PATH_MAX + 1], real[PATH_MAX];
  if (file[0] != '/' || !canonical(file, path)) return false;
  if (in_compilers_folder(path)) return true;
  if (!realpath(file, real)) return is_toolkits_elsewhere(path);
  return in_compilers_folder(real) || below_toolkits_folder(path) || below_toolkits_folder(real);
}
