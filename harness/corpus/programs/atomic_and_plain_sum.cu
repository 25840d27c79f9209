// expect: race.global at wrong
// says: Change it by one atomic operation (atomicAdd)
// All threads but one add to the sum by an atomic.

__global__ void add(int *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) atomicAdd(sum, 1);
  else atomicAdd(sum, 1); // twin
  else *sum += 1; // wrong
}
static int run() { return played(add, 2, 64, 4, 0, 128); }
