// expect: nothing
// The last block is found by fetch_add with acquire and release.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ bool last;
  const int i = blockIdx.x * 64 + threadIdx.x, x = block_scan(in[i]);
  out[i] = x;
  if (threadIdx.x == 63) p[blockIdx.x] = x;
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> c(p[8]);
    last = c.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  int before = 0;
  for (int b = 1; b < gridDim.x; b++) {
    before += p[b - 1];
    out[64 * b + threadIdx.x] += before;
  }
}

static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 4, 64, 9, in, out, n); }
