// expect: barrier.divergent at only wrong
// Odd warps wait at another barrier than even warps: nobody is left who could come.

__global__ void apart(int *out) {
  if ((threadIdx.x >> 5) & 1)
    asm volatile("bar.sync 1;" ::: "memory");
  else
    asm volatile("bar.sync 1;" ::: "memory"); // twin
    asm volatile("bar.sync 2;" ::: "memory"); // wrong
  out[threadIdx.x] = 1;
}
static int run() {
  int *x = unset(256);
  apart<<<1, 64>>>(x);
  return ended_with(cudaErrorLaunchTimeout);
}
