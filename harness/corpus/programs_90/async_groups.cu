// expect: race.async at each here
// with: --profile h100
// Asynchronous copies with a wait that is missing, that names a group too old, or that is of another thread.

__global__ void committed(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit(); // twin
  __pipeline_wait_prior(0);
  out[t] = s[t]; // here
}

__global__ void double_buffered(const int *in, int *out, int tiles) {
  __shared__ int s[2][64];
  int t = threadIdx.x;
  for (int k = -1; k < tiles; k++) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&s[(k + 1) & 1][t], &in[(k + 1) * 64 + t], 4);
    __pipeline_commit(); // an empty one behind the last tile, so that one younger group is always there // twin
    if (k + 1 < tiles) __pipeline_commit(); // wrong
    if (k < 0) continue;
    __pipeline_wait_prior(1);
    __syncthreads();
    out[k * 64 + t] = s[k & 1][63 - t]; // here
    __syncthreads();
  }
}

__global__ void reversed(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0); // twin
  if (t < 32) __pipeline_wait_prior(0); // wrong
  __syncthreads();
  out[t] = s[63 - t]; // here
}

static int run() {
  int *d = filled(2048);
  committed<<<1, 64>>>(d, d + 256);
  double_buffered<<<1, 64>>>(d, d + 256, 4);
  reversed<<<1, 64>>>(d, d + 256);
  return ended_with(cudaSuccess);
}
