// expect: barrier.mask at 16, race.global
// The base of a key is taken from lane 0, which may have another key and no part in the group.

static const task TASK = {SORTED, 32, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int count[32];
  const int t = threadIdx.x, key = in[t];
  count[t] = 0;
  __syncwarp();
  atomicAdd(&count[key], 1);
  __syncwarp();
  int base = 0;
  for (int k = 0; k < key; k++) base += count[k];
  const unsigned same = __match_any_sync(0xffffffff, key);
  base = __shfl_sync(same, base, 0); // wrong
  base = __shfl_sync(same, base, __ffs(same) - 1); // twin
  out[base + __popc(same & ((1u << t) - 1))] = key;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, n); }
