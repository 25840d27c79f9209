// expect: race.shared
// says: an element needs one writer
// All threads have read the word before the barrier; what they store afterwards is no change of it.

__global__ void elect(int *d) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  int first = s[1];
  __syncthreads();
  if (first <= d[t]) s[1] = t; // wrong
  if (t == 0) s[1] = first;    // twin
  __syncthreads();
  d[t] = s[1];
}
static int run() { return played(elect, 1, 64, 256, 1); }
