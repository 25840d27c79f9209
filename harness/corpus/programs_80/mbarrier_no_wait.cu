// expect: race.shared at here, memory.uninit
// with: --profile a100
// The threads arrive at a barrier in shared memory, and read what others wrote before its phase has ended.

__global__ void turn(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  s[t] = t;
  auto token = bar.arrive();
  bar.wait(std::move(token)); // twin
  out[t] = s[63 - t]; // here
}
static int run() { return played(turn, 1, 64, 64 * sizeof(int), UNSET); }
