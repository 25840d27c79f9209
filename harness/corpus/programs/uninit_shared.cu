// expect: memory.uninit at here
// says: Let the kernel write this element first
// The second half of the array is never filled, but summed up.

__global__ void sum(int *d) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = d[t];
  s[t + 64] = d[t + 64]; // twin
  __syncthreads();
  d[t] = s[t] + s[t + 64]; // here
}
static int run() { return played(sum, 1, 64, 512, 1); }
