// expect: repeat.state at 19
// The tiles' state is a variable of the device, set once: the next call finds the flags of the one before.

static const task TASK = {INCLUSIVE, 200, 2};

struct tiles_state {
  int ticket, flag[8], prefix[8];
};
__device__ tiles_state state;

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int tile, before;
  if (threadIdx.x == 0) tile = atomicAdd(&state.ticket, 1) % gridDim.x;
  __syncthreads();
  const int i = tile * TILE + threadIdx.x, sum = block_sum(i < n ? in[i] : 0);
  if (threadIdx.x == TILE - 1) {
    before = 0;
    if (tile) {
      while (*(volatile int *)&state.flag[tile - 1] == 0) {
      }
      __threadfence();
      before = *(volatile int *)&state.prefix[tile - 1];
    }
    *(volatile int *)&state.prefix[tile] = before + sum;
    __threadfence();
    *(volatile int *)&state.flag[tile] = 1;
  }
  __syncthreads();
  if (i < n) out[i] = before + sum;
}

static cudaError_t run(const int *in, int *out, int n) {
  static const tiles_state zero = {}; // twin
  cudaMemcpyToSymbol(state, &zero, sizeof zero); // twin
  scan<<<tiles_of(n), TILE>>>(in, out, n);
  return cudaGetLastError();
}
