// expect: order.fence at data
// Threads of a block fill managed memory, and one of them raises a flag of the system's scope elsewhere.

__global__ void produce(int *data, int *flag) {
  data[threadIdx.x] = threadIdx.x; // data
  __syncthreads();
  if (threadIdx.x == 0)
    cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_release); // twin
    cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_relaxed); // wrong
}
static int run() {
  int *data, *flag;
  cudaMallocManaged(&data, 4096);
  cudaMallocManaged(&flag, 4096);
  *flag = 0;
  produce<<<1, 64>>>(data, flag);
  while (*(volatile int *)flag == 0) {}
  const int got = *(volatile int *)&data[63];
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  return got != 63;
}
