// expect: race.global at here
// All lanes write, the first one makes a fence and raises the flag: the others are not ordered before that.

__device__ int flag;
__global__ void work(int *data) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __syncwarp(); // twin
    if (t == 0) {
      __threadfence();
      *(volatile int *)&flag = 1;
    }
  } else {
    while (*(volatile int *)&flag == 0) {}
    __threadfence();
    data[32 + t] = data[31 - t]; // here
  }
}
static int run() { return played(work, 2, 32); }
