// What kind of file a program is, read from its ELF headers (harness/ptx/elf.h).
//
// Interface: sl__program_find, sl__program_check. A program reaches the simulated GPU only if the loader
// looks for libcudart.so for it, and its kernels run only if it holds their PTX. Both are told here.
#include "tools/sim/sim.h"

#include "ptx/elf.h"
#include "ptx/ir.h"

#define REBUILD                                                                                              \
  "nvcc -cudart shared -arch=compute_75 -lineinfo ... (CMake: CUDA_RUNTIME_LIBRARY Shared, "                 \
  "CUDA_ARCHITECTURES 75-virtual)"

// Finding ---------------------------------------------------------------------------------------------------

static bool check_file(const char *path, sl_error *e) {
  struct stat st;
  if (stat(path, &st) != 0)
    return sl_fail(e, SL_EXIT_LAUNCH, NULL, "cannot run %s: %s", path, strerror(errno));
  if (S_ISDIR(st.st_mode)) return sl_fail(e, SL_EXIT_LAUNCH, NULL, "cannot run %s: it is a folder", path);
  if (access(path, X_OK) != 0) {
    char hint[256];
    const char *end = strrchr(path, '.');
    const bool is_source =
        end && !strcmp(end, ".cu"); // the entry script compiles what it takes for the program
    snprintf(hint, sizeof hint,
             is_source ? "it is compiled behind --: scanlab sim OPTIONS -- %s"
                       : "if it is a program: chmod +x %s",
             path);
    return sl_fail(e, SL_EXIT_LAUNCH, hint, "cannot run %s: it is not executable", path);
  }
  return true;
}

static char *search_path(const char *name) {
  const char *path = getenv("PATH");
  for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
    size_t n = strcspn(p, ":");
    char *full = sl_path("%.*s/%s", (int)n, p, name);
    if (sl_is_file(full) && access(full, X_OK) == 0) return full;
    free(full);
    p += n + (p[n] == ':');
  }
  return NULL;
}

enum { MAX_PROGRAM = 1 << 30 };

bool sl__program_find(const char *name, sl_program *p, sl_error *e) {
  *p = (sl_program){.path = strchr(name, '/') ? sl_path("%s", name) : search_path(name)};
  if (!p->path)
    return sl_fail(e, SL_EXIT_LAUNCH,
                   sl_is_file(name) ? "a program in this folder is started as ./NAME" : NULL,
                   strrchr(name, '.') && !strcmp(strrchr(name, '.'), ".cu")
                       ? "%s: no such file"
                       : "cannot run %s: there is no such program in PATH",
                   name);
  if (!check_file(p->path, e)) return false;
  size_t len = 0;
  SL_FREED void *data = sl_read_file(p->path, MAX_PROGRAM, &len, NULL);
  if (data && sl_is_elf(data, len)) {
    size_t off, n;
    p->has_kernels = sl_elf_find_section(data, len, ".nv_fatbin", &off, &n) ||
                     sl_elf_find_section(data, len, "__nv_relfatbin", &off, &n);
    p->needs_cudart = sl_elf_needs(data, len, "libcudart.so");
    p->needs_ours = sl_elf_needs(data, len, "libcudart.so.13");
    p->needs_driver = sl_elf_needs(data, len, "libcuda.so");
  }
  return true;
}

void sl__program_free(sl_program *p) { free(p->path); }

// Checking --------------------------------------------------------------------------------------------------

static size_t find_ptx(const sl_program *p, sl_ptx_visit *v) {
  size_t len = 0;
  SL_FREED uint8_t *data = sl_read_file(p->path, MAX_PROGRAM, &len, NULL);
  return data ? sl_program_ptx(data, len, v) : 0;
}

bool sl__program_ptx(const sl_program *p, unsigned sm, bool (*each)(void *ctx, const sl_fatbin_ptx *ptx),
                     void *ctx, sl_error *e) {
  sl_ptx_visit v = {.sm = sm, .each = each, .context = ctx};
  if (!find_ptx(p, &v) && v.why.code && !e->code) *e = v.why;
  return e->code == 0;
}

static bool check_ptx(const sl_program *p, unsigned sm, sl_error *e) {
  sl_ptx_visit v = {.sm = sm};
  if (find_ptx(p, &v) > 0 || v.why.code == 0) return true;
  if (v.newer)
    return sl_fail(e, SL_EXIT_LAUNCH,
                   "simulate a newer device (--profile a100 or h100), or build it with " REBUILD, "%s: %s",
                   p->path, v.why.text);
  return sl_fail(e, SL_EXIT_LAUNCH, v.why.hint[0] ? v.why.hint : "build it with " REBUILD, "%s: %s", p->path,
                 v.why.text);
}

bool sl__program_check(const sl_program *p, unsigned sm, sl_error *e) {
  if (p->needs_driver)
    return sl_fail(
        e, SL_EXIT_LAUNCH,
        "call the runtime (cuda...) instead of the driver (cu...), kernels from text with "
        "cudaLibraryLoadData, and build it without -lcuda",
        "%s asks for the library of the CUDA driver (libcuda.so), which the simulated GPU does not have",
        p->path);
  if (!p->has_kernels) return true; // a script, or a program that may start others
  if (!p->needs_cudart)
    return sl_fail(
        e, SL_EXIT_LAUNCH, "build it with " REBUILD,
        "%s holds its own copy of the CUDA runtime (static cudart), so it cannot use the simulated GPU",
        p->path);
  if (!p->needs_ours)
    return sl_fail(e, SL_EXIT_LAUNCH, "build it with CUDA 13: " REBUILD,
                   "%s needs the runtime of another CUDA version; the simulated GPU offers libcudart.so.13",
                   p->path);
  return check_ptx(p, sm, e);
}
