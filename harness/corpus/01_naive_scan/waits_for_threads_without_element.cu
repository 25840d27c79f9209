// expect: progress.deadlock at 13
// A barrier made at home counts arrivals, but only threads that have an element arrive.

static const task TASK = {INCLUSIVE, 50, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64], arrived;
  const int t = threadIdx.x;
  if (t == 0) arrived = 0;
  s[t] = 0;
  __syncthreads();
  if (t < n) s[t] = in[t], __threadfence_block(), atomicAdd(&arrived, 1); // wrong
  while (*(volatile int *)&arrived < blockDim.x) continue; // wrong
  __threadfence_block(); // wrong
  if (t < n) s[t] = in[t]; // twin
  __syncthreads(); // twin
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  if (t < n) out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
