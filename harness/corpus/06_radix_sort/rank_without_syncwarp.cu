// expect: race.shared at 17
// The first of the lanes with a key adds to its count while the others still read it.

static const task TASK = {SORTED, 64, 1};

__global__ void sort(const int *in, int *out, int n) {
  __shared__ int s_next[KEYS];
  const int lane = threadIdx.x;
  s_next[lane] = 0;
  __syncwarp();
  int key[2], rank[2];
  for (int k = 0; k < 2; k++) {
    key[k] = in[k * 32 + lane];
    const unsigned peers = __match_any_sync(~0u, key[k]), before = __popc(peers & ((1u << lane) - 1));
    rank[k] = s_next[key[k]] + before;
    __syncwarp(); // twin
    if (before == 0) s_next[key[k]] += __popc(peers);
    __syncwarp();
  }
  for (int k = 0; k < 2; k++) {
    int place = rank[k];
    for (int d = 0; d < key[k]; d++) place += s_next[d];
    out[place] = key[k];
  }
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(sort, in, out, n, 32); }
