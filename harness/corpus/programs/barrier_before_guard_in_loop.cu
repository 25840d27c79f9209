// expect: race.shared, memory.uninit
// says: ; no __syncthreads() before line 12, in the loop
// A tree without the barrier in its loop: it belongs into each trip, before the branch that some skip.

__global__ void sum(int *d, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[2 * t] = t, s[2 * t + 1] = 1;
  for (int pairs = n / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads(); // twin

    if (t < pairs) {
      int right = offset * (2 * t + 2) - 1;
      s[right] += s[right - offset];
    }
  }
  if (t == 0) d[0] = s[n - 1];
}
static int run() { return played(sum, 1, 64, 4, UNSET, 128); }
