// expect: race.shared at wrong
// says: Split line 13,
// Both accesses are in one line, so no barrier fits between them.

__global__ void step(int *d) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  int left = t > 0 ? s[t - 1] : 0; // twin
  __syncthreads(); // twin
  s[t] += left; // twin
  if (t > 0) s[t] += s[t - 1]; // wrong
  d[t] = s[t];
}
static int run() { return played(step, 1, 64, 256, UNSET); }
