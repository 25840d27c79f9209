// A bounds-checked reader of 64-bit little-endian ELF files: finds a program's fat binaries and libraries.
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool sl_is_elf(const void *data, size_t len);
// Where the section [name] lies in the file: within [0, len). False if there is none.
bool sl_elf_find_section(const void *data, size_t len, const char *name, size_t *off, size_t *section_len);
// Whether a library whose name begins with [soname_prefix] ("libcudart.so") is named as needed at run time.
bool sl_elf_needs(const void *data, size_t len, const char *soname_prefix);
