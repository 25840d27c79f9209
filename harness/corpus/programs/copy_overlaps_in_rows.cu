// expect: race.global at here
// The rows of an array move by two columns: each is copied to where it partly lies already.

static int run() {
  const size_t pitch = 64, rows = 8;
  char *x = filled(rows * pitch), *y = unset(rows * pitch);
  cudaMemcpy2D(x + 2, pitch, x, pitch, 60, rows, cudaMemcpyDeviceToDevice); // here // wrong
  cudaMemcpy2D(y, pitch, x, pitch, 60, rows, cudaMemcpyDeviceToDevice);     // twin
  cudaMemcpy2D(x + 2, pitch, y, pitch, 60, rows, cudaMemcpyDeviceToDevice); // twin
  return ended_with(cudaSuccess);
}
