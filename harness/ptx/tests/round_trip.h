// Compares two modules by content: what the instructions say, not the numbers that tables give to names.
#pragma once

#include "ptx/ir.h"

// Prints [m], parses the print and compares. NULL when equal, else what differs (static text).
const char *sl__round_trip(const sl_ptx_module *m);
