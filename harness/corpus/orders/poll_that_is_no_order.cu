// expect: race.global at here
// All blocks store into a volatile word and read it back, to see who was last.

__global__ void work(volatile int *data) {
  if (threadIdx.x) return;
  data[0] = blockIdx.x; // here // wrong
  data[1 + blockIdx.x] = data[0] + 1; // wrong
  data[1 + blockIdx.x] = atomicExch((int *)data, blockIdx.x) + 1; // twin
}
