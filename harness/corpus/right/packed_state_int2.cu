// expect: nothing
// State and value in one relaxed access of 64 bits.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ int before, tile;
  if (threadIdx.x == 0) tile = atomicAdd(p + 63, 1);
  __syncthreads();
  const int i = tile * 64 + threadIdx.x, x = block_scan(in[i]);
  if (threadIdx.x == 63) {
    int b = 0;
    if (tile) {
      int f, v;
      do
        asm volatile("ld.relaxed.gpu.global.v2.u32 {%0, %1}, [%2];"
                     : "=r"(f), "=r"(v)
                     : "l"(p + 2 * (tile - 1))
                     : "memory");
      while (f == 0);
      b = v;
    }
    asm volatile("st.relaxed.gpu.global.v2.u32 [%0], {%1, %2};" ::"l"(p + 2 * tile), "r"(1), "r"(b + x)
                 : "memory");
    before = b;
  }
  __syncthreads();
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 4, 64, 64, in, out, n); }
