// expect: race.host at each here
// The host uses memory that it shares with the device before it has waited for the work there.

__managed__ int maximum;

__global__ void count(const int *x, int *bins) { atomicAdd(&bins[x[threadIdx.x] % 8], 1); }
__global__ void largest(const int *x) { atomicMax(&maximum, x[threadIdx.x]); }
__global__ void twice(const int *x, int *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

static int run() {
  enum { N = 256 };
  int *x, *y, *bins, *pinned, *d, sum = 0;
  cudaStream_t s, t;
  cudaStreamCreate(&s), cudaStreamCreate(&t);
  cudaMallocManaged(&x, N * sizeof(int)), cudaMallocManaged(&y, N * sizeof(int));
  cudaMallocManaged(&bins, 8 * sizeof(int)), cudaMallocHost(&pinned, N * sizeof(int));
  cudaMalloc(&d, N * sizeof(int));
  for (int i = 0; i < N; i++) x[i] = i;
  cudaMemset(bins, 0, 8 * sizeof(int));

  // nothing is waited for
  count<<<1, N>>>(x, bins);
  cudaDeviceSynchronize();                    // twin
  for (int i = 0; i < 8; i++) sum += bins[i]; // here
  largest<<<1, N>>>(x);
  cudaDeviceSynchronize(); // twin
  sum += maximum;          // here

  // another stream is waited for
  twice<<<1, N, 0, s>>>(x, y);
  cudaStreamSynchronize(t);
  cudaStreamSynchronize(s); // twin
  sum += y[3];              // here

  // the kernel may still read what the host writes
  twice<<<1, N, 0, s>>>(x, d);
  cudaStreamSynchronize(s); // twin
  x[5] = 0;                 // here

  // a fill and a copy that have only begun
  cudaMemsetAsync(bins, 0, 8 * sizeof(int), s);
  cudaStreamSynchronize(s); // twin
  sum += bins[7];           // here
  cudaMemcpyAsync(y, d, N * sizeof(int), cudaMemcpyDefault, s);
  cudaStreamSynchronize(s); // twin
  y[N - 1] = 1;             // here
  cudaStreamSynchronize(s);

  // a kernel that writes to pinned memory
  twice<<<1, N, 0, t>>>(x, pinned);
  cudaStreamSynchronize(t); // twin
  sum += pinned[9];         // here

  printf("%d\n", sum);
  cudaStreamDestroy(s), cudaStreamDestroy(t);
  cudaFree(x), cudaFree(y), cudaFree(bins), cudaFree(d), cudaFreeHost(pinned);
  return cudaGetLastError() != cudaSuccess || sum != N + N - 1 + 6 + 18;
}
