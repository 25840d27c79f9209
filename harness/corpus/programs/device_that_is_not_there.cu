// expect: host.error at here
// says: there is one device, number 0
// The second device is chosen on a machine that has one, so the work goes on on the first. Nobody looks.

__global__ void number(int *x) { x[threadIdx.x] = threadIdx.x; }

static int run() {
  int *x, devices = 0;
  cudaGetDeviceCount(&devices);
  cudaSetDevice(devices);     // here // wrong
  cudaSetDevice(devices - 1); // twin
  cudaMalloc(&x, 256);
  number<<<1, 64>>>(x);
  return ended_with(cudaSuccess);
}
