// expect: nothing
// One thread alone uses a word, and asks for its value behind another condition: the compiler loads the
// word for all lanes and drops the value in the others.

static const task TASK = {INCLUSIVE, 256, 2};

__device__ int last_total, calls;

__global__ void scan_by_tiles(const int *in, int *out, int n) {
  __shared__ int carry, odd_tiles;
  const int t = threadIdx.x;
  if (t == 40) carry = in[0] & 0, odd_tiles = 0;
  for (int b = 0; b < n; b += 64) {
    int before = 0;
    if (t == 40) before = carry;
    if (t == 40 && odd_tiles < b) odd_tiles = in[b] & 1;
    int x = block_scan(in[b + t] + (t ? 0 : b ? out[b - 1] : 0));
    out[b + t] = x;
    if (t == 40) carry = before + x;
    __syncthreads();
  }
  if (t == 0 && !last_total) last_total = out[n - 1];
  if (t == 0 && last_total > n && calls < n) calls = calls + 1 + (in[0] & 1);
}

static cudaError_t run(const int *in, int *out, int n) {
  scan_by_tiles<<<1, 64>>>(in, out, n);
  return cudaGetLastError();
}
