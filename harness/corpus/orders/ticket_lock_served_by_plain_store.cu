// expect: race.global at here
// A lock by tickets: the ticket that is served is written by a plain store.

__device__ int next, serving;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  const int ticket = atomicAdd(&next, 1);
  while (*(volatile int *)&serving != ticket) {} // here
  __threadfence();
  data[0] += 1;
  __threadfence();
  serving = ticket + 1; // wrong
  atomicExch(&serving, ticket + 1); // twin
}
