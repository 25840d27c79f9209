// expect: race.global at here
// The elements move up by one, in a copy whose source and destination overlap.

static int run() {
  const int n = 1000;
  int *x = filled(n * sizeof *x), *y = unset(n * sizeof *y);
  cudaMemcpy(x + 1, x, (n - 1) * sizeof *x, cudaMemcpyDeviceToDevice); // here // wrong
  cudaMemcpy(y, x, (n - 1) * sizeof *x, cudaMemcpyDeviceToDevice);     // twin
  cudaMemcpy(x + 1, y, (n - 1) * sizeof *x, cudaMemcpyDeviceToDevice); // twin
  // halves, and columns of one array: nothing overlaps
  cudaMemcpy(x, x + n / 2, n / 2 * sizeof *x, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(x + 5, 40, x, 40, 20, n / 10, cudaMemcpyDeviceToDevice);
  return ended_with(cudaSuccess);
}
