// expect: race.shared at here
// All lanes of a match read the counter of their digit, the leader reads it again and stores the new count:
// others may read after it has stored.

__global__ void ranks(const int *keys, int *out, int rounds) {
  __shared__ int counters[2][16];
  const unsigned lane = threadIdx.x % 32, below = (1u << lane) - 1;
  int *counter = counters[threadIdx.x / 32];
  if (lane < 16) counter[lane] = 0;
  __syncwarp();
  for (int r = 0; r < rounds; r++) {
    const int key = keys[r * 64 + threadIdx.x];
    const unsigned same = __match_any_sync(0xffffffff, key);
    out[r * 64 + threadIdx.x] = counter[key] + __popc(same & below);
    __syncwarp(); // twin
    if ((same & below) == 0) counter[key] += __popc(same); // here
    __syncwarp();
  }
}
static int run() {
  int h[256], *d;
  for (int k = 0; k < 256; k++) h[k] = (k * 7 + k / 5) % 16;
  cudaMalloc(&d, 2 * sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  ranks<<<1, 64>>>(d, d + 256, 4);
  return ended_with(cudaSuccess);
}
