// expect: order.fence
// A lock for each key, by compare-and-swap and exchange. What it guards is not made visible.

static const task TASK = {SORTED, 128, 1};

__global__ void count(const int *in, int *counts, int *locks) {
  const int key = in[blockIdx.x];
  if (threadIdx.x) return;
  while (atomicCAS(&locks[key], 0, 1) != 0) {
  }
  __threadfence(); // twin
  *(volatile int *)&counts[key] = *(volatile int *)&counts[key] + 1; // twin
  __threadfence(); // twin
  counts[key] = counts[key] + 1; // wrong
  atomicExch(&locks[key], 0);
}
__global__ void place(int *out, const int *counts) {
  for (int k = 0, i = 0; k < KEYS; k++)
    for (int c = counts[k]; c > 0 && i < 128; c--) out[i++] = k;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *counts;
  MUST(cudaMalloc((void **)&counts, 2 * KEYS * sizeof(int)));
  cudaMemset(counts, 0, 2 * KEYS * sizeof(int));
  count<<<n, 32>>>(in, counts, counts + KEYS);
  place<<<1, 1>>>(out, counts);
  return freed(counts);
}
