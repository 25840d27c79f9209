// expect: race.global
// After a barrier of the grid each thread adds its neighbour's element to its own, which the neighbour changes, too.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void step(int *d, int *sum) {
  auto grid = cg::this_grid();
  unsigned r = grid.thread_rank(), n = grid.size();
  d[r] += 1;
  grid.sync();
  d[r] += d[(r + 1) % n]; // here
}
int main() {
  int *d, *sum;
  cudaMalloc(&d, 1024), cudaMemset(d, 0, 1024), cudaMalloc(&sum, 1024);
  void *args[] = {&d, &sum};
  cudaLaunchCooperativeKernel((void *)step, 4, 64, args);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
