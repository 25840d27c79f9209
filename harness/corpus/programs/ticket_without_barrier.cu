// expect: race.shared at here, memory.uninit
// The ticket is read before thread 0 is known to have drawn it.

__device__ unsigned ticket;
__global__ void tile(int *d) {
  __shared__ int s_tile;
  int t = threadIdx.x;
  if (t == 0) s_tile = atomicAdd(&ticket, 1);
  __syncthreads(); // twin
  d[(s_tile & 1) * 64 + t] = t; // here
}
static int run() { return played(tile, 2, 64, 512, UNSET); }
