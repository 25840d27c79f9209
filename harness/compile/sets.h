// The folders headers-KEY of the cache: each is a set of what is prepared of the headers for one compiler and
// its flags: about 135 MiB, and 400 to 600 MiB with libraries.
#pragma once

#include <stdbool.h>

enum { SL_SETS_KEPT = 6 };

// The names of the files in a set, which a NULL ends.
extern const char *const sl__set_files[];

// Marks the set as used now and keeps it from being removed until the result is closed. -1: it is not there.
int sl__set_use(const char *set);

// Behind the name of a set: the file that says that one source could have used it, and in which process.
#define SL_ASKED ".asked"

// The file that sl-steps leaves where it has compiled if a set's stored memory is not of this system.
#define SL_STALE "stale"

// Removes the set unless it is in use.
void sl__set_remove(const char *set);
// Removes the sets in the folder but the last used ones, and but those in use.
void sl__sets_trim(const char *folder);
// Can one more set be kept without removing one that was used in the last day?
bool sl__sets_have_room(const char *folder);
