// expect: memory.uninit at 11
// The counters in shared memory are not 0 by themselves.

static const task TASK = {SORTED, 64, 1};

__global__ void sort(const int *in, int *out, int n) {
  __shared__ int s_count[KEYS];
  const int t = threadIdx.x, key = in[t];
  if (t < KEYS) s_count[t] = 0; // twin
  __syncthreads(); // twin
  atomicAdd(&s_count[key], 1);
  __syncthreads();
  int place = 0;
  for (int k = 1; k < key; k++) place += min(s_count[k], n);
  for (int j = 0; j < t; j++) place += in[j] == key;
  if ((unsigned)place < n) out[place] = key;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(sort, in, out, n, n); }
