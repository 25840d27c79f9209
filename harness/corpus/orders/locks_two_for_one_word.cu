// expect: race.global at here
// Blocks of even and of odd number take different locks for the same word.

__device__ int locks[2];
__global__ void work(int *data) {
  if (threadIdx.x) return;
  int *mine = &locks[blockIdx.x % 2]; // wrong
  int *mine = &locks[0]; // twin
  while (atomicCAS(mine, 0, 1) != 0) {}
  __threadfence();
  data[0] += 1; // here
  __threadfence();
  atomicExch(mine, 0);
}
