// expect: race.global at each here
// Copies and fills in streams with nothing between them and the kernels that use the same memory.

__global__ void twice(int *a) { a[threadIdx.x] *= 2; } // here
__global__ void sum(const int *a, int *total) {
  for (int i = 0; threadIdx.x == 0 && i < 64; i++) *total += a[i]; // here
}
__global__ void count(int *a) {
  a[threadIdx.x] += 1; // here
}

static int run() {
  int *a, *b, *host;
  cudaStream_t s, t;
  cudaEvent_t done;
  cudaMalloc(&a, 512), cudaMalloc(&b, 512), cudaMallocHost(&host, 512);
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEventCreate(&done);
  for (int i = 0; i < 128; i++) host[i] = i;

  // a kernel reads what is copied in another stream
  cudaMemcpyAsync(a, host, 512, cudaMemcpyHostToDevice, s);
  cudaMemset(b, 0, 512);
  cudaEventRecord(done, s), cudaStreamWaitEvent(t, done, 0), cudaDeviceSynchronize(); // twin
  sum<<<1, 32, 0, t>>>(a, b);
  cudaDeviceSynchronize();

  // the result is copied to the host from another stream
  twice<<<1, 64, 0, t>>>(a);
  cudaEventRecord(done, t), cudaStreamWaitEvent(s, done, 0); // twin
  cudaMemcpyAsync(host, a, 256, cudaMemcpyDeviceToHost, s);
  count<<<1, 64, 0, t>>>(a + 64); // the other half
  cudaStreamSynchronize(s), cudaStreamSynchronize(t);

  // a fill in the default stream, then a stream that does not wait for that
  cudaMemset(b, 0, 512);
  cudaStreamSynchronize(0); // twin
  count<<<1, 64, 0, s>>>(b);
  cudaMemset2DAsync(b + 64, 16, 1, 4, 4, t); // other columns
  return ended_with(cudaSuccess);
}
