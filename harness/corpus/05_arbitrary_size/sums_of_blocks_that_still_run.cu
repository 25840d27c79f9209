// expect: race.global at 13
// A barrier is not enough to see what other blocks have written: only the end of a launch orders blocks.

static const task TASK = {EXCLUSIVE, 500, 1};

__device__ int sums[8];
__global__ void scan(const int *in, int *out, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x, x = i < n ? in[i] : 0;
  const int sum = block_sum(x);
  if (threadIdx.x == TILE - 1) sums[blockIdx.x] = sum;
  __syncthreads();
  int before = 0;
  for (int b = 0; b < blockIdx.x; b++) before += sums[b]; // wrong
  if (i < n) out[i] = before + sum - x;
}
__global__ void add_all_before(int *out, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x;
  for (int b = 0; b < blockIdx.x && i < n; b++) out[i] += sums[b];
}

static cudaError_t run(const int *in, int *out, int n) {
  scan<<<tiles_of(n), TILE>>>(in, out, n);
  add_all_before<<<tiles_of(n), TILE>>>(out, n); // twin
  return cudaGetLastError();
}
