// Lab 02 · Double-buffered scan. EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check 02   One input: ./scanlab run 02 --n 1000
#include "scanlab/lab.h"

/* Kernel:   double_buffer_kernel — exclusive sum of d_in[0..n) by one block, from one shared buffer to another
 * Launch:   grid = 1, block = n rounded up to whole warps (32..1024)
 * Shared:   dynamic, 2 * n * 4 bytes (n=1024: 8192); buffer b is temp[b*n .. b*n + n)
 * Work:     n*L - (2^L - 1) adds, L = ceil(log2(n)); n=1024: 9217   Steps: L   Barriers: L + 1 (n=1024: 11)
 * Valid in: d_out[0..n), element t by thread t     In-place: allowed (every load precedes the first barrier)
 * Source:   Harris 2007, "Parallel Prefix Sum (Scan) with CUDA", Listing 1 (its addition is wrong, see README.md) */
__global__ void double_buffer_kernel(const float *d_in, float *d_out, int n) {
  extern __shared__ float temp[]; // 2 * n elements
  int pout = 0;                   // the buffer that a step writes; the other one is read

  // TODO(lab02.1, ~3 lines): fill buffer 0 with the input shifted right by one: 0, d_in[0], d_in[1], ..; barrier
  SL_TODO("lab02.1");
  // END TODO(lab02.1)

  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    // TODO(lab02.2, ~7 lines): buffer pout = buffer 1 - pout plus its left neighbour `offset` away, if any; barrier
    SL_TODO("lab02.2");
    // END TODO(lab02.2)
  }

  // TODO(lab02.3, ~1 line): thread t writes element t of the buffer written last to d_out
  SL_TODO("lab02.3");
  // END TODO(lab02.3)
}

extern "C" cudaError_t lab02_double_buffer_scan(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  // TODO(lab02.4, ~2 lines): launch one block of n threads, rounded up to whole warps, with room for both buffers
  SL_TODO("lab02.4");
  // END TODO(lab02.4)
  return cudaGetLastError();
}
