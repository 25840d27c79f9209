// expect: memory.misaligned at 22
// With an odd n the second buffer does not begin at a multiple of 8 bytes: it cannot be read in pairs.

static const task TASK = {EXCLUSIVE, 31, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int temp[62];
  const int t = threadIdx.x;
  int pout = 0;
  if (t < n) temp[t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int pin = pout;
    pout = 1 - pout;
    if (t < n) {
      int x = temp[pin * n + t];
      if (t >= offset) x += temp[pin * n + t - offset];
      temp[pout * n + t] = x;
    }
    __syncthreads();
  }
  if (t < n / 2) reinterpret_cast<int2 *>(out)[t] = reinterpret_cast<int2 *>(temp + pout * n)[t]; // wrong
  if (t == 0) out[n - 1] = temp[pout * n + n - 1]; // wrong
  if (t < n) out[t] = temp[pout * n + t]; // twin
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 32); }
