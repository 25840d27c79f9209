// expect: race.host at here, memory.bounds
// says: error[race.host]
// The host puts the next index where a copy may still read the last one: what follows comes second.

__global__ void put(int *d, const int *at) { d[*at] = 7; }
static int run() {
  int *d, *at, *h;
  cudaStream_t s;
  cudaMalloc(&d, 64), cudaMalloc(&at, 4), cudaMallocHost(&h, 4), cudaStreamCreate(&s);
  for (int turn = 0; turn < 2; turn++) {
    *h = 3;
    cudaMemcpyAsync(at, h, 4, cudaMemcpyHostToDevice, s);
    cudaStreamSynchronize(s); // twin
    *h = 300; // here
    put<<<1, 1, 0, s>>>(d, at);
    cudaStreamSynchronize(s);
  }
  return ended_with(cudaErrorIllegalAddress);
}
