// expect: race.global at 14
// Every thread stores what it thinks is the total. In one block they agree; in the last tile, which is not
// full, and between tiles nobody has made sure of that.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void first(const int *in, int *out, int *sums, int n) {
  __shared__ int total;
  const int i = threadIdx.x, x = in[i], sum = block_sum(x);
  if (i == TILE - 1) total = sum;
  __syncthreads();
  out[i] = sum - x;
  if (i == 0) // twin
    sums[blockIdx.x] = total;
}
