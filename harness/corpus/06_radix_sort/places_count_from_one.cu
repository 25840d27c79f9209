// expect: memory.bounds at 17
// The place of an element is the number of elements before it; counting the element itself is one too many.

static const task TASK = {SORTED, 64, 1};

__global__ void sort(const int *in, int *out, int n) {
  __shared__ int s_count[KEYS];
  const int t = threadIdx.x, key = in[t];
  if (t < KEYS) s_count[t] = 0;
  __syncthreads();
  atomicAdd(&s_count[key], 1);
  __syncthreads();
  int place = 0;
  for (int k = 0; k < key; k++) place += s_count[k];
  for (int j = 0; j <= t; j++) place += in[j] == key; // wrong
  for (int j = 0; j < t; j++) place += in[j] == key; // twin
  out[place] = key;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(sort, in, out, n, n); }
