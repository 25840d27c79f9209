// Prints what a program learns of the device: the same by properties and by attributes, else exit status 1.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void kernel(int *out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

static int attribute(cudaDeviceAttr a) {
  int v = -1;
  return cudaDeviceGetAttribute(&v, a, 0) == cudaSuccess ? v : -1;
}

int main() {
  cudaDeviceProp p;
  int blocks = -1, same;
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return 3;
  same = attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount &&
         attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == (int)p.sharedMemPerBlockOptin &&
         attribute(cudaDevAttrReservedSharedMemoryPerBlock) == (int)p.reservedSharedMemPerBlock &&
         attribute(cudaDevAttrL2CacheSize) == p.l2CacheSize &&
         attribute(cudaDevAttrComputeCapabilityMajor) == p.major;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 16384);
  printf("%s: %d.%d, %d multiprocessors, %zu bytes, shared %zu + %zu of %zu, %d blocks of 256 threads and 16384 bytes\n", p.name, p.major,
         p.minor, p.multiProcessorCount, p.totalGlobalMem, p.sharedMemPerBlockOptin, p.reservedSharedMemPerBlock,
         p.sharedMemPerMultiprocessor, blocks);
  return !same;
}
