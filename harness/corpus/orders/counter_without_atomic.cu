// expect: race.global at wrong
// All blocks count in one volatile word.

__global__ void work(volatile int *data) {
  if (threadIdx.x == 0) data[0] = data[0] + 1; // wrong
  if (threadIdx.x == 0) atomicAdd((int *)data, 1); // twin
}
