// expect: nothing
// A barrier of the grid in every round: the first thread waits between two barriers of its block.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  int *count = p, *sense = p + 1, mine = 0, from = 0;
  int *buffer = p + 32;
  const int i = blockIdx.x * 32 + threadIdx.x;
  buffer[i] = in[i];
  for (int offset = 1; offset <= 256; offset *= 2) {
    __syncthreads();
    if (threadIdx.x == 0) {
      mine ^= 1;
      __threadfence();
      if (atomicAdd(count, 1) == gridDim.x - 1) {
        *count = 0;
        __threadfence();
        *(volatile int *)sense = mine;
      } else {
        while (*(volatile int *)sense != mine) {
        }
      }
      __threadfence();
    }
    __syncthreads();
    if (offset == 256) break;
    const int left = i >= offset ? buffer[from * 256 + i - offset] : 0;
    buffer[(1 - from) * 256 + i] = buffer[from * 256 + i] + left;
    from = 1 - from;
  }
  out[i] = buffer[from * 256 + i];
}

static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 8, 32, 1024, in, out, n); }
