// expect: memory.bounds at 20
// The buffers are two arrays: before the first element of one lies no zero but the last element of the other.

static const task TASK = {EXCLUSIVE, 64, 1};

__device__ void step(const int *from, int *to, int offset) {
  const int t = threadIdx.x;
  to[t] = from[t] + (t >= offset ? from[t - offset] : 0);
  __syncthreads();
}

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int even[64], odd[64];
  const int t = threadIdx.x;
  even[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 4) step(even, odd, offset), step(odd, even, 2 * offset);
  odd[t] = even[t];
  __syncthreads();
  out[t] = odd[t - 1]; // wrong
  out[t] = t > 0 ? odd[t - 1] : 0; // twin
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
