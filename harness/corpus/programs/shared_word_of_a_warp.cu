// expect: race.shared at here
// says: Put __syncwarp() between line
// Each warp has a word of its own, which its first lane stores.

__global__ void shift(int *d) {
  __shared__ int s_first[2];
  int t = threadIdx.x;
  if (t % 32 == 0) s_first[t / 32] = d[t]; // here
  __syncwarp(); // twin
  d[64 + t] = s_first[t / 32] + t; // here
}
static int run() { return played(shift, 1, 64, 512, 0); }
