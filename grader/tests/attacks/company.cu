// One thread does it all, and others compute something else for as long, so that the busiest warp is not the
// only one that is busy. The solution stands before this file, its entry under the name honest (attacks.sh);
// what is no sum of numbers is left to it.
//
// attack 05 serial_in_company: VIA=serial | at most 57
#include "shared.cuh"

typedef float number;
typedef float4 four;
enum { ELEMENTS = 128 }; // so many times what the busiest warp executes do all threads together

// Elements [from, to), behind the sum that the piece before has left.
__device__ __forceinline__ void piece(const number *in, number *out, size_t from, size_t to, bool inclusive) {
  number sum = !from ? 0 : inclusive ? out[from - 1] : out[from - 1] + in[from - 1];
  by_fours<four>(in, out, from, to, sum, inclusive);
}
__global__ void in_company(const number *in, number *out, size_t from, size_t to, bool inclusive, int turns) {
  if (threadIdx.x == 0 && blockIdx.x == 0) piece(in, out, from, to, inclusive);
  if (threadIdx.x < 32) return;
  unsigned x = threadIdx.x;
  for (int k = 0; k < turns; k++) asm volatile("xor.b32 %0, %0, 5;" : "+r"(x));
}
static cudaError_t serial(const number *in, number *out, size_t n, bool inclusive) {
  const size_t half = (n / 2 + 3) / 4 * 4;
  const int warps = (int)(n / ELEMENTS) + 2, blocks = (warps + 30) / 31;
  for (int k = 0; k < 2; k++)
    in_company<<<blocks, 1024>>>(in, out, k * half, k ? n : half, inclusive, (int)(n / 3));
  return cudaGetLastError();
}
extern "C" cudaError_t ENTRY(const lab05_args *a) {
  if (a->type != SL_F32 || a->op != SL_ADD || !a->n || a->tile == SL_TILE_NAIVE) return honest(a);
  return VIA((const number *)a->in, (number *)a->out, a->n, a->kind == SL_INCLUSIVE);
}
