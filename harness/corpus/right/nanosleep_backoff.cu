// expect: nothing
// A chain that polls by atomicAdd of 0 and sleeps longer each time.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ int before;
  const int i = blockIdx.x * 64 + threadIdx.x, x = block_scan(in[i]);
  if (threadIdx.x == 63) {
    int b = 0, ns = 8;
    if (blockIdx.x) {
      while (atomicAdd(p + 32 + blockIdx.x - 1, 0) == 0) {
        __nanosleep(ns);
        ns = min(2 * ns, 256);
      }
      __threadfence();
      b = __ldcg(p + blockIdx.x - 1);
    }
    __stcg(p + blockIdx.x, b + x);
    __threadfence();
    atomicExch(p + 32 + blockIdx.x, 1);
    before = b;
  }
  __syncthreads();
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 4, 64, 64, in, out, n); }
