// The scan of lab 01 by a block with more threads than elements, with one mistake at a time.
//
// expect load_guard_off_by_one: memory.bounds at 15
// The guard lets the thread behind the last element read the input.
// expect tail_never_filled: memory.uninit at 20
// Threads behind the end load nothing, but they add: they read words that nobody has written.
// expect store_without_guard: memory.bounds at 25
// Threads that were only there to fill up the last warp write behind the end of the output.

static const task TASK = {INCLUSIVE, 50, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t <= n ? in[t] : 0; // wrong load_guard_off_by_one
  if (t < n) s[t] = in[t]; // wrong tail_never_filled
  s[t] = t < n ? in[t] : 0; // not load_guard_off_by_one, tail_never_filled
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  out[t] = s[t]; // wrong store_without_guard
  if (t < n) out[t] = s[t]; // not store_without_guard
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
