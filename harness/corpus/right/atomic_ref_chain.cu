// expect: nothing
// A chain of blocks by cuda::atomic_ref: plain data, a flag with release and acquire.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ int before;
  const int i = blockIdx.x * 64 + threadIdx.x, x = block_scan(in[i]);
  if (threadIdx.x == 63) {
    int b = 0;
    if (blockIdx.x) {
      cuda::atomic_ref<int, cuda::thread_scope_device> f(p[32 + blockIdx.x - 1]);
      while (f.load(cuda::memory_order_acquire) == 0) {
      }
      b = p[blockIdx.x - 1];
    }
    p[blockIdx.x] = b + x;
    cuda::atomic_ref<int, cuda::thread_scope_device> f(p[32 + blockIdx.x]);
    f.store(1, cuda::memory_order_release);
    before = b;
  }
  __syncthreads();
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 4, 64, 64, in, out, n); }
