// expect: race.global at here
// Keys are scattered by positions that nobody has computed: all are 0, so every thread writes out[0].

__global__ void positions(int *pos) { pos[threadIdx.x] = threadIdx.x; }
__global__ void scatter(const int *pos, int *out) {
  out[pos[threadIdx.x]] = threadIdx.x; // here
}
static int run() {
  int *pos = filled(256), *out = unset(256);
  positions<<<1, 64>>>(pos); // twin
  scatter<<<1, 64>>>(pos, out);
  return ended_with(cudaSuccess);
}
