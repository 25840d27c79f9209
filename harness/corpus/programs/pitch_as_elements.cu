// expect: memory.bounds at only wrong
// The pitch of a 2D array counts bytes. Used as elements it leads to other memory, some of it read-only.

__constant__ float weights[16] = {1};

__global__ void fill(float *a, int pitch, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  *((float *)((char *)a + y * pitch) + x) = weights[x & 15]; // twin
  a[y * pitch + x] = weights[x & 15]; // wrong
}
static int run() {
  float *a;
  size_t pitch;
  cudaMallocPitch(&a, &pitch, 100 * sizeof(float), 50);
  fill<<<dim3(4, 7), dim3(32, 8)>>>(a, pitch, 100, 50);
  return ended_with(cudaErrorIllegalAddress);
}
