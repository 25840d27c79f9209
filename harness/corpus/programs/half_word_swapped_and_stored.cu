// expect: race.global at each here
// A compare-and-swap of 16 bits, and a store to the same half of the word; the other half may be stored to.

__global__ void set(unsigned short *d) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) atomicCAS(&d[0], (unsigned short)0, (unsigned short)1); // here
  if (blockIdx.x == 1) d[0] = 5; // here // wrong
  if (blockIdx.x == 1) d[1] = 5; // twin
}
static int run() { return played(set, 2, 32, 64, 0); }
