// expect: kernel.trap at only here
// says: cudaLaunchCooperativeKernel
// grid.sync() in a kernel that is launched as usual.

__global__ void reverse(int *x, int n) {
  const int i = cg::this_grid().thread_rank();
  if (i < n) x[i] = i;
  cg::this_grid().sync(); // here
  if (i < n) x[n + i] = x[n - 1 - i];
}
static int run() {
  int n = 100, *x = unset(2 * n * sizeof(int));
  void *args[] = {&x, &n}; // twin
  cudaLaunchCooperativeKernel((void *)reverse, dim3(2), dim3(64), args, 0, 0); // twin
  reverse<<<2, 64>>>(x, n); // wrong
  return ended_with(cudaErrorLaunchFailure);
}
