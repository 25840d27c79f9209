// What SIGINT, SIGTERM and SIGHUP remove: temporary files, groups of children. For file.c and process.c.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

// Files and folders: sl_remove_on_signal (base.h).

// Registers a process group to kill. False if the table is full.
bool sl__cleanup_add_group(pid_t group);
void sl__cleanup_drop_group(pid_t group);
