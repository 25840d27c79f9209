// expect: race.global at here
// Thread 0 raises the flag although the other threads of its block may not have written yet.

__device__ unsigned ticket, ready;
__device__ int data[64];
__global__ void pass(int *out) {
  __shared__ unsigned who;
  int t = threadIdx.x;
  if (t == 0) who = atomicAdd(&ticket, 1);
  __syncthreads();
  if (who == 0) {
    data[t] = t;
    __syncthreads(); // twin
    if (t == 0) {
      __threadfence();
      atomicExch(&ready, 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(&ready, 0) == 0) {}
      __threadfence();
    }
    __syncthreads();
    out[t] = data[63 - t]; // here
  }
}
static int run() { return played(pass, 2, 64, 256, UNSET); }
