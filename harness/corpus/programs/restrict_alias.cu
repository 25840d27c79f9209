// expect: memory.readonly at here, race.global
// Both parameters are the same array, although the kernel promises with __restrict__ that they are not.

__global__ void smooth(const int *__restrict__ in, int *out) {
  out[threadIdx.x] = 2 * (int)threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = in[threadIdx.x ^ 1]; // here
}
static int run() {
  int *d = filled(256), *e = filled(256);
  e = d; // wrong
  smooth<<<1, 32>>>(d, e);
  return ended_with(cudaSuccess);
}
