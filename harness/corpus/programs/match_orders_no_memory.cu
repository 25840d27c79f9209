// expect: race.shared at here
// Ranks by a counter for each digit and warp: the leaders of one round store, the next round's lanes read.
// Between them stands a match, which brings the lanes together and orders no memory.

__global__ void ranks(const int *keys, int *out, int rounds) {
  __shared__ int counter[16];
  const unsigned t = threadIdx.x, below = (1u << t) - 1;
  if (t < 16) counter[t] = 0;
  __syncwarp();
  for (int r = 0; r < rounds; r++) {
    const int key = keys[r * 32 + t];
    const unsigned same = __match_any_sync(0xffffffff, key);
    const int before = counter[key]; // here
    __syncwarp();
    if ((same & below) == 0) counter[key] = before + __popc(same);
    __syncwarp(); // twin
    out[r * 32 + t] = before + __popc(same & below);
  }
}
static int run() {
  int h[128], *d;
  for (int k = 0; k < 128; k++) h[k] = (k * 7 + k / 5) % 16;
  cudaMalloc(&d, 2 * sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  ranks<<<1, 32>>>(d, d + 128, 4);
  return ended_with(cudaSuccess);
}
