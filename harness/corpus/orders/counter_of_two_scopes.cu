// expect: race.global at here
// One block counts by atomics of block scope, the others by those of device scope.

__global__ void work(int *data) {
  if (blockIdx.x == 1) atomicAdd_block(&data[0], 1); // here // wrong
  if (blockIdx.x == 1) atomicAdd_system(&data[0], 1); // twin
  else atomicAdd(&data[0], 1); // here
}
