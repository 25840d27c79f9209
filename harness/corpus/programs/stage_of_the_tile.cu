// expect: race.shared at each here, memory.uninit at sum
// A product by tiles in two stages: the next tile is loaded into the stage that is still read.

template <typename T, int TILE> __global__ void multiply(const T *a, const T *b, T *c, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  T *as = (T *)raw, *bs = as + 2 * TILE * TILE, sum = 0;
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  const int me = threadIdx.y * TILE + threadIdx.x, tiles = (n + TILE - 1) / TILE;
  const auto load = [&](int k, int stage) {
    const int x = k * TILE + threadIdx.x, y = k * TILE + threadIdx.y;
    as[stage * TILE * TILE + me] = row < n && x < n ? a[row * n + x] : T(0); // here
    bs[stage * TILE * TILE + me] = col < n && y < n ? b[y * n + col] : T(0); // here
  };
  load(0, 0);
  for (int k = 0; k < tiles; k++) {
    __syncthreads();
    if (k + 1 < tiles) load(k + 1, ~k & 1); // twin
    if (k + 1 < tiles) load(k + 1, k & 1);  // wrong
    const T *x = as + (k & 1) * TILE * TILE + threadIdx.y * TILE,
            *y = bs + (k & 1) * TILE * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i++) sum += x[i] * y[i * TILE]; // sum
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

static int run() {
  enum { N = 40, TILE = 16, BYTES = 4 * TILE * TILE * sizeof(long long) + 50 * 1024 }; // above 48 KiB
  static long long a[N * N], b[N * N], c[N * N];
  long long *d[3];
  int bad = 0;
  for (int i = 0; i < N * N; i++) a[i] = i % 13 - 6, b[i] = i % 7;
  for (auto &p : d) cudaMalloc(&p, sizeof a), cudaMemset(p, 0, sizeof a);
  cudaMemcpy(d[0], a, sizeof a, cudaMemcpyHostToDevice),
      cudaMemcpy(d[1], b, sizeof b, cudaMemcpyHostToDevice);
  const auto kernel = multiply<long long, TILE>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
  kernel<<<dim3((N + TILE - 1) / TILE, (N + TILE - 1) / TILE), dim3(TILE, TILE), BYTES>>>(d[0], d[1], d[2],
                                                                                          N);
  bad += cudaMemcpy(c, d[2], sizeof c, cudaMemcpyDeviceToHost) != cudaSuccess;
  for (int i = 0; corpus_twin && i < N * N; i++) {
    long long sum = 0;
    for (int k = 0; k < N; k++) sum += a[i / N * N + k] * b[k * N + i % N];
    bad += sum != c[i];
  }
  for (auto p : d) cudaFree(p);
  return bad;
}
