// expect: nothing
// Two streams write different parts of one array.

static const task TASK = {INCLUSIVE, 128, 1};

__global__ void half(const int *in, int *out, int *p, int which) {
  const int i = 64 * which + threadIdx.x, x = block_scan(in[i]);
  out[i] = x;
  if (threadIdx.x == 63) p[which] = x;
}
__global__ void add(int *out, const int *p) { out[64 + threadIdx.x] += p[0]; }

static cudaError_t run(const int *in, int *out, int n) {
  int *p;
  cudaStream_t a, b;
  cudaMalloc(&p, 8);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  half<<<1, 64, 0, a>>>(in, out, p, 0);
  half<<<1, 64, 0, b>>>(in, out, p, 1);
  add<<<1, 64>>>(out, p);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(p);
  return cudaGetLastError();
}
