// expect: race.global at wrong
// After a barrier of the grid each thread adds its neighbour's element, which the neighbour changes, too.

__global__ void step(int *d, int *sum) {
  auto grid = cg::this_grid();
  unsigned r = grid.thread_rank(), n = grid.size();
  d[r] += 1;
  grid.sync();
  sum[r] = d[r] + d[(r + 1) % n]; // twin
  d[r] += d[(r + 1) % n]; // wrong
}
static int run() {
  int *d = filled(1024), *sum = unset(1024);
  void *args[] = {&d, &sum};
  cudaLaunchCooperativeKernel((void *)step, 4, 64, args);
  return ended_with(cudaSuccess);
}
