// Kernels that library.cu loads at run time: compiled to a file of their own by nvcc -fatbin.
extern "C" __global__ void add(int *x, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}
