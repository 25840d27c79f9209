// expect: nothing
// A chain by volatile prefixes and flags with fences.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ int before, tile;
  if (threadIdx.x == 0) tile = atomicAdd(p + 63, 1);
  __syncthreads();
  const int i = tile * 64 + threadIdx.x, x = block_scan(in[i]);
  volatile int *v = p;
  if (threadIdx.x == 63) {
    int b = 0;
    if (tile) {
      while (v[32 + tile - 1] == 0) {
      }
      __threadfence();
      b = v[tile - 1];
    }
    v[tile] = b + x;
    __threadfence();
    v[32 + tile] = 1;
    before = b;
  }
  __syncthreads();
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 4, 64, 64, in, out, n); }
