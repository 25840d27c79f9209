// expect: race.shared at 16
// Some threads raise a volatile flag in shared memory, and all test it without a barrier.

static const task TASK = {SORTED, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ volatile int unsorted;
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (t == 0) unsorted = 0;
  __syncthreads();
  if (t > 0 && s[t - 1] > s[t]) unsorted = 1;
  __syncthreads(); // twin
  int place = t;
  if (unsorted) {
    place = 0;
    for (int k = 0; k < 64; k++) place += s[k] < s[t] || (s[k] == s[t] && k < t);
  }
  out[place] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, n); }
