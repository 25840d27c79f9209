// expect: race.shared at here, race.async
// with: --profile h100
// Every thread waits for its own copy alone: what others copied is there after a barrier.

__global__ void reversed(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __syncthreads(); // too early: the copies are under way // wrong
  __pipeline_wait_prior(0);
  __syncthreads(); // twin
  out[t] = s[63 - t]; // here
}

static int run() {
  int *d = filled(512);
  reversed<<<1, 64>>>(d, d + 64);
  return ended_with(cudaSuccess);
}
