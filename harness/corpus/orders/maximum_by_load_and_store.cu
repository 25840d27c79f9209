// expect: race.global at wrong
// A maximum that is looked at and then stored: two threads may both find theirs larger.

__global__ void work(volatile int *data) {
  const int mine = (threadIdx.x + blockIdx.x) * 7 % 41;
  if (threadIdx.x == 0 && data[0] < mine) data[0] = mine; // wrong
  if (data[0] < mine) atomicMax((int *)data, mine); // twin
}
