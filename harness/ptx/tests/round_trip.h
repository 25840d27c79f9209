// Compares two modules by content: what the instructions say, not the numbers that tables give to names.
#pragma once

#include "ptx/ir.h"

// "MODULE *m = ..": a module that is freed at the end of its block.
static inline void sl__free_module(sl_ptx_module **m) { sl_ptx_free(*m); }
#define MODULE __attribute__((cleanup(sl__free_module))) sl_ptx_module

// Prints [m], parses the print and compares. NULL when equal, else what differs (static text).
const char *sl__round_trip(const sl_ptx_module *m);
