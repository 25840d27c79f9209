// The private folder that holds the socket of a simulated GPU.
#pragma once

#include "base/base.h"

typedef struct sl_gpu_folder {
  char path[96], socket[104]; // path "": there is none
  int slots[2];               // registrations of both for removal on a signal
  int lock;                   // held for as long as the starter lives
} sl_gpu_folder;

// Makes it in TMPDIR or /tmp, and removes there what starters left that were killed together with their GPUs.
bool sl__folder_make(sl_gpu_folder *f, sl_error *e);
// Removes socket and folder. async-signal-safe
void sl__folder_remove(const sl_gpu_folder *f);
// Removes both, and gives the registrations and the lock back.
void sl__folder_end(sl_gpu_folder *f);
