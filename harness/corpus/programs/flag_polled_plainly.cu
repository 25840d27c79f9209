// expect: race.global at look
// says: volatile pointer
// A block waits for a plain flag: the compiler loads it once, in front of the loop.

__device__ int flag;
__device__ int look() { return *(volatile int *)&flag; } // twin
__device__ void raise() { *(volatile int *)&flag = 1; } // twin
__device__ int look() { return flag; } // wrong
__device__ void raise() { flag = 1; } // wrong

__global__ void wait(int *d) {
  if (blockIdx.x == 0) raise(); // look
  else while (look() == 0) {}
  d[blockIdx.x] = 1;
}
static int run() { return played(wait, 2, 1, 8, UNSET); }
