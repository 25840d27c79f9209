// expect: race.shared at each here
// Each warp has a room of 33 words, and the rooms begin 32 words apart.

__global__ void work(int *d) {
  __shared__ int rooms[4 * 33];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int *own = rooms + warp * 32; // wrong
  int *own = rooms + warp * 33; // twin
  own[lane] = d[threadIdx.x]; // here
  if (lane == 0) own[32] = warp; // here
  __syncwarp();
  d[threadIdx.x] = own[lane] + own[32];
}
static int run() { return played(work, 1, 128, 512, 0); }
