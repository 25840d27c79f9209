// The program's standard input when it runs several times: every run reads what the first one could read.
//
// Interface: sl__input_begin, sl__input_end, sl__input_open (sim.h). A file is copied from its present
// position. A thread hands the data of a pipe to the first run and keeps a copy, so nothing waits for input
// that the program does not read. A terminal belongs to the first run alone.
#include "tools/sim/sim.h"

#include <signal.h>

enum { PIECE = 1 << 16 };

// Ends when the input does, when the first run no longer reads, or by pthread_cancel.
static void *forward_input(void *arg) {
  sl_kept_input *in = arg;
  char piece[PIECE];
  ssize_t n;
  while ((n = read(in->was, piece, sizeof piece)) > 0)
    if (!sl_write_all(in->copy, piece, (size_t)n) || !sl_write_all(in->to, piece, (size_t)n)) break;
  close(in->to);
  in->to = -1;
  return NULL;
}

static bool forward(sl_kept_input *in) {
  int ends[2];
  sigset_t all, old;
  if ((in->was = fcntl(0, F_DUPFD_CLOEXEC, 3)) < 0 || pipe2(ends, O_CLOEXEC) != 0) return false;
  in->to = ends[1];
  sigfillset(&all); // SIGPIPE, too: the first run may end before its input
  pthread_sigmask(SIG_SETMASK, &all, &old);
  in->forwards = dup2(ends[0], 0) == 0 && pthread_create(&in->thread, NULL, forward_input, in) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  close(ends[0]);
  return in->forwards;
}

static bool copy_file(const sl_kept_input *in) {
  char piece[PIECE];
  off_t at = lseek(0, 0, SEEK_CUR);
  ssize_t n;
  while ((n = pread(0, piece, sizeof piece, at)) > 0 && sl_write_all(in->copy, piece, (size_t)n)) at += n;
  return n == 0;
}

bool sl__input_begin(sl_kept_input *in, const char *dir, sl_error *e) {
  struct stat st;
  *in = (sl_kept_input){.was = -1, .copy = -1, .to = -1};
  bool file = fstat(0, &st) == 0 && S_ISREG(st.st_mode);
  if (!file && !S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode)) return true;
  snprintf(in->path, sizeof in->path, "%s/input", dir);
  in->copy = open(in->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (in->copy >= 0 && (file ? copy_file(in) : forward(in))) return true;
  return sl_fail(e, SL_EXIT_INFRA, "give the program's input as a file",
                 "the input cannot be kept for further runs");
}

void sl__input_end(sl_kept_input *in) {
  if (in->forwards) {
    dup2(in->was, 0); // the last reader of the pipe is gone: the thread stops writing
    pthread_cancel(in->thread);
    pthread_join(in->thread, NULL);
  }
  if (in->to >= 0) close(in->to);
  if (in->was >= 0) close(in->was);
  if (in->copy >= 0) close(in->copy);
}

int sl__input_open(const char *path) { return path[0] ? open(path, O_RDONLY | O_CLOEXEC) : -1; }
