// For large data: a loop on all cores, and memory in large pages. For the opposite: to stay on one core.
//
// Interface: sl_parallel, sl_cores, sl_stay, sl_alloc_array (base.h). The range is cut into equal parts, one
// a thread. A part without a thread runs in the caller's, so sl_parallel cannot fail.
#include "base/base.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

enum { MAX_PARTS = 256, LARGE_PAGE = 2 << 20, LARGE = 3 << 20 }; // LARGE: whole large pages waste little

unsigned sl_cores(void) {
  cpu_set_t set;
  int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return cores < 1 ? 1 : cores < MAX_PARTS ? (unsigned)cores : MAX_PARTS;
}

void sl_stay(void) {
  cpu_set_t here;
  const int core = sched_getcpu();
  CPU_ZERO(&here);
  if (core < 0 || core >= CPU_SETSIZE) return;
  CPU_SET((size_t)core, &here);
  sched_setaffinity(0, sizeof here, &here); // only a wish: failure does no harm
}

void *sl_alloc_array(size_t bytes) {
  if (bytes < LARGE || bytes > SIZE_MAX - LARGE_PAGE) return malloc(bytes ? bytes : 1);
  size_t whole = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  void *p = aligned_alloc(LARGE_PAGE, whole);
  if (p) madvise(p, whole, MADV_HUGEPAGE); // only advice: failure does no harm
  return p;
}

typedef struct part {
  void (*run)(void *context, size_t from, size_t to);
  void *context;
  size_t from, to;
  pthread_t thread;
} part;

static void *run_part(void *arg) {
  part *p = arg;
  p->run(p->context, p->from, p->to);
  return NULL;
}

void sl_parallel(size_t n, size_t grain, void (*run)(void *context, size_t from, size_t to), void *context) {
  size_t parts = sl_cores(), started = 0;
  part all[MAX_PARTS];
  if (parts > n / grain) parts = n / grain ? n / grain : 1;
  for (size_t k = 0; k < parts; k++)
    all[k] = (part){run, context, n / parts * k, k + 1 == parts ? n : n / parts * (k + 1), 0};
  while (started + 1 < parts && pthread_create(&all[started].thread, NULL, run_part, &all[started]) == 0)
    started++;
  for (size_t k = started; k < parts; k++) run_part(&all[k]);
  for (size_t k = 0; k < started; k++) pthread_join(all[k].thread, NULL);
}
