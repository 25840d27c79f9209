// expect: nothing
// Threads past the end return before the barriers of the block's scan, some of a warp in which others stay.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void sums_of_tiles(const int *in, int *out, int *sums, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i >= n) return;
  s[t] = in[i];
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  out[i] = s[t] - in[i];
  if (i == n - 1 || t == 63) sums[blockIdx.x] = s[t];
}
__global__ void add(int *out, const int *sums, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  for (int k = 0; k < blockIdx.x && i < n; k++) out[i] += sums[k];
}

static cudaError_t run(const int *in, int *out, int n) {
  int *sums;
  cudaMalloc(&sums, 8 * sizeof(int));
  sums_of_tiles<<<8, 64>>>(in, out, sums, n);
  add<<<8, 64>>>(out, sums, n);
  cudaFree(sums);
  return cudaGetLastError();
}
