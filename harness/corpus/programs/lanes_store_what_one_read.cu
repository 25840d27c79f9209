// expect: race.shared at here
// Lane 0 reads a word; all lanes store to it while lane 0 may not have read it yet.

__global__ void next(int *out, int slot, int same) {
  __shared__ int first[32];
  first[threadIdx.x] = threadIdx.x;
  __syncwarp();
  if (threadIdx.x == 0) out[0] = first[slot];
  __syncwarp(); // twin
  first[same] = -1; // here
  __syncwarp();
  out[threadIdx.x + 1] = first[slot];
}
static int run() { return played(next, 1, 32, 33 * 4, UNSET, 5, 5); }
