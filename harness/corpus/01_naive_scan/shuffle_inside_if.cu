// expect: barrier.mask at 9
// The mask names all lanes, but lanes below `offset` do not come: they wait elsewhere.

static const task TASK = {INCLUSIVE, 32, 1};

__global__ void scan(const int *in, int *out) {
  int sum = in[threadIdx.x];
  for (int offset = 1; offset < 32; offset *= 2) {
    if (threadIdx.x >= offset) sum += __shfl_up_sync(~0u, sum, offset); // wrong
    const int left = __shfl_up_sync(~0u, sum, offset); // twin
    if (threadIdx.x >= offset) sum += left; // twin
    __syncwarp();
  }
  out[threadIdx.x] = sum;
}

static cudaError_t run(const int *in, int *out, int n) {
  scan<<<1, 32>>>(in, out);
  return cudaGetLastError();
}
