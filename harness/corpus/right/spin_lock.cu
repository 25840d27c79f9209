// expect: nothing
// A lock for each key in global memory, with fences.

static const task TASK = {SORTED, 128, 1};

__global__ void count(const int *in, int *p) {
  if (threadIdx.x) return;
  const int key = in[blockIdx.x];
  int *lock = p + 32 + key;
  while (atomicCAS(lock, 0, 1)) {
  }
  __threadfence();
  p[key] = p[key] + 1;
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void place(int *out, const int *p) {
  for (int k = 0, i = 0; k < 32; k++)
    for (int c = p[k]; c; c--) out[i++] = k;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *p;
  cudaMalloc(&p, 256);
  cudaMemset(p, 0, 256);
  count<<<n, 32>>>(in, p);
  place<<<1, 1>>>(out, p);
  cudaFree(p);
  return cudaGetLastError();
}
