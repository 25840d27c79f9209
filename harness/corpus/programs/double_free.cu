// expect: memory.freed at only wrong
// Device memory that is given back twice.

__global__ void twice(int *out) {
  int *p = (int *)malloc(16 * sizeof(int));
  p[threadIdx.x & 15] = threadIdx.x;
  out[threadIdx.x] = p[threadIdx.x & 15];
  free(p);
  if (threadIdx.x == 3) free(nullptr); // twin
  if (threadIdx.x == 3) free(p); // wrong
}
static int run() {
  int *x = unset(128);
  twice<<<1, 32>>>(x);
  return ended_with(cudaErrorLaunchFailure);
}
