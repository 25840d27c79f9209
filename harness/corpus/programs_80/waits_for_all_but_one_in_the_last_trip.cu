// expect: race.async at here
// with: --profile a100
// The next tile is copied while this one is added; in the last trip no copy is under way but the awaited one.

__global__ void sum(int *d) {
  __shared__ int s[2][32];
  const int t = threadIdx.x;
  int total = 0;
  for (int r = -1; r < 4; r++) {
    if (r < 3) __pipeline_memcpy_async(&s[(r + 1) & 1][t], &d[32 * (r + 1) + t], 4);
    if (r < 3) // wrong
      __pipeline_commit();
    if (r < 0) continue;
    __pipeline_wait_prior(1);
    __syncthreads();
    total += s[r & 1][31 - t]; // here
    __syncthreads();
  }
  d[t] = total;
}
static int run() { return played(sum, 1, 32, 512, 1); }
