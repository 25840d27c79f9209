// expect: order.fence at data
// A kernel fills memory that the host has registered, and raises a flag there, with no fence that holds for
// the host.

__global__ void fill(int *data, volatile int *flag) {
  *data = 42; // data
  __threadfence_system(); // twin
  __threadfence(); // wrong
  *flag = 1;
}
static int run() {
  int *host = (int *)aligned_alloc(4096, 8192), *device;
  memset(host, 0, 8192);
  cudaHostRegister(host, 8192, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&device, host, 0);
  fill<<<1, 1>>>(device + 1024, device);
  while (*(volatile int *)host == 0) {}
  const int got = ((volatile int *)host)[1024];
  cudaDeviceSynchronize();
  cudaHostUnregister(host);
  free(host);
  return got != 42;
}
