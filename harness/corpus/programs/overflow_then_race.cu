// expect: memory.bounds at only over, race.shared at race, memory.freed at late
// A launch with three mistakes. The first does not hide the others: its access is left out, no more.

__global__ void shift_twice(const int *in, int *out, int n, const int *old) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0; // twin
  __syncthreads(); // twin
  s[t] = in[t]; // over // wrong
  const int left = t > 0 ? s[t - 1] : 0; // race
  if (t < n) out[t] = left; // twin
  if (t < n) out[t] = left + old[t]; // late // wrong
}
static int run() {
  int *in, *out, *old;
  if (cudaMalloc(&in, 400) || cudaMalloc(&out, 400) || cudaMalloc(&old, 400) || cudaMemset(in, 0, 400) ||
      cudaMemset(old, 0, 400) || cudaFree(old))
    return 1;
  shift_twice<<<1, 128>>>(in, out, 100, old);
  return ended_with(cudaErrorIllegalAddress);
}
