// expect: nothing
// Threads of several blocks store the constant 1 to a flag for the host.

static const task TASK = {SORTED, 128, 1};

__global__ void pass(int *x, int odd, int *again) {
  const int i = 2 * (blockIdx.x * 32 + threadIdx.x) + odd;
  if (i + 1 < 128 && x[i] > x[i + 1]) {
    const int y = x[i];
    x[i] = x[i + 1];
    x[i + 1] = y;
    *again = 1;
  }
}

static cudaError_t run(const int *in, int *out, int n) {
  int *p, again = 1;
  cudaMalloc(&p, 4);
  cudaMemcpy(out, in, 512, cudaMemcpyDeviceToDevice);
  while (again) {
    cudaMemset(p, 0, 4);
    pass<<<2, 32>>>(out, 0, p);
    pass<<<2, 32>>>(out, 1, p);
    cudaMemcpy(&again, p, 4, cudaMemcpyDeviceToHost);
  }
  cudaFree(p);
  return cudaGetLastError();
}
