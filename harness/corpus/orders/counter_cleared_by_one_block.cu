// expect: race.global at here
// The first block clears the counter, while others count already.

__global__ void work(int *data) {
  if (blockIdx.x == 0 && threadIdx.x == 0) data[0] = 0; // here // wrong
  atomicAdd(&data[0], 1); // here
}
