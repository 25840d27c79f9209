// What the kernels of this folder share. They are about locks, flags, scopes and barriers.
#pragma once

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/utility>
#include "../corpus.h"

// Runs a kernel with 1024 words of zeros.
// run: played(work, 4, 32)
template <class K> int played(K kernel, int blocks, int threads) {
  return played(kernel, blocks, threads, 4096, 0);
}
