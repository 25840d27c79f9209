// expect: nothing
// Structs are copied to the host with their padding, and an array up to where it was filled.

struct pair {
  double x;
  int n;
};

__global__ void fill(pair *p, int *a, int n) {
  p[threadIdx.x].x = 1;
  p[threadIdx.x].n = 2;
  if (threadIdx.x < n) a[threadIdx.x] = 3;
}
static int run() {
  pair *p, h[32];
  int *a, part[20];
  cudaMalloc(&p, sizeof h);
  cudaMalloc(&a, 128);
  fill<<<1, 32>>>(p, a, 20);
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(part, a, sizeof part, cudaMemcpyDeviceToHost);
  cudaFree(p);
  cudaFree(a);
  return h[3].n != 2 || part[19] != 3;
}
