// expect: host.error
// with: --profile h100
// says: clusters of several blocks are not simulated
// A launch asks for clusters of two blocks, and the program does not look at what it returns.

__global__ void put(int *d) { d[blockIdx.x] = 1; }
static int run() {
  int *d;
  cudaLaunchAttribute size = {};
  cudaLaunchConfig_t c = {};
  size.id = cudaLaunchAttributeClusterDimension;
  size.val.clusterDim.x = 1; // twin
  size.val.clusterDim.x = 2; // wrong
  size.val.clusterDim.y = size.val.clusterDim.z = 1;
  c.gridDim = 4, c.blockDim = 32, c.attrs = &size, c.numAttrs = 1;
  cudaMalloc(&d, 64);
  cudaLaunchKernelEx(&c, put, d);
  cudaDeviceSynchronize();
  return cudaFree(d) != cudaSuccess;
}
