// expect: race.global at each here
// One block sets bits of a word by an atomic, another one stores a byte of it.

__global__ void set(unsigned *d) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) atomicOr(&d[0], 0x100u); // here
  if (blockIdx.x == 1) ((unsigned char *)d)[1] = 7; // here // wrong
  if (blockIdx.x == 1) ((unsigned char *)d)[5] = 7; // twin
}
static int run() { return played(set, 2, 32, 64, 0); }
