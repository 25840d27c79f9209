// expect: memory.bounds at only over
// A kernel uses pinned memory of the host, which is right, and one element behind it.

__global__ void shift(int *h, int n) {
  const int i = threadIdx.x;
  const int right = i + 1 < n ? h[i + 1] : 0; // twin
  const int right = h[i + 1]; // over // wrong
  __syncthreads();
  if (i < n) h[i] = right;
}
static int run() {
  int *h;
  if (cudaMallocHost(&h, 64 * sizeof(int))) return 1;
  for (int i = 0; i < 64; i++) h[i] = i;
  shift<<<1, 64>>>(h, 64);
  const int bad = ended_with(cudaErrorIllegalAddress);
  for (int i = 0; i < 64; i++) // twin
    if (h[i] != (i + 1) % 64) return 1; // twin
  return bad;
}
