// A small, bounds-checked reader of 64-bit little-endian ELF files.
//
// Interface: elf.h. Works on section headers; a file without them (stripped by unusual tools) is a file
// without sections. Offsets and sizes of the file are compared without overflow before anything is read.
#include <elf.h>
#include <string.h>
#include "ptx/elf.h"

typedef struct image {
  const char *at;
  size_t len;
  Elf64_Ehdr head;
} image;

// Copies [n] bytes at [off], if they lie in the file.
static bool get(const image *f, uint64_t off, void *to, size_t n) {
  if (off > f->len || n > f->len - off) return false;
  memcpy(to, f->at + off, n);
  return true;
}

static bool open_image(image *f, const void *data, size_t len) {
  *f = (image){.at = data, .len = len};
  return get(f, 0, &f->head, sizeof f->head) && memcmp(f->head.e_ident, ELFMAG, SELFMAG) == 0 &&
         f->head.e_ident[EI_CLASS] == ELFCLASS64 && f->head.e_ident[EI_DATA] == ELFDATA2LSB &&
         f->head.e_shentsize == sizeof(Elf64_Shdr);
}

static bool section(const image *f, uint64_t i, Elf64_Shdr *s) {
  uint64_t off = f->head.e_shoff;
  if (off > f->len || i > (f->len - off) / sizeof *s || !get(f, off + i * sizeof *s, s, sizeof *s))
    return false;
  return s->sh_type == SHT_NOBITS || (s->sh_offset <= f->len && s->sh_size <= f->len - s->sh_offset);
}

// The string at [off] of a string section, NULL if it is not NUL-ended within it.
static const char *string(const image *f, const Elf64_Shdr *strings, uint64_t off) {
  if (strings->sh_type != SHT_STRTAB || off >= strings->sh_size) return NULL;
  const char *s = f->at + strings->sh_offset + off;
  return memchr(s, 0, strings->sh_size - off) ? s : NULL;
}

bool sl_is_elf(const void *data, size_t len) {
  image f;
  return open_image(&f, data, len);
}

static bool find_section(const image *f, const char *name, Elf64_Shdr *out) {
  Elf64_Shdr names;
  if (!section(f, f->head.e_shstrndx, &names)) return false;
  for (unsigned i = 0; i < f->head.e_shnum; i++) {
    const char *s = section(f, i, out) ? string(f, &names, out->sh_name) : NULL;
    if (s && strcmp(s, name) == 0 && out->sh_type != SHT_NOBITS) return true;
  }
  return false;
}

bool sl_elf_find_section(const void *data, size_t len, const char *name, size_t *off, size_t *section_len) {
  image f;
  Elf64_Shdr s;
  if (!open_image(&f, data, len) || !find_section(&f, name, &s)) return false;
  *off = s.sh_offset;
  *section_len = s.sh_size;
  return true;
}

bool sl_elf_needs(const void *data, size_t len, const char *soname_prefix) {
  image f;
  Elf64_Shdr dyn, strings;
  if (!open_image(&f, data, len) || !find_section(&f, ".dynamic", &dyn) ||
      !section(&f, dyn.sh_link, &strings))
    return false;
  for (uint64_t at = 0; dyn.sh_size - at >= sizeof(Elf64_Dyn) && at < dyn.sh_size; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn d;
    if (!get(&f, dyn.sh_offset + at, &d, sizeof d) || d.d_tag == DT_NULL) return false;
    const char *s = d.d_tag == DT_NEEDED ? string(&f, &strings, d.d_un.d_val) : NULL;
    if (s && strncmp(s, soname_prefix, strlen(soname_prefix)) == 0) return true;
  }
  return false;
}
