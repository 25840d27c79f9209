// expect: race.global
// The event is recorded before the launch that it is meant to stand for.

static const task TASK = {EXCLUSIVE, 300, 1};

static cudaError_t run(const int *in, int *out, int n) {
  int *sums;
  cudaStream_t a, b;
  cudaEvent_t e;
  MUST(cudaMalloc((void **)&sums, tiles_of(n) * sizeof(int)));
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreate(&e);
  cudaDeviceSynchronize();
  cudaEventRecord(e, a); // wrong
  scan_tiles<<<tiles_of(n), TILE, 0, a>>>(in, out, sums, n); // wrong
  scan_tiles<<<tiles_of(n), TILE, 0, a>>>(in, out, sums, n); // twin
  cudaEventRecord(e, a); // twin
  cudaStreamWaitEvent(b, e, 0);
  scan_tiles<<<1, TILE, 0, b>>>(sums, sums, nullptr, tiles_of(n));
  add_offsets<<<tiles_of(n), TILE, 0, b>>>(out, sums, n);
  cudaStreamSynchronize(b);
  cudaStreamSynchronize(a);
  cudaEventDestroy(e), cudaStreamDestroy(a), cudaStreamDestroy(b);
  return freed(sums);
}
