// expect: race.shared at here
// Lane 0 adds to a word; all lanes store to it while lane 0 may not have done so yet.

__global__ void next(int *out, int slot, int same) {
  __shared__ int first[32];
  first[threadIdx.x] = threadIdx.x;
  __syncwarp();
  if (threadIdx.x == 0) first[slot] += 7;
  __syncwarp(); // twin
  first[same] = 0; // here
  __syncwarp();
  out[threadIdx.x] = first[slot];
}
static int run() { return played(next, 1, 32, 32 * 4, UNSET, 5, 5); }
