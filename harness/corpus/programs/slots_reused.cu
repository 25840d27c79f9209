// expect: race.global at each here
// Two streams, two slots: the producer fills a slot again before the consumer has read it, as only one of
// the two events is waited for.

__global__ void produce(int *slot, int chunk) {
  slot[threadIdx.x] = chunk * 1000 + threadIdx.x; // here
}
__global__ void consume(const int *slot, unsigned long long *sum) { atomicAdd(sum, slot[threadIdx.x]); }

static int run() {
  enum { N = 256, CHUNKS = 6, SLOTS = 2 };
  int *slot[SLOTS];
  unsigned long long *sum, *got, want = 0;
  cudaStream_t producer, consumer;
  cudaEvent_t full[SLOTS], empty[SLOTS];
  cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking);
  cudaMalloc(&sum, sizeof *sum), cudaMallocHost(&got, sizeof *got);
  cudaMemsetAsync(sum, 0, sizeof *sum, consumer);
  for (int k = 0; k < SLOTS; k++) {
    cudaMalloc(&slot[k], N * sizeof(int));
    cudaEventCreateWithFlags(&full[k], cudaEventDisableTiming);
    cudaEventCreateWithFlags(&empty[k], cudaEventDisableTiming);
    cudaEventRecord(empty[k], consumer);
  }
  for (int k = 0; k < CHUNKS; k++) {
    cudaStreamWaitEvent(producer, empty[k % SLOTS]); // twin
    produce<<<1, N, 0, producer>>>(slot[k % SLOTS], k);
    cudaEventRecord(full[k % SLOTS], producer);
    cudaStreamWaitEvent(consumer, full[k % SLOTS]);
    consume<<<1, N, 0, consumer>>>(slot[k % SLOTS], sum);
    cudaEventRecord(empty[k % SLOTS], consumer);
    want += N * 1000ull * k + N * (N - 1) / 2;
  }
  cudaMemcpyAsync(got, sum, sizeof *sum, cudaMemcpyDeviceToHost, consumer);
  const cudaError_t e = cudaStreamSynchronize(consumer);
  const bool right = *got == want;
  cudaStreamSynchronize(producer);
  for (int k = 0; k < SLOTS; k++) cudaFree(slot[k]), cudaEventDestroy(full[k]), cudaEventDestroy(empty[k]);
  cudaFree(sum), cudaFreeHost(got), cudaStreamDestroy(producer), cudaStreamDestroy(consumer);
  return e != cudaSuccess || !right;
}
