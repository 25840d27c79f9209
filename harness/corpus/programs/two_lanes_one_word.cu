// expect: race.shared at wrong
// Two lanes write different values to one word in the same instruction.

__global__ void put(int *d) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t / 2] = t / 2; // twin
  s[t / 2] = t; // wrong
  __syncthreads();
  if (t < 16) d[t] = s[t];
}
static int run() { return played(put, 1, 32, 128, UNSET); }
