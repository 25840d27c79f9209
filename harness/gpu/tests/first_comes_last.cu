// A mistake that only another order of blocks shows: block 0 reads what nobody has written when it is the
// last to come. It does nothing with it that the result would show.
#include <cuda_runtime.h>

__global__ void take(unsigned *ticket, const unsigned *unwritten, unsigned *out) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0) mine = atomicAdd(ticket, 1u);
  __syncthreads();
  if (blockIdx.x == 0 && mine == gridDim.x - 1 && unwritten[threadIdx.x] == 7) out[1] = 1;
  if (threadIdx.x == 0) atomicAdd(out, 1u);
}

int main() {
  unsigned *ticket, *unwritten, *out, n = 0;
  if (cudaMalloc(&ticket, 4) || cudaMalloc(&unwritten, 128) || cudaMalloc(&out, 8)) return 2;
  if (cudaMemset(ticket, 0, 4) || cudaMemset(out, 0, 8)) return 2;
  take<<<8, 32>>>(ticket, unwritten, out);
  if (cudaMemcpy(&n, out, 4, cudaMemcpyDeviceToHost)) return 2;
  cudaFree(ticket), cudaFree(unwritten), cudaFree(out);
  return n != 8;
}
