// expect: race.global at wrong
// says: The loop in line 12 waits for this word
// A loop waits for a plain word: the compiler loads it once, in front of the loop and at the line before. The
// finding names the loop.

__global__ void wait(int *d, int tile) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) *(volatile int *)d = 1;
  } else if (threadIdx.x == 0) {
    int before = 0;
    if (tile > 0) { // wrong
      while (d[0] < tile) continue; // wrong
    if (tile > 0) { // twin
      while (*(volatile int *)d < tile) continue; // twin
      before = 2;
    }
    d[2] = before;
  }
}
static int run() { return played(wait, 2, 32, 64, 0, 1); }
