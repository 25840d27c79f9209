// The TODO regions of a kernel.cu, and what stands outside of them.
#pragma once

#include "judge/labs.h"

typedef struct sl_region {
  uint32_t first, last; // lines of TODO(..) and END TODO(..)
  size_t begin, end;    // bytes between the two lines
  unsigned indent;      // blanks before TODO(..)
  bool open;            // SL_TODO still stands in it
  bool untouched;       // nothing but SL_TODO stands in it
  char *text;           // "~3 lines: thread t loads .."
} sl_region;

typedef struct sl_skeleton {
  const sl_lab_info *lab;
  char *source;
  size_t n, n_open, n_untouched;
  sl_region *at;     // at[k]: region k + 1
  const char *wrong; // with the marker in line `wrong_at`, by which sl_skeleton_read failed; NULL: with none
  uint32_t wrong_at;
} sl_skeleton;

// Reads the regions of [path]. False with [e] (SL_EXIT_INPUT) if the file or a marker is missing or damaged.
bool sl_skeleton_read(const char *path, const sl_lab_info *lab, sl_skeleton *s, sl_error *e);
void sl_skeleton_free(sl_skeleton *s);
// "SL_SKELETON s = {0};": freed at the end of the block, read or not.
#define SL_SKELETON __attribute__((cleanup(sl_skeleton_free))) sl_skeleton
// The lab's file before anybody worked on it. False: it cannot be found.
bool sl_skeleton_original(const sl_lab_info *lab, sl_skeleton *s);
// Like sl_skeleton_read; where the markers are damaged, [why] says so and the regions, with their lines, are
// the original's. Which of them are open is the file's own. False with [e] where that cannot be had either.
bool sl_skeleton_mend(const char *path, const sl_lab_info *lab, sl_skeleton *s, sl_error *why, sl_error *e);
// Which lines of [s] outside of the regions are not the original's, as "3, 20-25"; a line that is gone counts
// for the one behind it. Blank lines and blanks at the end of a line do not count. malloc'ed; NULL: none.
char *sl_skeleton_edits(const sl_skeleton *s, const sl_skeleton *original);
// The source with every region put back to its SL_TODO line; malloc'ed.
char *sl_skeleton_text(const sl_skeleton *s);
// The source without what stands in its regions; every line keeps its number. malloc'ed.
char *sl_skeleton_closed(const sl_skeleton *s);
// The number of the region that holds [line], 0 if none does.
unsigned sl_region_at(const sl_skeleton *s, uint32_t line);
// [path] as people read it: without the course tree or the working folder before it.
const char *sl_short_path(const char *path);
