// expect: nothing
// Three buffers need one barrier a round.

static const task TASK = {INCLUSIVE, 512, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[3][64];
  const int t = threadIdx.x;
  int carry = 0;
  s[0][t] = in[t];
  for (int k = 0; k < 8; k++) {
    if (k < 7) s[(k + 1) % 3][t] = in[64 * (k + 1) + t];
    __syncthreads();
    int x = 0, all = 0;
    for (int j = 0; j < 64; j++) {
      const int y = s[k % 3][j];
      all += y;
      x += j <= t ? y : 0;
    }
    out[64 * k + t] = carry + x;
    carry += all;
  }
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
