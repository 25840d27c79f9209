// Inside a launch on several cores: workers, and what each has touched. parallel.c describes the whole.
#pragma once

#include <pthread.h>
#include "engine/core.h"

// parallel_marks.c ------------------------------------------------------------------------------------------

#define SL_MARK_PAGE 4096u // bytes of device memory whose marks lie together
#define SL_MARK_WORD 4u    // bytes of device memory with a mark
#define SL_MARK_BITS 32u

// Added to: by atomics of one kind whose result nobody reads, so that their order does not matter.
enum { SL_MARK_READ, SL_MARK_WRITTEN, SL_MARK_ADDED, SL_MARKS };
typedef struct sl_page_marks {
  uint32_t bits[SL_MARKS][SL_MARK_PAGE / SL_MARK_WORD / SL_MARK_BITS];
} sl_page_marks;

// Pages as they were before the launch, kept by the worker that writes to one first.
typedef struct sl_undo {
  const sl_memory *mem;
  uint64_t n_pages;  // pages of device memory that all these tables cover
  uint32_t now;      // number of the present launch; grows by 2
  uint8_t *kept;     // by page
  uint32_t *state;   // by page: [now] while it is being kept, [now] + 1 when it is
  uint32_t *changed; // pages that are kept, in any order
  uint32_t n_changed;
} sl_undo;

// What one worker has read and written. Nothing is cleared between launches: [opened] tells what is old.
typedef struct sl_marks {
  sl_undo *undo;
  sl_page_marks *pages;
  uint32_t *opened;     // by page: [now]: its marks are of this launch; [now] + 1: and it may be written
  sl_op_fn adding;      // the one kind of addition so far, or NULL
  bool marked, unknown; // the atomic that is executed is marked; there was one that was not
} sl_marks;

// false: it will be made anew, and the marks must be, too
bool sl__undo_fits(const sl_undo *u, const sl_memory *mem);
bool sl__undo_open(sl_undo *u, const sl_memory *mem); // for a new launch
void sl__undo_close(sl_undo *u);
void sl__undo_forget(sl_undo *u); // gives back memory that few launches need
void sl__undo(const sl_undo *u);  // makes all pages as they were
bool sl__marks_open(sl_marks *m, sl_undo *u);
void sl__marks_close(sl_marks *m, const sl_undo *u);
// Call it before the access happens. [bytes]: the bytes of a lane; how: SL_MARK_.
void sl__mark_lanes(sl_marks *m, const uint64_t *addr, uint32_t lanes, uint32_t bytes, int how);
// did one worker touch what another one wrote?
bool sl__marks_conflict(const sl_marks *const *m, uint32_t n, const sl_undo *u);

// parallel_code.c -------------------------------------------------------------------------------------------

// The module's code with handlers before atomics on global memory; NULL: no memory.
const sl_xinsn *sl__marking_code(sl_gmodule *m);

// parallel_crew.c -------------------------------------------------------------------------------------------

// Threads that wait for work. The caller is member 0.
typedef struct sl_crew {
  void (*work)(void *of, uint32_t member);
  void *of;
  pthread_t *threads;
  uint32_t n, cap; // threads that are there
  pthread_mutex_t lock;
  pthread_cond_t call, left;
  uint64_t job;            // grows with each
  uint32_t wanted, inside; // members of the present job, 0: it is over; threads that are at it
  bool ready, end;
} sl_crew;

// Runs work(of, member) for the caller and for up to n - 1 threads, and returns when all that have begun have
// ended. It does not wait for threads that have not begun when the caller's part is done: that may take long.
void sl__crew_run(sl_crew *c, uint32_t n);
void sl__crew_end(sl_crew *c);

// parallel.c ------------------------------------------------------------------------------------------------

typedef struct sl_worker {
  sl_grid grid; // a copy of the launch's grid, with its own state of blocks
  sl_gpu gpu;   // nobody reads its findings
  sl_counters counters;
  sl_error error;
  sl_marks marks;
  struct sl_team *team;
} sl_worker;

typedef struct sl_team { // a device's workers, kept from launch to launch
  sl_worker **workers;
  uint32_t n, cap;
  sl_undo undo;
  sl_crew crew;
  const sl_grid *of;
  uint64_t next, chunk; // the next block that nobody has taken; blocks that are taken at once
  uint32_t stop;        // somebody cannot go on
} sl_team;
