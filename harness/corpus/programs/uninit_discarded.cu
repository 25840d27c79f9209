// expect: nothing
// Nothing is found: elements past the valid ones are read ahead, moved, compared and shuffled, but what is
// kept never depends on them.

__global__ void merge(int *out, const int *in, int n) {
  __shared__ int s[64], moved[32];
  if ((int)threadIdx.x < n) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int a = s[threadIdx.x], b = s[threadIdx.x + 32];  // b: never written
  bool take_b = (int)threadIdx.x >= n ? a < b : false;
  moved[threadIdx.x] = take_b ? b : a;
  __syncthreads();
  int x = moved[threadIdx.x], y = __shfl_down_sync(0xffffffffu, x, 1);
  if ((int)threadIdx.x + 1 < n) out[threadIdx.x] = min(x, y);
}
static int run() {
  int *out = unset(128), *in = filled(128);
  merge<<<1, 32>>>(out, in, 20);
  return ended_with(cudaSuccess);
}
