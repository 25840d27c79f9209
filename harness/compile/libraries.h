// Which libraries of the toolkit a lab allows, and whether a source keeps to that.
#pragma once

#include "base/base.h"

// The libraries that "libraries" of the lab's lab.json names, as bits. False with [e].
bool sl__libraries_of(const char *lab_number, unsigned *allowed, sl_error *e);

// Looks through the preprocessed sources (.ii) in [folder]: has [source] opened a header of a library that is
// not allowed? False with [e], which names the line of the #include.
bool sl__libraries_check(const char *folder, const char *source, const char *lab_number, unsigned allowed,
                         sl_error *e);

// Does the lab allow the library of this header of the toolkit, "cuda/atomic"?
bool sl__library_allowed(const char *header, unsigned allowed);

enum { SL_MAX_AHEAD = 6 };
// ahead.c: the headers of allowed libraries that the source includes before anything else and that are worth
// being read once for many sources. How many; static texts.
unsigned sl__headers_ahead(const char *source, unsigned allowed, const char *ahead[static SL_MAX_AHEAD]);
unsigned sl__ahead_bits(const char *const *ahead, unsigned n); // the same as bits
