// expect: race.shared at here
// says: Change it by one atomic operation
// Threads push onto a stack in shared memory and take their places from a plain counter.

__global__ void push(int *d) {
  __shared__ int top, stack[64];
  if (threadIdx.x == 0) top = 0;
  __syncthreads();
  if (threadIdx.x % 3 == 0) {
    int place;
    place = top, top = place + 1; // here // wrong
    place = atomicAdd(&top, 1);   // twin
    stack[place] = threadIdx.x;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < top; k += 64) d[k] = stack[k];
}
static int run() { return played(push, 1, 64, 64 * 4, 0); }
