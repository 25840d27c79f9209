// expect: order.fence at here
// A lock by tickets: nothing is made visible before the next ticket is served.

__device__ int next, serving;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  const int ticket = atomicAdd(&next, 1);
  while (*(volatile int *)&serving != ticket) {}
  __threadfence();
  data[0] += 1; // here
  __threadfence(); // twin
  *(volatile int *)&serving = ticket + 1;
}
