// expect: race.shared at 15
// One block goes over all tiles with a carry; it is written for the next tile while others still read it.

static const task TASK = {EXCLUSIVE, 300, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int carry;
  if (threadIdx.x == 0) carry = 0;
  __syncthreads();
  for (int first = 0; first < n; first += TILE) {
    const int i = first + threadIdx.x, x = i < n ? in[i] : 0;
    const int sum = block_sum(x), before = carry;
    if (i < n) out[i] = before + sum - x;
    __syncthreads(); // twin
    if (threadIdx.x == TILE - 1) carry = before + sum;
    __syncthreads();
  }
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, TILE); }
