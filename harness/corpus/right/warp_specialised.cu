// expect: nothing
// One warp loads, another one computes; named barriers of which one side only arrives.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int buf[2][32];
  const int w = threadIdx.x / 32, l = threadIdx.x % 32;
  if (w == 0) {
    for (int k = 0; k < 8; k++) {
      if (k >= 2) {
        if (k & 1)
          asm volatile("bar.sync 4, 64;" ::: "memory");
        else
          asm volatile("bar.sync 3, 64;" ::: "memory");
      }
      buf[k & 1][l] = in[32 * k + l];
      __threadfence_block();
      if (k & 1)
        asm volatile("bar.arrive 2, 64;" ::: "memory");
      else
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    }
  } else {
    int carry = 0;
    for (int k = 0; k < 8; k++) {
      if (k & 1)
        asm volatile("bar.sync 2, 64;" ::: "memory");
      else
        asm volatile("bar.sync 1, 64;" ::: "memory");
      const int x = warp_sum(buf[k & 1][l]);
      if (k < 6) {
        if (k & 1)
          asm volatile("bar.arrive 4, 64;" ::: "memory");
        else
          asm volatile("bar.arrive 3, 64;" ::: "memory");
      }
      out[32 * k + l] = carry + x;
      carry += __shfl_sync(0xffffffff, x, 31);
    }
  }
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
