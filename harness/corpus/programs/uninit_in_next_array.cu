// expect: memory.uninit at only wrong
// says: keys[64]
// says: Look at the index and the guard here
// The guard is missing, and the next array of the allocation begins there: the array that is read is named,
// and not the other one, which nobody has to write yet.

__global__ void sum(const int *keys, int *counts, int n, int *out) {
  const int i = threadIdx.x;
  if (i < n) out[i] = keys[i] + 1; // twin
  out[i] = keys[i] + 1; // wrong
  if (i == n) counts[0] = 0;
}
static int run() {
  int *keys, *out;
  if (cudaMalloc(&keys, 1024) || cudaMalloc(&out, 512) || cudaMemset(keys, 0, 256)) return 1;
  sum<<<1, 128>>>(keys, keys + 64, 64, out);
  return ended_with(cudaSuccess);
}
