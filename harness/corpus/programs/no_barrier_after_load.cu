// expect: race.shared at here, memory.uninit
// The reversal reads what other threads load, without a barrier.

__global__ void reverse(int *d) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads(); // twin
  d[t] = s[127 - t]; // here
}
static int run() { return played(reverse, 1, 128, 512, 0); }
