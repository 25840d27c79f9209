// expect: barrier.mask at 14
// The last warp has fewer elements than lanes, and the match names all.

static const task TASK = {SORTED, 45, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int count[32];
  const int t = threadIdx.x;
  if (t < 32) count[t] = 0;
  __syncthreads();
  const unsigned there = __ballot_sync(0xffffffff, t < n);
  if (t < n) {
    const int key = in[t];
    const unsigned same = __match_any_sync(0xffffffff, key); // wrong
    const unsigned same = __match_any_sync(there, key); // twin
    if (t % 32 == __ffs(same) - 1) atomicAdd(&count[key], __popc(same));
  }
  __syncthreads();
  if (t == 0)
    for (int k = 0, i = 0; k < 32; k++)
      for (int j = count[k]; j > 0; j--) out[i++] = k;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
