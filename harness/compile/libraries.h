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

// The headers of allowed libraries that a source includes before anything else, sorted, each once: they are
// read once for many sources (ahead.c).
enum { SL_MAX_AHEAD = 8, SL_HEADER_NAME = 64 };
typedef struct sl_ahead {
  unsigned n;
  char header[SL_MAX_AHEAD][SL_HEADER_NAME];
} sl_ahead;

void sl__headers_ahead(const char *source, unsigned allowed, sl_ahead *ahead);
// A number below SL_BEGINNINGS (build.h); 0: there are no headers. Others seldom have the same.
unsigned sl__beginning_of(const sl_ahead *ahead);
