// Prints what memory holds that nobody has written: the same word everywhere, or "mixed", in device memory,
// in memory that a kernel allocates and in shared memory.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void look(const unsigned *fresh, unsigned *out) {
  __shared__ unsigned s[1024];
  const int t = threadIdx.x;
  unsigned *own = (unsigned *)malloc(4);
  out[t] = fresh[t];
  out[t + 1024] = own ? *own : 1;
  out[t + 2048] = s[t];
  free(own);
}

static void tell(const char *what, const unsigned *v) {
  bool same = true;
  for (int k = 1; k < 1024; k++) same &= v[k] == v[0];
  if (same)
    printf("%s %08x\n", what, v[0]);
  else
    printf("%s mixed\n", what);
}

int main() {
  static unsigned v[3072];
  unsigned *fresh, *out;
  if (cudaMalloc(&fresh, 4096) != cudaSuccess || cudaMalloc(&out, sizeof v) != cudaSuccess) return 3;
  look<<<1, 1024>>>(fresh, out);
  if (cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
  tell("device", v), tell("heap", v + 1024), tell("shared", v + 2048);
  return cudaFree(fresh) != cudaSuccess || cudaFree(out) != cudaSuccess;
}
