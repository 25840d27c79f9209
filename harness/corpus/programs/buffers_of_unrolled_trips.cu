// expect: race.shared at here, memory.uninit
// says: Put __syncthreads() into the loop around line
// The compiler has copied the body of the loop: the store of one trip meets the loads of another.

__global__ void sweep(int *d) {
  __shared__ int s[2][256];
  int t = threadIdx.x, from = 0;
  s[0][t] = d[t];
  __syncthreads();
  for (int k = 1; k < 256; k *= 2) {
    s[1 - from][t] = s[from][t] + (t >= k ? s[from][t - k] : 0); // here
    __syncthreads(); // twin
    from = 1 - from;
  }
  d[t] = s[from][t];
}
static int run() { return played(sweep, 1, 256, 1024, 0); }
