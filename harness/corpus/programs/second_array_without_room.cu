// expect: memory.bounds at each here
// Two arrays in one dynamic array, and the launch asks for the bytes of one and a quarter.

__global__ void turn(int *d, int n) {
  extern __shared__ int both[];
  int *keys = both, *places = both + n;
  keys[threadIdx.x] = d[threadIdx.x];
  places[threadIdx.x] = threadIdx.x; // here
  __syncthreads();
  d[threadIdx.x] = keys[n - 1 - threadIdx.x] + places[n - 1 - threadIdx.x]; // here
}
static int run() {
  int *d;
  cudaMalloc(&d, 256), cudaMemset(d, 0, 256);
  turn<<<1, 64, 64 * 5>>>(d, 64); // wrong
  turn<<<1, 64, 64 * 8>>>(d, 64); // twin
  return ended_with(cudaErrorIllegalAddress);
}
