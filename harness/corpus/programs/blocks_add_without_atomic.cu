// expect: race.global at wrong
// Every block adds to one word, without an atomic.

__global__ void sum(int *total) {
  if (threadIdx.x == 0) atomicAdd(total, blockIdx.x + 1); // twin
  if (threadIdx.x == 0) *total += blockIdx.x + 1; // wrong
}
static int run() { return played(sum, 4, 32, 4, 0); }
