// expect: race.global at 11
// The elements are moved in one array: a thread overwrites a key that another one has yet to read.

static const task TASK = {SORTED, 64, 1};

__global__ void sort(const int *in, int *out, int n) {
  const int t = threadIdx.x, key = out[t];
  int place = 0;
  for (int j = 0; j < n; j++) place += out[j] < key || (out[j] == key && j < t);
  __syncthreads(); // twin
  out[place] = key;
}

static cudaError_t run(const int *in, int *out, int n) {
  MUST(cudaMemcpy(out, in, n * sizeof(int), cudaMemcpyDeviceToDevice));
  sort<<<1, n>>>(in, out, n);
  return cudaGetLastError();
}
