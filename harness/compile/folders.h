// The folders of builds.
#pragma once

#include "base/base.h"

void sl__remove_files(const char *path,
                      const char *const *but); // its plain files but those of the list, which a NULL ends
void sl__remove_folder(const char *path);      // with its plain files
// Removes the leftovers of interrupted builds: folders tmp.PID of threads that are gone (PID: a thread id).
void sl__sweep_folders(const char *root);
