// expect: memory.bounds at only wrong
// The array has room for as many bytes as there are blocks, and each block writes an element.

__global__ void number(int *of_block) { of_block[blockIdx.x] = blockIdx.x; }

static int run() {
  int *of_block;
  cudaMalloc(&of_block, 64 * sizeof *of_block); // twin
  cudaMalloc(&of_block, 64); // wrong
  number<<<64, 1>>>(of_block);
  return ended_with(cudaErrorIllegalAddress);
}
