// A kernel for clusters of two blocks: refused when the program is loaded.
__global__ void __cluster_dims__(2, 1, 1) pairs(int *x) { x[blockIdx.x] = 1; }
int main() {
  int *x;
  cudaMalloc(&x, 64);
  pairs<<<2, 1>>>(x);
  cudaDeviceSynchronize();
  return cudaFree(x);
}
