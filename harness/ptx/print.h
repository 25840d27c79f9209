// Whole modules as text. For sl-ptx --disassemble and tests, which parse the text again and compare.
#pragma once

#include "ptx/ir.h"

// disasm.c: length of [name] without an index ("$12") at its end, which an earlier printing gave it.
int sl__ptx_base_len(const char *name);
// Like sl_ptx_disasm, with names made unique by their index.
char *sl__ptx_disasm_unique(const sl_ptx_module *m, const sl_ptx_func *f, const sl_ptx_insn *i, char *to,
                            size_t cap);

// print.c: writes [m] to [to] in canonical form: variables, then functions with their registers, variables,
// source positions and instructions. Nested { } are gone; registers and variables are called NAME$INDEX.
void sl_ptx_print(const sl_ptx_module *m, FILE *to);
