// expect: order.fence at here
// A lock by tickets: no fence stands behind the loop that waits for the own ticket.

__device__ int next, serving;
__global__ void work(volatile int *data) {
  if (threadIdx.x) return;
  const int ticket = atomicAdd(&next, 1);
  while (*(volatile int *)&serving != ticket) {}
  __threadfence(); // twin
  data[0] = data[0] + ticket; // here
  __threadfence();
  *(volatile int *)&serving = ticket + 1;
}
