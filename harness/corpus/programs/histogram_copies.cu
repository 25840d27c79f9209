// expect: race.shared at each here, memory.uninit at add
// A histogram with a copy of the bins for every fourth thread: cleared by all, counted in before all are
// clear.

template <int BINS, int COPIES> __global__ void histogram(const unsigned char *data, int n, unsigned *bins) {
  __shared__ unsigned part[COPIES][BINS + 1];
  const uchar4 *quads = (const uchar4 *)data;
  unsigned *mine = part[threadIdx.x % COPIES];
  for (int i = threadIdx.x; i < COPIES * (BINS + 1); i += blockDim.x) {
    part[i / (BINS + 1)][i % (BINS + 1)] = 0; // here
  }
  __syncthreads(); // twin
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    const uchar4 q = quads[i];
    for (unsigned char byte : {q.x, q.y, q.z, q.w}) {
      atomicAdd(&mine[byte % BINS], 1u); // add
    }
  }
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
    unsigned sum = 0;
    for (int c = 0; c < COPIES; c++) sum += part[c][b];
    if (sum) atomicAdd(&bins[b], sum);
  }
}

static int run() {
  enum { N = 20000 };
  static unsigned char data[N];
  unsigned *bins, got[64], want[64] = {};
  for (unsigned i = 0; i < N; i++) want[(data[i] = (unsigned char)(i * i >> 3)) % 64]++;
  if (cudaHostRegister(data, N, cudaHostRegisterDefault)) return 1;
  cudaStream_t s;
  unsigned char *d;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMalloc(&d, N), cudaMalloc(&bins, sizeof got);
  cudaMemcpyAsync(d, data, N, cudaMemcpyHostToDevice, s);
  cudaMemsetAsync(bins, 0, sizeof got, s);
  histogram<64, 4><<<6, 192, 0, s>>>(d, N, bins);
  cudaMemcpyAsync(got, bins, sizeof got, cudaMemcpyDeviceToHost, s);
  const cudaError_t e = cudaStreamSynchronize(s);
  const bool right = memcmp(got, want, sizeof got) == 0;
  cudaHostUnregister(data);
  cudaFree(d), cudaFree(bins), cudaStreamDestroy(s);
  return e != cudaSuccess || (corpus_twin && !right);
}
