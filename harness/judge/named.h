// The numbers that a kernel's source names, and what it is called with because of them.
#pragma once

#include "judge/cases.h"

// numbers.c -------------------------------------------------------------------------------------------------

enum { SL_MOST_NUMBERS = 256 };

// Different numbers, all or as many as are drawn of them.
typedef struct sl_numbers {
  unsigned n;
  uint64_t at[SL_MOST_NUMBERS];
  uint64_t key, seen; // what draws; how many there were
} sl_numbers;

void sl__add_number(sl_numbers *s, uint64_t value); // below 2^32, else it is left out
// Adds the whole numbers of [text], C++ source, that are below 2^32, each once.
void sl_numbers_in(const char *text, size_t len, sl_numbers *s);
// Adds those of 16 and more that a PTX text compares with.
void sl_numbers_of_ptx(const char *text, sl_numbers *s);
// Adds those of the program's PTX and of the source beside it.
void sl_numbers_of(const char *program, sl_numbers *s);

// named.c ---------------------------------------------------------------------------------------------------

// Adds the sizes near [numbers].
void sl_sizes_near(const sl_named *o, const sl_numbers *numbers, sl_numbers *sizes);
// Adds sizes that leave one of [numbers] as the remainder by another.
void sl_sizes_by_remainder(const sl_named *o, const sl_numbers *numbers, sl_numbers *sizes);

// A call whose elements, or whose scalar, are about such numbers.
typedef struct sl_about_call {
  uint64_t n;
  int64_t scalar; // 0: the case's own
  char dist[SL_DIST_CHARS];
} sl_about_call;
enum { SL_MOST_ABOUT_CALLS = 8 };
typedef struct sl_about_calls {
  unsigned n;
  sl_about_call at[SL_MOST_ABOUT_CALLS];
} sl_about_calls;
// Adds the calls whose elements are about [numbers]. [dist]: the case's own distribution.
void sl_calls_about(const sl_named *o, const char *dist, const sl_numbers *numbers, sl_about_calls *calls);
