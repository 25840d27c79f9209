// expect: race.shared at here
// No barrier between up-sweep and down-sweep: the root is cleared while another thread may still add to it.

__global__ void scan(int *d) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[2 * t] = d[2 * t], s[2 * t + 1] = d[2 * t + 1];
  for (int n = 64, o = 1; n > 0; n /= 2, o *= 2) {
    __syncthreads();
    if (t < n) s[o * (2 * t + 2) - 1] += s[o * (2 * t + 1) - 1];
  }
  __syncthreads(); // twin
  if (t == 63) s[127] = 1; // here
  for (int n = 1, o = 64; n <= 64; n *= 2, o /= 2) {
    __syncthreads();
    if (t < n) {
      int x = s[o * (2 * t + 1) - 1];
      s[o * (2 * t + 1) - 1] = s[o * (2 * t + 2) - 1];
      s[o * (2 * t + 2) - 1] += x;
    }
  }
  __syncthreads();
  d[2 * t] = s[2 * t], d[2 * t + 1] = s[2 * t + 1];
}
static int run() { return played(scan, 1, 64, 512, 0); }
