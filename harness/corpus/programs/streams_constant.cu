// expect: race.global at here
// A copy to constant memory in a stream of its own, which the kernel that reads there does not wait for.

struct plan {
  int n, steps;
};
__constant__ plan now;

__global__ void scale(int *a) {
  if (threadIdx.x < now.n) a[threadIdx.x] <<= now.steps; // here
}
static int run() {
  int *a;
  cudaStream_t s = 0;
  const plan p = {40, 3};
  cudaMalloc(&a, 256), cudaMemset(a, 1, 256);
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); // wrong
  cudaMemcpyToSymbolAsync(now, &p, sizeof p, 0, cudaMemcpyHostToDevice, s);
  scale<<<1, 64>>>(a);
  return ended_with(cudaSuccess);
}
