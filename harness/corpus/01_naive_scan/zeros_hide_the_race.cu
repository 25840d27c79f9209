// expect: race.shared at 15
// The flags that are added up are all 0 for this input, so every order gives the same sums. The reads and
// writes of one step are not ordered all the same.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void positions(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t] > 1000; // none is
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads(); // twin
    s[t] += left;
    __syncthreads();
  }
  out[t] = s[t];
}

__global__ void plain_scan(const int *in, int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) out[i] = sum += in[i];
}

static cudaError_t run(const int *in, int *out, int n) {
  positions<<<1, 64>>>(in, out, n);
  plain_scan<<<1, 1>>>(in, out, n);
  return cudaGetLastError();
}
