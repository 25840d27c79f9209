// expect: race.shared at here, memory.uninit
// says: Put __syncthreads() between line
// The compiler lets the thread that stores the word keep its value: no way leads from the store to the load.

__global__ void shift(int *d) {
  __shared__ int s_first;
  int t = threadIdx.x;
  if (t == 0) s_first = d[255]; // here
  __syncthreads(); // twin
  d[256 + t] = s_first + t; // here
}
static int run() { return played(shift, 1, 256, 2048, 0); }
