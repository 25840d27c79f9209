// expect: race.shared at here
// In-place Hillis-Steele with one barrier a step: a neighbour may overwrite what a thread still has to read.

__global__ void scan(int *d) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  for (int off = 1; off < 64; off *= 2) {
    int x = t >= off ? s[t - off] : 0;
    __syncthreads(); // twin
    s[t] += x; // here
    __syncthreads();
  }
  d[t] = s[t];
}
static int run() { return played(scan, 1, 64, 256, 0); }
