// expect: order.fence at here
// says: Put __threadfence_system() between
// A kernel writes data and a flag to pinned memory. The host waits for the flag and reads the data.

__global__ void produce(int *data, volatile int *flag) {
  for (int i = 0; i < 4; i++) data[i] = i + 1; // here
  __threadfence(); // wrong
  __threadfence_system(); // twin
  *flag = 1;
}
static int run() {
  int *h, *d;
  cudaHostAlloc(&h, 4096, cudaHostAllocMapped);
  memset(h, 0, 4096);
  cudaHostGetDevicePointer(&d, h, 0);
  produce<<<1, 1>>>(d, d + 64);
  while (((volatile int *)h)[64] == 0) {}
  int s = ((volatile int *)h)[0] + ((volatile int *)h)[3];
  cudaDeviceSynchronize();
  cudaFreeHost(h);
  return s != 5;
}
