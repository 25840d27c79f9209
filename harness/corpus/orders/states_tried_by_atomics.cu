// expect: order.fence at here
// Each block polls the state of a block before it by atomics. A state is its own flag: it needs no fence,
// though other states are seen in between. The sum beside it needs fences.

__device__ int ticket;
__global__ void work(int *state) {
  if (threadIdx.x) return;
  int *sum = state + 64;
  for (int round = 0; round < 2; round++) {
    const int mine = atomicAdd(&ticket, 1), before = mine - 2;
    int now = 1;
    if (before >= 0) do
        now = atomicAdd(&state[before], 0);
      while (now == 0);
    __threadfence();                                           // twin
    const int x = before < 0 ? 0 : atomicAdd(&sum[before], 0); // here
    atomicExch(&sum[mine], x + now);
    __threadfence(); // twin
    atomicExch(&state[mine], now + 1);
  }
}
static int run() { return played(work, 8, 32); }
