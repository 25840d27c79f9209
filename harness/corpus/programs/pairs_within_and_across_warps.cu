// expect: race.shared at here
// says: Put __syncthreads() between line
// The first pairs that meet are lanes of one warp, others are of two warps: __syncwarp() would not be enough.

__global__ void shift(int *d) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads(); // twin
  d[t] = t > 0 ? s[t - 1] : 0; // here
}
static int run() { return played(shift, 1, 64, 256, UNSET); }
