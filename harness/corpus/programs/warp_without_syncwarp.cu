// expect: race.shared at here
// says: Put __syncthreads() between line 12 and line 14
// Warp-synchronous reduction: volatile does not make the lanes of a warp wait for each other.

__global__ void sum(int *d) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  s[t] = d[t], s[t + 32] = 0;
  __syncwarp();
#pragma unroll 1
  for (int o = 16; o > 0; o /= 2) {
    int x = s[t + o]; // here, trip 2
    __syncwarp(); // twin
    s[t] += x; // here
    __syncwarp(); // twin
  }
  if (t == 0) d[0] = s[0];
}
static int run() { return played(sum, 1, 32, 256, 0x11); }
