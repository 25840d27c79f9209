// A loop on all cores.
//
// Interface: sl_parallel (base.h). The range is cut into equal parts, one a thread; what has no thread, because there is one core,
// little to do, or none to be had, runs in the caller's. It cannot fail.
#include "base/base.h"

#include <pthread.h>
#include <unistd.h>

enum { MAX_PARTS = 256 };

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
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  size_t parts = cores < 1 ? 1 : cores < MAX_PARTS ? (size_t)cores : MAX_PARTS, started = 0;
  part all[MAX_PARTS];
  if (parts > n / grain) parts = n / grain ? n / grain : 1;
  for (size_t k = 0; k < parts; k++)
    all[k] = (part){run, context, n / parts * k, k + 1 == parts ? n : n / parts * (k + 1), 0};
  while (started + 1 < parts && pthread_create(&all[started].thread, NULL, run_part, &all[started]) == 0) started++;
  for (size_t k = started; k < parts; k++) run_part(&all[k]);
  for (size_t k = 0; k < started; k++) pthread_join(all[k].thread, NULL);
}
