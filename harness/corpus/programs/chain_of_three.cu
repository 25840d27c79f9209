// expect: race.global at here
// Block 1 passes the word on without a fence, so what block 0 wrote need not be visible to block 2.

__global__ void chain(int *data, volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42; // here
    __threadfence();
    flag[0] = 1;
  } else if (blockIdx.x == 1) {
    while (flag[0] == 0) {}
    __threadfence(); // twin
    flag[1] = 1;
  } else {
    while (flag[1] == 0) {}
    __threadfence();
    *out = *data; // here
  }
}
static int run() {
  int *data = unset(4), *flag = filled(8), *out = unset(4);
  chain<<<3, 1>>>(data, flag, out);
  return ended_with(cudaSuccess);
}
