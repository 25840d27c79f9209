// expect: race.global at here
// A thread looks again and again at a word that another block stores plainly.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) flag = 1; // here // wrong
  if (blockIdx.x == 0) *(volatile int *)&flag = 1; // twin
  else while (*(volatile int *)&flag == 0) {} // here
  data[blockIdx.x] = 1;
}
