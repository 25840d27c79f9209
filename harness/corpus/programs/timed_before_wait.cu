// expect: race.host at here
// says: cudaErrorNotReady
// The time of a kernel that the host has not waited for.

__global__ void number(int *x) { x[threadIdx.x] = threadIdx.x; }

static int run() {
  int *x;
  float ms = -1;
  cudaEvent_t from, to;
  cudaMalloc(&x, 256);
  cudaEventCreate(&from), cudaEventCreate(&to);
  cudaEventRecord(from);
  number<<<1, 64>>>(x);
  cudaEventRecord(to);
  cudaEventSynchronize(to);               // twin
  cudaEventElapsedTime(&ms, from, to);    // here
  if ((ms >= 0) != corpus_twin) return 1; // on a GPU as here
  return ended_with(cudaSuccess);
}
