// expect: repeat.state at here
// with: --thorough
// The last block to end writes the total; the counter that tells which block is last is never set back to 0.

__device__ unsigned done;
__global__ void total(int *partial, int *out) {
  partial[blockIdx.x] = 1;
  __threadfence();
  if (atomicAdd(&done, 1u) == gridDim.x - 1) { // here
    __threadfence();
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++) sum += ((volatile int *)partial)[b];
    *out = sum;
    done = 0; // twin
  }
}
static int run() {
  int *partial = unset(64), *out = unset(4), h = 0;
  for (int k = 0; k < 2; k++) {
    if (cudaMemset(out, 0, 4)) return 1;
    total<<<16, 1>>>(partial, out);
    if (cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost)) return 1;
    printf("%d\n", h);
  }
  cudaFree(partial), cudaFree(out);
  return 0;
}
