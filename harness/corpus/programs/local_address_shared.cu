// expect: memory.bounds at only here
// says: by the address of a local variable of thread 0 of the block
// Thread 0 hands the address of its own array to all threads of the block: each finds its own there. The
// twin shares an array of the block, and uses addresses of its own variables that went through memory.

__global__ void table(int **mine, int *out) {
  __shared__ int *shared, room[4]; // twin
  __shared__ int *shared; // wrong
  int own[4];
  for (int k = 0; k < 4; k++) own[k] = threadIdx.x + k;
  mine[threadIdx.x] = own;
  if (threadIdx.x == 0) {
    shared = own; // wrong
    for (int k = 0; k < 4; k++) room[k] = own[k]; // twin
    shared = room; // twin
  }
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x % 4]; // here
  out[threadIdx.x] += mine[threadIdx.x][threadIdx.x % 4];
}
static int run() {
  int **mine, *d, h[64];
  cudaMalloc(&mine, 64 * sizeof *mine), cudaMalloc(&d, sizeof h);
  table<<<1, 64>>>(mine, d);
  if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)) return 1; // hardware does not fail either
  cudaFree(mine), cudaFree(d);
  return h[37] != (corpus_twin ? 1 + 38 : 38 + 38);
}
