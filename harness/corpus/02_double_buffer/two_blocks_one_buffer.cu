// expect: race.global at 17
// The buffers lie in global memory and two blocks share them: a barrier orders the threads of one block only.

static const task TASK = {EXCLUSIVE, 128, 1};

__device__ int temp[256];
__global__ void scan(const int *in, int *out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int pout = 0;
  for (int i = t; i < n; i += blockDim.x * gridDim.x) temp[i] = i > 0 ? in[i - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int pin = pout;
    pout = 1 - pout;
    for (int i = t; i < n; i += blockDim.x * gridDim.x) {
      int x = temp[pin * n + i];
      if (i >= offset) x += temp[pin * n + i - offset];
      temp[pout * n + i] = x;
    }
    __syncthreads();
  }
  for (int i = t; i < n; i += blockDim.x * gridDim.x) out[i] = temp[pout * n + i];
}

static cudaError_t run(const int *in, int *out, int n) {
  scan<<<2, 64>>>(in, out, n); // wrong
  scan<<<1, 64>>>(in, out, n); // twin
  return cudaGetLastError();
}
