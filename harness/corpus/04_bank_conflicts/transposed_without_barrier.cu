// expect: race.shared at 12
// One warp transposes through shared memory and reads the columns at once.

static const task TASK = {INCLUSIVE, 1024, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[32][33];
  const int t = threadIdx.x;
  for (int r = 0; r < 32; r++) s[r][t] = in[32 * r + t];
  __syncwarp(); // twin
  int sum = 0;
  for (int k = 0; k < 32; k++) sum += s[t][k];
  int before = sum;
  for (int o = 1; o < 32; o *= 2) {
    const int left = __shfl_up_sync(0xffffffff, before, o);
    if (t >= o) before += left;
  }
  int x = before - sum;
  for (int k = 0; k < 32; k++) s[t][k] = x += s[t][k];
  __syncwarp();
  for (int r = 0; r < 32; r++) out[32 * r + t] = s[r][t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 32); }
