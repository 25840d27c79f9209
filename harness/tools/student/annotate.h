// A kernel's source with its counters (annotate.c), and figures computed from a line's or kernel's.
#pragma once

#include "observe.h"

uint64_t sl__replays(const uint64_t *c);
uint64_t sl__adds(const uint64_t *c); // float ones if there are any
uint64_t sl__wavefronts(const uint64_t *c);
uint64_t sl__sectors(const uint64_t *c);
uint64_t sl__excess(const uint64_t *c); // sectors beyond what the bytes need
uint64_t sl__way(const uint64_t *c);    // words in one bank at the worst conflict; 0: none
uint64_t sl__same(const uint64_t *c);   // most lanes of an atomic at one address
uint64_t sl__lanes(const uint64_t *c);  // lanes that take part, on average

// At most [room] columns of the line; .. ends it where it was cut.
void sl__put_source(const char *text, int len, int room);
const char *sl__source_line(const char *source, uint32_t line, int *len);
void sl__annotate(const sl_observed *o, const sl_sum *s); // with a legend
