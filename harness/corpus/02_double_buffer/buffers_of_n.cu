// The scan of lab 02 by a block with more threads than elements, with one mistake at a time.
//
// expect buffer_of_block_size: memory.bounds at 24
// The kernel lets the second buffer begin behind blockDim.x elements, the launch behind n.
// expect barrier_under_the_guard: barrier.divergent at 25
// The barrier stands inside the guard against threads without an element.

static const task TASK = {EXCLUSIVE, 50, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  const int size = blockDim.x; // wrong buffer_of_block_size
  const int size = n; // not buffer_of_block_size
  int pout = 0;
  if (t < n) temp[t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int pin = pout;
    pout = 1 - pout;
    if (t < n) {
      int x = temp[pin * size + t];
      if (t >= offset) x += temp[pin * size + t - offset];
      temp[pout * size + t] = x;
      __syncthreads(); // wrong barrier_under_the_guard
    }
    __syncthreads(); // not barrier_under_the_guard
  }
  if (t < n) out[t] = temp[pout * size + t];
}

static cudaError_t run(const int *in, int *out, int n) {
  return one_block(scan, in, out, n, 64, 2 * n * sizeof(int));
}
