// expect: nothing
// All ways in which a launch comes after one in another stream, and what needs none: reads, atomics, a flag.

__device__ int data[1024], seen[1024], count, flag;
__global__ void put(int v) { data[blockIdx.x * blockDim.x + threadIdx.x] = v; }
__global__ void get() { seen[blockIdx.x * blockDim.x + threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x]; }
__global__ void look(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x]; }
__global__ void add() { atomicAdd(&count, 1); }
__global__ void raise() {
  data[0] = 1;
  __threadfence();
  *(volatile int *)&flag = 1;
}
__global__ void await(int *out) {
  while (*(volatile int *)&flag == 0) {}
  __threadfence();
  *out = data[0];
}
static int run() {
  int *out[2], host[1024];
  cudaStream_t a, b, free_running;
  cudaEvent_t e;
  cudaMalloc(&out[0], 4096), cudaMalloc(&out[1], 4096);
  cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&e);
  cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking);
  put<<<4, 256, 0, a>>>(1), get<<<4, 256, 0, a>>>(); // the same stream
  cudaStreamSynchronize(a);
  put<<<4, 256, 0, b>>>(2);
  cudaEventRecord(e, b), cudaEventSynchronize(e);
  get<<<4, 256, 0, free_running>>>();
  cudaStreamSynchronize(free_running);
  put<<<4, 256, 0, a>>>(3);
  add<<<4, 256>>>(); // the default stream comes between
  get<<<4, 256, 0, b>>>();
  cudaMemset(out[0], 0, 4096);
  put<<<4, 256, 0, a>>>(4);
  cudaEventRecord(e, a), cudaStreamWaitEvent(b, e, 0), cudaStreamWaitEvent(free_running, e, 0);
  look<<<4, 256, 0, b>>>(out[0]), look<<<4, 256, 0, free_running>>>(out[1]); // both read
  cudaMemcpyFromSymbolAsync(host, data, 4096, 0, cudaMemcpyDeviceToHost, b);
  cudaDeviceSynchronize();
  add<<<4, 256, 0, a>>>(), add<<<4, 256, 0, b>>>(), add<<<4, 256, 0, free_running>>>();
  cudaDeviceSynchronize();
  raise<<<1, 1, 0, a>>>(), await<<<1, 1, 0, b>>>(out[0]);
  cudaFree(out[1]);
  for (int k = 0; k < 100; k++) { // more streams than are told apart
    cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking);
    put<<<4, 256, 0, free_running>>>(k);
    cudaEventRecord(e, free_running), cudaStreamWaitEvent(a, e, 0);
    get<<<4, 256, 0, a>>>();
    cudaEventRecord(e, a), cudaEventSynchronize(e);
  }
  return ended_with(cudaSuccess);
}
