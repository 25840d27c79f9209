// expect: memory.uninit at here
// Flags are bytes and are counted four at a time; those behind the last one were never written.

__global__ void count(int *d, unsigned char *flags, int n) {
  const int i = threadIdx.x;
  if (i < n) flags[i] = i % 3 == 0;
  __syncthreads();
  int before = 0;
  for (int k = 0; k < i; k += 4) before += __popc(*(unsigned *)(flags + k) & 0x01010101); // here
  d[i] = before;
}
static int run() {
  unsigned char *flags;
  cudaMalloc(&flags, 64);
  cudaMemset(flags, 0, 64); // twin
  return played(count, 1, 64, 256, UNSET, flags, 50);
}
