// expect: memory.bounds at only here
// The neighbour to the left of element 0.

__global__ void difference(const int *x, int *out) {
  out[threadIdx.x] = x[threadIdx.x] -
                     x[(int)threadIdx.x - 1]; // here
}
static int run() {
  int *x = filled(128), *out = unset(128);
  difference<<<1, 31>>>(x + 1, out); // twin
  difference<<<1, 32>>>(x, out); // wrong
  return ended_with(cudaErrorIllegalAddress);
}
