// expect: barrier.mask at 9
// The mask names the whole warp, but lanes past the end do not come to the exchange.

static const task TASK = {SORTED, 20, 1};

__global__ void sort(const int *in, int *out, int n) {
  const int lane = threadIdx.x, key = lane < n ? in[lane] : KEYS;
  unsigned peers = 0;
  if (lane < n) peers = __match_any_sync(~0u, key); // wrong
  peers = __match_any_sync(~0u, key); // twin
  __syncwarp();
  int place = __popc(peers & ((1u << lane) - 1));
  for (int j = 0; j < n; j++) place += in[j] < key;
  if (lane < n) out[place] = key;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(sort, in, out, n, 32); }
