// expect: memory.uninit at here
// All of s was written and read; then a copy of what nobody has written makes its elements unwritten again.

__global__ void copy_back(int *d) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = d[t], s[64 + t] = 7; // twin
  s[t] = d[t]; // wrong
  __syncthreads();
  int mirror = s[63 - t];
  __syncthreads();
  s[t] = s[64 + t]; // here: the second half was never filled
  __syncthreads();
  if (s[63 - t] > mirror) d[t] = 1;
}
static int run() {
  int *d = filled(256, 1);
  copy_back<<<1, 64, 512>>>(d);
  return ended_with(cudaSuccess);
}
