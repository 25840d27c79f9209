// Threads for workers: the first launch that wants them makes them; between launches they sleep. Interface:
// sl__crew_run, sl__crew_end (parallel.h).
//
// The first thread that finds no work left ends the job for threads that have not begun. The caller then
// waits only for those that are at work.
#include <signal.h>
#include "engine/parallel.h"

typedef struct sl_member {
  sl_crew *crew;
  uint32_t number;
} sl_member;

static void *serve(void *arg) {
  sl_member me = *(sl_member *)arg;
  sl_crew *c = me.crew;
  uint64_t seen = 0;
  free(arg);
  pthread_mutex_lock(&c->lock);
  while (!c->end) {
    if (c->job == seen || me.number >= c->wanted) {
      pthread_cond_wait(&c->call, &c->lock);
      continue;
    }
    seen = c->job;
    c->inside++;
    pthread_mutex_unlock(&c->lock);
    c->work(c->of, me.number);
    pthread_mutex_lock(&c->lock);
    c->wanted = 0;
    if (--c->inside == 0) pthread_cond_signal(&c->left);
  }
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

static bool make_thread(sl_crew *c) {
  sl_member *m = malloc(sizeof *m);
  if (!m) return false;
  *m = (sl_member){c, c->n + 1};
  if (pthread_create(&c->threads[c->n], NULL, serve, m) == 0) return true;
  free(m);
  return false;
}

// Makes threads with all signals blocked, so that the caller's thread handles signals.
static void make_threads(sl_crew *c, uint32_t n) {
  sigset_t all, old;
  pthread_t *more = n > c->cap ? realloc(c->threads, n * sizeof *more) : c->threads;
  if (!more) return;
  c->threads = more;
  if (n > c->cap) c->cap = n;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  while (c->n < n && make_thread(c)) c->n++;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void sl__crew_run(sl_crew *c, uint32_t n) {
  if (!c->ready) {
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->call, NULL), pthread_cond_init(&c->left, NULL);
    c->ready = true;
  }
  make_threads(c, n - 1);
  pthread_mutex_lock(&c->lock);
  c->job++;
  c->wanted = n;
  pthread_cond_broadcast(&c->call);
  pthread_mutex_unlock(&c->lock);
  c->work(c->of, 0);
  pthread_mutex_lock(&c->lock);
  c->wanted = 0;
  while (c->inside) pthread_cond_wait(&c->left, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

void sl__crew_end(sl_crew *c) {
  if (!c->ready) return;
  pthread_mutex_lock(&c->lock);
  c->end = true;
  pthread_cond_broadcast(&c->call);
  pthread_mutex_unlock(&c->lock);
  for (uint32_t k = 0; k < c->n; k++) pthread_join(c->threads[k], NULL);
  free(c->threads);
  pthread_mutex_destroy(&c->lock), pthread_cond_destroy(&c->call), pthread_cond_destroy(&c->left);
  *c = (sl_crew){0};
}
