// expect: race.shared at here, memory.uninit
// A block turns its elements round in shared memory, without the barrier between writing and reading. Whether
// the result is right depends on which warp comes first.

__global__ void turn(int *out) {
  __shared__ int tile[256];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads(); // twin
  out[threadIdx.x] = ((volatile int *)tile)[255 - threadIdx.x]; // here
}
static int run() {
  int host[256], *device;
  if (cudaMalloc(&device, sizeof host) != cudaSuccess) return 1;
  turn<<<1, 256>>>(device);
  if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  printf("first: %d\n", host[0]);
  return ended_with(cudaSuccess);
}
