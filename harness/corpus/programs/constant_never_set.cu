// expect: memory.constant at here
// says: weights[0]
// The weights of a filter are prepared on the host, and nobody copies them to the device. The twin also has a
// constant that is declared with its values, and one that only a branch which nobody takes reads.

__constant__ float weights[3], bias[2] = {1, 2}, unused;

__global__ void filter(const float *in, float *out, int n) {
  const int i = threadIdx.x;
  if (i + 2 >= n) return;
  float sum = bias[i & 1];
  for (int k = 0; k < 3; k++) sum += weights[k] * in[i + k]; // here
  if (n < 0) sum += unused;
  out[i] = sum;
}
static int run() {
  [[maybe_unused]] const float w[] = {1, 2, 1};
  float h[32], *d;
  for (int i = 0; i < 32; i++) h[i] = i;
  cudaMalloc(&d, 2 * sizeof h), cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, w, sizeof w); // twin
  filter<<<1, 32>>>(d, d + 32, 32);
  cudaMemcpy(h, d + 32, 30 * sizeof *h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return h[4] != (corpus_twin ? 21 : 1);
}
