// What processes have used of the processor, and whether they wait. process.c alone uses it.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

enum { SL_MOST_WATCHED = 256 };

// What processes have taken, and whether all of them wait.
typedef struct sl_usage {
  double seconds;
  bool waits;
  int n, pid[SL_MOST_WATCHED];
} sl_usage;

// Adds up the processes of a group, and all that these have started.
sl_usage sl__usage_of(pid_t group);
