// expect: race.shared at 9, memory.uninit, race.global
// No barrier between clearing the counters and counting.

static const task TASK = {SORTED, 64, 1};

__global__ void sort(const int *in, int *out, int n) {
  __shared__ int s_count[KEYS];
  const int t = threadIdx.x, key = in[t];
  if (t >= n - KEYS) s_count[t - (n - KEYS)] = 0;
  __syncthreads(); // twin
  atomicAdd(&s_count[key], 1);
  __syncthreads();
  int place = 0;
  for (int k = 1; k < key; k++) place += min(max(s_count[k], 0), n);
  for (int j = 0; j < t; j++) place += in[j] == key;
  if ((unsigned)place < n) out[place] = key;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(sort, in, out, n, n); }
