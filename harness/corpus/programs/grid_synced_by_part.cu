// expect: progress.deadlock at only here
// says: waits for all threads of all blocks
// Threads without an element leave before the barrier of the grid.

__global__ void reverse(int *x, int n) {
  const int i = cg::this_grid().thread_rank();
  if (i >= n) return; // wrong
  if (i < n) x[i] = i;
  cg::this_grid().sync(); // here
  if (i < n) x[n + i] = x[n - 1 - i];
}
static int run() {
  int n = 100, *x = unset(2 * n * sizeof(int));
  void *args[] = {&x, &n};
  cudaLaunchCooperativeKernel((void *)reverse, dim3(4), dim3(64), args, 0, 0);
  return ended_with(cudaErrorLaunchTimeout);
}
