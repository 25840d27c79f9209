// expect: progress.deadlock at only here
// with: --profile a100
// A barrier in shared memory expects one arrival more than there are threads: all wait, in longer pauses.

enum { ARRIVALS = 64 }; // twin
enum { ARRIVALS = 65 }; // wrong
__global__ void turn(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&bar, ARRIVALS);
  __syncthreads();
  s[t] = t;
  auto token = bar.arrive();
  bar.wait(std::move(token)); // here
  out[t] = s[63 - t];
}
static int run() {
  int *out = unset(64 * sizeof(int));
  turn<<<1, 64>>>(out);
  return ended_with(cudaErrorLaunchTimeout);
}
