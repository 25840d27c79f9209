// expect: progress.deadlock at here
// with: --profile a100
// Half of the threads leave a barrier in shared memory without telling it, and it goes on waiting for them.

__global__ void fold(int *d) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  s[t] = d[t];
  bar.arrive_and_wait();
  if (t >= 32) {
    bar.arrive_and_drop(); // twin
    return;
  }
  s[t] += s[t + 32];
  bar.arrive_and_wait(); // here
  d[t] = s[31 - t];
}
static int run() {
  int *d;
  cudaMalloc(&d, 256), cudaMemset(d, 0, 256);
  fold<<<1, 64>>>(d);
  return ended_with(cudaErrorLaunchTimeout);
}
