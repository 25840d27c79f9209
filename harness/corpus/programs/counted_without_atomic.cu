// expect: race.shared at wrong
// says: atomicAdd
// Threads count in one word without an atomic: a barrier would not mend it.

__global__ void count(int *d) {
  __shared__ int s[4];
  int t = threadIdx.x;
  if (t < 4) s[t] = 0;
  __syncthreads();
  atomicAdd(&s[t % 4], 1); // twin
  s[t % 4]++; // wrong
  __syncthreads();
  if (t < 4) d[t] = s[t];
}
static int run() { return played(count, 1, 64, 16, UNSET); }
