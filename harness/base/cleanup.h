// What has to go when SIGINT, SIGTERM or SIGHUP ends the process: temporary files and the groups of child
// processes. Shared by file.c and process.c only.
#ifndef SL_CLEANUP_H
#define SL_CLEANUP_H

#include <stdbool.h>
#include <sys/types.h>

// Registers a file to remove; returns its slot, -1 if the table is full or the name too long.
int sl__cleanup_add_file(const char *path);
void sl__cleanup_drop_file(int slot);

// Registers a process group to kill. False if the table is full.
bool sl__cleanup_add_group(pid_t group);
void sl__cleanup_drop_group(pid_t group);

#endif
