// expect: nothing
// A match of all lanes whose result hardly matters.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int w;
  const int t = threadIdx.x;
  int all;
  __match_all_sync(0xffffffff, in[t], &all);
  const int x = warp_sum(in[t]);
  if (t == 31) w = x + 0 * all;
  __syncthreads();
  out[t] = x + (t > 31 ? w : 0);
}
