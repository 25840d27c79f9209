// expect: race.shared at here
// with: --profile a100
// A pipeline of two stages: each is given back before it is read, so a copy may come into it.

__global__ void sum(int *d, int *out) {
  __shared__ int s[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  int total = 0;
  for (int r = -2; r < 4; r++) {
    if (r >= 0) {
      pipe.consumer_wait();
      pipe.consumer_release(); // wrong
      total += s[r % 2][63 - t]; // here
      pipe.consumer_release(); // twin
    }
    if (r >= 2) continue;
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[r & 1], d + 64 * (r + 2), sizeof s[0], pipe);
    pipe.producer_commit();
  }
  out[t] = total;
}
static int run() {
  int *out;
  cudaMalloc(&out, 256);
  return played(sum, 1, 64, 4 * 256, 1, out);
}
