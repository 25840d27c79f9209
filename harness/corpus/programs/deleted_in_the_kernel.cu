// expect: memory.freed at here
// A thread deletes its array and reads it once more.

__global__ void make(int *d) {
  int *own = new int[4];
  own[2] = threadIdx.x;
  delete[] own; // wrong
  d[threadIdx.x] = own[2]; // here
  delete[] own; // twin
}
static int run() {
  int *d;
  cudaMalloc(&d, 128);
  make<<<1, 32>>>(d);
  return ended_with(cudaErrorIllegalAddress);
}
