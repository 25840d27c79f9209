// expect: race.global at here
// says: Look at the launch and at the index in line 7
// The launch has blocks and threads the wrong way round.

__global__ void copy(const int *in, int *out, int n) {
  int t = threadIdx.x;
  if (t < n) out[t] = in[t] + 1; // here
}
static int run() {
  int *d = filled(256, 1);
  copy<<<1, 32>>>(d, d + 32, 32); // twin
  copy<<<32, 1>>>(d, d + 32, 32); // wrong
  return ended_with(cudaSuccess);
}
