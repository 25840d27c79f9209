// The sort of lab 06 by one digit, with one mistake at a time.
//
// expect places_count_from_one: memory.bounds at 22
// The place of an element is the number of elements before it; counting the element itself is one too many.
// expect counts_without_atomic: race.shared at 15, race.global
// Two threads with the same key read the same count, and one of the two increments is lost.

static const task TASK = {SORTED, 64, 1};

__global__ void sort(const int *in, int *out, int n) {
  __shared__ int s_count[KEYS];
  const int t = threadIdx.x, key = in[t];
  if (t < KEYS) s_count[t] = 0;
  __syncthreads();
  s_count[key]++; // wrong counts_without_atomic
  atomicAdd(&s_count[key], 1); // not counts_without_atomic
  __syncthreads();
  int place = 0;
  for (int k = 0; k < key; k++) place += s_count[k];
  for (int j = 0; j <= t; j++) place += in[j] == key; // wrong places_count_from_one
  for (int j = 0; j < t; j++) place += in[j] == key; // not places_count_from_one
  out[place] = key;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(sort, in, out, n, n); }
