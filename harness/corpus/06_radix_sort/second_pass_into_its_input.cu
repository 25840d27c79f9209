// expect: race.global
// The arrays are not swapped between two passes: the second one reads and writes the same.

static const task TASK = {SORTED, 128, 1};

__global__ void pass(const int *in, int *out, int bit) {
  const int i = blockIdx.x * 64 + threadIdx.x, x = in[i], mine = x >> bit & 1;
  int zeros = 0, before = 0;
  for (int k = 0; k < 128; k++) {
    const int b = in[k] >> bit & 1;
    zeros += !b, before += k < i && b == mine;
  }
  out[mine ? zeros + before : before] = x;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *other;
  MUST(cudaMalloc((void **)&other, n * sizeof(int)));
  pass<<<2, 64>>>(in, other, 0);
  for (int bit = 1; bit < 4; bit++) {
    pass<<<2, 64>>>(other, other, bit); // wrong
    pass<<<2, 64>>>(other, out, bit); // twin
    cudaMemcpy(other, out, n * sizeof(int), cudaMemcpyDeviceToDevice); // twin
  }
  cudaMemcpy(out, other, n * sizeof(int), cudaMemcpyDeviceToDevice);
  return freed(other);
}
