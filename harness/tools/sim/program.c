// What kind of file a program is, read from its ELF headers (harness/ptx/elf.h).
//
// Interface: sl__program_find, sl__program_check. A program reaches the simulated GPU only if the loader
// looks for libcudart.so for it, and its kernels run only if it holds their PTX. This file reports both
// before anything runs.
#include "tools/sim/sim.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
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

// What to do with each PTX text found. [each] returns false if the text does not count.
typedef struct visit {
  bool (*each)(void *ctx, const sl_fatbin_ptx *ptx);
  void *ctx;
} visit;

// Why there is no PTX that the device can run. A container that has PTX at all counts before the others.
typedef struct lack {
  sl_error e;
  bool any, newer; // as in sl_fatbin_ptx
} lack;

// Tries every container of a section; counts those with PTX that the device can run.
static size_t count_ptx(const uint8_t *at, size_t len, unsigned sm, const visit *v, lack *why) {
  size_t good = 0;
  for (size_t i = 0; i + 16 <= len;) {
    uint32_t magic;
    uint16_t header;
    uint64_t body;
    memcpy(&magic, at + i, 4);
    memcpy(&header, at + i + 6, 2);
    memcpy(&body, at + i + 8, 8);
    if (magic != 0xBA55ED50u || body > len - i) {
      i += 8;
      continue;
    }
    sl_fatbin_ptx ptx;
    sl_error one = {0};
    if (sl_fatbin_read(at + i, len - i, sm, &ptx, &one)) good += !v || v->each(v->ctx, &ptx);
    else if (!why->any) *why = (lack){one, ptx.any, ptx.newer};
    free(ptx.text);
    i += (header + body + 7) / 8 * 8;
  }
  return good;
}

static size_t find_ptx(const sl_program *p, unsigned sm, const visit *v, lack *why) {
  static const char *const names[] = {".nv_fatbin", "__nv_relfatbin"};
  size_t len = 0, good = 0, off, n;
  SL_FREED uint8_t *data = sl_read_file(p->path, MAX_PROGRAM, &len, NULL);
  for (size_t k = 0; data && sl_is_elf(data, len) && k < 2; k++)
    if (sl_elf_find_section(data, len, names[k], &off, &n)) good += count_ptx(data + off, n, sm, v, why);
  return good;
}

bool sl__program_ptx(const sl_program *p, unsigned sm, bool (*each)(void *ctx, const sl_fatbin_ptx *ptx),
                     void *ctx, sl_error *e) {
  const visit v = {each, ctx};
  lack why = {0};
  if (!find_ptx(p, sm, &v, &why) && why.e.code && !e->code) *e = why.e;
  return e->code == 0;
}

static bool check_ptx(const sl_program *p, unsigned sm, sl_error *e) {
  lack why = {0};
  size_t good = find_ptx(p, sm, NULL, &why);
  if (good > 0 || why.e.code == 0) return true;
  if (why.newer)
    return sl_fail(e, SL_EXIT_LAUNCH,
                   "simulate a newer device (--profile a100 or h100), or build it with " REBUILD, "%s: %s",
                   p->path, why.e.text);
  return sl_fail(e, SL_EXIT_LAUNCH, why.e.hint[0] ? why.e.hint : "build it with " REBUILD, "%s: %s", p->path,
                 why.e.text);
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
