// expect: race.shared at read
// with: --profile a100
// A thread reads a word behind its arrival at a barrier, whose owner writes it when all have arrived.

__global__ void turn(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  s[t] = t;
  __syncthreads();
  const int v = s[63 - t]; // twin
  auto token = bar.arrive();
  const int v = s[63 - t]; // wrong
  bar.wait(std::move(token));
  s[t] = v + 1; // read
  __syncthreads();
  out[t] = s[t];
}
static int run() { return played(turn, 1, 64, 256, UNSET); }
