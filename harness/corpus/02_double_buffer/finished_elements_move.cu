// The scan of lab 02 that asks first whether an element is finished, with one mistake at a time.
//
// expect finished_elements_not_copied: memory.uninit at 20
// An element without a left neighbour at this distance is finished, but it has to move, too.
// expect adds_to_the_old_output: memory.uninit at 19
// Harris's listing as printed: += adds to the word that is about to be written, which is garbage.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  int pout = 0;
  temp[t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int pin = pout;
    pout = 1 - pout;
    if (t >= offset) temp[pout * n + t] += temp[pin * n + t - offset]; // wrong adds_to_the_old_output
    if (t >= offset) temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset]; // not adds_to_the_old_output
    else // not finished_elements_not_copied
      temp[pout * n + t] = temp[pin * n + t]; // not finished_elements_not_copied
    __syncthreads();
  }
  out[t] = temp[pout * n + t];
}

static cudaError_t run(const int *in, int *out, int n) {
  return one_block(scan, in, out, n, n, 2 * n * sizeof(int));
}
