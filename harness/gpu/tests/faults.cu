// A program that does what it is told, for tests of sl-sim:
// faults [bounds|misaligned|assert|trap|loop|print|exit N|signal|read_then_loop|slow|none]
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__global__ void bounds(int *p) { p[100000] = 1; }
__global__ void misaligned(int *p) { *(int *)((char *)p + 2) = 1; }
__global__ void asserts(int *p) { assert(p == nullptr); }
__global__ void trap(int *p) { if (p) asm volatile("trap;"); }
__global__ void loop(volatile int *p) { while (*p == 0) p[1] = p[1] + 1; }
__global__ void print(int *p) { printf("thread %d of %s\n", threadIdx.x, "print"); }
__global__ void none(int *p) { *p = 1; }
__global__ void unwritten(int *p) { __shared__ int s[2]; p[2] = s[threadIdx.x] > 0 ? 3 : 4; }
__global__ void slow(volatile int *p) { for (int k = 0; k < 2000000; k++) p[1] = k; }

int main(int argc, char **argv) {
  const struct { const char *name; void (*kernel)(int *); } all[] = {
      {"bounds", bounds}, {"misaligned", misaligned}, {"assert", asserts}, {"trap", trap}, {"print", print}, {"none", none}};
  const char *what = argc > 1 ? argv[1] : "none";
  int *d;
  if (!strcmp(what, "exit")) return atoi(argv[2]);
  if (!strcmp(what, "signal")) raise(SIGTERM);
  cudaError_t e = cudaMalloc(&d, 64);
  if (e) { printf("%s\n", cudaGetErrorName(e)); return 9; }
  cudaMemset(d, 0, 64);
  printf("ready\n");
  fflush(stdout);
  for (auto &k : all) if (!strcmp(k.name, what)) k.kernel<<<1, 2>>>(d);
  if (!strcmp(what, "read_then_loop")) unwritten<<<1, 1>>>(d);
  if (!strcmp(what, "slow")) slow<<<1, 1>>>((volatile int *)d);
  if (strstr(what, "loop")) loop<<<1, 1>>>(d);
  e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  if (e == cudaSuccess) cudaFree(d);
  return e != cudaSuccess && cudaGetLastError() == e ? 10 : 0;
}
