// What kind of file a program is, read from its ELF headers.
//
// Interface: sl__program_find, sl__program_check. A program reaches the simulated GPU only if the loader looks for
// libcudart.so for it, and its kernels run only if their PTX is in it: both are said here, before anything runs.
// Everything read from the file is checked against its size.
#include "cudart/sim/sim.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ptx/ir.h"

#define REBUILD "nvcc -cudart shared -arch=compute_75 -lineinfo ... (CMake: CUDA_RUNTIME_LIBRARY Shared, CUDA_ARCHITECTURES 75-virtual)"

// Finding -----------------------------------------------------------------------------------------------------

static bool check_file(const char *path, sl_error *e) {
  struct stat st;
  if (stat(path, &st) != 0)
    return sl_fail(e, SL_EXIT_LAUNCH, NULL, "cannot run %s: %s", path, strerror(errno));
  if (S_ISDIR(st.st_mode)) return sl_fail(e, SL_EXIT_LAUNCH, NULL, "cannot run %s: it is a folder", path);
  if (access(path, X_OK) != 0) {
    char hint[256];
    snprintf(hint, sizeof hint, "if it is a program: chmod +x %s", path);
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

// ELF ---------------------------------------------------------------------------------------------------------

typedef struct image { const uint8_t *at; size_t len; const Elf64_Shdr *sections; size_t n; const char *names; size_t names_len; } image;

static bool inside(const image *m, uint64_t offset, uint64_t len) { return offset <= m->len && len <= m->len - offset; }

// The section headers, if the file is a 64-bit ELF file with sound ones.
static bool open_image(const void *data, size_t len, image *m) {
  *m = (image){.at = data, .len = len};
  Elf64_Ehdr h;
  if (len < sizeof h) return false;
  memcpy(&h, data, sizeof h);
  if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64) return false;
  if (h.e_shentsize != sizeof(Elf64_Shdr) || h.e_shoff % 8 != 0 || h.e_shstrndx >= h.e_shnum) return true;
  if (!inside(m, h.e_shoff, (uint64_t)h.e_shnum * sizeof(Elf64_Shdr))) return true;
  const Elf64_Shdr *s = (const Elf64_Shdr *)(const void *)(m->at + h.e_shoff), *names = &s[h.e_shstrndx];
  if (!inside(m, names->sh_offset, names->sh_size) || names->sh_size == 0) return true;
  m->sections = s;
  m->n = h.e_shnum;
  m->names = (const char *)m->at + names->sh_offset;
  m->names_len = names->sh_size;
  return true;
}

// The next section called [name] after number *[i], whose bytes are all in the file.
static const Elf64_Shdr *next_section(const image *m, const char *name, size_t *i) {
  while (*i < m->n) {
    const Elf64_Shdr *s = &m->sections[(*i)++];
    size_t room = s->sh_name < m->names_len ? m->names_len - s->sh_name : 0;
    if (room <= strlen(name) || strcmp(m->names + s->sh_name, name) != 0) continue;
    if (s->sh_type != SHT_NOBITS && inside(m, s->sh_offset, s->sh_size)) return s;
  }
  return NULL;
}

static const Elf64_Shdr *section(const image *m, const char *name) {
  size_t i = 0;
  return next_section(m, name, &i);
}

static void read_needed(const image *m, sl_program *p) {
  const Elf64_Shdr *dyn = section(m, ".dynamic"), *str = section(m, ".dynstr");
  if (!dyn || !str || dyn->sh_offset % 8 != 0) return;
  const Elf64_Dyn *d = (const Elf64_Dyn *)(const void *)(m->at + dyn->sh_offset);
  for (size_t i = 0; i < dyn->sh_size / sizeof *d && d[i].d_tag != DT_NULL; i++) {
    if (d[i].d_tag != DT_NEEDED || d[i].d_un.d_val >= str->sh_size) continue;
    const char *name = (const char *)m->at + str->sh_offset + d[i].d_un.d_val;
    size_t room = str->sh_size - d[i].d_un.d_val;
    if (room < 12 || strncmp(name, "libcudart.so", 12) != 0) continue;
    p->needs_cudart = true;
    snprintf(p->soname, sizeof p->soname, "%.*s", (int)(room < 63 ? room : 63), name);
  }
}

enum { MAX_PROGRAM = 1 << 30 };

bool sl__program_find(const char *name, sl_program *p, sl_error *e) {
  *p = (sl_program){.path = strchr(name, '/') ? sl_path("%s", name) : search_path(name)};
  if (!p->path)
    return sl_fail(e, SL_EXIT_LAUNCH, sl_is_file(name) ? "a program in this folder is started as ./NAME" : NULL,
                   "cannot run %s: there is no such program in PATH", name);
  if (!check_file(p->path, e)) return false;
  size_t len = 0;
  sl_error unread = {0};
  void *data = sl_read_file(p->path, MAX_PROGRAM, &len, &unread);
  image m;
  if (data && open_image(data, len, &m)) {
    p->is_elf = true;
    p->has_kernels = section(&m, ".nv_fatbin") || section(&m, "__nv_relfatbin");
    read_needed(&m, p);
  }
  free(data);
  return true;
}

void sl__program_free(sl_program *p) { free(p->path); }

// Checking ----------------------------------------------------------------------------------------------------

// Tries every container of a section; counts those with PTX that the device can run. The first error is kept in [e].
static size_t count_ptx(const uint8_t *at, size_t len, unsigned sm, sl_error *e) {
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
    sl_fatbin_ptx ptx = {0};
    if (sl_fatbin_read(at + i, len - i, sm, &ptx, e)) good++;
    free(ptx.text);
    i += (header + body + 7) / 8 * 8;
  }
  return good;
}

static bool check_ptx(const sl_program *p, sl_error *e) {
  static const char *const names[] = {".nv_fatbin", "__nv_relfatbin"};
  size_t len = 0, good = 0;
  uint8_t *data = sl_read_file(p->path, MAX_PROGRAM, &len, NULL);
  image m;
  sl_error why = {0};
  if (!data || !open_image(data, len, &m)) {
    free(data);
    return true;
  }
  for (size_t k = 0; k < 2; k++) {
    size_t i = 0;
    for (const Elf64_Shdr *s; (s = next_section(&m, names[k], &i));)
      good += count_ptx(m.at + s->sh_offset, s->sh_size, sl_profile_find("default")->sm, &why);
  }
  free(data);
  if (good > 0 || why.code == 0) return true;
  return sl_fail(e, SL_EXIT_LAUNCH, why.hint[0] ? why.hint : "build it with " REBUILD, "%s: %s", p->path, why.text);
}

bool sl__program_check(const sl_program *p, sl_error *e) {
  if (!p->is_elf || !p->has_kernels) return true;  // a script, or a program that may start others
  if (!p->needs_cudart)
    return sl_fail(e, SL_EXIT_LAUNCH, "build it with " REBUILD,
                   "%s holds its own copy of the CUDA runtime (static cudart), so it cannot use the simulated GPU", p->path);
  if (strcmp(p->soname, "libcudart.so.13") != 0)
    return sl_fail(e, SL_EXIT_LAUNCH, "build it with CUDA 13: " REBUILD,
                   "%s needs %s; the simulated GPU offers libcudart.so.13", p->path, p->soname);
  return check_ptx(p, e);
}
