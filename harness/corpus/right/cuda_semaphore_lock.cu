// expect: nothing
// Blocks take turns behind a semaphore.

static const task TASK = {INCLUSIVE, 24, 1};

struct alignas(16) box {
  cuda::binary_semaphore<cuda::thread_scope_device> sem;
  int turn, sum;
};
__global__ void make(box *b) {
  new (&b->sem) cuda::binary_semaphore<cuda::thread_scope_device>(1);
  b->turn = 0;
  b->sum = 0;
}
__global__ void scan(const int *in, int *out, box *b) {
  if (threadIdx.x) return;
  for (bool done = false; !done;) {
    b->sem.acquire();
    if (b->turn == blockIdx.x) {
      out[blockIdx.x] = b->sum += in[blockIdx.x];
      b->turn++;
      done = true;
    }
    b->sem.release();
  }
}

static cudaError_t run(const int *in, int *out, int n) {
  box *b;
  cudaMalloc(&b, sizeof *b);
  make<<<1, 1>>>(b);
  scan<<<n, 1>>>(in, out, b);
  cudaFree(b);
  return cudaGetLastError();
}
