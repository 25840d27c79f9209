// expect: race.shared
// says: Put __syncthreads() after line 16, before the next trip of the loop gets
// The compiler copies the body of the loop: the race is between two copies, with a barrier inside each.

__global__ void shift(int *d) {
  __shared__ int s[64];
  int t = threadIdx.x, x = 0;
  s[t] = d[t];
  __syncthreads();
#pragma unroll
  for (int k = 1; k < 4; k++) {
    if (t >= k)
      x = s[t - k];
    __syncthreads();
    if (t >= k) s[t] += x; __syncthreads(); // twin
    if (t >= k) s[t] += x; // wrong
  }
  d[t] = s[t];
}
static int run() { return played(shift, 1, 64, 256, 1); }
