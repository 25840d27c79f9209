// Compares two modules by content: what the instructions say, not the numbers that tables give to names.
#ifndef SL_TESTS_ROUND_TRIP_H
#define SL_TESTS_ROUND_TRIP_H

#include "ptx/ir.h"

// Prints [m], parses the print and compares. NULL when equal, else what differs (static text).
const char *sl__round_trip(const sl_ptx_module *m);

#endif
