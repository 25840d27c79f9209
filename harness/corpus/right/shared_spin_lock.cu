// expect: nothing
// A lock in shared memory that lanes of one warp take, too.

static const task TASK = {SORTED, 64, 1};

__global__ void sort(const int *in, int *out) {
  __shared__ int lock, c[32];
  const int t = threadIdx.x;
  if (t == 0) lock = 0;
  if (t < 32) c[t] = 0;
  __syncthreads();
  for (bool done = false; !done;)
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence_block();
      c[in[t]]++;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  __syncthreads();
  if (t == 0)
    for (int k = 0, i = 0; k < 32; k++)
      for (int j = c[k]; j; j--) out[i++] = k;
}

static cudaError_t run(const int *in, int *out, int n) {
  sort<<<1, 64>>>(in, out);
  return cudaGetLastError();
}
