// Lab 04 · Scan without bank conflicts. EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check 04   One input: ./scanlab run 04 --n 1000
#include "scanlab/lab.h"

// The place in shared memory of element i of the tree, on host and device.
// Source: Harris 2007, section "Avoiding Bank Conflicts" (its macro is wrong, see README.md).
__host__ __device__ inline int padded(int i) {
  int place = i;
  // TODO(lab04.1, ~1 line): skip one word for every 32 elements before i and one more for every 1024
  SL_TODO("lab04.1");
  // END TODO(lab04.1)
  return place;
}

/* Kernel:   padded_kernel — exclusive sum of d_in[0..n) by one block, the tree of lab 03 at padded addresses
 * Launch:   grid = 1, block = m/2, where m is the smallest power of two >= n (at least 2, at most 2048)
 * Shared:   dynamic, (padded(m-1) + 1) * 4 bytes (m=1024: 1055 words, 4220 bytes; m=2048: 2112 words, 8448 bytes)
 * Work:     2*(m-1) adds, m-1 swaps (m=1024: 2046)   Steps: 2*log2(m)   Barriers: 2*log2(m) + 1 (m=1024: 21)
 * Replays:  0 shared-load replays, 0 shared-store replays (m <= 2048)
 * Valid in: d_out[0..n), elements t and t + m/2 by thread t   In-place: allowed (every load precedes the first barrier)
 * Source:   Harris 2007, listing with blocks A to E (block A uses the wrong index, see README.md) */
__global__ void padded_kernel(const float *d_in, float *d_out, int n, int m) {
  extern __shared__ float temp[]; // padded(m - 1) + 1 elements
  int offset = 1;                 // distance between the two elements of a pair at the current level

  // TODO(lab04.2, ~4 lines): thread t loads elements t and t + m/2 to their padded places, and 0 past the end
  SL_TODO("lab04.2");
  // END TODO(lab04.2)

  for (int pairs = m / 2; pairs > 0; pairs /= 2) { // up-sweep: leaves to root
    // TODO(lab04.3, ~6 lines): as in lab 03, at padded places
    SL_TODO("lab04.3");
    // END TODO(lab04.3)
    offset *= 2;
  }

  // TODO(lab04.4, ~1 line): one thread replaces the root by 0; mind where the root is
  SL_TODO("lab04.4");
  // END TODO(lab04.4)

  for (int pairs = 1; pairs < m; pairs *= 2) { // down-sweep: root to leaves
    offset /= 2;
    // TODO(lab04.5, ~8 lines): as in lab 03, at padded places
    SL_TODO("lab04.5");
    // END TODO(lab04.5)
  }

  // TODO(lab04.6, ~3 lines): barrier; thread t writes elements t and t + m/2 to d_out, none past the end
  SL_TODO("lab04.6");
  // END TODO(lab04.6)
}

extern "C" cudaError_t lab04_padded_scan(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  // TODO(lab04.7, ~4 lines): m as in lab 03; the launch needs room for every padded place
  SL_TODO("lab04.7");
  // END TODO(lab04.7)
  return cudaGetLastError();
}
