// expect: memory.uninit at here
// A local array is filled up to n only, and read beyond.

__global__ void pick(int *d, int n, int k) {
  int a[32];
  for (int i = 0; i < n; i++) a[(i * 5) % 32] = d[i];
  d[threadIdx.x] = a[(k * 5) % 32]; // here
}
static int run() {
  int *d = filled(256, 1), k = 20;
  k = 3; // twin
  pick<<<1, 1>>>(d, 16, k);
  return ended_with(cudaSuccess);
}
