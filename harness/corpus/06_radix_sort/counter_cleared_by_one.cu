// expect: race.shared at 11
// One thread clears the counter, and all count in it at once.

static const task TASK = {SORTED, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int odd;
  const int t = threadIdx.x, key = in[t];
  if (t == 0) odd = 0;
  __syncthreads(); // twin
  atomicAdd(&odd, key & 1);
  __syncthreads();
  int place = odd > 64;
  for (int k = 0; k < 64; k++) place += in[k] < key || (in[k] == key && k < t);
  out[place] = key;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, n); }
