// expect: race.shared at here, race.global
// The block's number is broadcast through s_data[0], which is loaded with data before everybody has read it.

__device__ unsigned ticket;
__global__ void tile(int *d) {
  __shared__ int s_data[128];
  int t = threadIdx.x;
  if (t == 0) s_data[0] = atomicAdd(&ticket, 1);
  __syncthreads();
  int bid = s_data[0] & 1;
  __syncthreads(); // twin
  s_data[t] = d[bid * 128 + t]; // here
  __syncthreads();
  d[bid * 128 + t] = s_data[127 - t] + bid;
}
static int run() { return played(tile, 2, 128, 1024, 1); }
