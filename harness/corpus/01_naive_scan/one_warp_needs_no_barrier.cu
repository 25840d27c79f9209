// expect: race.shared at 12
// "A warp runs in lock step": not since compute capability 7.0. Something must order threads of a warp, too.

static const task TASK = {INCLUSIVE, 32, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp(); // twin
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncwarp(); // twin
    s[t] += left;
    __syncwarp(); // twin
  }
  out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 32); }
