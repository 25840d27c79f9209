// expect: race.shared at 18
// bar.sync 1, 32 is a barrier of 32 threads: each warp passes it alone.

static const task TASK = {INCLUSIVE, 64, 1};

__device__ void meet() {
  asm volatile("bar.sync 1, 32;" ::: "memory"); // wrong
  asm volatile("bar.sync 1, 64;" ::: "memory"); // twin
}

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int temp[2][64];
  const int t = threadIdx.x;
  int from = 0;
  temp[0][t] = in[t];
  meet();
  for (int offset = 1; offset < 64; offset *= 2) {
    temp[1 - from][t] = temp[from][t] + (t >= offset ? temp[from][t - offset] : 0);
    from = 1 - from;
    meet();
  }
  out[t] = temp[from][t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
