// expect: barrier.mask at 13
// One warp, by shuffles: the mask names the lanes that have an element, but all execute the shuffle.

static const task TASK = {EXCLUSIVE, 20, 1};

__global__ void scan(const int *in, int *out, int n) {
  const int t = threadIdx.x;
  const unsigned mask = (1u << n) - 1; // wrong
  const unsigned mask = ~0u; // twin
  const int x = t < n ? in[t] : 0;
  int sum = x;
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(mask, sum, offset);
    if (t >= offset) sum += left;
  }
  if (t < n) out[t] = sum - x;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 32); }
