// expect: memory.uninit at here
// The last element is compared with its right neighbour, which nobody has written: that decides a branch.

__global__ void count_runs(int *out, const int *in) {
  __shared__ int s[65];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) s[64] = -1; // twin
  __syncthreads();
  if (s[threadIdx.x] != s[threadIdx.x + 1]) // here
    atomicAdd(out, 1);
}
static int run() {
  int *out = filled(4), *in = filled(256);
  count_runs<<<1, 64>>>(out, in);
  return ended_with(cudaSuccess);
}
