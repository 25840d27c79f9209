// What makes the kernel refuse things to a process: to the programs that sl-jail starts, and to sl-gpu. Each
// function does all that it says, or ends the process with exit code 126. It holds for the thread that calls
// it and for those that this thread starts.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SL_JAIL_REFUSED = 126 };

// Prints what could not be done and why, and ends the process.
_Noreturn void sl_jail_refuse(const char *what);
// Closes all descriptors from [first] on.
bool sl_jail_close_from(int first);

// jail_files.c: Landlock. The program may open the files under the paths of [rules], for the use that the
// letter names. False: the system has no Landlock.
typedef struct sl_jail_rule {
  char use; // r: read, x: read and execute, d: devices to read and write, w: anything, folders' contents
            // included, e: empty folders to remove
  const char *path;
} sl_jail_rule;
bool sl_jail_files(const sl_jail_rule *rules, size_t n);
bool sl_jail_has_landlock(void);

// jail_spaces.c: namespaces of its own for users, mounts, network, System V's objects, names of the machine,
// cgroups, and for the numbers of the processes that it starts. False where the machine refuses them.
bool sl_jail_spaces(void);
// Returns in a new process in there; the calling one stays outside and ends as the new one ends.
void sl_jail_fork(void);

// jail_calls.c: seccomp. What a program may do besides what every program may.
typedef enum sl_jailed { SL_JAILED_STUDENT, SL_JAILED_COMPILER, SL_JAILED_SIMULATOR } sl_jailed;
typedef struct sl_jail_allowed {
  sl_jailed who;
  bool processes;   // it may start processes
  bool own_sockets; // a real GPU's driver: Unix sockets that connect to nothing, files in its folders
  bool sockets;     // it may connect them
  bool shared;      // it may make memory and files that outlive it
  bool unfiltered;  // where the kernel takes no filter of system calls, it runs without one
} sl_jail_allowed;
void sl_jail_calls(const sl_jail_allowed *a);
