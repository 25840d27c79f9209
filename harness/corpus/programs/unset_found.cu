// expect: memory.uninit at here
// The place of an element that is not there for each thread. The twin looks at it only where one was found,
// and keeps what only some threads have in a variable without a first value.

__global__ void places(int *d, int n) {
  int place, even;
  bool seen_three = false;
  for (int i = threadIdx.x; i < n; i += 8)
    if (d[i] == 3) place = i, seen_three = true; // here
  if (threadIdx.x % 2 == 0) even = d[threadIdx.x];
  __syncthreads();
  if (threadIdx.x % 2 == 0) d[n + threadIdx.x] = even;
  if (seen_three) // twin
    d[threadIdx.x] = place;
}
static int run() {
  int h[40], *d;
  for (int i = 0; i < 40; i++) h[i] = i % 7;
  cudaMalloc(&d, sizeof h), cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  places<<<1, 8>>>(d, 32);
  return ended_with(cudaSuccess);
}
