// expect: memory.freed at only late
// A kernel keeps a pointer to pinned memory that the host has given back by its next launch.

__global__ void keep(int **place, int *h) { *place = h; }
__global__ void add(int **place) {
  atomicAdd(*place, 1); // late
}
static int run() {
  int *h, **place;
  if (cudaMallocHost(&h, 64) || cudaMalloc(&place, sizeof *place)) return 1;
  h[0] = 0;
  keep<<<1, 1>>>(place, h);
  add<<<1, 1>>>(place);
  if (cudaDeviceSynchronize() || h[0] != 1) return 1;
  cudaFreeHost(h); // wrong
  add<<<1, 1>>>(place);
  if (cudaDeviceSynchronize() || h[0] != 2 || cudaFreeHost(h)) return 1; // twin
  return ended_with(cudaErrorIllegalAddress);
}
