// expect: memory.bounds at each here
// says: gives the block no dynamic shared memory
// The launch forgets the size of the dynamic shared array.

__global__ void reversed(int *x) {
  __shared__ int last;
  extern __shared__ int given[];
  if (threadIdx.x == 63) last = x[63];
  given[threadIdx.x] = x[threadIdx.x]; // here
  __syncthreads();
  x[threadIdx.x] = given[63 - threadIdx.x] + last; // here
}
static int run() {
  int *x = filled(256);
  reversed<<<1, 64, 256>>>(x); // twin
  reversed<<<1, 64>>>(x); // wrong
  return ended_with(cudaErrorIllegalAddress);
}
