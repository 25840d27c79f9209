// expect: memory.readonly at only here
// A table in constant memory, written by the kernel that reads it.

__constant__ int table[32] = {1};
__global__ void rotate(int *out, int *t) {
  out[threadIdx.x] = table[threadIdx.x];
  t[threadIdx.x] = out[threadIdx.x] + 1; // here
}
static int run() {
  int *x, *t;
  cudaMalloc(&x, 128);
  cudaMalloc(&t, 128); // twin
  cudaGetSymbolAddress((void **)&t, table); // wrong
  rotate<<<1, 32>>>(x, t);
  return ended_with(cudaErrorIllegalAddress);
}
