// expect: race.shared at 15
// The barrier at the end of a step is missing: the next step reads elements that others still write.

static const task TASK = {INCLUSIVE, 100, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const bool active = t >= offset && t < n;
    const int left = active ? s[t - offset] : 0;
    __syncthreads();
    if (active) s[t] += left;
    __syncthreads(); // twin
  }
  if (t < n) out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) {
  return one_block(scan, in, out, n, 128, n * sizeof(int));
}
