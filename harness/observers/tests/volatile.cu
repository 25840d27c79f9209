// Sums of tiles, whose data are volatile if VOLATILE is defined. Each block waits for a flag first.
#include <cstdio>

#ifdef VOLATILE
#define DATA volatile int
#else
#define DATA int
#endif
constexpr int TILE = 256, BLOCKS = 64, N = 1 << 18;
__device__ volatile int turn;

__global__ void scan(const DATA *in, DATA *out, int launch) {
  __shared__ int s[TILE];
  const int t = threadIdx.x;
  if (t == 0)
    while (turn != launch * BLOCKS + blockIdx.x) continue;
  for (int i = blockIdx.x * TILE + t; i < N; i += BLOCKS * TILE) {
    s[t] = in[i];
    __syncthreads();
    out[i] = s[t] + (t ? s[t - 1] : 0);
    __syncthreads();
  }
  __threadfence();
  __syncthreads();
  if (t == 0) turn = launch * BLOCKS + blockIdx.x + 1;
}

int main() {
  int *in, *out, last = 0;
  if (cudaMalloc(&in, N * sizeof(int)) || cudaMalloc(&out, N * sizeof(int)) || cudaMemset(in, 1, N * sizeof(int))) return 1;
  for (int launch = 0; launch < 4; launch++) scan<<<BLOCKS, TILE>>>(in, out, launch);
  const bool wrong = cudaMemcpy(&last, out + N - 1, sizeof last, cudaMemcpyDeviceToHost) || last != 2 * 0x01010101;
  cudaFree(in), cudaFree(out);
  return wrong;
}
