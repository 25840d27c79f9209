// expect: memory.misaligned at 12
// Behind n bytes of flags an array of int begins anywhere.

static const task TASK = {INCLUSIVE, 45, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ __align__(16) char raw[];
  int *s = (int *)(raw + n); // wrong
  int *s = (int *)(raw + (n + 3) / 4 * 4); // twin
  const int t = threadIdx.x;
  raw[t] = t == 0;
  s[t] = in[t];
  __syncthreads();
  int x = 0;
  for (int k = 0; k <= t; k++) x = raw[k] ? s[k] : x + s[k];
  out[t] = x;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, n, 6 * n); }
