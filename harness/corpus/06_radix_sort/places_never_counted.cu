// expect: race.global at 12, memory.uninit at 11
// with: --memory zeros
// Nobody counts: places are taken from fresh memory. Where that is zeros, all keys go to the place of their
// bit, and with equal keys even the result of the race is always the same.

static const task TASK = {SORTED, 200, 1};

__global__ void split(const int *in, int *out, const int *zeros_before, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x;
  if (i >= n) return;
  const int key = in[i], before = zeros_before[i];
  out[key & 16 ? i - before + zeros_before[n] : before] = key;
}

// The twin sorts by counting: with keys below KEYS one count a key is enough.
static __global__ void count(const int *in, int *places, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    places[i] = 0;
    for (int k = 0; k < n; k++) places[i] += in[k] < in[i] || (in[k] == in[i] && k < i);
  }
}
static __global__ void scatter(const int *in, int *out, const int *places, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x;
  if (i < n) out[places[i]] = in[i];
}

static cudaError_t run(const int *in, int *out, int n) {
  int *places;
  MUST(cudaMalloc((void **)&places, (n + 1) * sizeof(int)));
  split<<<tiles_of(n), TILE>>>(in, out, places, n); // wrong
  count<<<1, TILE>>>(in, places, n); // twin
  scatter<<<tiles_of(n), TILE>>>(in, out, places, n); // twin
  return freed(places);
}
