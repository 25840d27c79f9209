// expect: load.ptx
// with: --profile h100
// says: clusters of more than one block do not run here
// A kernel for clusters of two blocks: refused when the program is loaded.

__global__ void __cluster_dims__(2, 1, 1) pairs(int *x) { x[blockIdx.x] = 1; }
static int run() {
  int *x;
  cudaMalloc(&x, 64);
  pairs<<<2, 1>>>(x);
  const cudaError_t e = cudaGetLastError();
  return e != cudaErrorInvalidPtx || cudaFree(x) != cudaSuccess;
}
