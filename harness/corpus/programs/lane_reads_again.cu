// expect: race.shared at here
// All lanes read a word; the first one adds to it while the others may not have read it yet.

__global__ void next(int *out, int slot, int same) {
  __shared__ int first[32];
  first[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = first[slot] + threadIdx.x;
  __syncwarp(); // twin
  if (threadIdx.x == 0) first[same] += 32; // here
  __syncwarp();
  out[threadIdx.x] += first[slot];
}
static int run() { return played(next, 1, 32, 32 * 4, UNSET, 5, 5); }
