// expect: race.global
// Flag and value in one 64-bit word, but written as two halves: the flag may be there before the value.

static const task TASK = {INCLUSIVE, 300, 1};

__global__ void scan(const int *in, int *out, int n, unsigned long long *state, int *ticket) {
  __shared__ int tile, before;
  const int t = threadIdx.x;
  if (t == 0) tile = atomicAdd(ticket, 1);
  __syncthreads();
  const int i = tile * TILE + t, sum = block_sum(i < n ? in[i] : 0);
  if (t == TILE - 1) {
    int p = 0;
    if (tile) {
      unsigned long long s;
      while (((s = *(volatile unsigned long long *)&state[tile - 1]) >> 32) == 0) {
      }
      p = (int)s;
    }
    before = p;
    ((int *)&state[tile])[0] = p + sum; // wrong
    ((volatile int *)&state[tile])[1] = 1; // wrong
    *(volatile unsigned long long *)&state[tile] = 1ull << 32 | (unsigned)(p + sum); // twin
  }
  __syncthreads();
  if (i < n) out[i] = before + sum;
}

static cudaError_t run(const int *in, int *out, int n) {
  unsigned long long *state;
  MUST(cudaMalloc((void **)&state, (tiles_of(n) + 1) * 8));
  cudaMemset(state, 0, (tiles_of(n) + 1) * 8);
  scan<<<tiles_of(n), TILE>>>(in, out, n, state, (int *)(state + tiles_of(n)));
  return freed(state);
}
