// expect: race.global at here
// The flag is raised before the word is written.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    *(volatile int *)&flag = 1; // wrong
    __threadfence(); // wrong
    data[0] = 42; // here // wrong
    data[0] = 42; // twin
    __threadfence(); // twin
    *(volatile int *)&flag = 1; // twin
  } else {
    while (*(volatile int *)&flag == 0) {}
    __threadfence();
    data[1] = data[0]; // here
  }
}
static int run() { return played(work, 2, 32); }
