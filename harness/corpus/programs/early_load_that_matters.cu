// expect: race.shared at here
// says: no __syncthreads() between line 9 and line 12
// The compiler loads the word for all threads, though one of them alone wants its value: that one races.

__global__ void notice(const int *in, int *out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (threadIdx.x == 37) found = in[0];
  __syncthreads(); // twin
  if (threadIdx.x == 0) out[1] = 0;
  if (threadIdx.x == 5 && found == in[1]) out[0] = 1; // here
}
static int run() {
  int *in = filled(512, 1);
  notice<<<1, 64>>>(in, in + 64);
  return ended_with(cudaSuccess);
}
