// expect: memory.bounds at only over
// with: --stop-at-first
// A launch with two mistakes, ended at the first bad access: the race is not seen.

__global__ void shift(const int *in, int *out, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0; // twin
  __syncthreads(); // twin
  s[t] = in[t]; // over // wrong
  __syncthreads(); // wrong
  const int left = t > 0 ? s[t - 1] : 0;
  __syncthreads(); // twin
  s[t] = left;
  if (t < n) out[t] = s[t];
}
static int run() {
  int *in = filled(400), *out = unset(400);
  shift<<<1, 128>>>(in, out, 100);
  return ended_with(cudaErrorIllegalAddress);
}
