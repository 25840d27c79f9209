// expect: race.shared
// The counts are added up by atomics and read without a barrier.

static const task TASK = {SORTED, 64, 1};

__global__ void sort(const int *in, int *out) {
  __shared__ int count[KEYS];
  const int t = threadIdx.x;
  if (t < KEYS) count[t] = 0;
  __syncthreads();
  atomicAdd(&count[in[t]], 1);
  __syncthreads(); // twin
  if (t == 0)
    for (int k = 0, i = 0; k < KEYS; k++)
      for (int c = count[k]; c > 0 && i < 64; c--) out[i++] = k;
}

static cudaError_t run(const int *in, int *out, int n) {
  sort<<<1, 64>>>(in, out);
  return cudaGetLastError();
}
