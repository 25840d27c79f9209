// expect: race.shared at wrong, memory.uninit
// Threads arrive at a barrier of the block and read before it has opened.

__global__ void work(int *data) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int word[64];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  word[t] = t;
  auto token = bar.arrive();
  data[t] = word[63 - t]; // wrong
  bar.wait(std::move(token));
  data[t] = word[63 - t]; // twin
}
static int run() { return played(work, 1, 64); }
