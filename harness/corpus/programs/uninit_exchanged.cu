// expect: memory.uninit at here
// atomicExch stores, and gives back what was there: a mistake where nobody has written it and it decides.

__global__ void first_of_each(int *last, const int *in, int *firsts) {
  const int before = atomicExch(&last[threadIdx.x], in[threadIdx.x]); // here
  if (before != in[threadIdx.x]) atomicAdd(firsts, 1); // wrong
  __syncthreads(); // twin
  if (last[63 - threadIdx.x] != in[0]) atomicAdd(firsts, 1); // twin
}
static int run() {
  int *last = unset(256), *in = filled(256), *firsts = filled(4);
  first_of_each<<<1, 64>>>(last, in, firsts);
  return ended_with(cudaSuccess);
}
