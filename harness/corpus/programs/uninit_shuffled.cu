// expect: memory.uninit at here
// Half of the tile is loaded, all of it is summed: the values pass registers and shuffles.

__global__ void sum(int *out, const int *in) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x < 16 ? in[threadIdx.x] : 0; // twin
  if (threadIdx.x < 16) s[threadIdx.x] = in[threadIdx.x]; // wrong
  __syncwarp();
  int x = s[threadIdx.x]; // here
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
  if (threadIdx.x == 0) *out = x;
}
static int run() {
  int *out = unset(4), *in = filled(128);
  sum<<<1, 32>>>(out, in);
  return ended_with(cudaSuccess);
}
