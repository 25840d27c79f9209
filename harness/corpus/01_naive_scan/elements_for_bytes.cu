// expect: memory.bounds at 9
// The launch asks for n bytes of shared memory instead of n elements.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) {
  scan<<<1, n, n>>>(in, out, n); // wrong
  scan<<<1, n, n * sizeof(int)>>>(in, out, n); // twin
  return cudaGetLastError();
}
