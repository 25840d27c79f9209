// expect: memory.bounds at only over, progress.deadlock at wait
// The flag that a block raises lies behind the array, so another block waits for ever. The access is the
// cause, and is told first.

__global__ void hand_over(int *flags, int *out) {
  if (blockIdx.x == 0) {
    *out = 1;
    __threadfence();
    atomicExch(&flags[1], 1); // twin
    atomicExch(&flags[2], 1); // over // wrong
  } else {
    while (atomicAdd(&flags[1], 0) == 0) { // wait
    }
    __threadfence();
    atomicAdd(out, 1);
  }
}
static int run() {
  int *flags = filled(8), *out = unset(4);
  hand_over<<<2, 1>>>(flags, out);
  return ended_with(cudaErrorIllegalAddress);
}
