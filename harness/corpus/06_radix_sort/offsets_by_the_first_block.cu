// expect: race.global
// Block 0 turns the counts into offsets, and the others wait only at their own barrier.

static const task TASK = {SORTED, 128, 1};

__global__ void count(const int *in, int *counts) {
  atomicAdd(&counts[in[blockIdx.x * 64 + threadIdx.x]], 1);
}
__global__ void offsets(int *counts) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (int k = 0, sum = 0; k < KEYS; k++) {
      const int c = counts[k];
      counts[k] = sum, sum += c;
    }
}
__global__ void place(const int *in, int *out, int *counts, bool first) {
  if (first && blockIdx.x == 0 && threadIdx.x == 0)
    for (int k = 0, sum = 0; k < KEYS; k++) {
      const int c = counts[k];
      counts[k] = sum, sum += c;
    }
  __syncthreads();
  const int key = in[blockIdx.x * 64 + threadIdx.x];
  const int p = atomicAdd(&counts[key], 1);
  if (p < 128) out[p] = key;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *counts;
  MUST(cudaMalloc((void **)&counts, KEYS * sizeof(int)));
  cudaMemset(counts, 0, KEYS * sizeof(int));
  count<<<2, 64>>>(in, counts);
  place<<<2, 64>>>(in, out, counts, true); // wrong
  offsets<<<1, 64>>>(counts); // twin
  place<<<2, 64>>>(in, out, counts, false); // twin
  return freed(counts);
}
