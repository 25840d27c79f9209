// Shows progress on stderr: on a terminal one line that updates itself, elsewhere a line for every tenth of
// the work, at most one every few seconds.
//
// Interface: sl__progress_start, one sl__progress_step a unit, sl__progress_end.
#include "grade.h"

#include <string.h>

enum { NAME_CHARS = 32 };

void sl__progress_start(sl_progress *p, const char *what, size_t total, bool terminal) {
  *p = (sl_progress){.what = what, .terminal = terminal, .total = total, .start = sl_now()};
  p->last = p->start;
}

static void show_progress(sl_progress *p, const char *name) {
  char safe[4 * NAME_CHARS];
  double spent = sl_now() - p->start;
  double left = p->done ? spent / (double)p->done * (double)(p->total - p->done) : 0;
  sl_printable(name, safe, sizeof safe);
  fprintf(stderr, "%s%.24s %zu/%zu  %-*.*s  eta %.0f s%s", p->terminal ? "\r" : "", p->what, p->done,
          p->total, NAME_CHARS, NAME_CHARS, safe, left, p->terminal ? "\x1b[K" : "\n");
  fflush(stderr);
  p->shown = true;
}

void sl__progress_step(sl_progress *p, const char *name) {
  double now = sl_now();
  bool tenth = p->total && (p->done + 1) * 10 / p->total > p->done * 10 / p->total;
  p->done++;
  if (p->terminal ? now - p->last >= 0.05 || p->done == p->total : tenth && now - p->last >= 2) {
    p->last = now;
    show_progress(p, name);
  }
}

void sl__progress_end(sl_progress *p) {
  if (p->terminal && p->shown) fprintf(stderr, "\r\x1b[K");
  fflush(stderr);
}
