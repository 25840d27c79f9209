// expect: race.global at here
// Blocks draw tiles from a counter and wait by plain loads for the tile before. That the counter was raised
// in between does not make the word they wait for data behind a flag.

__device__ unsigned flags[8], tickets;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  for (unsigned tile; (tile = atomicAdd(&tickets, 1u)) < 8;) {
    unsigned told = tile == 0;
    while (!told) {
      asm volatile("" ::: "memory");
      told = flags[tile - 1]; // here // wrong
      told = *(volatile unsigned *)&flags[tile - 1]; // twin
    }
    *(volatile unsigned *)&flags[tile] = 1;
  }
  data[blockIdx.x] = 1;
}
