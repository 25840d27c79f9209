// expect: nothing
// Counting by __match_any_sync: the first lane with a key adds for all that have it.

static const task TASK = {SORTED, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int c[32], place[32];
  const int t = threadIdx.x, key = in[t];
  if (t < 32) c[t] = 0;
  __syncthreads();
  const unsigned same = __match_any_sync(0xffffffff, key);
  const int rank = __popc(same & ((1u << (t & 31)) - 1)), leader = __ffs(same) - 1;
  int base = 0;
  if ((t & 31) == leader) base = atomicAdd(&c[key], __popc(same));
  base = __shfl_sync(0xffffffff, base, leader);
  __syncthreads();
  if (t < 32) {
    const int x = c[t];
    place[t] = warp_sum(x) - x;
  }
  __syncthreads();
  out[place[key] + base + rank] = key;
}
