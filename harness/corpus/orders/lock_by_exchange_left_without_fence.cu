// expect: order.fence at here
// A lock that is taken and given back by exchanges. No fence stands before it is given back.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  while (atomicExch(&lock, 1) != 0) {}
  __threadfence();
  data[0] += 1; // here
  __threadfence(); // twin
  atomicExch(&lock, 0);
}
