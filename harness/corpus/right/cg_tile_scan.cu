// expect: nothing
// cg::inclusive_scan of a tile.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int w[2];
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<32>(b);
  int x = cg::inclusive_scan(t, in[threadIdx.x]);
  if (t.thread_rank() == 31) w[t.meta_group_rank()] = x;
  b.sync();
  out[threadIdx.x] = x + (t.meta_group_rank() ? w[0] : 0);
}
