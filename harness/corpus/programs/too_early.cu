// expect: race.host at each here
// Waiting for the wrong thing, or at the wrong time.

enum { N = 8192, BYTES = N * sizeof(int) };
static int *d, *h;
static void back(cudaStream_t s) { cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s); }

// What each use of h needs before it.
static void settle() {
  cudaDeviceSynchronize(); // twin
}

static int run() {
  cudaStream_t s, t, apart;
  cudaEvent_t before;
  static int copy[N];
  cudaStreamCreate(&s), cudaStreamCreate(&t), cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
  cudaEventCreate(&before);
  if (cudaMalloc(&d, BYTES) || cudaMallocHost(&h, BYTES) || cudaMemset(d, 1, BYTES)) return 1;

  cudaEventRecord(before, s); // and not after it
  back(s);
  cudaEventSynchronize(before);
  settle();
  int sum = h[1]; // here
  cudaDeviceSynchronize();

  back(s);
  cudaStreamSynchronize(t); // another stream
  settle();
  sum += h[N - 1]; // here
  cudaDeviceSynchronize();

  back(apart);
  cudaMemcpy(copy, d, 64, cudaMemcpyDeviceToHost); // the default stream does not wait for that one
  settle();
  memcpy(copy, h, BYTES); // here
  cudaDeviceSynchronize();

  back(0); // the default stream is as asynchronous as others
  settle();
  h[N / 2] = 1; // here
  cudaDeviceSynchronize();

  back(s);
  cudaStreamWaitEvent(t, before), cudaStreamSynchronize(t);
  cudaMemcpyAsync(d + N / 2, h + N / 2, 64, cudaMemcpyHostToDevice, s);
  back(s);
  settle();
  sum += h[7]; // here
  cudaDeviceSynchronize();

  // Copies in two streams that use the same buffer.
  cudaMemcpyAsync(h, d, BYTES / 2, cudaMemcpyDeviceToHost, s);
  settle();
  cudaMemcpyAsync(d + N / 2, h + N / 4, 64, cudaMemcpyHostToDevice, t); // here
  cudaDeviceSynchronize();

  // A part with borders within pages: that its source has changed is seen at the call that waits for it.
  cudaMemcpyAsync(d, h + 5, 64, cudaMemcpyHostToDevice, s);
  settle();
  h[9] = 1;
  cudaStreamSynchronize(s); // here

  // Several rows, changed before the device's next work.
  cudaMemcpy2DAsync(d, 32, h, 64, 32, 16, cudaMemcpyHostToDevice, s);
  settle();
  h[16] = 5;
  cudaMemsetAsync(d + N / 2, 0, 4, s); // here
  cudaMemcpy(copy, d, 64, cudaMemcpyDeviceToHost);
  if ((copy[8] == 5) == corpus_twin) return 1;
  printf("%d\n", sum);

  cudaFree(d), cudaFreeHost(h), cudaEventDestroy(before);
  return cudaStreamDestroy(s) || cudaStreamDestroy(t) || cudaStreamDestroy(apart);
}
