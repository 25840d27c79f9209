// Namespaces: a second wall behind Landlock and the filter of calls.  Interface: sl_jail_spaces,
// sl_jail_fork; and sl_jail_close_from and sl_jail_refuse, for all parts (jail.h).
//
// A network of its own that is empty, process numbers that nobody else has, no objects of System V, mounts
// that nobody else sees. Rights in them end at the exec, with all capabilities. Containers and some systems
// refuse user namespaces, and so all of them.
//
// Three processes: the keeper, which the judge knows, waits outside for the program and ends as it ended; the
// first process of the namespace waits for the keeper's end, which then ends all that is in there; the second
// becomes the program. The program is not the first, because signals pass by a first process that would end
// any other. The two that wait hold no descriptors of the program's and cannot be looked into.
#include "jail/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

bool sl_jail_spaces(void) {
  return unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP |
                 CLONE_NEWPID) == 0;
}

// gVisor refuses a last descriptor that no int holds.
bool sl_jail_close_from(int first) { return syscall(SYS_close_range, (unsigned)first, INT_MAX, 0) == 0; }

// Closes all descriptors but [fd].
static void keep_only(int fd) {
  if (fd != 0 && dup2(fd, 0) < 0) _exit(SL_JAIL_REFUSED);
  if (!sl_jail_close_from(1)) _exit(SL_JAIL_REFUSED);
}

// [ends]: the pipe whose other end the keeper alone holds.
static _Noreturn void be_first(const int ends[2]) {
  char byte;
  close(ends[1]);
  signal(SIGCHLD, SIG_IGN);
  keep_only(ends[0]);
  while (read(0, &byte, 1) < 0 && errno == EINTR) {
  }
  _exit(0);
}

static _Noreturn void keep(pid_t program, int end) {
  int status;
  keep_only(end);
  while (waitpid(program, &status, 0) < 0)
    if (errno != EINTR) _exit(SL_JAIL_REFUSED);
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(SL_JAIL_REFUSED);
}

void sl_jail_fork(void) {
  int ends[2];
  if (prctl(PR_SET_DUMPABLE, 0) != 0 || pipe2(ends, O_CLOEXEC) != 0) sl_jail_refuse("a pipe");
  pid_t first = fork();
  if (first == 0) be_first(ends);
  pid_t program = first < 0 ? -1 : fork();
  if (program < 0) sl_jail_refuse("processes of its own");
  if (program > 0) keep(program, ends[1]);
  close(ends[0]);
  close(ends[1]);
}

_Noreturn void sl_jail_refuse(const char *what) {
  fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
  exit(SL_JAIL_REFUSED);
}
