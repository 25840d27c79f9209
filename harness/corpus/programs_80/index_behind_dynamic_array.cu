// expect: memory.bounds at here
// with: --profile a100
// Large tiles keep what they need in shared memory, too: behind the arrays, where no index may lead.

__global__ void turn(int *d, int behind) {
  extern __shared__ int s[];
  auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
  s[threadIdx.x] = d[threadIdx.x];
  tile.sync();
  if (threadIdx.x == 0) s[64 + behind] = 1; // here
  tile.sync();
  d[threadIdx.x] = s[63 - threadIdx.x % 64];
}
static int run() {
  int *d;
  cudaMalloc(&d, 512), cudaMemset(d, 0, 512);
  turn<<<1, 64, 256>>>(d, 40); // wrong
  turn<<<1, 64, 256>>>(d, -1); // twin
  return ended_with(cudaErrorIllegalAddress);
}
