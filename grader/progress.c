// Shows progress on stderr: on a terminal one line that updates itself, elsewhere a line for every tenth of
// the work, at most one every few seconds. A terminal that cannot erase a line ("dumb") counts as elsewhere.
//
// Interface: sl__progress_terminal, sl__progress_start, one sl__progress_step a unit, sl__progress_end. The
// line has the count, the rate and the time that is left, and then what has just ended, as far as the
// terminal is wide:
// "grading 812/2730  24/s  eta 80 s  anna 03.scan.n1.sim".
#include "grade.h"

enum { NAME_BYTES = 200, WIDEST = 1000 };

bool sl__progress_terminal(void) {
  const char *term = getenv("TERM");
  return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

void sl__progress_start(sl_progress *p, const char *what, size_t total, bool terminal) {
  *p = (sl_progress){.what = what, .terminal = terminal, .total = total, .start = sl_now()};
  p->last = p->start;
}

// A terminal's width but for the last column, after which a cursor may go to the next line.
static size_t width(void) { return (size_t)sl_columns(STDERR_FILENO, WIDEST) - 1; }

// "80 s", "12 min", "3.2 h"
static void write_time(char *out, size_t cap, double seconds) {
  if (seconds < 100) snprintf(out, cap, "%.0f s", seconds);
  else if (seconds < 6000) snprintf(out, cap, "%.0f min", seconds / 60);
  else snprintf(out, cap, "%.1f h", seconds / 3600);
}

// "24/s", "12/min"
static void write_rate(char *out, size_t cap, double a_second) {
  if (a_second >= 1) snprintf(out, cap, "%.0f/s", a_second);
  else snprintf(out, cap, "%.0f/min", a_second * 60);
}

static void show_progress(sl_progress *p, const char *name) {
  char safe[NAME_BYTES], line[2 * NAME_BYTES], left[32], rate[32];
  double spent = sl_now() - p->start;
  size_t bytes;
  write_rate(rate, sizeof rate, spent > 0 ? (double)p->done / spent : 0);
  write_time(left, sizeof left, spent / (double)p->done * (double)(p->total - p->done));
  snprintf(line, sizeof line, "%s %zu/%zu  %s  eta %s  %s", p->what, p->done, p->total, rate, left,
           sl_printable(name, safe, sizeof safe));
  sl__columns(line, width(), &bytes);
  fprintf(stderr, "%s%.*s%s", p->terminal ? "\r" : "", (int)bytes, line, p->terminal ? "\x1b[K" : "\n");
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
