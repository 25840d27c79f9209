// expect: race.shared at 11, race.global
// Two threads with the same key read the same count, and one of the two increments is lost.

static const task TASK = {SORTED, 64, 1};

__global__ void sort(const int *in, int *out, int n) {
  __shared__ int s_count[KEYS];
  const int t = threadIdx.x, key = in[t];
  if (t < KEYS) s_count[t] = 0;
  __syncthreads();
  s_count[key]++; // wrong
  atomicAdd(&s_count[key], 1); // twin
  __syncthreads();
  int place = 0;
  for (int k = 0; k < key; k++) place += s_count[k];
  for (int j = 0; j < t; j++) place += in[j] == key;
  out[place] = key;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(sort, in, out, n, n); }
