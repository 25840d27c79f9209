// expect: race.global at 13
// Ping-pong in global memory with one launch for all steps: a barrier does not order two blocks.

static const task TASK = {INCLUSIVE, 128, 1};

__global__ void step(const int *from, int *to, int offset) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  to[i] = from[i] + (i >= offset ? from[i - offset] : 0);
}
__global__ void steps(int *a, int *b) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  for (int offset = 1; offset < 128; offset *= 2) {
    b[i] = a[i] + (i >= offset ? a[i - offset] : 0);
    int *x = a;
    a = b, b = x;
    __syncthreads();
  }
}

static cudaError_t run(const int *in, int *out, int n) {
  int *other;
  MUST(cudaMalloc((void **)&other, n * sizeof(int)));
  cudaMemcpy(other, in, n * sizeof(int), cudaMemcpyDeviceToDevice); // wrong
  steps<<<2, 64>>>(other, out); // wrong
  cudaMemcpy(other, in, n * sizeof(int), cudaMemcpyDeviceToDevice); // twin
  int *from = other, *to = out; // twin
  for (int offset = 1; offset < n; offset *= 2) { // twin
    step<<<2, 64>>>(from, to, offset); // twin
    int *x = from; // twin
    from = to, to = x; // twin
  } // twin
  return freed(other);
}
