// expect: nothing
// Lanes that happen to be together are grouped by key, and one adds for each group.

static const task TASK = {SORTED, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int c[32];
  const int t = threadIdx.x, key = in[t];
  if (t < 32) c[t] = 0;
  __syncthreads();
  if (key & 1) {
    cg::coalesced_group g = cg::coalesced_threads();
    cg::coalesced_group h = cg::labeled_partition(g, key);
    if (h.thread_rank() == 0) atomicAdd(&c[key], (int)h.size());
  } else
    atomicAdd(&c[key], 1);
  __syncthreads();
  int i = 0;
  for (int k = 0; k < 32; k++)
    for (int j = 0; j < c[k]; j++, i++)
      if (i == t) out[i] = k;
}
