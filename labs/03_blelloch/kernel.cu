// Lab 03 · Work-efficient scan (Blelloch). EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check 03   One input: ./scanlab run 03 --n 1000
#include "scanlab/lab.h"

/* Kernel:   blelloch_kernel — exclusive sum of d_in[0..n) by one block, in place on a balanced tree in shared memory
 * Launch:   grid = 1, block = m/2, where m is the smallest power of two >= n (at least 2, at most 2048)
 * Shared:   dynamic, m * 4 bytes (m=1024: 4096)
 * Work:     2*(m-1) adds, m-1 swaps (m=1024: 2046)   Steps: 2*log2(m)   Barriers: 2*log2(m) + 1 (m=1024: 21)
 * Valid in: d_out[0..n), elements 2t and 2t+1 by thread t     In-place: allowed (every load precedes the first barrier)
 * Source:   Blelloch 1990, CMU-CS-90-190; Harris 2007, Algorithms 3 and 4 (Algorithm 4 starts one level too high,
 *           see README.md) */
__global__ void blelloch_kernel(const float *d_in, float *d_out, int n, int m) {
  extern __shared__ float temp[]; // m elements
  int offset = 1;                 // distance between the two elements of a pair at the current level

  // TODO(lab03.1, ~3 lines): thread t loads elements 2t and 2t+1 into temp, and 0 for those past the end of the input
  SL_TODO("lab03.1");
  // END TODO(lab03.1)

  for (int pairs = m / 2; pairs > 0; pairs /= 2) { // up-sweep: leaves to root
    // TODO(lab03.2, ~6 lines): barrier; each of the first `pairs` threads adds its pair's left element to the right one
    SL_TODO("lab03.2");
    // END TODO(lab03.2)
    offset *= 2;
  }

  // TODO(lab03.3, ~1 line): one thread replaces the root, the last element, by 0
  SL_TODO("lab03.3");
  // END TODO(lab03.3)

  for (int pairs = 1; pairs < m; pairs *= 2) { // down-sweep: root to leaves
    offset /= 2;
    // TODO(lab03.4, ~8 lines): barrier; left element becomes the right one, right one becomes right + old left
    SL_TODO("lab03.4");
    // END TODO(lab03.4)
  }

  // TODO(lab03.5, ~3 lines): barrier; thread t writes elements 2t and 2t+1 to d_out, none past the end
  SL_TODO("lab03.5");
  // END TODO(lab03.5)
}

extern "C" cudaError_t lab03_blelloch_scan(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  // TODO(lab03.6, ~3 lines): m = smallest power of two >= n, at least 2; launch m/2 threads with room for m floats
  SL_TODO("lab03.6");
  // END TODO(lab03.6)
  return cudaGetLastError();
}
