// expect: barrier.mask at 15
// Lane 0 adds for its warp, but in a branch lane 0 need not be there.

static const task TASK = {SORTED, 32, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int evens;
  const int t = threadIdx.x, key = in[t];
  if (t == 0) evens = 0;
  __syncwarp();
  if (key % 2 == 0) {
    const unsigned there = __activemask();
    int base = 0;
    if (t == 0) base = atomicAdd(&evens, __popc(there)); // wrong
    base = __shfl_sync(there, base, 0); // wrong
    if (t == __ffs(there) - 1) base = atomicAdd(&evens, __popc(there)); // twin
    base = __shfl_sync(there, base, __ffs(there) - 1); // twin
    if (base + __popc(there & ((1u << t) - 1)) >= 32) out[0] = 0;
  }
  __syncwarp();
  int place = 0;
  for (int k = 0; k < 32; k++) place += in[k] < key || (in[k] == key && k < t);
  out[place] = key;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, n); }
