// expect: load.ptx at only here
// says: unsupported instruction `mma.sync
// A tensor core instruction, which the simulated GPU does not have: refused before anything runs.

__global__ void tensor(unsigned *x) {
  unsigned d0 = 0, d1 = 0, a0 = x[0], a1 = x[1], b0 = x[2];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
               : "+r"(d0), "+r"(d1)
               : "r"(a0), "r"(a1), "r"(b0)); // here
  x[threadIdx.x] = d0 + d1;
}
static int run() {
  unsigned *x;
  cudaMalloc(&x, 128);
  tensor<<<1, 32>>>(x);
  const cudaError_t e = cudaGetLastError();
  return e != cudaErrorInvalidPtx || cudaFree(x) != cudaSuccess;
}
