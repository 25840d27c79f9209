// Namespaces: a second wall behind Landlock and the filter of calls.  Interface: sl_jail_spaces; and
// sl_jail_refuse, for all parts (jail.h). An empty network, no objects of System V, mounts that nobody else sees. Rights in them end at the exec,
// with all capabilities. There is none for process numbers: its first process would be an init, which ignores
// signals that end other programs, and a student's program starts no processes. Containers and some systems
// refuse user namespaces, and so all of them.
#include "jail/jail.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sl_jail_spaces(void) {
  return unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                 CLONE_NEWCGROUP) == 0;
}

_Noreturn void sl_jail_refuse(const char *what) {
  fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
  exit(SL_JAIL_REFUSED);
}
