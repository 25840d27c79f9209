// expect: memory.misaligned at only here
// A vector load from an address that is not a multiple of 16.

__global__ void shifted(const int *x, int4 *out, int by) {
  out[threadIdx.x] = *(const int4 *)(x + 4 * threadIdx.x + by); // here
}
static int run() {
  int *x;
  int4 *out;
  cudaMalloc(&x, 1024);
  cudaMalloc(&out, 32 * sizeof(int4));
  cudaMemset(x, 0, 1024);
  shifted<<<1, 32>>>(x, out, 4); // twin
  shifted<<<1, 32>>>(x, out, 1); // wrong
  return ended_with(cudaErrorMisalignedAddress);
}
