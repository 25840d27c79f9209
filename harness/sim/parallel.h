// Inside a launch on several cores: workers, and what each of them has touched. parallel.c tells the whole story.
#ifndef SL_SIM_PARALLEL_H
#define SL_SIM_PARALLEL_H

#include <pthread.h>
#include "sim/core.h"

// parallel_marks.c -----------------------------------------------------------------------------------------

#define SL_MARK_PAGE 4096u // bytes of device memory whose marks lie together
#define SL_MARK_WORD 4u    // bytes of device memory with a mark
#define SL_MARK_BITS 32u

enum { SL_MARK_READ, SL_MARK_WRITTEN };
typedef struct sl_page_marks {
  uint32_t bits[2][SL_MARK_PAGE / SL_MARK_WORD / SL_MARK_BITS]; // read, written
} sl_page_marks;

// Pages as they were before the launch, kept by the worker that writes to one first.
typedef struct sl_undo {
  const sl_memory *mem;
  uint64_t n_pages;  // of device memory that all these tables cover
  uint32_t now;      // of the present launch; grows by 2
  uint8_t *kept;     // by page
  uint32_t *state;   // by page: [now] while it is being kept, [now] + 1 when it is
  uint32_t *changed; // pages that are kept, in any order
  uint32_t n_changed;
} sl_undo;

// What one worker has read and written. Nothing is cleared between launches: [opened] tells what is left over.
typedef struct sl_marks {
  sl_undo *undo;
  sl_page_marks *pages;
  uint32_t *opened; // by page: [now]: its marks are of this launch; [now] + 1: and it may be written
} sl_marks;

bool sl__undo_fits(const sl_undo *u, const sl_memory *mem); // false: it will be made anew, and the marks must be, too
bool sl__undo_open(sl_undo *u, const sl_memory *mem);       // for a new launch
void sl__undo_close(sl_undo *u);
void sl__undo_forget(sl_undo *u);                     // gives back memory that few launches need
void sl__undo(const sl_undo *u);                      // all pages are as they were
bool sl__marks_open(sl_marks *m, sl_undo *u);
void sl__marks_close(sl_marks *m, const sl_undo *u);
// Before the access happens; how: SL_MARK_. A row of bytes; [bytes] for each of some lanes.
void sl__mark_row(sl_marks *m, uint64_t addr, uint64_t bytes, int how);
void sl__mark_lanes(sl_marks *m, const uint64_t *addr, uint32_t lanes, uint32_t bytes, int how);
bool sl__marks_conflict(const sl_marks *const *m, uint32_t n, const sl_undo *u); // did one touch what another wrote?

// parallel_code.c ------------------------------------------------------------------------------------------

// The module's code with a handler that marks before each access of global memory; NULL: no memory.
const sl_xinsn *sl__marking_code(sl_gmodule *m);

// parallel.c -----------------------------------------------------------------------------------------------

typedef struct sl_worker {
  sl_grid grid; // as the launch's own, but for what blocks change
  sl_gpu gpu;   // its findings are nobody's
  sl_counters counters;
  sl_error error;
  sl_marks marks;
  struct sl_team *team;
  pthread_t thread;
} sl_worker;

typedef struct sl_team { // of a device, kept from launch to launch
  sl_worker **workers;
  uint32_t n, cap;
  sl_undo undo;
  const sl_grid *of;
  uint64_t next, chunk; // the next block that nobody has taken; blocks that are taken at once
  uint32_t stop;        // somebody cannot go on
} sl_team;

#endif
