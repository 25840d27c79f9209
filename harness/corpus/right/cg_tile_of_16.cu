// expect: nothing
// Tiles of 16 lanes that shuffle by themselves.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int w[4];
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<16>(b);
  int x = in[threadIdx.x];
  for (int o = 1; o < 16; o *= 2) {
    const int y = t.shfl_up(x, o);
    if (t.thread_rank() >= o) x += y;
  }
  if (t.thread_rank() == 15) w[t.meta_group_rank()] = x;
  b.sync();
  for (int k = 0; k < t.meta_group_rank(); k++) x += w[k];
  out[threadIdx.x] = x;
}
