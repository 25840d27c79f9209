// expect: shared_ld_replays above 0 at 14
// A square of 32 x 32 words: a column lies in one bank.

static const task TASK = {INCLUSIVE, 1024, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[32][32]; // wrong
  __shared__ int s[32][33]; // twin
  const int t = threadIdx.x;
  for (int r = 0; r < 32; r++) s[r][t] = in[32 * r + t];
  __syncwarp();
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 32; k++) sum += s[t][k];
  int x = sum;
  for (int o = 1; o < 32; o *= 2) {
    const int left = __shfl_up_sync(0xffffffff, x, o);
    if (t >= o) x += left;
  }
  x -= sum;
  __syncwarp();
  for (int r = 0; r < 32; r++) {
    int y = in[32 * r + t];
    for (int o = 1; o < 32; o *= 2) {
      const int left = __shfl_up_sync(0xffffffff, y, o);
      if (t >= o) y += left;
    }
    out[32 * r + t] = y + __shfl_sync(0xffffffff, x, r);
  }
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 32); }
